/** The list of users, and one of them (docs/contract/admin.md#users, docs/contract/answers.md#lists). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "../support/members.ts";
import { send as sendJson } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const { services } = harness;
const now = harness.clock.nowSeconds();
const hour = 3600;
const shortRule =
  "q: must have 3 characters or more (2 where they are Chinese, Japanese or Korean), unless it is a whole id, UUID or username";

const chief = await addMember(harness, "Chief", { level: 3 });
const moderator = await addMember(harness, "Moderata", { level: 2 });
const alice = await addMember(harness, "Alice");
const ready = await addMember(harness, "unready", { finished: false });
const deputy = await addMember(harness, "Deputy");
const social = await addSocialAccount();
const skin = await addSkin(harness, alice, { slim: "true", name: "First" });
const hd = await addSkin(harness, alice, { file: skinPng(2, { width: 128 }), name: "Fine" });
const cape = await grantCape(harness, [alice]);
await wearCape(harness, alice, skin, cape);
await services.transact(system, ({ identities }) =>
  identities.insertIdentity(identityOf(alice, "180000000000000001")),
);
await setLevel(services, commandLine, { account: deputy.account.id, level: 3, expiresAt: now + hour });

function identityOf({ account }: Member, subject: string) {
  const person = {
    provider: "discord",
    issuer: "https://discord.com",
    subject,
    username: "alice#1",
    avatar: "https://cdn.example.org/a.png",
  };
  return { ...person, accountId: account.id, linkedAt: now };
}

function send(world: Harness, request: string, json?: unknown, member?: Member): Promise<Response> {
  return sendJson(world, request, json, member === undefined ? {} : { authorization: member.authorization });
}

async function addSocialAccount() {
  const fixed = {
    mail: null,
    registration: "unconfirmed",
    mailVerified: false,
    passwordHash: null,
    language: "en",
    createdAt: now,
  } as const;
  return services.transact(system, async ({ accounts, identities }) => {
    const uuid = crypto.randomUUID() as typeof alice.account.uuid;
    const account = await accounts.insertAccount({ ...fixed, uuid, permanentLevel: 1 });
    const person = {
      provider: "github",
      issuer: "https://github.com",
      subject: "7",
      username: "",
      avatar: "",
    };
    await identities.insertIdentity({ ...person, accountId: account.id, linkedAt: now });
    return account;
  });
}

const record = (member: Member, more: object = {}) => ({
  id: member.account.id,
  username: member.name,
  dsid: "",
  mail: member.mail,
  mail_verify: 1,
  uuid: member.uuid,
  password: "[redacted]",
  perms: 1,
  accessToken: null,
  serverID: null,
  hwidId: null,
  perms_permanent: 1,
  perms_expires_at: null,
  created: now,
  last_seen: now,
  ...more,
});

const records = [
  record(chief, { perms: 3, perms_permanent: 3 }),
  record(moderator, { perms: 2, perms_permanent: 2 }),
  record(alice, { dsid: "180000000000000001" }),
  record(ready),
  record(deputy, { perms: 3, perms_expires_at: now + hour }),
  record(chief, {
    id: social.id,
    uuid: social.uuid,
    username: "",
    mail: "",
    mail_verify: 0,
    dsid: "7",
    last_seen: null,
  }),
];

const next = (after: number) => `</api/admin/users?limit=4&after=${after}>; rel="next"`;

describe("GET /api/admin/users", () => {
  const users: Scenario = { name: "", actor: moderator, request: "GET /api/admin/users", status: 200 };
  const asking = (query: string) => ({ ...users, request: `GET /api/admin/users${query}` });

  test("lists everybody by id, without a hash", async () => {
    const answerHeaders = { "x-total-count": "6", link: null };
    await play(harness, { ...users, data: records, answerHeaders });
  });

  test("comes in pages that together are the list", async () => {
    const first = { "x-total-count": "6", link: next(4) };
    await play(harness, { ...asking("?limit=4"), data: records.slice(0, 4), answerHeaders: first });
    const last = { "x-total-count": "6", link: null };
    await play(harness, { ...asking("?limit=4&after=4"), data: records.slice(4), answerHeaders: last });
  });

  test.each<[string, number[]]>([
    ["?limit=1", [1]],
    ["?limit=6", [1, 2, 3, 4, 5, 6]],
    ["?limit=1000&after=0", [1, 2, 3, 4, 5, 6]],
    ["?after=5", [6]],
    ["?after=6", []],
    ["?after=999999999999999", []],
    ["?q=", [1, 2, 3, 4, 5, 6]],
    ["?q=%20%20", [1, 2, 3, 4, 5, 6]],
    ["?q=alice", [3]],
    ["?q=LIC", [3]],
    ["?q=ready%40exam", [4]],
    ["?q=example.org", [1, 2, 3, 4, 5]],
    ["?q=example.org&after=2&limit=2", [3, 4]],
    ["?q=4", [4]],
    ["?q=4&after=4", []],
    [`?q=${alice.uuid.toUpperCase()}`, [3]],
    ["?q=alice@example.org", [3]],
    ["?q=nobody", []],
    ['?q="alice"', []],
    ["?q=alice OR chief", []],
    ["?q=alice*", []],
    [`?q=${"a".repeat(254)}`, []],
    ["?unknown=1", [1, 2, 3, 4, 5, 6]],
  ])("with %s finds %j", async (query, ids) => {
    const response = await harness.fetch(asking(query.replaceAll(" ", "%20")).request.slice(4), {
      headers: { authorization: moderator.authorization },
    });
    const { data } = await readJson<Envelope<{ id: number }[]>>(response);
    expect(data.map(({ id }) => id)).toEqual(ids);
  });

  test("finds a whole name of fewer than three characters, on every page", async () => {
    await using other = await openHarness({ settings: { USERNAME_PATTERN: "^[a-z]{2,16}$" } });
    const boss = await addMember(other, "boss", { level: 2 });
    const bo = await addMember(other, "bo");
    const idsOf = async (query: string) => {
      const response = await other.fetch(`/api/admin/users${query}`, {
        headers: { authorization: boss.authorization },
      });
      const { data } = await readJson<Envelope<{ id: number }[]>>(response);
      return { status: response.status, ids: data.map?.(({ id }) => id) };
    };
    expect(await idsOf("?q=BO")).toEqual({ status: 200, ids: [bo.account.id] });
    expect(await idsOf(`?q=bo&after=${bo.account.id}`)).toEqual({ status: 200, ids: [] });
    expect((await idsOf("?q=bs")).status).toBe(400);
  });

  test("counts what a search finds, and keeps the search in the next page's address", async () => {
    const link = '</api/admin/users?limit=2&after=2&q=example.org>; rel="next"';
    await play(harness, {
      ...asking("?q=example.org&limit=2"),
      data: records.slice(0, 2),
      answerHeaders: { "x-total-count": "5", link },
    });
  });

  test.each([
    ["?limit=0", "limit: must be a whole number from 1 to 1000"],
    ["?limit=1001", "limit: must be a whole number from 1 to 1000"],
    ["?limit=-1", "limit: must be a whole number from 1 to 1000"],
    ["?limit=1e2", "limit: must be a whole number from 1 to 1000"],
    ["?limit=1.5", "limit: must be a whole number from 1 to 1000"],
    ["?limit=%20100", "limit: must be a whole number from 1 to 1000"],
    ["?limit=", "limit: must be a whole number from 1 to 1000"],
    ["?limit=99999999999999999999", "limit: must be a whole number from 1 to 1000"],
    ["?after=-1", "after: must be the id of a row, or 0"],
    ["?after=x", "after: must be the id of a row, or 0"],
    ["?after=1e15", "after: must be the id of a row, or 0"],
    ["?q=al", shortRule],
    ["?q=x", shortRule],
    ["?q=%20al%20", shortRule],
    ["?q=al&after=4", shortRule],
    ["?q=-1", shortRule],
    ["?q=@", shortRule],
    ["?q=%F0%9F%99%82%F0%9F%99%82", shortRule],
    ["?q=%00", "q: must hold no control characters"],
    ["?q=a%00lice", "q: must hold no control characters"],
    [`?q=${"a".repeat(255)}`, "q: must have 254 characters at most"],
  ])("refuses %s", async (query, msg) => {
    await play(harness, { ...asking(query), status: 400, msg });
  });

  test("counts deleted users no more", async () => {
    await using other = await openHarness();
    const boss = await addMember(other, "Boss", { level: 3 });
    await addMember(other, "Goner");
    const gone = await send(other, "DELETE /api/admin/user/Goner", undefined, boss);
    expect(gone.status).toBe(200);
    const answerHeaders = { "x-total-count": "1" };
    await play(other, {
      ...users,
      actor: boss,
      data: [record(boss, { perms: 3, perms_permanent: 3 })],
      answerHeaders,
    });
    const search = { ...asking("?q=goner"), actor: boss, answerHeaders: { "x-total-count": "0" } };
    await play(other, { ...search, data: [] });
  });
});

const looking = (identifier: string | number): Scenario => ({
  name: "",
  actor: moderator,
  request: `GET /api/admin/user/${identifier}`,
  status: 200,
});

describe("GET /api/admin/user/{identifier}", () => {
  const detail = {
    Id: alice.account.id,
    Username: "Alice",
    Uuid: alice.uuid,
    Mail: alice.mail,
    Mail_verify: 1,
    Selected_Cape: cape.id,
    Selected_Skin: skin,
    PermLvl: 1,
    perms_permanent: 1,
    perms_expires_at: null,
    Capes: [{ Id: String(cape.id), Name: "Founders", Uuid: cape.uuid, Expires_at: null }],
    Skins: [
      { uuid: skin, name: "First", cloak_id: cape.uuid, slim: true, hd: false, selected: true },
      { uuid: hd, name: "Fine", cloak_id: "", slim: false, hd: true, selected: false },
    ],
    Social_integration: true,
    Social: { userid: "180000000000000001", username: "alice#1", avatar: "https://cdn.example.org/a.png" },
    Mail_verification: 1,
    Created: now,
    last_seen: now,
    players_max: null,
    aliases: [],
    suspended: null,
    password_kind: "argon2id",
  };

  test.each([
    ["id", String(alice.account.id)],
    ["UUID", alice.uuid],
    ["UUID without dashes in upper case", alice.uuid.replaceAll("-", "").toUpperCase()],
    ["username", "Alice"],
    ["username in another case", "aLICE"],
    ["mail address", alice.mail],
    ["mail address in another case", "ALICE@EXAMPLE.ORG"],
    ["mail address with its @ escaped", "alice%40example.org"],
  ])("shows a user by %s", async (_, identifier) => {
    await play(harness, { ...looking(identifier), data: detail });
  });

  test("shows who is unfinished, and who has no mail address", async () => {
    const empty = { Selected_Cape: 0, Selected_Skin: "", Capes: [], Skins: [] };
    const none = { Social_integration: false, Social: { userid: "", username: "", avatar: "" } };
    const unfinished = { Id: ready.account.id, Uuid: ready.uuid, Username: "", Mail: ready.mail };
    const plain = { ...detail, ...empty };
    await play(harness, { ...looking(ready.mail), data: { ...plain, ...none, ...unfinished } });
    const anonymous = { Id: social.id, Uuid: social.uuid, Username: "", Mail: "" };
    const unverified = { Mail_verify: 0, Mail_verification: 0, last_seen: null };
    const linked = {
      ...unverified,
      Social: { userid: "7", username: "", avatar: "" },
      password_kind: "none",
    };
    await play(harness, { ...looking(social.id), data: { ...plain, ...anonymous, ...linked } });
  });

  test("shows the level in force, and when it ends", async () => {
    const response = await send(harness, `GET /api/admin/user/Deputy`, undefined, moderator);
    const { data } = await readJson<Envelope<object>>(response);
    expect(data).toMatchObject({ PermLvl: 3, perms_permanent: 1, perms_expires_at: now + hour });
  });

  test.each([
    ["an unknown name", "Nobody"],
    ["an unknown id", "4711"],
    ["zero", "0"],
    ["a negative id", "-1"],
    ["an id beyond 2^53", "9007199254740993"],
    ["an unknown UUID", "11111111-2222-4333-8444-555555555555"],
    ["an unknown address", "nobody@example.org"],
    ["a skin's UUID", skin],
    ["a reserved word", "upload"],
  ])("finds no user by %s", async (_, identifier) => {
    await play(harness, { ...looking(identifier), status: 404, msg: `No user is known as ${identifier}` });
  });

  test.each([
    ["a NUL", "Alice%00"],
    ["a line end", "Alice%0A"],
    ["a path", "..%2FAlice"],
    ["markup", "%3Cb%3E"],
    ["SQL", "'%20OR%201=1--"],
    ["a wildcard", "%25"],
    ["an address with a blank", "al%20ice@example.org"],
    ["255 characters", "a".repeat(255)],
    ["10 kB", "a".repeat(10_000)],
    ["no valid escape", "%zz"],
  ])("refuses %s", async (_, identifier) => {
    const msg = "identifier: must be an id, UUID, username or mail address";
    await play(harness, { ...looking(identifier), status: 400, msg });
  });

  test("shows when a grant ends, and none that has ended", async () => {
    await using other = await openHarness();
    const boss = await addMember(other, "Boss", { level: 3 });
    const given = await grantCape(other, [boss]);
    const capesUntil = async (end: number) => {
      other.database.change(`UPDATE cape_grants SET expires_at = ${end}`);
      // What another handle writes shows in the event loop's next turn, or with this one's next commit.
      await other.services.transact(system, async () => {});
      const response = await send(other, "GET /api/admin/user/Boss", undefined, boss);
      return (await readJson<Envelope<{ Capes: unknown[] }>>(response)).data.Capes;
    };
    const shown = { Id: String(given.id), Name: "Founders", Uuid: given.uuid, Expires_at: now + 1 };
    expect([await capesUntil(now + 1), await capesUntil(now)]).toEqual([[shown], []]);
  });
});

const looks = ["GET /api/admin/users", "GET /api/admin/user/Alice"];
const changes = [
  "PATCH /api/admin/user/Alice",
  "DELETE /api/admin/user/Alice",
  "POST /api/admin/user/role/Alice",
];
test.each([...looks, ...changes])(
  "%s is refused without the level, for known and unknown users",
  async (request) => {
    const answers: unknown[] = [];
    for (const asked of [request, request.replace("Alice", "Nobody")])
      for (const member of [undefined, ready, alice])
        answers.push((await send(harness, asked, request.startsWith("GET") ? undefined : {}, member)).status);
    expect(answers).toEqual([401, 403, 403, 401, 403, 403]);
  },
);

test.each(changes)("%s is refused to a moderator", async (request) => {
  await play(harness, {
    name: "",
    actor: moderator,
    request,
    json: {},
    status: 403,
    msg: /^This needs level 3/,
  });
});
