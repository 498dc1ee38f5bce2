/**
 * How often one account may change what its players show, by whichever way
 * (docs/contract/limits.md#attempts).
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { limitLooks } from "../../src/domain/limits/look-limit.ts";
import { attemptsOfProcess, createRateLimits } from "../../src/domain/limits/rate-limits.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { Cape } from "../../src/domain/model/texture.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import {
  addMember,
  addPlayer,
  addSkin,
  allowPlayers,
  edit,
  grantCape,
  playerOf,
  signIn,
  upload,
  type Member,
} from "../support/members.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { ask, idOf, signInToGame, skinForm } from "../yggdrasil/world.ts";

const inMinute = 30;
const keys = generateKeyPairSync("ec", { namedCurve: "prime256v1" });

let folder: string;
let harness: Harness;
let chief: Member;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloakroom-looks-"));
  const keyFile = join(folder, "ecdsa_id.pub");
  await writeFile(keyFile, keys.publicKey.export({ type: "spki", format: "der" }));
  harness = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1", GRAVIT_KEY_FILE: keyFile } });
  chief = await addMember(harness, "Chief", { level: 3 });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A member who wears the first of three skins, and was granted a cape. */
type Wearer = {
  readonly member: Member;
  readonly player: { readonly uuid: string };
  readonly first: string;
  readonly second: string;
  readonly third: string;
  readonly cape: Cape;
  readonly game: string;
};

let seed = 0;
async function addWearer(): Promise<Wearer> {
  // Sign-ins of an address are limited, too.
  harness.clock.advance(60);
  seed += 1;
  const member = await addMember(harness, `Wearer${seed}`);
  const first = await addSkin(harness, member, { file: skinPng(seed), slim: "true" });
  const second = await addSkin(harness, member, { file: skinPng(1000 + seed), slim: "false" });
  const third = await addSkin(harness, member, { file: skinPng(2000 + seed), slim: "false" });
  const cape = await grantCape(harness, [member], capePng(seed));
  const game = await signInToGame(harness, member.name, member.password);
  harness.clock.advance(60);
  return { member, player: await playerOf(harness, member), first, second, third, cape, game };
}

const select = ({ member }: Pick<Wearer, "member">, skin: string) =>
  edit(harness, member, "POST /api/home/edit/skin/select", { skinid: skin });

/** Changes so often what the player shows. The last one leaves the first skin, where the count is even. */
async function change(wearer: Wearer, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++)
    statuses.push((await select(wearer, n % 2 === 0 ? wearer.second : wearer.first)).status);
  return statuses;
}

const shownBy = async ({ player }: Wearer): Promise<unknown> =>
  (await harness.fetch(`/api/skin/launcher/${player.uuid}`)).json();

