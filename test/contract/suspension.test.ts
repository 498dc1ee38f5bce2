/** Suspended accounts: every door, and how a suspension ends (docs/contract/admin.md#suspension). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser } from "../support/console.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, type Member, type NewMember } from "../support/members.ts";
import { ask, homeStatus, lastCode, send, signInStatus } from "../support/registration.ts";
import { expectError, play } from "../support/scenario.ts";
import { addGamer, root, signInToGame } from "../yggdrasil/world.ts";

const secret = "aurora-secret-of-more-than-32-characters";
const harness = await openHarness({ settings: { AURORA_SECRET: secret }, secrets: () => [secret] });
afterAll(() => harness[Symbol.asyncDispose]());
const { services, clock } = harness;
const chief = await addMember(harness, "Chief", { level: 3 });
await addMember(harness, "Second", { level: 3 });
const { token: launcher } = await createToken(services, commandLine, "launch", ["launcher"]);

let count = 0;
const someone = (options: NewMember = {}) => addMember(harness, `Some${(count += 1)}`, options);
const gamer = () => addGamer(harness, `Gamer${(count += 1)}`);
const day = 24 * 60 * 60;
const tomorrow = () => clock.nowSeconds() + day;

type Terms = { readonly until?: number | null; readonly reason?: string };
const suspend = ({ account }: Pick<Member, "account">, { until = null, reason = "" }: Terms = {}) =>
  suspendUser(services, commandLine, { identifier: String(account.id), terms: { until, reason } });
const restore = ({ account }: Pick<Member, "account">) =>
  suspendUser(services, commandLine, { identifier: String(account.id), terms: null });
const sweep = () => startHousekeeping({ ...services, log: harness.log })[Symbol.asyncDispose]();
const rows = (table: string) => harness.database.everything()[table] as readonly Record<string, unknown>[];
const audit = () =>
  rows("audit_entries").map(({ issuer, action, for_account_id: about, detail }) => ({
    issuer,
    action,
    about,
    ...JSON.parse(String(detail)),
  }));
const eventsAfter = async (work: () => Promise<unknown>) => {
  const before = await services.reads.events.newestEventId();
  await work();
  const events = await services.reads.events.listEvents(before, 10);
  return events.map((event): object => ({ ...event, id: undefined, at: undefined }));
};

type SignIn = (login: string, password: string) => Promise<Response>;
const post = (path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
  harness.fetch(path, { method: "POST", headers, body: JSON.stringify(json) });
const asLauncher = { authorization: `Bearer ${launcher}` };
const yggdrasil =
  (path: string): SignIn =>
  (username, password) =>
    post(`${root}/authserver/${path}`, { username, password });

const sentence = (until: string, reason: string) => `This account is suspended${until}${reason}`;

/** Every way in by a password, and what it answers to a suspended account. `said`: the sentence. */
const doors: readonly (readonly [string, SignIn, (said: string) => readonly [number, unknown]])[] = [
  [
    "the website",
    (username, password) => send(harness, "POST /api/auth/login", { username, password }),
    (msg) => [403, expect.objectContaining({ error: true, msg, url: null })],
  ],
  [
    "the console",
    (name, password) => openConsoleBrowser(harness).signIn({ name, password }),
    (msg) => [403, expect.objectContaining({ error: true, msg, url: null })],
  ],
  [
    "a launcher of Yggdrasil",
    yggdrasil("authenticate"),
    (errorMessage) => [403, { error: "ForbiddenOperationException", errorMessage }],
  ],
  [
    "the end of a launcher's sessions",
    yggdrasil("signout"),
    (errorMessage) => [403, { error: "ForbiddenOperationException", errorMessage }],
  ],
  [
    "GravitLauncher's core http",
    (login, password) =>
      post("/api/gravit/auth/authorize", { login, password: { type: "plain", password } }, asLauncher),
    () => [403, { error: "auth.userblocked", code: 403 }],
  ],
  [
    "GravitLauncher's module myhttp",
    (login, password) => post("/api/gravit/myhttp/authorize", { login, password }, asLauncher),
    () => [403, { error: "auth.userblocked", code: 403 }],
  ],
  [
    "AuroraLauncher",
    (login, password) => post(`/api/aurora/${secret}/auth`, { login, password }),
    (error) => [403, { success: false, error }],
  ],
];

