/** One rename per player in RENAME_HOURS, and three names that an account holds. */
import { describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { deleteAccount, updateUser } from "../../src/domain/members/administer.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import { ask, lastCode, profileOf, send, statusesOf } from "../support/registration.ts";
import { createAccount, newPerson, openSocialWorld } from "../support/social/social-world.ts";

const limited = { settings: { RATE_LIMIT_FACTOR: "1" } };
const day = 24 * 60 * 60;
const request = "PATCH /api/home/edit/username";

function rename(where: Harness, member: Member, username: string): Promise<Response> {
  return edit(where, member, request, { username, password: member.password });
}
const renameStatus = async (where: Harness, member: Member, username: string) =>
  (await rename(where, member, username)).status;
const nameOf = async (where: Harness, member: { readonly authorization: string }) =>
  (await profileOf(where, member))["Username"];

test("a player is renamed once in 24 hours; what is refused says when, and changes nothing", async () => {
  await using harness = await openHarness(limited);
  const anna = await addMember(harness, "Anna");
  expect(await renameStatus(harness, anna, "Berta")).toBe(200);
  for (const [seconds, wait, again] of [
    [0, day, "24 hours"],
    [day - 1, 1, "an hour"],
  ] as const) {
    harness.clock.advance(seconds);
    const before = harness.database.everything();
    const refused = await rename(harness, anna, "Clara");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe(String(wait));
    const msg = `A username may be changed once in 24 hours; try again in ${again}`;
    expect(await refused.json()).toEqual({ error: true, msg, url: null, data: {} });
    expect(harness.database.everything()).toEqual(before);
  }
  harness.clock.advance(1);
  const again = { ...anna, authorization: `Bearer ${await signInAgain(harness, anna)}` };
  expect(await renameStatus(harness, again, "Clara")).toBe(200);
  expect(await renameStatus(harness, again, "Berta")).toBe(429);
});

async function signInAgain(harness: Harness, { mail, password }: Member): Promise<string> {
  const response = await send(harness, "POST /api/auth/login", { username: mail, password });
  return ((await response.json()) as { data: { jwt: string } }).data.jwt;
}

test.each<[Record<string, string>, number]>([
  [{ RENAME_HOURS: "1", RATE_LIMIT_FACTOR: "1" }, 3600],
  [{ RENAME_HOURS: "1", RATE_LIMIT_FACTOR: "10" }, 3600],
  [{ RENAME_HOURS: "0", RATE_LIMIT_FACTOR: "1" }, 0],
  [{ RENAME_HOURS: "24", RATE_LIMIT_FACTOR: "0" }, 0],
])("with %j the next rename is %d seconds away", async (settings, seconds) => {
  await using harness = await openHarness({ settings });
  const anna = await addMember(harness, "Anna");
  expect(await renameStatus(harness, anna, "Berta")).toBe(200);
  const second = await rename(harness, anna, "Clara");
  expect(second.headers.get("retry-after")).toBe(seconds === 0 ? null : String(seconds));
  expect(second.status).toBe(seconds === 0 ? 200 : 429);
});

test("what came to nothing is no rename; other capitals are one", async () => {
  await using harness = await openHarness(limited);
  const anna = await addMember(harness, "Anna");
  await addMember(harness, "Berta");
  expect(await renameStatus(harness, anna, "Berta")).toBe(400);
  expect(await renameStatus(harness, anna, "no name")).toBe(400);
  expect(await renameStatus(harness, { ...anna, password: "not hers" }, "Clara")).toBe(400);
  expect(await renameStatus(harness, anna, "Anna")).toBe(200);
  expect(await renameStatus(harness, anna, "ANNA")).toBe(200);
  expect(await renameStatus(harness, anna, "Clara")).toBe(429);
  expect(await renameStatus(harness, anna, "ANNA")).toBe(200);
});

test("of many renames at once one comes to pass", async () => {
  await using harness = await openHarness(limited);
  const anna = await addMember(harness, "Anna");
  const names = ["Berta", "Clara", "Doris", "Emily"];
  expect(await statusesOf(names.map((name) => rename(harness, anna, name)))).toEqual([200, 429, 429, 429]);
  expect(harness.countRows("held_names")).toBe(1);
});

test("a clock that was set back does not prolong the wait", async () => {
  await using harness = await openHarness(limited);
  const anna = await addMember(harness, "Anna");
  expect(await renameStatus(harness, anna, "Berta")).toBe(200);
  harness.clock.advance(-30);
  expect(await renameStatus(harness, anna, "Clara")).toBe(429);
  harness.clock.advance(-365 * day);
  const again = { ...anna, authorization: `Bearer ${await signInAgain(harness, anna)}` };
  expect(await renameStatus(harness, again, "Clara")).toBe(200);
});

describe("staff", () => {
  test.each([2, 3] as const)("of level %d rename themselves as they like", async (level) => {
    await using harness = await openHarness(limited);
    const anna = await addMember(harness, "Anna", { level });
    for (const name of ["Berta", "Clara", "Doris"]) expect(await renameStatus(harness, anna, name)).toBe(200);
  });

  test("are bound like everybody once their role has ended, also by what they did before", async () => {
    await using harness = await openHarness(limited);
    const anna = await addMember(harness, "Anna");
    const expiresAt = harness.clock.nowSeconds() + 60;
    await setLevel(harness.services, commandLine, { account: anna.account.id, level: 2, expiresAt });
    for (const name of ["Berta", "Clara"]) expect(await renameStatus(harness, anna, name)).toBe(200);
    harness.clock.advance(60);
    expect(await renameStatus(harness, anna, "Doris")).toBe(429);
  });

  test("that an administrator lowers for a time are bound meanwhile", async () => {
    await using harness = await openHarness(limited);
    const anna = await addMember(harness, "Anna", { level: 2 });
    const expiresAt = harness.clock.nowSeconds() + 60;
    await setLevel(harness.services, commandLine, { account: anna.account.id, level: 1, expiresAt });
    expect(await renameStatus(harness, anna, "Berta")).toBe(200);
    expect(await renameStatus(harness, anna, "Clara")).toBe(429);
  });
});

test("an administrator renames others at any time, which is no rename of theirs", async () => {
  await using harness = await openHarness(limited);
  const anna = await addMember(harness, "Anna");
  const boss = await addMember(harness, "Boss", { level: 3 });
  for (const username of ["Berta", "Clara"]) {
    await ask(harness, `PATCH /api/admin/user/${anna.uuid}`, { username }, boss);
  }
  expect(await renameStatus(harness, anna, "Doris")).toBe(200);
  expect(await renameStatus(harness, anna, "Emily")).toBe(429);
  await ask(harness, `PATCH /api/admin/user/${anna.uuid}`, { username: "Emily" }, boss);
});

describe("the first choice in the place of a name that was derived is no rename", () => {
  test("when registration is finished with it", async () => {
    await using world = await openSocialWorld(limited);
    const { harness } = world;
    newPerson(world, { username: "Derived" });
    const authorization = `Bearer ${await createAccount(world)}`;
    const password = "x7-Kq!m2-chosen";
    const json = { username: "Chosen", password };
    const finish = await send(harness, "POST /api/home/registerfinish", json, { authorization });
    expect(finish.status).toBe(200);
    const change = (username: string) =>
      send(harness, request, { username, password }, { authorization }).then(({ status }) => status);
    expect([await change("Berta"), await change("Clara")]).toEqual([200, 429]);
  });

  test("when a password was set by a code before", async () => {
    await using world = await openSocialWorld(limited);
    const { harness } = world;
    const id = newPerson(world, { username: "Derived" });
    await createAccount(world);
    const mail = `nelly${id}@example.net`;
    await ask(harness, "POST /api/auth/forgetpass", { mail });
    const password = "x7-Kq!m2-first";
    await ask(harness, "POST /api/auth/forgetpass/update", { code: lastCode(harness, mail), password });
    const answer = await send(harness, "POST /api/auth/login", { username: mail, password });
    const authorization = `Bearer ${((await answer.json()) as { data: { jwt: string } }).data.jwt}`;
    const change = (username: string) =>
      send(harness, request, { username, password }, { authorization }).then(({ status }) => status);
    expect([await change("Chosen"), await change("Berta"), await change("Clara")]).toEqual([200, 200, 429]);
    expect(await nameOf(harness, { authorization })).toBe("Berta");
  });
});

/** What another player who wants the name gets: 200, or 400 while it is held. */
async function take(where: Harness, name: string): Promise<number> {
  const eve = await addMember(where, `Eve${crypto.randomUUID().slice(0, 8)}`);
  return renameStatus(where, eve, name);
}

describe("an account holds three names that it gave up", () => {
  test("and the oldest falls", async () => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    for (const name of ["Berta", "Clara", "Doris", "Emily"]) {
      harness.clock.advance(1);
      expect(await renameStatus(harness, anna, name)).toBe(200);
    }
    const found = ["Anna", "Berta", "Clara", "Doris"].map((name) => take(harness, name));
    expect(await Promise.all(found)).toEqual([200, 400, 400, 400]);
  });

  test("also when an administrator renames it, and when it is deleted", async () => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    for (const username of ["Berta", "Clara", "Doris", "Emily"]) {
      harness.clock.advance(1);
      await updateUser(harness.services, commandLine, { identifier: anna.uuid, change: { username } });
    }
    expect(harness.countRows("held_names")).toBe(3);
    harness.clock.advance(1);
    await deleteAccount(harness.services, commandLine, anna.uuid);
    const found = ["Berta", "Clara", "Doris", "Emily"].map((name) => take(harness, name));
    expect(await Promise.all(found)).toEqual([200, 400, 400, 400]);
  });

  test("each account its own", async () => {
    await using harness = await openHarness();
    const [anna, otto] = [await addMember(harness, "Anna"), await addMember(harness, "Otto")];
    for (const at of [1, 2, 3, 4]) {
      expect(await renameStatus(harness, anna, `Anna_${at}`)).toBe(200);
      expect(await renameStatus(harness, otto, `Otto_${at}`)).toBe(200);
    }
    expect(harness.countRows("held_names")).toBe(6);
  });
});