async function asLaunchServer({ player }: Wearer, what: "skin" | "cape", file: Uint8Array) {
  const token = await new SignJWT({ iss: "LaunchServer", uuid: player.uuid })
    .setProtectedHeader({ alg: "ES256" })
    .setExpirationTime(harness.clock.nowSeconds() + 600)
    .sign(keys.privateKey);
  const body = new FormData();
  body.set("options", "{}");
  body.set("file", new File([new Uint8Array(file)], "file.png", { type: "image/png" }));
  return harness.fetch(`/api/gravit/upload/${what}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body,
  });
}

type Way = (wearer: Wearer) => Promise<Response>;
const home =
  (request: string, json: (wearer: Wearer) => unknown): Way =>
  (wearer) =>
    edit(harness, wearer.member, request.replace(":uuid", wearer.player.uuid), json(wearer));
const game =
  (request: string, given: (wearer: Wearer) => { json?: unknown; form?: FormData } = () => ({})): Way =>
  (wearer) =>
    ask(harness, request.replace(":id", idOf(wearer.player)), { token: wearer.game, ...given(wearer) });

/** Each makes a player who wears the first skin show something else. */
const ways: Readonly<Record<string, Way>> = {
  "selecting a skin": (wearer) => select(wearer, wearer.second),
  "giving the worn skin other arms": home("PUT /api/home/edit/skin", ({ first }) => ({
    skinid: first,
    slim: false,
  })),
  "giving the worn skin a cape": home("PUT /api/home/edit/skin", ({ first, cape }) => ({
    skinid: first,
    cloakid: cape.uuid,
  })),
  "deleting the worn skin": home("DELETE /api/home/edit/skin", ({ first }) => ({ skinid: first })),
  "dressing a player": home("PATCH /api/home/players/:uuid", ({ cape }) => ({ cloakid: cape.uuid })),
  "undressing a player": home("PATCH /api/home/players/:uuid", () => ({ skinid: null })),
  "uploading by a launcher": game("PUT /api/user/profile/:id/skin", () => ({ form: skinForm(skinPng(77)) })),
  "a cape by a launcher": game("PUT /api/user/profile/:id/cape", () => ({ form: skinForm(capePng(seed)) })),
  "removing by a launcher": game("DELETE /api/user/profile/:id/skin"),
  "uploading by the game": game("POST /minecraftservices/minecraft/profile/skins", () => ({
    form: skinForm(skinPng(78), { variant: "classic" }),
  })),
  "removing by the game": game("DELETE /minecraftservices/minecraft/profile/skins/active"),
  "a cape by the game": game("PUT /minecraftservices/minecraft/profile/capes/active", ({ cape }) => ({
    json: { capeId: cape.uuid },
  })),
  "uploading by a LaunchServer": (wearer) => asLaunchServer(wearer, "skin", skinPng(79)),
  "a cape by a LaunchServer": (wearer) => asLaunchServer(wearer, "cape", capePng(seed)),
};

describe("after 30 changes in a minute", () => {
  test.each(Object.entries(ways))("%s is refused, and works a minute later", async (_, way) => {
    const wearer = await addWearer();
    expect(new Set(await change(wearer, inMinute))).toEqual(new Set([200]));
    const before = await shownBy(wearer);
    const refused = await way(wearer);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await refused.text()).toContain(
      "Too many changes of what your players show; try again in 60 seconds",
    );
    expect(await shownBy(wearer)).toEqual(before);

    harness.clock.advance(60);
    expect((await way(wearer)).ok).toBe(true);
    expect(await shownBy(wearer)).not.toEqual(before);
  });

  test("the first skin of a wardrobe waits, too", async () => {
    const wearer = await addWearer();
    await change(wearer, inMinute - 1);
    for (const skin of [wearer.first, wearer.third, wearer.second]) {
      const answer = await edit(harness, wearer.member, "DELETE /api/home/edit/skin", { skinid: skin });
      expect(answer.status).toBe(204);
    }
    expect((await upload(harness, wearer.member, { file: skinPng(6) })).status).toBe(429);
    harness.clock.advance(60);
    expect((await upload(harness, wearer.member, { file: skinPng(6) })).status).toBe(200);
  });

  test.each<readonly [string, Way]>([
    ["the same skin again", (wearer) => select(wearer, wearer.first)],
    [
      "another name of the worn skin",
      home("PUT /api/home/edit/skin", ({ first }) => ({ skinid: first, name: "Other" })),
    ],
    [
      "another look of a skin that is not worn",
      home("PUT /api/home/edit/skin", ({ third }) => ({ skinid: third, slim: true })),
    ],
    [
      "deleting a skin that is not worn",
      home("DELETE /api/home/edit/skin", ({ third }) => ({ skinid: third })),
    ],
    ["another skin in the wardrobe", ({ member }) => upload(harness, member, { file: skinPng(7) })],
    ["a skin that is not theirs", (wearer) => select(wearer, wearer.member.uuid)],
  ])("%s is no change: it neither counts nor waits", async (_, way) => {
    const wearer = await addWearer();
    await change(wearer, inMinute - 2);
    expect((await way(wearer)).status).not.toBe(429);
    expect(await change(wearer, 2)).toEqual([200, 200]);
    expect((await select(wearer, wearer.second)).status).toBe(429);
    expect((await way(wearer)).status).not.toBe(429);
  });

  test("another member's change passes, and what staff and services do to others", async () => {
    const [wearer, other] = [await addWearer(), await addWearer()];
    await change(wearer, inMinute);
    expect((await select(other, other.second)).status).toBe(200);
    const { account } = wearer.member;
    const { token } = await createToken(harness.services, commandLine, `shop-${seed}`, ["cape"]);
    const asChief = (request: string, json: unknown) => edit(harness, chief, request, json);
    for (let n = 0; n < inMinute + 1; n++)
      expect((await asChief(`PATCH /api/admin/skin/${wearer.first}`, { slim: n % 2 === 1 })).status).toBe(
        200,
      );
    expect(
      (await asChief(`PATCH /api/admin/players/${wearer.player.uuid}`, { cloakid: wearer.cape.uuid })).status,
    ).toBe(200);
    const taken = await harness.fetch("/api/service/cape", {
      method: "DELETE",
      headers: { authorization: token, "content-type": "application/json" },
      body: JSON.stringify({ userid: account.id, cape: wearer.cape.uuid }),
    });
    expect(taken.status).toBe(200);
    expect((await select(wearer, wearer.second)).status).toBe(429);
  });
});

test("a change that several players show counts for each of them, or is refused and counts nothing", async () => {
  const wearer = await addWearer();
  await allowPlayers(harness, wearer.member, 5);
  for (let n = 0; n < 4; n++) {
    const { uuid } = await addPlayer(harness, wearer.member, `Twin${n}_${seed}`);
    const dressed = await edit(harness, wearer.member, `PATCH /api/home/players/${uuid}`, {
      skinid: wearer.first,
    });
    expect(dressed.status).toBe(200);
  }
  harness.clock.advance(60);
  const cover = (slim: boolean) =>
    edit(harness, wearer.member, "PUT /api/home/edit/skin", { skinid: wearer.first, slim });
  for (let n = 0; n < 5; n++) expect((await cover(n % 2 === 1)).status).toBe(200);
  expect(await change(wearer, 2)).toEqual([200, 200]);
  expect((await cover(true)).status).toBe(429);
  expect(await change(wearer, 4)).toEqual([200, 200, 200, 429]);
});

test("many at once are as many as one after the other", async () => {
  const wearer = await addWearer();
  const skins: string[] = [];
  for (let n = 0; n < inMinute + 10; n++) {
    if (n % 20 === 0) harness.clock.advance(60);
    skins.push(await addSkin(harness, wearer.member, { file: skinPng(3000 + n) }));
  }
  const statuses = await Promise.all(skins.map(async (skin) => (await select(wearer, skin)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(inMinute);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test("a change whose commit fails counts for nothing", async () => {
  const account = 7 as AccountId;
  const { looks } = createRateLimits({ factor: 1, attempts: attemptsOfProcess(harness.clock) });
  const { transact } = harness.services;
  const actor = { ...commandLine, inNameOf: account };
  let fails = true;
  const limited = limitLooks(async (by, work) => {
    const result = await transact(by, (tx) =>
      work({ ...tx, events: { ...tx.events, listChangedLooks: async () => [account] } }),
    );
    if (fails) throw new Error("the commit failed");
    return result;
  }, looks);
  const change = () => limited(actor, async () => "kept").catch((error: Error) => error.message);
  for (let n = 0; n < 40; n++) expect(await change()).toBe("the commit failed");
  fails = false;
  for (let n = 0; n < inMinute; n++) expect(await change()).toBe("kept");
  expect(await change()).toStartWith("Too many changes");
});

describe("with a tenth of the limits", () => {
  let small: Harness;
  beforeAll(async () => {
    small = await openHarness({ settings: { RATE_LIMIT_FACTOR: "0.1" } });
  });
  afterAll(() => small[Symbol.asyncDispose]());

  test("three changes in a minute pass and 50 in a day, and the next one waits for the day's end", async () => {
    const member = await addMember(small, "Dresser");
    const first = await addSkin(small, member, { file: skinPng(1) });
    const second = await addSkin(small, member, { file: skinPng(2) });
    small.clock.advance(24 * 60 * 60 - 60);
    const jwt = await signIn(small, member.name, member.password);
    const again = { ...member, authorization: `Bearer ${jwt}` };
    small.clock.advance(60);
    const dress = async (n: number) =>
      edit(small, again, "POST /api/home/edit/skin/select", { skinid: n % 2 === 0 ? second : first });
    const begun = small.clock.nowSeconds();
    for (let n = 0; n < 50; n++) {
      if (n > 0 && n % 3 === 0) {
        const refused = await dress(n);
        expect([n, refused.status, refused.headers.get("retry-after")]).toEqual([n, 429, "60"]);
        small.clock.advance(60);
      }
      expect([n, (await dress(n)).status]).toEqual([n, 200]);
    }
    small.clock.advance(60);
    const refused = await dress(50);
    const rest = begun + 24 * 60 * 60 - small.clock.nowSeconds();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(rest)]);
  });
});