const answerOf = async (response: Response) => [response.status, await readJson<unknown>(response)];
const wholeOf = async (response: Response) => [
  response.status,
  response.headers.get("x-error"),
  await response.text(),
];

describe.each(doors)("%s", (_, signIn, refused) => {
  test.each<readonly [string, Terms, string]>([
    ["for ever", {}, sentence("", "")],
    ["for a reason", { reason: "Стянул чужой скин" }, sentence("", ": Стянул чужой скин")],
    ["for a day", { until: tomorrow() }, sentence(" until 2100-01-02 00:00 UTC", "")],
    [
      "for a day and a reason",
      { until: tomorrow(), reason: "x" },
      sentence(" until 2100-01-02 00:00 UTC", ": x"),
    ],
  ])("refuses the right password of an account that is suspended %s", async (_, terms, said) => {
    const member = await someone();
    await suspend(member, terms);
    for (const login of [member.name, member.mail])
      expect(await answerOf(await signIn(login, member.password))).toEqual([...refused(said)]);
    expect(rows("sessions").filter((row) => row["account_id"] === member.account.id)).toEqual([]);
  });

  test("answers a wrong password as if the account were not suspended", async () => {
    const [suspended, other] = [await someone(), await someone()];
    await suspend(suspended, { reason: "a secret reason" });
    const [one, two, unknown] = [
      await signIn(suspended.name, "a wrong password"),
      await signIn(other.name, "a wrong password"),
      await signIn("Nobody_here", "a wrong password"),
    ];
    const expected = await wholeOf(two);
    expect(await wholeOf(one)).toEqual(expected);
    expect(await wholeOf(unknown)).toEqual(expected);
  });

  test("lets the person in after the end", async () => {
    const member = await someone();
    await suspend(member);
    expect((await signIn(member.name, member.password)).ok).toBe(false);
    await restore(member);
    expect((await signIn(member.name, member.password)).ok).toBe(true);
  });
});

describe("programs learn of a suspension", () => {
  test.each<readonly [string, (login: string, password: string) => Promise<Response>]>(
    doors.slice(0, 2).map(([name, signIn]) => [name, signIn]),
  )("at %s, by the header and the data", async (_, signIn) => {
    const member = await someone();
    const until = tomorrow();
    const look = async () => {
      const response = await signIn(member.name, member.password);
      const { data } = await readJson<Envelope<unknown>>(response);
      return [response.headers.get("x-error"), data];
    };
    await suspend(member, { until, reason: "for nothing" });
    const suspended = { until, reason: "for nothing" };
    expect(await look()).toEqual([`suspended; until=${until}`, { suspended }]);
    await suspend(member);
    expect(await look()).toEqual(["suspended", { suspended: { until: null, reason: "" } }]);
  });
});

