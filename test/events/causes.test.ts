/**
 * Every change of what other services know of players makes its events, once, and no other change makes any.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import { deleteCape } from "../../src/domain/textures/capes.ts";
import type { OwnCape } from "../../src/domain/model/account.ts";
import type { LoggedEvent } from "../../src/domain/model/event.ts";
import type { Tx } from "../../src/domain/ports/unit-of-work.ts";
import { compose } from "../../src/boot/compose.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { openHarness } from "../support/harness.ts";
import {
  addMember,
  addSkin,
  edit,
  grantCape,
  playerOf,
  signIn,
  wearCape,
  type Member,
} from "../support/members.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";

const harness = await openHarness({ settings: { NAME_HOLD_DAYS: "0", RENAME_HOURS: "0" } });
afterAll(() => harness[Symbol.asyncDispose]());
const { events: log } = harness.services.reads;
const chief = await addMember(harness, "Chief", { level: 3 });
let seed = 0;

async function eventsOf(work: () => Promise<unknown>): Promise<readonly LoggedEvent[]> {
  const before = await log.newestEventId();
  await work();
  const made = await log.listEvents(before, 1000);
  expect(made.map(({ id }) => id)).toEqual(made.map((_, index) => before + 1 + index));
  expect(made.every(({ at }) => at === harness.clock.nowSeconds())).toBe(true);
  return made;
}

const bare = (events: readonly LoggedEvent[]): readonly object[] => bareOf(...events);

/** A member who wears a slim skin and a cape that no other member has, and owns a second skin. */
async function addWearer() {
  seed += 1;
  const member = await addMember(harness, `Wearer${seed}`);
  const first = await addSkin(harness, member, { file: skinPng(seed), slim: "true" });
  const second = await addSkin(harness, member, { file: skinPng(1000 + seed), slim: "false" });
  const cape = await grantCape(harness, [member], capePng(seed));
  await wearCape(harness, member, first, cape);
  const player = { uuid: (await playerOf(harness, member)).uuid, name: member.name };
  return {
    member,
    player,
    first,
    second,
    cape,
    looks: {
      first: { hash: bitmapHash(skinBitmap(seed)), model: "slim" },
      second: { hash: bitmapHash(skinBitmap(1000 + seed)), model: "classic" },
      cape: { hash: cape.texture.hash },
    },
  };
}
type Wearer = Awaited<ReturnType<typeof addWearer>>;

const bareOf = (...events: readonly object[]): readonly object[] =>
  events.map((event) => ({ ...event, id: undefined, at: undefined }));

const textures = ({ player }: Wearer, skin: object | null, cape: object | null) => ({
  type: "player.textures",
  player,
  skin,
  cape,
});

const as = async (member: Member, request: string, json?: unknown) => {
  const response = await edit(harness, member, request, json);
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
};
const asChief = (request: string, json?: unknown) => as(chief, request, json);
const inStore = <T>(work: (tx: Tx) => Promise<T>) => harness.services.transact(system, work);

type Cause = readonly [
  cause: (wearer: Wearer) => Promise<unknown>,
  made: (wearer: Wearer) => readonly object[],
];

