/**
 * Joining a game server, and the answers that a game server gets (docs/contract/yggdrasil.md#sessionserver).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, addSkin, allowPlayers, edit, type Member } from "../support/members.ts";
import { badField, badToken, done, enter, get, hasJoined, join, plain, post, root } from "./game-world.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

let count = 0;
const someone = (where = harness) => addMember(where, `Player${(count += 1)}`);

/** A member on the way to a game server. */
async function onTheWay(serverId: string, where: Harness = harness) {
  const member = await someone(where);
  const session = await enter(where, member);
  expect(await join(where, session, serverId)).toEqual(done);
  return { member, session };
}

const inside = async (member: Member, serverId: string, where = harness) =>
  (await hasJoined(where, { username: member.name, serverId })).status === 200;

describe("join", () => {
  test("lets the player in, however often a game server asks", async () => {
    const { member } = await onTheWay("-5a2b3c");
    for (let time = 0; time < 3; time++) {
      const { status, body } = await hasJoined(harness, { username: member.name, serverId: "-5a2b3c" });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { id: plain(member.uuid), name: member.name },
      });
    }
  });

  test("takes the player's id with dashes and in capitals", async () => {
    const member = await someone();
    const { accessToken } = await enter(harness, member);
    for (const selectedProfile of [member.uuid, member.uuid.toUpperCase(), plain(member.uuid)]) {
      const json = { accessToken, selectedProfile, serverId: "ab" };
      expect(await post(harness, "/session/minecraft/join", json)).toEqual(done);
    }
  });

  test("takes the player's profile, whose bytes and headers are those of go-mc", async () => {
    const member = await someone();
    const { accessToken } = await enter(harness, member);
    const body = (id: string, token = accessToken) =>
      `{"accessToken":"${token}","selectedProfile":{"id":"${id}","name":"${member.name}"},"serverId":"-7ab"}`;
    const headers = { "user-agent": "go-mc", "content-type": "application/json" };
    const send = (id: string, token?: string) =>
      post(harness, "/sessionserver/session/minecraft/join", body(id, token), headers);
    for (const id of [member.uuid, plain(member.uuid)]) expect(await send(id)).toEqual(done);
    expect(await inside(member, "-7ab")).toBe(true);
    expect(await send(crypto.randomUUID())).toEqual(badToken);
    expect(await send(member.uuid, "another")).toEqual(badToken);
    expect(await send("x")).toEqual(badField(/^selectedProfile\.id: /));
    const nothing = { accessToken, serverId: "abc" };
    for (const selectedProfile of [null, 7, {}, [member.uuid], { id: null }, { id: member.uuid, name: 7 }])
      expect(await post(harness, "/session/minecraft/join", { ...nothing, selectedProfile })).toEqual(
        badField(/^selectedProfile/),
      );
  });

  test("holds for half a minute", async () => {
    await using world = await openHarness();
    const { member } = await onTheWay("abc", world);
    world.clock.advance(29);
    expect(await inside(member, "abc", world)).toBe(true);
    world.clock.advance(1);
    expect(await inside(member, "abc", world)).toBe(false);
  });

  test("is replaced by a newer one of the player, and by no other player's", async () => {
    const { member, session } = await onTheWay("aaa");
    const other = await onTheWay("aaa");
    expect([await inside(member, "aaa"), await inside(other.member, "aaa")]).toEqual([true, true]);
    expect(await join(harness, session, "bbb")).toEqual(done);
    expect([await inside(member, "aaa"), await inside(member, "bbb")]).toEqual([false, true]);
    expect(await inside(other.member, "aaa")).toBe(true);
  });

  test("refuses every player but the token's", async () => {
    const member = await someone();
    const other = await onTheWay("abc");
    await allowPlayers(harness, member);
    const second = await addPlayer(harness, member, `${member.name}_2`);
    const { accessToken } = await enter(harness, member, { username: member.name });
    const unbound = await enter(harness, member);
    const send = (token: string, selectedProfile: string) =>
      post(harness, "/sessionserver/session/minecraft/join", {
        accessToken: token,
        selectedProfile,
        serverId: "abc",
      });
    for (const id of [other.member.uuid, second.uuid, crypto.randomUUID(), Bun.randomUUIDv7()]) {
      expect(await send(accessToken, id)).toEqual(badToken);
    }
    expect(await send(unbound.accessToken, member.uuid)).toEqual(badToken);
    expect(await send(other.session.accessToken, member.uuid)).toEqual(badToken);
    expect(await send(member.jwt, member.uuid)).toEqual(badToken);
    expect(await inside(member, "abc")).toBe(false);
  });

  test.each(["..", "x", "0123456789abcdef0123456789abcde", "null"])("refuses the id %s", async (id) => {
    const { accessToken } = await enter(harness, await someone());
    const json = { accessToken, selectedProfile: id, serverId: "abc" };
    expect(await post(harness, "/session/minecraft/join", json)).toEqual(badField(/^selectedProfile: /));
  });
});

