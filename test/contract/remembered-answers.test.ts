/**
 * A change drops the remembered answers that it changes, and no other (docs/contract/delivery.md#caching).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { compose } from "../../src/boot/compose.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { system } from "../../src/domain/model/actor.ts";
import { newUuid, type PlayerId, type Uuid } from "../../src/kernel/ids.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, edit, grantCape, wearCape, type Member } from "../support/members.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";
import { isLeftOut, shownWithinMs } from "../support/storages.ts";
import { hearChanges } from "../support/heard-changes.ts";

const harness = await openHarness({ settings: { NAME_HOLD_DAYS: "0", RENAME_HOURS: "0" } });
/** Past the service and its change feed: what is remembered does not notice. */
const { change: changePast } = harness.database;
afterAll(() => harness[Symbol.asyncDispose]());

const chief = await addMember(harness, "Chief", { level: 3 });
let seed = 0;

/** A member who wears a skin and a cape that no other member has, and owns a second skin. */
async function addWearer() {
  seed += 1;
  const member = await addMember(harness, `Wearer${seed}`);
  const skin = await addSkin(harness, member, { file: skinPng(seed), slim: "false" });
  const second = await addSkin(harness, member, { file: skinPng(1000 + seed), slim: "false" });
  await edit(harness, member, "POST /api/home/edit/skin/select", { skinid: skin });
  const cape = await grantCape(harness, [member], capePng(seed));
  await wearCape(harness, member, skin, cape);
  const hash = bitmapHash(skinBitmap(seed));
  const { uuid, name } = member;
  const offline = offlineUuid(name);
  const ofPlayer = [uuid, offline, name, name.toUpperCase()].flatMap((player) => [
    `/api/skin/head/${player}?size=16`,
    `/api/skin/body/${player}?size=16&type=player`,
    `/api/skin/standart/${player}`,
    `/api/skin/standart/cape/${player}`,
    `/api/skin/standart/cape/${player}?type=player&size=16`,
    `/api/skin/standart/${player}?layout=legacy`,
  ]);
  const ofName = [name, name.toUpperCase()].flatMap((player) => [
    `/csl/${player}.json`,
    `/${player}.json`,
    `/usm/${player}.json`,
    `/ely/textures/${player}`,
    `/ely/skins/${player}`,
    `/ely/cloaks?name=${player}`,
    `/usm/MinecraftSkins/${player}.png`,
    `/skin/${player}.png`,
    `/legacy/cape/${player}.png`,
    `/avatar/player/${player}?size=16`,
  ]);
  const addresses = [
    ...ofPlayer,
    ...ofName,
    `/api/skin/launcher/${uuid}`,
    `/api/skin/launcher/envelope/${uuid}`,
    `/api/skin/launcher/${offline}`,
    `/usm/${name}.${offline}.json`,
    `/api/gravit/textures/${offline}`,
    `/api/yggdrasil/minecraft/profile/lookup/${offline}`,
    `/crafatar/avatars/${offline}`,
    `/api/skin/head/${skin}?size=16`,
    `/api/skin/body/${skin}?size=16`,
    `/api/skin/public/${skin}`,
    `/api/skin/cloak/${skin}`,
    `/api/skin/cloak/${cape.uuid}`,
    `/api/skin/cloak/${cape.id}?size=16`,
    `/api/skin/public/cape/${cape.uuid}`,
    `/textures/${hash}`,
    `/csl/textures/${hash}.png`,
    `/api/skin/public/${skin}?layout=legacy`,
    `/textures/${cape.texture.hash}`,
  ];
  return { member, skin, second, cape, hash, addresses };
}

type Wearer = Awaited<ReturnType<typeof addWearer>>;

let asked = 0;
/** The same picture at an address that was never asked. */
const neverAsked = (address: string) => `${address}${address.includes("?") ? "&" : "?"}n=${(asked += 1)}`;

async function answerAt(address: string) {
  const response = await harness.fetch(address);
  const body = await response.text();
  if (response.status !== 200) return { status: response.status };
  return { status: 200, tag: response.headers.get("etag"), length: body.length };
}

const answersAt = (addresses: readonly string[]) => Promise.all(addresses.map(answerAt));

