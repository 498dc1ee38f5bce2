/** Grants of capes, and what happens when one ends (docs/contract/admin.md#grants). */
import { afterAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { expireGrants } from "../../src/domain/members/grants.ts";
import type { Cape } from "../../src/domain/model/texture.ts";
import { readJson, type Descriptor } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, grantCape, wearCape, type Member } from "../support/members.ts";
import { badBodies, profileOf, statusesOf } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const now = harness.clock.nowSeconds();
const hour = 3600;

const chief = await addMember(harness, "Chief", { level: 3 });
const moderator = await addMember(harness, "Moderata", { level: 2 });
const unready = await addMember(harness, "unready", { finished: false });
const bob = await addMember(harness, "Bob");
const red = await grantCape(harness, [], capePng(1));
const green = await grantCape(harness, [], capePng(2));
const blue = await grantCape(harness, [], capePng(3));
let count = 0;
const someone = (world = harness) => addMember(world, `Some_${(count += 1)}`);

const granting = (member: Member, cape: unknown, more: object = {}): Scenario => ({
  name: "",
  actor: chief,
  request: `POST /api/admin/user/cape/${member.uuid}`,
  json: { user: member.account.id, cape, ...more },
  status: 200,
});
const item = ({ id, name, uuid }: Cape, end: number | null = null) => ({
  Id: id,
  Name: name,
  Uuid: uuid,
  Expires_at: end,
});
const answer = (member: Member, ...capes: readonly Cape[]) => ({
  id: member.account.id,
  new_role_level: 1,
  capes: capes.map((cape) => item(cape)),
});
const fact = ({ id }: Cape, end: number | null = null) => ({ Id: id, Expires_at: end });

type Row = { issuer: string; action: string; for_account_id: number; at: number; detail: string };
const entries = (world = harness, about = 0) =>
  (world.database.everything()["audit_entries"] as readonly Row[])
    .filter(({ for_account_id: id }) => id === about)
    .map(({ issuer, action, at, detail }) => ({ issuer, action, at, ...JSON.parse(detail) }));
const told = (member: Member) => entries(harness, member.account.id).slice(1);

const capesOf = async (member: Member, world = harness) =>
  ((await profileOf(world, member))["Capes"] as { Id: number }[]).map(({ Id }) => Id);
const descriptorOf = async (member: Member, world = harness): Promise<Descriptor> =>
  readJson(await world.fetch(`/api/skin/launcher/${member.uuid}`));
const statusOfCape = async (member: Member, world = harness) =>
  (await world.fetch(`/api/skin/standart/cape/${member.uuid}`)).status;

async function wearing(cape: Cape, member: Member, world: Harness = harness): Promise<string> {
  const skin = await addSkin(world, member, { file: skinPng(cape.id) });
  await wearCape(world, member, skin, cape);
  return skin;
}

const ids = (length: number) => Array.from({ length }, (_, i) => 1_000_000 + i);

