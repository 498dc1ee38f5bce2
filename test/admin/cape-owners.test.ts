/** Owners of a cape: many at once, in steps (docs/contract/admin.md#owners-of-a-cape). */
import { afterAll, describe, expect, test } from "bun:test";
import type { Cape } from "../../src/domain/model/texture.ts";
import { limits } from "../../src/kernel/limits.ts";
import { readJson } from "../support/answers.ts";
import { addAccounts } from "../support/capes.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "../support/members.ts";
import { play } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const now = harness.clock.nowSeconds();
const hour = 3600;

const chief = await addMember(harness, "Chief", { level: 3 });
const moderator = await addMember(harness, "Moderata", { level: 2 });
let count = 0;
const newCape = (owners: readonly Member[] = [], world = harness) =>
  grantCape(world, [...owners], capePng((count += 1)));
const newMember = (world = harness) => addMember(world, `Some_${(count += 1)}`);

type Owner = { readonly user: number; readonly name: string; readonly expires_at: number | null };

async function ownersOf({ uuid }: Cape, world = harness, as = moderator): Promise<readonly Owner[]> {
  const response = await world.fetch(`/api/admin/cape/${uuid}/owners`, {
    headers: { authorization: as.authorization },
  });
  return (await readJson<{ data: readonly Owner[] }>(response)).data;
}

type As = { readonly world: Harness; readonly as: Member };