const causes: Readonly<Record<string, Cause>> = {
  "another skin is selected": [
    ({ member, second }) => as(member, "POST /api/home/edit/skin/select", { skinid: second }),
    (wearer) => [textures(wearer, wearer.looks.second, null)],
  ],
  "the same skin is selected again": [
    ({ member, first }) => as(member, "POST /api/home/edit/skin/select", { skinid: first }),
    () => [],
  ],
  "the skin gets other arms": [
    ({ member, first }) => as(member, "PUT /api/home/edit/skin", { skinid: first, slim: false }),
    (wearer) => [textures(wearer, { ...wearer.looks.first, model: "classic" }, wearer.looks.cape)],
  ],
  "the skin gets a name": [
    ({ member, first }) => as(member, "PUT /api/home/edit/skin", { skinid: first, name: "Other" }),
    () => [],
  ],
  "a skin that is not worn changes": [
    ({ member, second, cape }) =>
      as(member, "PUT /api/home/edit/skin", { skinid: second, cloakid: cape.uuid }),
    () => [],
  ],
  "a skin comes into the wardrobe": [
    ({ member }) => addSkin(harness, member, { file: skinPng(2000 + seed) }),
    () => [],
  ],
  "the cape is taken off": [
    ({ member, first }) => as(member, "PUT /api/home/edit/skin", { skinid: first, cloakid: null }),
    (wearer) => [textures(wearer, wearer.looks.first, null)],
  ],
  "the skin is deleted": [
    ({ member, first }) => as(member, "DELETE /api/home/edit/skin", { skinid: first }),
    (wearer) => [textures(wearer, null, null)],
  ],
  "a skin that is not worn is deleted": [
    ({ member, second }) => as(member, "DELETE /api/home/edit/skin", { skinid: second }),
    () => [],
  ],
  "staff give the skin other arms": [
    ({ first }) => asChief(`PATCH /api/admin/skin/${first}`, { slim: false }),
    (wearer) => [textures(wearer, { ...wearer.looks.first, model: "classic" }, wearer.looks.cape)],
  ],
  "staff ban the bitmap": [
    ({ first }) => asChief(`DELETE /api/admin/skin/${first}`, { ban: true }),
    (wearer) => [textures(wearer, null, null)],
  ],
  "the cape is deleted": [
    ({ cape }) => deleteCape(harness.services, commandLine, cape.uuid),
    (wearer) => [textures(wearer, wearer.looks.first, null)],
  ],
  "the grant is revoked": [
    ({ member: { account } }) =>
      asChief(`POST /api/admin/user/cape/${account.id}`, { user: account.id, cape: [] }),
    (wearer) => [textures(wearer, wearer.looks.first, null)],
  ],
  "its owner takes another name": [
    ({ member, player }) =>
      as(member, "PATCH /api/home/edit/username", {
        username: `${player.name}New`,
        password: member.password,
      }),
    ({ player }) => [
      {
        type: "player.renamed",
        player: { ...player, name: `${player.name}New` },
        previous: player.name,
      },
    ],
  ],
  "staff change the case of its name": [
    ({ member, player }) =>
      asChief(`PATCH /api/admin/user/${member.account.id}`, { username: player.name.toUpperCase() }),
    ({ player }) => [
      {
        type: "player.renamed",
        player: { ...player, name: player.name.toUpperCase() },
        previous: player.name,
      },
    ],
  ],
  "the account is deleted": [
    ({ member }) => asChief(`DELETE /api/admin/user/${member.account.id}`),
    ({ member, player }) => [
      { type: "account.deleted", player, account: { uuid: member.account.uuid } },
      { type: "player.deleted", player },
    ],
  ],
  "a password changes": [
    ({ member }) =>
      as(member, "PATCH /api/home/edit/password", {
        password: member.password,
        newpassword: "another password altogether",
      }),
    () => [],
  ],
  "somebody signs in": [({ member }) => signIn(harness, member.mail, member.password), () => []],
  "a level changes": [
    ({ member: { account } }) =>
      asChief(`POST /api/admin/user/role/${account.id}`, { user: account.id, role_level: 2 }),
    () => [],
  ],
};

describe("when", () => {
  test.each(Object.entries(causes))("%s", async (_, [cause, made]) => {
    const wearer = await addWearer();
    const events = await eventsOf(() => cause(wearer));
    expect(bare(events)).toEqual(made(wearer));
    expect(JSON.stringify(events)).not.toContain("@");
  });
});

test("a player comes into being with its account", async () => {
  const events = await eventsOf(() => addMember(harness, "Newcomer"));
  expect(bare(events)).toEqual([
    { type: "player.created", player: { uuid: events[0]!.player!.uuid, name: "Newcomer" } },
  ]);
});

test("the first skin of a wardrobe is worn at once", async () => {
  const member = await addMember(harness, "Fresh");
  const events = await eventsOf(() => addSkin(harness, member, { file: skinPng(5000), slim: "false" }));
  expect(bare(events)).toMatchObject([
    { type: "player.textures", skin: { hash: bitmapHash(skinBitmap(5000)), model: "classic" }, cape: null },
  ]);
});

test("an account that has no player is deleted silently", async () => {
  const half = await addMember(harness, "half", { finished: false });
  expect(await eventsOf(() => asChief(`DELETE /api/admin/user/${half.account.id}`))).toEqual([]);
});

test("the end of a grant is an event when it comes", async () => {
  const wearer = await addWearer();
  const { account } = wearer.member;
  const grant = { user: account.id, cape: [wearer.cape.id], expired_at: harness.clock.nowSeconds() + 60 };
  expect(await eventsOf(() => asChief(`POST /api/admin/user/cape/${account.id}`, grant))).toEqual([]);
  harness.clock.advance(60);
  const events = await eventsOf(async () => {
    await startHousekeeping({ ...harness.services, log: harness.log })[Symbol.asyncDispose]();
  });
  expect(bare(events)).toContainEqual(textures(wearer, wearer.looks.first, null));
});