describe("a suspension ends at once", () => {
  test("sessions of the website and of the console", async () => {
    const member = await someone();
    const browser = openConsoleBrowser(harness);
    await browser.signIn(member);
    expect(await browser.visitor()).not.toBeNull();
    await suspend(member);
    expect(await homeStatus(harness, member.jwt)).toBe(401);
    expect(await browser.visitor()).toBeNull();
  });

  test("game tokens, for every use", async () => {
    const { member, main, token } = await gamer();
    await suspend(member);
    const json = { accessToken: token };
    const profile = { id: main.uuid.replaceAll("-", ""), name: main.name };
    const join = { ...json, selectedProfile: profile.id, serverId: "5f3a" };
    const refused = { error: "ForbiddenOperationException", errorMessage: "Invalid token." };
    for (const [path, body] of [
      ["authserver/validate", json],
      ["authserver/refresh", json],
      ["authserver/refresh", { ...json, selectedProfile: profile }],
      ["sessionserver/session/minecraft/join", join],
    ] as const) {
      const response = await post(`${root}/${path}`, body);
      expect([path, response.status, await readJson<unknown>(response)]).toEqual([path, 403, refused]);
    }
    const uses = [
      ["/api/gravit/auth/refresh", { refreshToken: token }, 401],
      ["/api/gravit/myhttp/token", { accessToken: token }, 401],
      ["/api/gravit/myhttp/refresh", { refreshToken: token }, 401],
      [
        "/api/gravit/myhttp/join",
        { username: main.name, uuid: main.uuid, accessToken: token, serverId: "a" },
        403,
      ],
    ] as const;
    for (const [path, body, status] of uses)
      expect([path, (await post(path, body, asLauncher)).status]).toEqual([path, status]);
    const aurora = { accessToken: token, userUUID: main.uuid, serverID: "a" };
    expect(await readJson<unknown>(await post(`/api/aurora/${secret}/join`, aurora))).toEqual({
      success: true,
      result: false,
    });
  });

  test("joins that were noted before, for every question", async () => {
    const { member, main, token } = await gamer();
    const serverId = "5f3a";
    const join = { accessToken: token, selectedProfile: main.uuid, serverId };
    expect((await post(`${root}/sessionserver/session/minecraft/join`, join)).status).toBe(204);
    const questions = [
      () =>
        harness.fetch(
          `${root}/sessionserver/session/minecraft/hasJoined?username=${main.name}&serverId=${serverId}`,
        ),
      () => post("/api/gravit/auth/check", { username: main.name, serverId }, asLauncher),
      () => post("/api/gravit/myhttp/check", { username: main.name, serverId }, asLauncher),
      () => post(`/api/aurora/${secret}/hasJoined`, { username: main.name, serverID: serverId }),
    ];
    const ask = () => Promise.all(questions.map(async (question) => (await question()).status));
    expect(await ask()).toEqual([200, 200, 200, 200]);
    await suspend(member);
    expect(await ask()).toEqual([204, 404, 404, 403]);
    // A session of later does not bring the join back.
    await restore(member);
    await signInToGame(harness, main.name, member.password);
    expect(await ask()).toEqual([204, 404, 404, 403]);
  });
});

describe("what goes on", () => {
  test("pictures, profiles and descriptors", async () => {
    const { member, main } = await gamer();
    await addSkin(harness, member, {});
    const paths = [
      `/api/skin/head/${main.uuid}?size=32`,
      `/api/skin/standart/${main.uuid}`,
      `${root}/sessionserver/session/minecraft/profile/${main.uuid.replaceAll("-", "")}`,
      `/u/${main.name}`,
      `/api/gravit/auth/user/name/${main.name}`,
    ];
    const ask = () => Promise.all(paths.map(async (path) => (await harness.fetch(path)).status));
    const before = await ask();
    await suspend(member);
    expect(await ask()).toEqual(before);
    expect(before.every((status) => status === 200)).toBe(true);
  });

  test("a password reset, which opens no session", async () => {
    const member = await someone();
    await suspend(member);
    await ask(harness, "POST /api/auth/forgetpass", { mail: member.mail });
    const code = lastCode(harness, member.mail);
    const password = "another password that will do";
    await ask(harness, "POST /api/auth/forgetpass/update", { code, password });
    expect(rows("sessions").filter((row) => row["account_id"] === member.account.id)).toEqual([]);
    expect(await signInStatus(harness, member.name, member.password)).toBe(401);
    expect(await signInStatus(harness, member.name, password)).toBe(403);
  });

  test("the confirmation of an address, which opens no session", async () => {
    const mail = "late@example.org";
    await ask(harness, "POST /api/auth/register", { mail, password: "a password that will do" });
    const member = await services.reads.accounts.findMember({ by: "mail", value: mail });
    if (member === null) throw new Error("not registered");
    await suspend(member);
    expect(harness.database.mails().filter((one) => one.to === mail)).toHaveLength(1);
    const browser = openConsoleBrowser(harness);
    const response = await browser.send("POST /console/confirm", { code: lastCode(harness, mail) });
    expect(response.status).toBe(200);
    expect(await browser.visitor()).toBeNull();
    const { mailVerified } = (await services.reads.accounts.findMember({ by: "mail", value: mail }))!.account;
    expect(mailVerified).toBe(true);
  });
});