/** Asks until everything is remembered, and returns that. */
async function remember({ addresses }: Wearer) {
  await hearChanges(harness);
  await answersAt(addresses);
  return answersAt(addresses);
}

type Answered = Awaited<ReturnType<typeof answersAt>>;

/**
 * Whether these are still answered from memory: the database names other files meanwhile, which would show in
 * every tag.
 */
async function expectRemembered({ addresses, hash, cape }: Wearer, remembered: Answered): Promise<void> {
  const swap = `UPDATE textures SET digest = substr(digest, 33) || substr(digest, 1, 32)
                WHERE hash IN ('${hash}', '${cape.texture.hash}')`;
  changePast(swap);
  expect(await answersAt(addresses)).toEqual(remembered);
  changePast(swap);
}

const asChief = async (request: string, json?: unknown) => {
  const response = await edit(harness, chief, request, json);
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
};
const as = async (member: Member, request: string, json: unknown) => {
  const response = await edit(harness, member, request, json);
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
};

const hour = 3600;
const changes: Readonly<Record<string, (wearer: Wearer) => Promise<unknown>>> = {
  "another skin is selected": ({ member, second }) =>
    as(member, "POST /api/home/edit/skin/select", { skinid: second }),
  "the skin gets other arms": ({ member, skin }) =>
    as(member, "PUT /api/home/edit/skin", { skinid: skin, slim: true }),
  "the cape is taken off": ({ member, skin }) =>
    as(member, "PUT /api/home/edit/skin", { skinid: skin, cloakid: null }),
  "the skin is deleted": ({ member, skin }) => as(member, "DELETE /api/home/edit/skin", { skinid: skin }),
  "staff give the skin other arms": ({ skin }) => asChief(`PATCH /api/admin/skin/${skin}`, { slim: true }),
  "staff remove the skin": ({ skin }) => asChief(`DELETE /api/admin/skin/${skin}`),
  "staff ban the bitmap": ({ skin }) => asChief(`DELETE /api/admin/skin/${skin}`, { ban: true }),
  "the skin that it wears by default is replaced by a first one": async (wearer) => {
    await as(wearer.member, "DELETE /api/home/edit/skin", { skinid: wearer.second });
    await as(wearer.member, "DELETE /api/home/edit/skin", { skinid: wearer.skin });
    await remember(wearer);
    await addSkin(harness, wearer.member, { file: skinPng(2000 + seed) });
  },
  "its owner takes another name": ({ member }) =>
    as(member, "PATCH /api/home/edit/username", { username: `New${seed}`, password: member.password }),
  "another player takes the name that it gave up": async ({ member }) => {
    await asChief(`PATCH /api/admin/user/${member.uuid}`, { username: `New${seed}` });
    const heir = await addMember(harness, `Heir${seed}`);
    await addSkin(harness, heir, { file: skinPng(3000 + seed) });
    await asChief(`PATCH /api/admin/user/${heir.uuid}`, { username: member.name });
  },
  "the account is deleted": ({ member }) => asChief(`DELETE /api/admin/user/${member.uuid}`),
  "the account is deleted and another one takes the name": async ({ member }) => {
    await asChief(`DELETE /api/admin/user/${member.uuid}`);
    await addMember(harness, member.name);
  },
  "the cape is deleted": ({ cape }) => asChief("DELETE /api/admin/user/cape/upload", { capeid: cape.uuid }),
  "the grant is revoked": ({ member }) =>
    asChief(`POST /api/admin/user/cape/${member.uuid}`, { user: member.account.id, cape: [] }),
  "the grant's time is over": async ({ member, cape }) => {
    const end = harness.clock.nowSeconds() + hour;
    const grant = { user: member.account.id, cape: [cape.id], expired_at: end };
    await asChief(`POST /api/admin/user/cape/${member.uuid}`, grant);
    harness.clock.advance(hour);
    await startHousekeeping({ ...harness.services, log: harness.log })[Symbol.asyncDispose]();
  },
};

describe("nothing is answered as before, and another member's answers stay, after", () => {
  test.each(Object.entries(changes))("%s", async (_, change) => {
    const [changed, other] = [await addWearer(), await addWearer()];
    const [before, others] = [await remember(changed), await remember(other)];
    await expectRemembered(changed, before);
    await change(changed);
    const after = await answersAt(changed.addresses);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await answersAt(changed.addresses.map(neverAsked)));
    await expectRemembered(other, others);
  });
});

