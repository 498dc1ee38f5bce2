/** What a further player shows, at every address, and that nothing of what was shown stays behind. */
import { afterAll, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { Cape } from "../../src/domain/model/texture.ts";
import { expireGrants, setCapes } from "../../src/domain/members/grants.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { changePlayer } from "../../src/domain/players/change-player.ts";
import { deletePlayer } from "../../src/domain/players/delete-player.ts";
import { banTexture } from "../../src/domain/textures/ban-texture.ts";
import { deleteCape } from "../../src/domain/textures/capes.ts";
import { newUuid, parseTextureHash, parseUuid, type Uuid } from "../../src/kernel/ids.ts";
import { openHarness } from "../support/harness.ts";
import {
  addMember,
  addPlayer,
  addSkin,
  allowPlayers,
  edit,
  grantCape,
  type Member,
} from "../support/members.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";

const harness = await openHarness({ settings: { NAME_HOLD_DAYS: "0", RENAME_HOURS: "0" } });
afterAll(() => harness[Symbol.asyncDispose]());
const { services } = harness;

let seed = 0;
let asked = 0;

type Wearer = {
  readonly member: Member;
  readonly uuid: Uuid;
  readonly name: string;
  readonly skin: Uuid;
  readonly cape: Cape;
  readonly number: number;
};

/** A member whose second player wears a skin and a cape of its own, which the main player does not show. */
async function addWearer(): Promise<Wearer> {
  const number = (seed += 1);
  const member = await addMember(harness, `Main_${number}`);
  await allowPlayers(harness, member);
  const { uuid, name } = await addPlayer(harness, member, `Second_${number}`);
  await addSkin(harness, member, { file: skinPng(1000 + number) });
  const skin = parseUuid(await addSkin(harness, member, { file: skinPng(number), slim: "true" }))!;
  const cape = await grantCape(harness, [member], capePng(number));
  const wearer = { member, uuid, name, skin, cape, number };
  await change(wearer, { skinid: skin, cloakid: cape.uuid });
  return wearer;
}

async function change({ member, uuid }: Wearer, json: object): Promise<void> {
  const response = await edit(harness, member, `PATCH /api/home/players/${uuid}`, json);
  if (!response.ok) throw new Error(await response.text());
}

const addressesOf = ({ uuid, name }: Wearer) =>
  [uuid, name, name.toUpperCase()].flatMap((player) => [
    `/api/skin/head/${player}?size=16`,
    `/api/skin/body/${player}?size=16&type=player`,
    `/api/skin/standart/${player}`,
    `/api/skin/standart/cape/${player}`,
    `/api/skin/standart/cape/${player}?type=player&size=16&default=transparent`,
    `/api/skin/launcher/${player}`,
    `/api/skin/launcher/envelope/${player}`,
  ]);

async function answerAt(address: string) {
  const response = await harness.fetch(address);
  const { status } = response;
  const text = await response.text();
  return { status, tag: response.headers.get("etag"), body: status === 200 ? text.length : 0 };
}

const answersOf = (wearer: Wearer) => Promise.all(addressesOf(wearer).map(answerAt));
/** The same answers at addresses that were never asked. */
const freshOf = (wearer: Wearer) =>
  Promise.all(
    addressesOf(wearer).map((path) => answerAt(`${path}${path.includes("?") ? "&" : "?"}n=${(asked += 1)}`)),
  );

/** The descriptor: whether it has a skin and a cape. */
async function shows({ uuid }: Wearer): Promise<readonly [boolean, boolean]> {
  const response = await harness.fetch(`/api/skin/launcher/${uuid}`);
  const shown = (await response.json()) as { readonly SKIN?: object; readonly CAPE?: object };
  return [shown.SKIN !== undefined, shown.CAPE !== undefined];
}

const changes: Readonly<Record<string, readonly [(wearer: Wearer) => Promise<unknown>, boolean, boolean]>> = {
  "it wears another skin": [
    async (wearer) => {
      const other = { file: skinPng(2000 + wearer.number), slim: "false" };
      await change(wearer, { skinid: await addSkin(harness, wearer.member, other) });
    },
    true,
    true,
  ],
  "it wears no skin": [(wearer) => change(wearer, { skinid: null }), false, true],
  "it wears no cape": [(wearer) => change(wearer, { cloakid: "none" }), true, false],
  "it wears what the skin says": [(wearer) => change(wearer, { cloakid: "" }), true, false],
  "staff take its skin off": [
    ({ uuid }) => changePlayer(services, commandLine, { by: "uuid", value: uuid }, { skin: null }),
    false,
    true,
  ],
  "the skin is deleted": [
    ({ member, skin }) => edit(harness, member, "DELETE /api/home/edit/skin", { skinid: skin }),
    false,
    true,
  ],
  "the bitmap is banned": [
    ({ number }) =>
      banTexture(services, commandLine, {
        hash: parseTextureHash(bitmapHash(skinBitmap(number)))!,
        reason: "",
      }),
    false,
    true,
  ],
  "the cape is revoked": [
    ({ member }) => setCapes(services, commandLine, { account: member.account.id, grants: [] }),
    true,
    false,
  ],
  "the grant ends": [
    async ({ member, cape }) => {
      const expiresAt = harness.clock.nowSeconds() + 5;
      const grants = [{ cape: { by: "id", value: cape.id }, expiresAt }] as const;
      await setCapes(services, commandLine, { account: member.account.id, grants });
      harness.clock.advance(5);
      expect(await expireGrants(services)).toBe(1);
    },
    true,
    false,
  ],
  "the cape is deleted": [({ cape }) => deleteCape(services, commandLine, cape.uuid), true, false],
  "it gets another name": [
    (wearer) => change(wearer, { name: `Other_${wearer.number}`, password: wearer.member.password }),
    true,
    true,
  ],
  "it gets another uuid": [
    ({ uuid }) => changePlayer(services, commandLine, { by: "uuid", value: uuid }, { uuid: newUuid() }),
    false,
    false,
  ],
  "it is deleted": [
    ({ uuid }) => deletePlayer(services, commandLine, { by: "uuid", value: uuid }),
    false,
    false,
  ],
  "it is deleted and made again": [
    async ({ member, uuid, name }) => {
      await deletePlayer(services, commandLine, { by: "uuid", value: uuid });
      await addPlayer(harness, member, name);
    },
    false,
    false,
  ],
  "its account is deleted": [({ member }) => deleteAccount(services, commandLine, member.uuid), false, false],
};

test.each(Object.entries(changes))("%s: every address shows it at once", async (_, [work, skin, cape]) => {
  const [wearer, other] = [await addWearer(), await addWearer()];
  const before = await answersOf(wearer);
  expect(before.filter(({ status }) => status !== 200)).toEqual([]);
  expect([await answersOf(wearer), await shows(wearer)]).toEqual([before, [true, true]]);
  const others = await answersOf(other);
  await work(wearer);
  const after = await answersOf(wearer);
  expect(after).toEqual(await freshOf(wearer));
  expect(after).not.toEqual(before);
  expect(await shows(wearer)).toEqual([skin, cape]);
  expect(await answersOf(other)).toEqual(others);
  expect(harness.takeComplaints()).toEqual([]);
});

test("the account's own uuid shows its main player, whatever its players are called", async () => {
  const { member, uuid } = await addWearer();
  const address = `/api/skin/launcher/envelope/${member.uuid}`;
  const nameAt = async () => {
    const answer = (await (await harness.fetch(address)).json()) as { data: { username: string } };
    return answer.data.username;
  };
  expect(await nameAt()).toBe(member.name);
  const next = newUuid();
  const key = { by: "uuid", value: parseUuid(member.uuid)! } as const;
  await changePlayer(services, commandLine, key, { uuid: next });
  expect(await nameAt()).toBe(member.name);
  // It names the account, so no other player of it gets it.
  for (const one of [uuid, next]) {
    const given = changePlayer(services, commandLine, { by: "uuid", value: one }, { uuid: key.value });
    if (one === uuid) expect(given).rejects.toMatchObject({ kind: "conflict", field: "uuid" });
    await given.catch(() => undefined);
  }
  const response = await harness.fetch("/api/home", { headers: { authorization: member.authorization } });
  expect(((await response.json()) as { data: { Uuid: string } }).data.Uuid).toBe(member.uuid);
});