test("what several writes of one transaction change is one event, and what they undo is no event", async () => {
  const wearer = await addWearer();
  const { id } = await playerOf(harness, wearer.member);
  const skin = await harness.services.reads.textures.findSkin(wearer.second as Wearer["player"]["uuid"]);
  const skinId = skin?.id ?? null;
  const once = await eventsOf(() =>
    inStore(async ({ players, textures }) => {
      await players.selectSkin(id, null);
      if (skinId !== null) await textures.updateSkin(skinId, { model: "slim" });
      await players.selectSkin(id, skinId);
    }),
  );
  expect(bare(once)).toEqual([textures(wearer, { ...wearer.looks.second, model: "slim" }, null)]);
  const undone = await eventsOf(() =>
    inStore(async ({ players }) => {
      await players.selectSkin(id, null);
      await players.selectSkin(id, skinId);
    }),
  );
  expect(undone).toEqual([]);
});

test("a transaction that fails makes no event, also not with the next one", async () => {
  const wearer = await addWearer();
  const { id } = await playerOf(harness, wearer.member);
  const events = await eventsOf(async () => {
    const failed = inStore(async ({ players }): Promise<void> => {
      await players.selectSkin(id, null);
      throw new Error("no");
    });
    expect(await failed.catch(String)).toContain("no");
    await inStore(({ players }) => players.noteRename(id, 1));
  });
  expect(events).toEqual([]);
});

test("another process makes the same events, with the next ids", async () => {
  const wearer = await addWearer();
  const { id } = await playerOf(harness, wearer.member);
  await using command = await compose(harness.config, { clock: harness.clock });
  const events = await eventsOf(() =>
    command.transact(commandLine, ({ players }) => players.selectSkin(id, null)),
  );
  expect(bare(events)).toEqual([textures(wearer, null, null)]);
});

describe("a player by itself", () => {
  test("wears a cape of its own, none, and the skin's again", async () => {
    const wearer = await addWearer();
    const { first, cape: skinCape } = wearer.looks;
    const own = await grantCape(harness, [wearer.member], capePng(5000 + seed));
    const { id } = await playerOf(harness, wearer.member);
    const wear = (cape: OwnCape) => eventsOf(() => inStore(({ players }) => players.wearCape(id, cape)));
    expect(bare(await wear(own.id))).toEqual(bareOf(textures(wearer, first, { hash: own.texture.hash })));
    expect(bare(await wear("none"))).toEqual(bareOf(textures(wearer, first, null)));
    expect(bare(await wear("as-skin"))).toEqual(bareOf(textures(wearer, first, skinCape)));
    expect(await wear(wearer.cape.id)).toEqual([]);
  });

  test("is another one with another uuid, and shows all that it shows", async () => {
    const wearer = await addWearer();
    const uuid = newUuid();
    const { id } = await playerOf(harness, wearer.member);
    const events = await eventsOf(() => inStore(({ players }) => players.setUuid(id, uuid)));
    const player = { ...wearer.player, uuid };
    expect(bare(events)).toEqual(
      bareOf(
        { type: "player.deleted", player: wearer.player },
        { type: "player.created", player },
        { ...textures(wearer, wearer.looks.first, wearer.looks.cape), player },
      ),
    );
  });

  test("is deleted", async () => {
    const { member, player } = await addWearer();
    const uuid = newUuid();
    const added = await inStore(({ players }) =>
      players.insertPlayer({ uuid, accountId: member.account.id, name: `${player.name}_2`, createdAt: 1 }),
    );
    const events = await eventsOf(() => inStore(({ players }) => players.deletePlayer(added.id)));
    expect(bare(events)).toEqual(
      bareOf({ type: "player.deleted", player: { uuid, name: `${player.name}_2` } }),
    );
  });
});

const suspend = ({ account }: Member, terms: { until: number | null; reason: string } | null) =>
  eventsOf(() => suspendUser(harness.services, commandLine, { identifier: String(account.id), terms }));

describe("a suspension", () => {
  test("is an event with its end, and never with its reason; so is the end of it", async () => {
    const { member, player } = await addWearer();
    const account = { uuid: member.account.uuid };
    const until = harness.clock.nowSeconds() + 60;
    const suspended = { type: "account.suspended", player, account, until };
    expect(bare(await suspend(member, { until, reason: "private" }))).toEqual(bareOf(suspended));
    expect(await suspend(member, { until, reason: "private" })).toEqual([]);
    const endless = { ...suspended, until: null };
    expect(bare(await suspend(member, { until: null, reason: "" }))).toEqual(bareOf(endless));
    const restored = { type: "account.restored", player, account };
    expect(bare(await suspend(member, null))).toEqual(bareOf(restored));
    expect(await suspend(member, null)).toEqual([]);
  });
});
