/** `meta`: the pair that links or creates, and what it must not allow (docs/contract/social.md#link). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { siteUrl } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { ask, lastCode, profileOf, send, signInStatus, statusesOf } from "../support/registration.ts";
import { expectError, play } from "../support/scenario.ts";
import {
  create,
  createAccount,
  lineOf,
  link,
  meet,
  metaOf,
  newPerson,
  openSocialWorld,
  signInSocially,
  type SocialUser,
} from "../support/social/social-world.ts";

const world = await openSocialWorld();
afterAll(() => world[Symbol.asyncDispose]());
const { harness } = world;

/** Somebody new is at the provider and comes here. */
function newcomer(person: Readonly<Record<string, unknown>> = {}): Promise<SocialUser> {
  newPerson(world, person);
  return meet(world);
}
const member = await addMember(harness, "Anna");

describe("a pair that is not good neither links nor creates", () => {
  const cases: readonly (readonly [string, (user: SocialUser) => Promise<object> | object])[] = [
    ["a guessed number", ({ id, conn_id }) => ({ id, conn_id: conn_id === 1 ? 2 : conn_id - 1 })],
    ["the largest number", ({ id }) => ({ id, conn_id: Number.MAX_SAFE_INTEGER })],
    ["another person's id", ({ conn_id }) => ({ id: "20000", conn_id })],
    ["the id with a blank", ({ id, conn_id }) => ({ id: `${id} `, conn_id })],
    ["an id that differs behind 2^53", () => swappedDigits()],
    ["another person's number", async ({ id }) => ({ id, conn_id: (await newcomer()).conn_id })],
    [
      "a number that a newer one has replaced",
      async (user) => {
        await meet(world);
        return metaOf(user);
      },
    ],
    [
      "a number that was used to create",
      async (user) => {
        await create(harness, metaOf(user));
        return metaOf(user);
      },
    ],
    [
      "a number that was used to link",
      async (user) => {
        await link(harness, await addMember(harness, `Linked${user.id}`), metaOf(user));
        return metaOf(user);
      },
    ],
    [
      "a number that is ten minutes old",
      (user) => {
        harness.clock.advance(600);
        return metaOf(user);
      },
    ],
  ];

  test.each(cases)("%s", async (_, change) => {
    const meta = await change(await newcomer());
    const before = harness.database.everything();
    const refused = await create(harness, meta);
    expect(lineOf(harness, refused)).toMatchObject({
      level: "info",
      reason: expect.stringMatching(/^connection: personId and connectionId do not belong together/),
    });
    await expectError(refused, 400, /^Internal error$/);
    await expectError(await link(harness, member, meta), 400, /^meta: id and conn_id do not belong together/);
    expect(harness.database.everything()).toEqual(before);
  });

  test("and no password is tried with it", async () => {
    await using limited = await openSocialWorld({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const meta = { id: "1", conn_id: 1 };
    for (let attempt = 0; attempt < 30; attempt++) {
      const response = await link(limited.harness, { name: "Anna", password: "the password" }, meta);
      expect(response.status).toBe(400);
    }
  });
});

async function swappedDigits() {
  const { conn_id } = await newcomer({ id: "9007199254740993" });
  return { id: "9007199254740992", conn_id };
}

test("a pair is good until its ten minutes are over", async () => {
  const user = await newcomer();
  harness.clock.advance(599);
  expect((await create(harness, metaOf(user))).status).toBe(200);
});

test("a pair from before the clock was set back is worth nothing: it would be good for a day", async () => {
  const user = await newcomer();
  harness.clock.advance(-86_400);
  expect((await create(harness, metaOf(user))).status).toBe(400);
  harness.clock.advance(86_400);
  expect((await create(harness, metaOf(user))).status).toBe(200);
});

test("its number is kept as a hash alone", async () => {
  const { conn_id } = await newcomer();
  expect(JSON.stringify(harness.database.everything()["pending_people"])).not.toContain(String(conn_id));
});

describe("a malformed body is refused by field and rule", () => {
  const pair = { id: "1", conn_id: 1 };
  const id = "must be a text of 1 to 255 characters or a whole number";
  const number = "must be the whole number that came with the id";
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ["no meta", undefined, /^meta/],
    ["null", null, /^meta/],
    ["a text", "1", /^meta/],
    ["no id", { conn_id: 1 }, new RegExp(`^meta.id: ${id}`)],
    ["an id of null", { ...pair, id: null }, new RegExp(`^meta.id: ${id}`)],
    ["an empty id", { ...pair, id: "" }, new RegExp(`^meta.id: ${id}`)],
    ["a long id", { ...pair, id: "1".repeat(256) }, new RegExp(`^meta.id: ${id}`)],
    ["a list of ids", { ...pair, id: ["1"] }, new RegExp(`^meta.id: ${id}`)],
    ["half a number for an id", { ...pair, id: 1.5 }, new RegExp(`^meta.id: ${id}`)],
    ["no number", { id: "1" }, new RegExp(`^meta.conn_id: ${number}`)],
    ["a text for a number", { ...pair, conn_id: "1" }, new RegExp(`^meta.conn_id: ${number}`)],
    ["half a number", { ...pair, conn_id: 1.5 }, new RegExp(`^meta.conn_id: ${number}`)],
    ["zero", { ...pair, conn_id: 0 }, new RegExp(`^meta.conn_id: ${number}`)],
    ["a negative number", { ...pair, conn_id: -1 }, new RegExp(`^meta.conn_id: ${number}`)],
  ];
  test.each(cases)("%s", async (name, meta, msg) => {
    const create = { name, request: "POST /api/auth/register/social", json: { meta }, status: 400, msg };
    await play(harness, create);
    const json = { username: "Anna", password: "the password of Anna", meta };
    await play(harness, { name, request: "POST /api/auth/login/social", json, status: 400, msg });
  });

  test.each([
    ["an unsafe number", '{"meta":{"id":"1","conn_id":9007199254740993}}', /^meta\.conn_id/],
    ["broken JSON", '{"meta":', /^The body is not valid JSON$/],
  ])("%s", async (name, body, msg) => {
    const headers = { "content-type": "application/json" };
    await play(harness, { name, request: "POST /api/auth/register/social", headers, body, status: 400, msg });
  });

  test.each(["username", "password"])("no %s", async (field) => {
    const json = { username: "Anna", password: "the password of Anna", meta: pair, [field]: undefined };
    const msg = new RegExp(`^${field}: must be a text`);
    await play(harness, { name: field, request: "POST /api/auth/login/social", json, status: 400, msg });
  });
});

describe("of many at once one wins", () => {
  test("when the same pair creates", async () => {
    const user = await newcomer();
    const meta = metaOf(user);
    const before = harness.countRows("accounts");
    const statuses = await statusesOf(Array.from({ length: 8 }, () => create(harness, meta)));
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
    expect(harness.countRows("accounts")).toBe(before + 1);
  });

  test("when several browsers of one person create", async () => {
    await newcomer();
    const before = harness.countRows("accounts");
    const users = await Promise.all(Array.from({ length: 4 }, () => meet(world)));
    const statuses = await statusesOf(users.map((user) => create(harness, metaOf(user))));
    expect(statuses).toEqual([200, 400, 400, 400]);
    expect(harness.countRows("accounts")).toBe(before + 1);
  });

  test("when one links and one creates", async () => {
    const meta = metaOf(await newcomer());
    const other = await addMember(harness, "Otto");
    const statuses = await statusesOf([create(harness, meta), link(harness, other, meta)]);
    expect(statuses).toEqual([200, 400]);
  });

  test("people of one name get names of their own", async () => {
    const users: SocialUser[] = [];
    for (let index = 0; index < 6; index++) users.push(await newcomer({ username: "Doppelganger" }));
    const answers = await Promise.all(users.map((user) => create(harness, metaOf(user))));
    const names = await Promise.all(answers.map(nameOf));
    expect(new Set(names).size).toBe(6);
    expect(names.every((name) => name.startsWith("Doppelganger"))).toBe(true);
  });
});

async function nameOf(created: Response): Promise<string> {
  const { data } = await readJson<Envelope<{ jwt: string }>>(created);
  return String((await profileOf(harness, { authorization: `Bearer ${data.jwt}` }))["Username"]);
}

describe("an account that was created", () => {
  test("is answered with its session and the page where it is finished", async () => {
    const created = await create(harness, metaOf(await newcomer()));
    expect(await readJson<Envelope<object>>(created)).toEqual({
      error: false,
      msg: "Account created",
      url: `${siteUrl}/registerfinish`,
      data: { jwt: expect.any(String) },
    });
    expect(created.headers.get("cache-control")).toBe("no-store");
  });

  test("never takes an address that somebody has", async () => {
    const anna = await addMember(harness, "Hanna");
    await newcomer({ email: anna.mail.toUpperCase() });
    const jwt = await createAccount(world);
    expect(await profileOf(harness, { authorization: `Bearer ${jwt}` })).toMatchObject({ Mail: "" });
    expect(await profileOf(harness, anna)).toMatchObject({ Username: "Hanna", Social_integration: false });
  });

  test("has no password, until its owner resets it", async () => {
    const { id } = await newcomer();
    const mail = `nelly${id}@example.net`;
    await create(harness, metaOf(await meet(world)));
    expect(await signInStatus(harness, `nelly${id}`, "")).toBe(401);
    await ask(harness, "POST /api/auth/forgetpass", { mail });
    const password = "x7-Kq!m2-reset";
    await ask(harness, "POST /api/auth/forgetpass/update", { code: lastCode(harness, mail), password });
    expect(await signInStatus(harness, mail, password)).toBe(200);
  });

  test("may choose another name and a password, once", async () => {
    await newcomer({ username: "Derived" });
    const authorization = `Bearer ${await createAccount(world)}`;
    const actor = { authorization };
    const before = await profileOf(harness, actor);
    const finish = (username: string) =>
      send(
        harness,
        "POST /api/home/registerfinish",
        { username, password: "x7-Kq!m2-chosen" },
        { authorization },
      );
    await expectError(await finish("Anna"), 409, /^username: is taken already$/);
    await expectError(await finish("admin"), 400, /^username: admin is reserved$/);
    expect((await finish("Chosen")).status).toBe(200);
    expect(await profileOf(harness, actor)).toEqual({ ...before, Username: "Chosen" });
    expect(await signInStatus(harness, "Chosen", "x7-Kq!m2-chosen")).toBe(200);
    await expectError(await finish("Chosen2"), 409, /finished already/);
  });

  test("may not choose once staff have chosen", async () => {
    await newcomer({ username: "Renamed_by" });
    const headers = { authorization: `Bearer ${await createAccount(world)}` };
    const change = { identifier: "Renamed_by", change: { username: "Staff_chose" } };
    await updateUser(harness.services, commandLine, change);
    const json = { username: "Mine", password: "x7-Kq!m2-mine" };
    await expectError(
      await send(harness, "POST /api/home/registerfinish", json, headers),
      409,
      /finished already/,
    );
  });

  test("never gets a name that is held for its former owner", async () => {
    const owner = await addMember(harness, "Holder");
    const json = { username: "Holder_now", password: owner.password };
    await ask(harness, "PATCH /api/home/edit/username", json, owner);
    await newcomer({ username: "Holder" });
    const authorization = `Bearer ${await createAccount(world)}`;
    expect(await profileOf(harness, { authorization })).toMatchObject({ Username: "Holder2" });
  });

  test("cannot be where the operator's pattern lets no name through: the log says why", async () => {
    await using strict = await openSocialWorld({ settings: { USERNAME_PATTERN: "^mc_[a-z]+$" } });
    const response = await create(strict.harness, metaOf(await meet(strict)));
    expect(lineOf(strict.harness, response)).toMatchObject({
      level: "error",
      error: { message: expect.stringContaining("No free username") },
    });
    await expectError(response, 400, /^Internal error$/);
  });

  test("may keep the derived name", async () => {
    await newcomer({ username: "Keeper" });
    const authorization = `Bearer ${await createAccount(world)}`;
    const json = { username: "Keeper", password: "x7-Kq!m2-keeper" };
    expect((await send(harness, "POST /api/home/registerfinish", json, { authorization })).status).toBe(200);
    expect((await send(harness, "POST /api/home/registerfinish", json, { authorization })).status).toBe(409);
  });

  test("may not finish any more once it has a password", async () => {
    const { id } = await newcomer();
    const mail = `nelly${id}@example.net`;
    await createAccount(world);
    await ask(harness, "POST /api/auth/forgetpass", { mail });
    await ask(harness, "POST /api/auth/forgetpass/update", {
      code: lastCode(harness, mail),
      password: "x7-Kq!m2-first",
    });
    const { data } = await readJson<Envelope<{ jwt: string }>>(await signInSocially(world));
    const json = { username: "Another", password: "x7-Kq!m2-other" };
    const headers = { authorization: `Bearer ${data.jwt}` };
    await expectError(await send(harness, "POST /api/home/registerfinish", json, headers), 409);
    expect(await signInStatus(harness, mail, "x7-Kq!m2-first")).toBe(200);
  });
});

describe("POST /api/home/edit/removesocial", () => {
  const request = "POST /api/home/edit/removesocial";

  test("unlinks, and the person is unknown from then on", async () => {
    const user = await newcomer();
    const owner = await addMember(harness, "Remover");
    await link(harness, owner, metaOf(user));
    const json = { password: owner.password };
    const msg = "Social link removal successfully";
    await play(harness, { name: "", request, actor: owner, json, status: 200, msg, data: {} });
    expect(await profileOf(harness, owner)).toMatchObject({
      Social_integration: false,
      Social: { userid: "", username: "", avatar: "" },
    });
    expect((await signInSocially(world)).status).toBe(404);
  });

  test("refuses an account that never had a password, and says so", async () => {
    await newcomer();
    const jwt = await createAccount(world);
    const headers = { authorization: `Bearer ${jwt}` };
    const response = await send(harness, request, { password: "any password" }, headers);
    await expectError(response, 400, /^Social link removal failed: password: this account has none yet/);
    expect((await signInSocially(world)).status).toBe(200);
  });

  test.each([
    [
      "a wrong password",
      { password: "not the password" },
      400,
      /^Social link removal failed: password: is not/,
    ],
    ["no password", {}, 400, /^Social link removal failed: password: must be a text/],
    [
      "nothing that is linked",
      { password: "the password of Anna" },
      400,
      /^Social link removal failed: No social account is linked to yours$/,
    ],
  ])("refuses %s", (name, json, status, msg) =>
    play(harness, { name, request, actor: member, json, status, msg }),
  );

  test("asks for a session", () => play(harness, { name: "", request, json: {}, status: 401 }));
});