describe("a suspension ends by itself", () => {
  test("at its time, before anything swept it", async () => {
    const member = await someone();
    await suspend(member, { until: clock.nowSeconds() + 60, reason: "x" });
    clock.advance(59);
    expect(await signInStatus(harness, member.name, member.password)).toBe(403);
    clock.advance(1);
    expect(await signInStatus(harness, member.name, member.password)).toBe(200);
    expect(rows("suspensions").some((row) => row["account_id"] === member.account.id)).toBe(true);
    await sweep();
    expect(rows("suspensions").some((row) => row["account_id"] === member.account.id)).toBe(false);
  });

  test("the sweep writes audit and event, once, and leaves what goes on", async () => {
    await sweep();
    const [over, on, endless] = [await someone(), await someone(), await someone()];
    const until = clock.nowSeconds() + 60;
    await suspend(over, { until, reason: "x" });
    await suspend(on, { until: until + 1 });
    await suspend(endless);
    clock.advance(60);
    const before = audit().length;
    const events = await eventsAfter(async () => {
      await sweep();
      await sweep();
    });
    const player = { uuid: over.uuid, name: over.name };
    expect(events).toEqual([{ type: "account.restored", player, account: { uuid: over.account.uuid } }]);
    expect(audit().slice(before)).toEqual([
      {
        issuer: "system",
        action: "suspension.expire",
        about: over.account.id,
        old: { expired_at: until, reason: "x" },
      },
    ]);
    expect(rows("suspensions").map((row) => row["account_id"])).toEqual(
      expect.arrayContaining([on.account.id, endless.account.id]),
    );
  });

  test("one that has ended is written as ended when the account is suspended again", async () => {
    const member = await someone();
    await suspend(member, { until: clock.nowSeconds() + 60 });
    clock.advance(60);
    const before = audit().length;
    const events = await eventsAfter(() => suspend(member));
    expect(events).toMatchObject([{ type: "account.restored" }, { type: "account.suspended" }]);
    expect(
      audit()
        .slice(before)
        .map(({ action }) => action),
    ).toEqual(["suspension.expire", "user.suspend"]);
  });
});

const change = (member: Pick<Member, "uuid">, json: unknown, actor = chief) => ({
  name: "",
  actor,
  request: `PATCH /api/admin/user/${member.uuid}`,
  json,
});
const detailOf = async ({ account }: Member) => {
  const { authorization } = chief;
  const response = await harness.fetch(`/api/admin/user/${account.id}`, { headers: { authorization } });
  return (await readJson<Envelope<{ suspended: unknown }>>(response)).data.suspended;
};
const letter = (to: string, mail: object) => ({ to, language: "en", mail });