describe("POST /api/admin/user/cape/{identifier}", () => {
  test("makes the list all that the user may wear", async () => {
    const member = await someone();
    const msg = "Cape change successfully";
    await play(harness, {
      ...granting(member, [green.uuid, red.uuid]),
      msg,
      data: answer(member, red, green),
    });
    expect(await capesOf(member)).toEqual([red.id, green.id]);
    await play(harness, { ...granting(member, [blue.uuid, green.uuid]), data: answer(member, green, blue) });
    expect(await capesOf(member)).toEqual([green.id, blue.id]);
    await play(harness, { ...granting(member, []), data: answer(member) });
    expect(await capesOf(member)).toEqual([]);
    const common = { issuer: "Chief", action: "cape.grant", at: now };
    const [one, two, none] = [[fact(red), fact(green)], [fact(green), fact(blue)], []];
    expect(told(member)).toEqual([
      { ...common, old: { cape: none }, new: { cape: one } },
      { ...common, old: { cape: one }, new: { cape: two } },
      { ...common, old: { cape: two }, new: { cape: none } },
    ]);
  });

  test.each<[string, (cape: Cape) => readonly unknown[]]>([
    ["a UUID", ({ uuid }) => [uuid]],
    ["a UUID without dashes, in capitals", ({ uuid }) => [uuid.replaceAll("-", "").toUpperCase()]],
    ["an id", ({ id }) => [id]],
    ["an id as a text", ({ id }) => [String(id)]],
    ["all of them, which count once", ({ uuid, id }) => [uuid, id, String(id), uuid]],
    ["10,000 times the same", ({ id }) => Array.from({ length: 10_000 }, () => id)],
  ])("takes a cape as %s", async (_, list) => {
    const member = await someone();
    await play(harness, { ...granting(member, list(green)), data: answer(member, green) });
  });

  test.each<[string, (member: Member) => string]>([
    ["id", ({ account }) => String(account.id)],
    ["UUID", ({ uuid }) => uuid],
    ["username", ({ name }) => name.toUpperCase()],
    ["mail address", ({ mail }) => mail],
  ])("takes a user by %s", async (_, identifier) => {
    const member = await someone();
    const request = `POST /api/admin/user/cape/${identifier(member)}`;
    await play(harness, { ...granting(member, [red.id]), request, data: answer(member, red) });
  });

  test("grants to somebody whose registration is unfinished, who may wear it afterwards", async () => {
    const member = await addMember(harness, "early", { finished: false });
    await play(harness, { ...granting(member, [red.id]), data: answer(member, red) });
    const json = { username: "Early_1", password: member.password };
    await edit(harness, member, "POST /api/home/registerfinish", json);
    await wearing(red, member);
    expect(await statusOfCape(member)).toBe(200);
  });

  test("takes what is no longer listed off the user's skins, and off no other user's, at once", async () => {
    const [member, other] = [await someone(), await someone()];
    for (const one of [member, other]) await play(harness, granting(one, [red.id, green.id]));
    await wearing(red, member);
    const kept = await addSkin(harness, member, { file: skinPng(70) });
    await wearCape(harness, member, kept, green);
    await wearing(red, other);
    expect(await descriptorOf(member)).toHaveProperty("CAPE");
    expect([await statusOfCape(member), await statusOfCape(other)]).toEqual([200, 200]);

    await play(harness, { ...granting(member, [green.id]), data: answer(member, green) });

    expect(await descriptorOf(member)).not.toHaveProperty("CAPE");
    expect([await statusOfCape(member), await statusOfCape(other)]).toEqual([404, 200]);
    const profile = await profileOf(harness, member);
    const worn = (profile["Skin"] as { Cloak_id: string }[]).map(({ Cloak_id }) => Cloak_id);
    expect([worn, profile["Selected_Cape"]]).toEqual([["", green.uuid], 0]);
  });

  test("leaves worn what is granted again", async () => {
    const member = await someone();
    await play(harness, granting(member, [red.id]));
    await wearing(red, member);
    await play(harness, granting(member, [red.uuid, blue.uuid]));
    await play(harness, { ...granting(member, [red.uuid], { expired_at: now + hour }) });
    expect(await statusOfCape(member)).toBe(200);
  });

  test("audits only what changes", async () => {
    const member = await someone();
    await play(harness, granting(member, []));
    await play(harness, granting(member, [red.id]));
    await play(harness, { ...granting(member, [red.uuid]), data: answer(member, red) });
    expect(told(member).map(({ action }) => action)).toEqual(["cape.grant"]);
  });

  test.each<[string, string | number]>([
    ["seconds", now + hour],
    ["milliseconds", (now + hour) * 1000 + 1],
    ["ISO 8601", new Date((now + hour) * 1000).toISOString()],
  ])("grants until a time in %s", async (_, end) => {
    const member = await someone();
    await play(harness, granting(member, [red.id]));
    await play(harness, {
      ...granting(member, [red.id, blue.id], { expired_at: end }),
      data: {
        ...answer(member),
        capes: [item(red, now + hour), item(blue, now + hour)],
        expired_at: now + hour,
      },
    });
    const [, entry] = told(member);
    const facts = [fact(red, now + hour), fact(blue, now + hour)];
    expect(entry).toMatchObject({ old: { cape: [fact(red)] }, new: { cape: facts } });
    await play(harness, { ...granting(member, [red.id], { expired_at: null }), data: answer(member, red) });
  });

  test("grants each cape until an end of its own, else until that of the body", async () => {
    const member = await someone();
    const list = [
      { id: red.uuid, expired_at: now + 2 * hour },
      { id: blue.id },
      { id: green.id, expired_at: null },
      { id: red.id, expired_at: new Date((now + 3 * hour) * 1000).toISOString() },
    ];
    const capes = [item(red, now + 3 * hour), item(green, null), item(blue, now + hour)];
    const sorted = capes.toSorted((one, two) => one.Id - two.Id);
    const data = { ...answer(member), capes: sorted, expired_at: now + hour };
    await play(harness, { ...granting(member, list, { expired_at: now + hour }), data });
    expect((await profileOf(harness, member))["Capes"]).toEqual(sorted);
  });

  test.each<[string, unknown, RegExp]>([
    ["no id", { expired_at: now + hour }, /^cape: must be a list/],
    ["a past end", { id: red.id, expired_at: now }, /^expired_at: must lie in the future$/],
    ["an end that is a list", { id: red.id, expired_at: [] }, /^cape: must be a list/],
    ["an end that is no time", { id: red.id, expired_at: "soon" }, /^expired_at: must be ISO 8601/],
    ["an unknown cape", { id: 99_999, expired_at: now + hour }, /^cape: there is no cape 99999$/],
  ])("refuses an element with %s", async (_, element, msg) => {
    const member = await someone();
    await play(harness, { ...granting(member, [element]), status: 400, msg });
  });

  test("answers the level in force", async () => {
    await play(harness, { ...granting(moderator, []), data: { ...answer(moderator), new_role_level: 2 } });
  });

  test("of two lists that come at once one is the user's", async () => {
    const member = await someone();
    const headers = { authorization: chief.authorization, "content-type": "application/json" };
    const lists = [[red.id, green.id], [blue.id]];
    const asked = lists.map((cape) =>
      harness.fetch(`/api/admin/user/cape/${member.uuid}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ user: member.account.id, cape }),
      }),
    );
    expect(await statusesOf(asked)).toEqual([200, 200]);
    expect(lists.map((list) => list.map(Number))).toContainEqual(await capesOf(member));
  });

  test("however linking and revoking cross, no user wears a cape without a grant", async () => {
    const member = await someone();
    const skin = await addSkin(harness, member, {});
    const request = `POST /api/admin/user/cape/${member.uuid}`;
    const grant = (cape: readonly number[]) =>
      edit(harness, chief, request, { user: member.account.id, cape });
    const wear = () => edit(harness, member, "PUT /api/home/edit/skin", { skinid: skin, cloakid: red.uuid });
    for (let round = 0; round < 10; round++) {
      await grant([red.id]);
      const both = round % 2 === 0 ? [wear(), grant([])] : [grant([]), wear()];
      await Promise.all(both);
      expect([await capesOf(member), await statusOfCape(member)]).toEqual([[], 404]);
    }
  });

  const unknown = crypto.randomUUID();
  const listRule = "cape: must be a list of UUIDs or ids of capes, or of {id, expired_at}, 10000 at most";
  const user = "user: must be a user's id";
  test.each<[string, object, string | RegExp]>([
    ["a cape that there is not", { cape: [red.id, unknown] }, `cape: there is no cape ${unknown}`],
    ["an id that no cape has", { cape: [4711, "4711"] }, "cape: there is no cape 4711"],
    ["10,000 capes that there are not", { cape: ids(10_000) }, /^cape: there is no cape .* and 9995 more$/],
    ["10,001 capes", { cape: ids(10_001) }, listRule],
    ["10,001 times one", { cape: ids(10_001).map(() => red.id) }, listRule],
    ["no list", { cape: undefined }, listRule],
    ["null", { cape: null }, listRule],
    ["a cape alone", { cape: red.uuid }, listRule],
    ["digits alone", { cape: "12" }, listRule],
    ["a number", { cape: 2 }, listRule],
    ["an object", { cape: { 0: red.uuid } }, listRule],
    ["an object with a length", { cape: { length: 1e9 } }, listRule],
    ["a name", { cape: ["Founders"] }, listRule],
    ["an empty text", { cape: [""] }, listRule],
    ["zero", { cape: [0] }, listRule],
    ["a negative id", { cape: [-1] }, listRule],
    ["a fraction", { cape: [1.5] }, listRule],
    ["a list in the list", { cape: [[red.id]] }, listRule],
    ["null in the list", { cape: [null] }, listRule],
    ["another user", { user: bob.account.id }, "user: must be the id of the user in the address"],
    ["an unknown id", { user: 4711 }, "user: must be the id of the user in the address"],
    ["no user", { user: undefined }, user],
    ["a user as a text", { user: "4" }, user],
    ["a negative user", { user: -4 }, user],
    ["a past end", { expired_at: now - 1 }, "expired_at: must lie in the future"],
    ["the present", { expired_at: now }, "expired_at: must lie in the future"],
    ["an end without a zone", { expired_at: "2101-01-01T00:00:00" }, /^expired_at: must be ISO 8601/],
    ["a fraction for an end", { expired_at: 5e9 + 0.5 }, /^expired_at: must be ISO 8601/],
    ["digits for an end", { expired_at: `${now + hour}` }, /^expired_at: must be ISO 8601/],
  ])("refuses %s, and changes nothing", async (_, json, msg) => {
    const scenario = granting(unready, [red.id], json);
    await play(harness, { ...scenario, status: 400, msg });
  });

  test.each(badBodies)("refuses %s", async (_, sent, status) => {
    const { json: _json, ...scenario } = granting(bob, []);
    await play(harness, { ...scenario, ...sent, status });
  });

  test("finds no user by another identifier", async () => {
    for (const [identifier, status] of [
      ["nobody", 404],
      ["4711", 404],
      ["x".repeat(255), 400],
      ["ä@b", 400],
    ] as const) {
      const request = `POST /api/admin/user/cape/${encodeURIComponent(identifier)}`;
      await play(harness, { ...granting(bob, []), request, status });
    }
  });

  test.each([moderator, bob, unready])("refuses members who are not administrators: $mail", async (actor) => {
    await play(harness, { ...granting(bob, [red.id]), actor, status: 403 });
    await play(harness, { ...granting(bob, ["?"]), actor, status: 403 });
  });

  test("refuses no level", async () => {
    const { actor: _actor, ...scenario } = granting(bob, [red.id]);
    await play(harness, { ...scenario, status: 401 });
  });
});

const open = async () => {
  const world = await openHarness();
  const boss = await addMember(world, "Boss", { level: 3 });
  const member = await someone(world);
  const capes = [await grantCape(world, [], capePng(1)), await grantCape(world, [], capePng(2))] as const;
  const grant = (cape: readonly number[], end: number | null) =>
    play(world, {
      name: "",
      actor: boss,
      request: `POST /api/admin/user/cape/${member.uuid}`,
      json: { user: member.account.id, cape, expired_at: end },
      status: 200,
    });
  return { world, boss, member, capes, grant };
};

describe("a grant with an end", () => {
  test("holds until its end; from then on the cape can be neither seen nor put on", async () => {
    const { world, member, capes, grant } = await open();
    await using _ = world;
    await grant([capes[0].id], now + hour);
    const skin = await addSkin(world, member, {});
    const put = () =>
      edit(world, member, "PUT /api/home/edit/skin", { skinid: skin, cloakid: capes[0].uuid });
    world.clock.advance(hour - 1);
    expect([(await put()).status, await capesOf(member, world)]).toEqual([200, [capes[0].id]]);
    world.clock.advance(1);
    expect([(await put()).status, await capesOf(member, world)]).toEqual([400, []]);
  });

  test("is taken away when its time is over, with the cape off the skins, and audited", async () => {
    const { world, member, capes, grant } = await open();
    await using _ = world;
    await grant([capes[0].id], now + hour);
    await wearing(capes[0], member, world);
    expect(await expireGrants(world.services)).toBe(0);
    world.clock.advance(hour + 5);
    expect(await statusOfCape(member, world)).toBe(200);
    expect(await expireGrants(world.services)).toBe(1);
    expect(await statusOfCape(member, world)).toBe(404);
    expect(await descriptorOf(member, world)).not.toHaveProperty("CAPE");
    expect(world.countRows("cape_grants")).toBe(0);
    const { uuid: capeid, id, name } = capes[0];
    expect(entries(world, member.account.id).at(-1)).toEqual({
      issuer: "system",
      action: "cape.expire",
      at: now + hour + 5,
      old: { capeid, id, name, expired_at: now + hour },
    });
    expect(await expireGrants(world.services)).toBe(0);
  });

  test("goes alone: what has no end, or a later one, stays", async () => {
    const { world, member, capes, grant } = await open();
    await using _ = world;
    await grant([capes[0].id, capes[1].id], now + hour);
    const other = await someone(world);
    await world.services.transact(system, ({ textures }) =>
      textures.grantCapes({
        accounts: [other.account.id],
        capes: [capes[0].id],
        grantedAt: now,
        expiresAt: now + 2 * hour,
      }),
    );
    world.clock.advance(hour);
    expect(await expireGrants(world.services)).toBe(2);
    expect([await capesOf(member, world), await capesOf(other, world)]).toEqual([[], [capes[0].id]]);
  });

  test("goes in runs of a bounded length, each grant once", async () => {
    const { world, capes } = await open();
    await using _ = world;
    const members = [await someone(world), await someone(world)];
    const extra = await world.services.transact(system, async ({ textures }) => {
      const { texture, ...cape } = (await textures.findCape({ by: "id", value: capes[0].id }))!;
      const ids = [];
      for (let i = 0; i < 300; i++) {
        const uuid = crypto.randomUUID() as typeof cape.uuid;
        const { id: _, ...row } = cape;
        ids.push(await textures.insertCape({ ...row, uuid, textureHash: texture.hash }));
      }
      const accounts = members.map(({ account }) => account.id);
      await textures.grantCapes({ accounts, capes: ids, grantedAt: now, expiresAt: now + 1 });
      return ids;
    });
    world.clock.advance(1);
    const runs = [await expireGrants(world.services), await expireGrants(world.services)];
    expect([...runs, await expireGrants(world.services)]).toEqual([500, 100, 0]);
    expect(world.countRows("cape_grants")).toBe(0);
    const ended = members.flatMap(({ account }) => entries(world, account.id));
    expect(ended.filter(({ action }) => action === "cape.expire")).toHaveLength(2 * extra.length);
  });

  test("has ended when a new list comes, and is audited before it", async () => {
    const { world, member, capes, grant } = await open();
    await using _ = world;
    await grant([capes[0].id], now + hour);
    await wearing(capes[0], member, world);
    world.clock.advance(hour);
    await grant([capes[0].id, capes[1].id], null);
    expect(await statusOfCape(member, world)).toBe(404);
    expect(entries(world, member.account.id).slice(-2)).toMatchObject([
      { action: "cape.expire", old: { id: capes[0].id } },
      { action: "cape.grant", old: { cape: [] }, new: { cape: [fact(capes[0]), fact(capes[1])] } },
    ]);
  });
});