async function send(
  method: string,
  { id }: Cape,
  body: object,
  { world, as }: As = { world: harness, as: chief },
) {
  const response = await world.fetch(`/api/admin/cape/${id}/owners`, {
    method,
    headers: { authorization: as.authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  type Step = { readonly changed: number; readonly next: number | null; readonly owners_count: number };
  return (await readJson<{ data: Step }>(response)).data;
}

type Entry = { issuer: string; action: string; for_account_id: number; detail: string };
const entries = (action: string, world = harness) =>
  (world.database.everything()["audit_entries"] as readonly Entry[])
    .filter((entry) => entry.action === action)
    .map(({ detail, for_account_id }) => ({ for: for_account_id, ...JSON.parse(detail) }));

const factsOf = ({ uuid, id, name }: Cape) => ({ capeid: uuid, id, name });

test("some people get a cape; a grant that is there keeps its end, and each is in the audit", async () => {
  const [anna, bob] = [await newMember(), await newMember()];
  const cape = await newCape();
  await send("POST", cape, { who: [anna.account.id], expired_at: now + hour });
  const before = entries("cape.grant").length;
  const body = { who: [anna.account.id, bob.account.id, bob.account.id], expired_at: now + 2 * hour };
  expect(await send("POST", cape, body)).toEqual({ changed: 1, next: null, owners_count: 2 });
  expect(await ownersOf(cape)).toMatchObject([
    { user: anna.account.id, name: anna.name, expires_at: now + hour },
    { user: bob.account.id, name: bob.name, expires_at: now + 2 * hour },
  ]);
  expect(entries("cape.grant").slice(before)).toEqual([
    { for: bob.account.id, new: { ...factsOf(cape), expired_at: now + 2 * hour } },
  ]);
});

test("a cape that is taken leaves skins and players", async () => {
  const [anna, bob] = [await newMember(), await newMember()];
  const cape = await newCape([anna, bob]);
  await wearCape(harness, anna, await addSkin(harness, anna, { file: skinPng((count += 1)) }), cape);
  const step = await send("DELETE", cape, { who: [anna.account.id] });
  expect(step).toEqual({ changed: 1, next: null, owners_count: 1 });
  expect((await harness.fetch(`/api/skin/standart/cape/${anna.uuid}`)).status).toBe(404);
  expect((await ownersOf(cape)).map(({ user }) => user)).toEqual([bob.account.id]);
  expect(entries("cape.grant").at(-1)).toEqual({ for: anna.account.id, old: factsOf(cape) });
});

test("a listed person with many capes costs no more than one with this cape alone", async () => {
  await using world = await openHarness();
  const owner = await addMember(world, "Owner", { level: 3 });
  const people = [await newMember(world), await newMember(world), await newMember(world)];
  const who = people.map(({ account }) => account.id);
  for (let more = 0; more < 5; more++) await newCape(people, world);
  const cape = await newCape([], world);
  expect(await send("POST", cape, { who }, { world, as: owner })).toMatchObject({ changed: 3 });
  expect(await send("DELETE", cape, { who }, { world, as: owner })).toMatchObject({ changed: 3 });
  const facts = factsOf(cape);
  expect(entries("cape.grant", world)).toEqual([
    ...who.map((id) => ({ for: id, new: facts })),
    ...who.map((id) => ({ for: id, old: facts })),
  ]);
});

test("a listed person whose right has ended gets the cape again", async () => {
  await using world = await openHarness();
  const as = await addMember(world, "Owner", { level: 3 });
  const anna = await newMember(world);
  const cape = await newCape([], world);
  const from = world.clock.nowSeconds();
  await send("POST", cape, { who: [anna.account.id], expired_at: from + 1 }, { world, as });
  world.clock.advance(5);
  expect(await send("POST", cape, { who: [anna.account.id] }, { world, as })).toMatchObject({ changed: 1 });
  expect(entries("cape.expire", world)).toMatchObject([{ for: anna.account.id }]);
  expect(await ownersOf(cape, world, as)).toMatchObject([{ user: anna.account.id, expires_at: null }]);
});

test("the owners of another cape get this one, and lose it again; whose right ended does not count", async () => {
  const [anna, bob, carol] = [await newMember(), await newMember(), await newMember()];
  const [founders, moon] = [await newCape([anna, bob]), await newCape([bob])];
  await send("POST", founders, { who: [carol.account.id], expired_at: now + 1 });
  const world = harness;
  world.clock.advance(5);
  const step = await send("POST", moon, { who: `owners:${founders.uuid}` });
  expect(step).toEqual({ changed: 1, next: null, owners_count: 2 });
  expect(entries("cape.give").at(-1)).toEqual({
    for: 0,
    new: {
      capeid: moon.uuid,
      id: moon.id,
      name: moon.name,
      owners_of: founders.uuid,
      users: [anna.account.id],
    },
  });
  await send("POST", moon, { who: [carol.account.id] });
  await send("DELETE", founders, { who: [carol.account.id] });
  expect(await send("DELETE", moon, { who: `owners:${founders.id}` })).toMatchObject({ changed: 2 });
  expect((await ownersOf(moon)).map(({ user }) => user)).toEqual([carol.account.id]);
  expect(entries("cape.take").at(-1)).toMatchObject({ old: { owners_of: founders.uuid } });
});

test("everybody gets a cape in steps that can be begun again, and a person who comes later does not", async () => {
  await using world = await openHarness();
  const owner = await addMember(world, "Owner", { level: 3 });
  await addAccounts(world, 2 * limits.ownersChangedMax);
  const cape = await newCape([], world);
  await send("POST", cape, { who: [owner.account.id], expired_at: now + hour }, { world, as: owner });
  const first = await send("POST", cape, { who: "everybody" }, { world, as: owner });
  expect(first).toMatchObject({ changed: limits.ownersChangedMax });
  expect(first.next).not.toBeNull();
  // A page that was closed begins again.
  const again = await send("POST", cape, { who: "everybody" }, { world, as: owner });
  expect(again).toMatchObject({ changed: limits.ownersChangedMax });
  const last = await send("POST", cape, { who: "everybody", after: again.next }, { world, as: owner });
  expect(last).toEqual({ changed: 0, next: null, owners_count: 2 * limits.ownersChangedMax + 1 });
  expect(entries("cape.give", world).map(({ new: { users } }) => users.length)).toEqual([
    limits.ownersChangedMax,
    limits.ownersChangedMax,
  ]);
  await newMember(world);
  const owners = await ownersOf(cape, world, owner);
  expect(owners.length).toBe(2 * limits.ownersChangedMax + 1);
  expect(owners[0]).toMatchObject({ user: owner.account.id, expires_at: now + hour });
  let left = owners.length;
  let after: number | null = 0;
  while (after !== null) {
    const step = await send("DELETE", cape, { who: "everybody", after }, { world, as: owner });
    left -= step.changed;
    after = step.next;
  }
  expect(left).toBe(0);
  expect(await ownersOf(cape, world, owner)).toEqual([]);
});

const read = (path: string) => harness.fetch(path, { headers: { authorization: moderator.authorization } });

test("the list has pages", async () => {
  const people = [await newMember(), await newMember(), await newMember()];
  const cape = await newCape(people);
  const first = await read(`/api/admin/cape/${cape.uuid}/owners?limit=2`);
  expect(first.headers.get("x-total-count")).toBe("3");
  const [, next = ""] = /<([^>]*)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
  const { data } = await readJson<{ data: readonly Owner[] }>(await read(next));
  expect(data.map(({ user }) => user)).toEqual([people[2]!.account.id]);
});

describe("refuses", () => {
  test("a cape, a user and another cape that are not there", async () => {
    const cape = await newCape();
    const unknown = "11111111-1111-4111-8111-111111111111";
    for (const [request, json, status, msg] of [
      [`POST /api/admin/cape/${unknown}/owners`, { who: "everybody" }, 404, `there is no cape ${unknown}`],
      [`DELETE /api/admin/cape/${unknown}/owners`, { who: "everybody" }, 404, `there is no cape ${unknown}`],
      [`GET /api/admin/cape/999999/owners`, undefined, 404, "there is no cape 999999"],
      [`POST /api/admin/cape/${cape.id}/owners`, { who: [999_999] }, 400, "there is no user 999999"],
      [`POST /api/admin/cape/${cape.id}/owners`, { who: "owners:999999" }, 400, "there is no cape 999999"],
    ] as const)
      await play(harness, {
        name: request,
        actor: chief,
        request,
        ...(json === undefined ? {} : { json }),
        status,
        msg: expect.stringContaining(msg),
      });
  });

  test.each(["POST", "DELETE"])("%s with a body that breaks a rule", async (method) => {
    const cape = await newCape();
    const bad = [
      {},
      ...[[], 1, "1", [0], ["x"], [[1]], true, null, "all", {}].map((who) => ({ who })),
      {},
      ...["owners:moon", "owners:", "owners:1x", { owners_of: cape.id }].map((who) => ({ who })),
      { who: Array.from({ length: limits.ownersChangedMax + 1 }, (_, index) => index + 1) },
      { who: "everybody", after: -1 },
      { who: "everybody", after: 1.5 },
    ];
    for (const json of bad)
      await play(harness, {
        name: JSON.stringify(json).slice(0, 60),
        actor: chief,
        request: `${method} /api/admin/cape/${cape.id}/owners`,
        json,
        status: 400,
      });
  });

  test("an end that is past", async () => {
    const cape = await newCape();
    await play(harness, {
      name: "a past end",
      actor: chief,
      request: `POST /api/admin/cape/${cape.id}/owners`,
      json: { who: "everybody", expired_at: now - hour },
      status: 400,
    });
  });
});