describe("PATCH /api/admin/user", () => {
  test("suspends, changes the terms, and ends: with mails, audit and events", async () => {
    const member = await someone();
    const { id } = member.account;
    expect(await detailOf(member)).toBeNull();
    const until = tomorrow();
    const end = `${new Date(until * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const before = audit().length;
    const mail = { template: "suspended", username: member.name };
    const player = { uuid: member.uuid, name: member.name };
    const account = { uuid: member.account.uuid };
    const events = await eventsAfter(async () => {
      await play(harness, {
        ...change(member, { suspended: { until, reason: " Grief " } }),
        status: 200,
        data: expect.objectContaining({ suspended: { until, reason: "Grief" } }),
        mails: [letter(member.mail, { ...mail, end, reason: "Grief" })],
      });
      expect(await detailOf(member)).toEqual({ until, reason: "Grief" });
      // The same again changes nothing.
      await play(harness, { ...change(member, { suspended: { until, reason: "Grief" } }), status: 200 });
      await play(harness, {
        ...change(member, { suspended: {} }),
        status: 200,
        data: expect.objectContaining({ suspended: { until: null, reason: "" } }),
        mails: [letter(member.mail, { ...mail, end: "", reason: "" })],
      });
      await play(harness, {
        ...change(member, { suspended: null }),
        status: 200,
        data: expect.objectContaining({ suspended: null }),
      });
      await play(harness, { ...change(member, { suspended: null }), status: 200 });
    });
    expect(await detailOf(member)).toBeNull();
    expect(audit().slice(before)).toEqual([
      { issuer: "Chief", action: "user.suspend", about: id, new: { expired_at: until, reason: "Grief" } },
      {
        issuer: "Chief",
        action: "user.suspend",
        about: id,
        old: { expired_at: until, reason: "Grief" },
        new: { expired_at: null },
      },
      { issuer: "Chief", action: "user.unsuspend", about: id, old: { expired_at: null } },
    ]);
    expect(events).toEqual([
      { type: "account.suspended", player, account, until },
      { type: "account.suspended", player, account, until: null },
      { type: "account.restored", player, account },
    ]);
  });

  test.each<readonly [string, unknown]>([
    ["ISO 8601", "2100-06-01T00:00:00Z"],
    ["seconds", Date.UTC(2100, 5, 1) / 1000],
    ["milliseconds", Date.UTC(2100, 5, 1)],
  ])("reads a time as expired_at is read: %s", async (_, until) => {
    const member = await someone();
    const data = expect.objectContaining({
      suspended: { until: Date.UTC(2100, 5, 1) / 1000, reason: "" },
    });
    const mails = [expect.anything()];
    await play(harness, { ...change(member, { suspended: { until } }), status: 200, data, mails });
  });

  const reasonRule = /^suspended\.reason: must be one line of 1 to 500 characters/;
  test.each<readonly [string, unknown, RegExp]>([
    ["a flag", true, /^suspended: must be null or hold until and reason/],
    ["a text", "until tomorrow", /^suspended: must be null or hold until and reason/],
    ["a list", [], /./],
    ["a time in the past", { until: 1 }, /^suspended\.until: must lie in the future/],
    ["a time that is now", { until: "2100-01-01T00:00:00Z" }, /^suspended\.until: must lie in the future/],
    ["a time without a zone", { until: "2100-06-01T00:00:00" }, /^suspended\.until: must be ISO 8601/],
    ["no time", { until: "soon" }, /^suspended\.until: must be ISO 8601/],
    ["a reason of two lines", { reason: "one\ntwo" }, reasonRule],
    ["a line separator in the reason", { reason: "one\u2028two" }, reasonRule],
    ["an escape in the reason", { reason: "\u001b[2J" }, reasonRule],
    ["an invisible reason", { reason: "\u200b" }, reasonRule],
    ["501 characters of reason", { reason: "x".repeat(501) }, reasonRule],
    ["a number for a reason", { reason: 7 }, /./],
  ])("refuses %s", async (_, suspended, msg) => {
    const member = await someone();
    await play(harness, { ...change(member, { suspended }), status: 400, msg });
  });

  test("takes 500 characters of reason, in NFC", async () => {
    const member = await someone();
    const data = expect.objectContaining({ suspended: { until: null, reason: "é".repeat(500) } });
    const json = { suspended: { reason: "e\u0301".repeat(500) } };
    await play(harness, { ...change(member, json), status: 200, data, mails: [expect.anything()] });
  });

  test("refuses oneself", async () => {
    const msg = "Administrators cannot suspend themselves";
    await play(harness, { ...change(chief, { suspended: {} }), status: 409, msg });
  });

  test("is for administrators alone", async () => {
    const moderator = await someone({ level: 2 });
    await play(harness, {
      ...change(await someone(), { suspended: {} }, moderator),
      status: 403,
      msg: /level 3/,
    });
  });

  test("an account without a player, or without an address, is suspended as well", async () => {
    const unnamed = await someone({ finished: false });
    const events = await eventsAfter(() => suspend(unnamed));
    expect(events).toEqual([]);
    expect(await signInStatus(harness, unnamed.mail, unnamed.password)).toBe(403);
  });
});

describe("mails to everybody", () => {
  test("leave out those who are suspended, in the preview too", async () => {
    await using other = await openHarness();
    const writer = await addMember(other, "Writer", { level: 3 });
    const out = await addMember(other, "Out");
    const over = await addMember(other, "Over");
    const late = await addMember(other, "Late");
    const until = other.clock.nowSeconds() + 60;
    const one = (member: Member, end: number | null) =>
      suspendUser(other.services, commandLine, {
        identifier: String(member.account.id),
        terms: { until: end, reason: "" },
      });
    await one(out, null);
    await one(over, until);
    other.clock.advance(60);
    const json = { subject: "News", message: "Hello" };
    const { authorization } = writer;
    const preview = await send(other, "POST /api/admin/mail/preview", json, { authorization });
    const previews = await readJson<Envelope<{ recipients: number }>>(preview);
    expect(previews.data.recipients).toBe(3);
    await send(other, "POST /api/admin/mail", json, { authorization });
    const readers = () =>
      (other.database.everything()["outbox"] as readonly Record<string, unknown>[])
        .filter((row) => row["template"] === "bulk")
        .map((row) => row["recipient"]);
    expect(readers()).toEqual([writer.mail, over.mail, late.mail]);
    // A copy that waits is not sent to a person who was suspended since.
    await one(late, null);
    const taken: string[] = [];
    for (;;) {
      const at = other.clock.nowSeconds();
      const due = await other.services.transact(system, (tx) => tx.outbox.claimDue(["bulk"], at, at + 1000));
      if (due === null) break;
      taken.push(due.to);
    }
    expect(taken).toEqual([writer.mail, over.mail]);
  });
});

describe("the last administrator", () => {
  test("is not suspended, and one who is suspended does not count", async () => {
    await using other = await openHarness();
    const [first, second] = [
      await addMember(other, "First", { level: 3 }),
      await addMember(other, "Later", { level: 3 }),
    ];
    const terms = { until: null, reason: "" };
    const change = ({ account }: Member, to: typeof terms | null) =>
      suspendUser(other.services, commandLine, { identifier: String(account.id), terms: to });
    await change(first, terms);
    expect(change(second, terms)).rejects.toMatchObject({ code: "last_administrator" });
    const { authorization } = second;
    const headers = { authorization, "content-type": "application/json" };
    const demote = await other.fetch(`/api/admin/user/${second.account.id}`, {
      method: "PATCH",
      headers,
      body: JSON.stringify({ perms: 1 }),
    });
    await expectError(demote, 409, /^The last administrator/);
    const path = `/api/admin/user/${second.account.id}`;
    await expectError(await other.fetch(path, { method: "DELETE", headers }), 409);
    await change(first, null);
    await change(second, terms);
  });
});

test("how many are suspended is a metric", async () => {
  await using other = await openHarness();
  const metric = async () => /^cloakroom_accounts_suspended (\d+)$/m.exec(await other.metrics())?.[1];
  expect(await metric()).toBe("0");
  const members = [await addMember(other, "Ada"), await addMember(other, "Bob")];
  const ends = [null, other.clock.nowSeconds() + 60];
  for (const [at, { account }] of members.entries())
    await suspendUser(other.services, commandLine, {
      identifier: String(account.id),
      terms: { until: ends[at] ?? null, reason: "" },
    });
  expect(await metric()).toBe("2");
  other.clock.advance(60);
  expect(await metric()).toBe("1");
});