describe("hasJoined says no", () => {
  test.each<[string, (member: Member) => Record<string, string>]>([
    ["to a name in another case", ({ name }) => ({ username: name.toLowerCase(), serverId: "abc" })],
    ["to a name with a blank", ({ name }) => ({ username: `${name} `, serverId: "abc" })],
    ["to another serverId", ({ name }) => ({ username: name, serverId: "abd" })],
    ["to a serverId in capitals", ({ name }) => ({ username: name, serverId: "ABC" })],
    ["to an id in place of the name", ({ uuid }) => ({ username: uuid, serverId: "abc" })],
    ["to another player", () => ({ username: "Nobody", serverId: "abc" })],
  ])("%s", async (_, question) => {
    const { member } = await onTheWay("abc");
    expect(await hasJoined(harness, question(member))).toEqual(done);
    expect(await inside(member, "abc")).toBe(true);
  });

  test.each([
    [{ serverId: "abc" }, /^username: /],
    [{ username: "Anna" }, /^serverId: /],
    [{ username: " ", serverId: "abc" }, /^username: /],
  ])("to %p, naming the field", async (question, message) => {
    expect(await hasJoined(harness, question)).toEqual(badField(message));
  });

  test("to a player that was renamed meanwhile, by either name", async () => {
    const { member } = await onTheWay("abc");
    const username = `${member.name}_new`;
    const json = { username, password: member.password };
    expect((await edit(harness, member, "PATCH /api/home/edit/username", json)).status).toBe(200);
    expect(await inside(member, "abc")).toBe(false);
    expect(await inside({ ...member, name: username }, "abc")).toBe(false);
  });

  test("to a player that was renamed in its case alone", async () => {
    const { member } = await onTheWay("abc");
    const username = member.name.toUpperCase();
    const json = { username, password: member.password };
    expect((await edit(harness, member, "PATCH /api/home/edit/username", json)).status).toBe(200);
    expect(await inside(member, "abc")).toBe(false);
    expect(await inside({ ...member, name: username }, "abc")).toBe(false);
  });

  test("to a player of an account that was deleted meanwhile", async () => {
    const { member } = await onTheWay("abc");
    await deleteAccount(harness.services, commandLine, member.uuid);
    expect(await inside(member, "abc")).toBe(false);
  });

  test.each([
    ["invalidate", (_: Member, accessToken: string) => ({ accessToken })],
    ["signout", ({ name, password }: Member) => ({ username: name, password })],
  ])("to a player whose session was ended meanwhile by %s", async (path, body) => {
    const { member, session } = await onTheWay("abc");
    expect(await post(harness, `/authserver/${path}`, body(member, session.accessToken))).toEqual(done);
    expect(await inside(member, "abc")).toBe(false);
  });

  test("to a player that was deleted meanwhile, also when another one has its name and uuid", async () => {
    await using world = await openHarness({ settings: { PLAYER_UUIDS: "offline" } });
    const member = await someone(world);
    await allowPlayers(world, member);
    const { name, uuid } = await addPlayer(world, member, `${member.name}_2`);
    await join(world, await enter(world, member, { username: name }), "abc");
    expect(await inside({ ...member, name }, "abc", world)).toBe(true);
    const { password } = member;
    expect((await edit(world, member, `DELETE /api/home/players/${uuid}`, { password })).status).toBe(204);
    expect(await inside({ ...member, name }, "abc", world)).toBe(false);
    const again = await addPlayer(world, member, name);
    expect(again.uuid).toBe(uuid);
    expect(await inside({ ...member, name }, "abc", world)).toBe(false);
  });
});