test("an account's uuid names its main player until a player has that uuid", async () => {
  const wearer = await addWearer();
  const half = await addMember(harness, "half", { finished: false });
  const addresses = [`/api/skin/launcher/${half.uuid}`, `/api/skin/head/${half.uuid}?size=16`];
  const insertPlayer = (uuid: Uuid, name: string) =>
    harness.services.transact(system, async ({ players }) => {
      const player = await players.insertPlayer({ uuid, accountId: half.account.id, name, createdAt: 1 });
      const skin = await harness.services.reads.textures.findSkin(wearer.skin as Uuid);
      await players.selectSkin(player.id, skin?.id ?? null);
    });
  const seen = [await answersAt(addresses)];
  await insertPlayer(newUuid(), "Main");
  seen.push(await answersAt(addresses));
  await insertPlayer(half.account.uuid, "Second");
  changePast(`UPDATE players SET selected_skin_id = NULL WHERE uuid = '${half.uuid}'`);
  seen.push(await answersAt(addresses));
  expect(seen[1]).not.toEqual(seen[0]);
  expect(seen[2]).not.toEqual(seen[1]);
  expect(seen[2]).toEqual(await answersAt(addresses.map(neverAsked)));
});

test("another process's change drops what it changes in time, and no more", async () => {
  const [changed, other] = [await addWearer(), await addWearer()];
  await using command = await compose(harness.config, { clock: harness.clock });
  const [before, others] = [await remember(changed), await remember(other)];
  await command.transact(system, ({ players }) => players.selectSkin(playerId(changed), null));
  const now = await askUntilChanged(changed, before);
  expect(now).not.toEqual(before);
  expect(now).toEqual(await answersAt(changed.addresses.map(neverAsked)));
  await expectRemembered(other, others);
});

const isNoSequence = isLeftOut("sqlite", "PostgreSQL misses changes otherwise: test/postgres");
test.skipIf(isNoSequence)("everything is dropped where changes of another process were missed", async () => {
  const wearer = await addWearer();
  const before = await remember(wearer);
  changePast(`UPDATE players SET selected_skin_id = NULL WHERE uuid = '${wearer.member.uuid}'`);
  expect(await answersAt(wearer.addresses)).toEqual(before);
  changePast("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'change'");
  const after = await askUntilChanged(wearer, before);
  expect(after).not.toEqual(before);
  expect(after).toEqual(await answersAt(wearer.addresses.map(neverAsked)));
});

test("an answer that was read before a change is not remembered after it", async () => {
  const wearer = await addWearer();
  const { member, skin, second, addresses } = wearer;
  for (let round = 0; round < 20; round++) {
    const skinid = round % 2 === 0 ? second : skin;
    // Addresses that were never asked, so that each is read and remembered while the change is made.
    const fresh = addresses.map(neverAsked);
    const [change] = await Promise.all([
      edit(harness, member, "POST /api/home/edit/skin/select", { skinid }),
      ...fresh.map(async (address, turn) => {
        for (let wait = 0; wait < turn; wait++) await Promise.resolve();
        await answerAt(address);
      }),
    ]);
    expect(change.status).toBe(200);
    expect(await answersAt(fresh)).toEqual(await answersAt(fresh.map(neverAsked)));
  }
});

/**
 * Asks for as long as that may take, and once more when they are over, however late that is on a busy
 * machine.
 */
async function askUntilChanged({ addresses }: Wearer, before: unknown) {
  const end = performance.now() + shownWithinMs(20);
  for (;;) {
    // Answers from memory leave the event loop no turn.
    await yieldToEventLoop();
    const isLast = performance.now() >= end;
    const now = await answersAt(addresses);
    // The change may have been seen amid these answers; all later ones are of after it.
    if (isLast || !Bun.deepEquals(now, before)) return answersAt(addresses);
  }
}

function playerId({ member }: Wearer): PlayerId {
  const [row] = harness.database.rows(`SELECT id FROM players WHERE uuid = '${member.uuid}'`);
  return row?.["id"] as PlayerId;
}