/** Joins from an address, and asks for one as a game server does. */
async function ask(where: Harness, joinedFrom: string, ip: string): Promise<number> {
  const member = await someone(where);
  const { accessToken, selectedProfile } = await enter(where, member);
  const json = { accessToken, selectedProfile: selectedProfile?.id, serverId: "abc" };
  const headers = { "x-forwarded-for": joinedFrom };
  expect(await post(where, "/session/minecraft/join", json, headers)).toEqual(done);
  return (await hasJoined(where, { username: member.name, serverId: "abc", ip })).status;
}

describe("the address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7", 200],
    ["192.0.2.7", "192.0.2.7%25eth0", 204],
    ["192.0.2.7", "::ffff:192.0.2.7", 200],
    ["192.0.2.7", "::ffff:c000:207", 200],
    ["192.0.2.7", "192.0.2.8", 204],
    ["192.0.2.7", "192.0.2.7 ", 204],
    ["192.0.2.7", "192.0.2.007", 204],
    ["2001:DB8::7", "2001:db8:0:0:0:0:0:7", 200],
    ["2001:db8::7", "2001:db8::8", 204],
    ["2001:db8::7", "[2001:db8::7]", 204],
    ["192.0.2.7", "nonsense", 204],
    ["192.0.2.7", "", 204],
    ["203.0.113.9, 192.0.2.7", "203.0.113.9", 204],
    ["203.0.113.9, 192.0.2.7", "192.0.2.7", 200],
  ])("a game at %s fits a question for %s: %i", async (joinedFrom, ip, status) => {
    await using world = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1" } });
    expect(await ask(world, joinedFrom, ip)).toBe(status);
  });

  test("is the connection's where no proxy is trusted", async () => {
    expect(await ask(harness, "192.0.2.7", "192.0.2.7")).toBe(204);
    expect(await ask(harness, "192.0.2.7", "127.0.0.1")).toBe(200);
  });

  test.each(["203.0.113.1", "nonsense", ""])("%j does not count where the operator says so", async (ip) => {
    await using world = await openHarness({ settings: { YGGDRASIL_ADDRESS_CHECK: "false" } });
    expect(await ask(world, "192.0.2.7", ip)).toBe(200);
  });
});

describe("a profile", () => {
  test("shows at once what the player wears, by every spelling of its id", async () => {
    const member = await someone();
    const textures = async (id: string) => {
      const { status, body } = await get(harness, `/session/minecraft/profile/${id}`);
      expect(status).toBe(200);
      const { properties } = body as { readonly properties: readonly { readonly value: string }[] };
      const value = Buffer.from(properties[0]?.value ?? "", "base64").toString();
      return (JSON.parse(value) as { readonly textures: object }).textures;
    };
    expect(await textures(member.uuid)).toEqual({});
    await addSkin(harness, member, {});
    for (const id of [member.uuid, plain(member.uuid), plain(member.uuid).toUpperCase()]) {
      expect(Object.keys(await textures(id))).toEqual(["SKIN"]);
    }
  });

  test.each([
    ["unsigned=false", true],
    ["unsigned=true", false],
    ["unsigned=", false],
    ["unsigned=FALSE", false],
    ["", false],
  ])("with %s is signed: %p", async (query, isSigned) => {
    const { uuid } = await someone();
    const { body } = await get(harness, `/sessionserver/session/minecraft/profile/${plain(uuid)}?${query}`);
    const { properties } = body as { readonly properties: readonly { readonly signature?: string }[] };
    expect(properties).toHaveLength(2);
    expect(properties.map(({ signature }) => signature !== undefined)).toEqual([isSigned, isSigned]);
  });

  test.each(["x", "%ff", "%00", "0".repeat(31), "0".repeat(32), "0".repeat(500)])(
    "of %s is not there",
    async (id) => expect(await get(harness, `/session/minecraft/profile/${id}`)).toEqual(done),
  );
});

test("no game server is blocked", async () => {
  const response = await harness.fetch(`${root}/sessionserver/blockedservers`);
  expect(response.headers.get("content-type")).toStartWith("text/plain");
  expect([response.status, await response.text()]).toEqual([200, ""]);
});
