import { describe, expect, test } from "bun:test";
import { createTransact } from "../../src/domain/sessions/transact.ts";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import type { Mailer } from "../../src/domain/ports/mailer.ts";
import { mailKinds, type MailId } from "../../src/domain/ports/outbox-store.ts";
import { sendNextMail } from "../../src/domain/mail/send-mail.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { openMailServer, openScriptedServer, type Script } from "./mail-server.ts";
import { calmly, code, confirmMail, openWorld, origin } from "./outbox-world.ts";

const day = 24 * 60 * 60;
type World = Awaited<ReturnType<typeof openWorld>>;

async function stateOf(world: World) {
  const [entry] = await world.entries();
  const { state, attempts, dueAt, lastReply, hasContent } = entry!;
  return { state, attempts, in: dueAt - world.clock.nowSeconds(), lastReply, hasContent };
}

describe("a mail waits for its next try when", () => {
  const cases: readonly (readonly [string, Script, string])[] = [
    ["the server greets with 421", { greeting: "421 too busy" }, "421 too busy"],
    ["the server greets with 554", { greeting: "554 not for you" }, "554 not for you"],
    ["the server closes before it greets", { greeting: null }, "Connection closed"],
    ["the server closes at EHLO", { EHLO: null }, "Connection closed"],
    ["the sender is deferred", { "MAIL FROM": "451 later" }, "451 later"],
    ["the recipient is deferred", { "RCPT TO": "450 mailbox busy" }, "450 mailbox busy"],
    ["DATA is deferred", { DATA: "452 no room" }, "452 no room"],
    ["the content is deferred", { body: "451 greylisted" }, "451 greylisted"],
    ["the line drops at DATA", { DATA: null }, "closed"],
    ["the line drops in mid-DATA", { body: null }, "closed"],
    ["the sender is refused", { "MAIL FROM": "550 5.7.1 who are you" }, "550 5.7.1 who are you"],
    ["the sender has not signed in", { "MAIL FROM": "530 5.7.0 Authentication required" }, "530 5.7.0"],
    ["no sign-in is asked for before the recipient", { "RCPT TO": "530 Authentication required" }, "530"],
    ["AUTH is missed at the recipient", { "RCPT TO": "503 AUTH first" }, "503 AUTH first"],
    ["relaying is denied", { "RCPT TO": "554 5.7.1 Relay access denied" }, "554 5.7.1"],
    ["the sender's domain is refused late", { "RCPT TO": "550 5.1.8 domain not found" }, "550 5.1.8"],
    ["sign-in is missed at DATA", { DATA: "530 5.7.0 Authentication required" }, "530 5.7.0"],
    ["our quota is used up", { body: "550 5.4.5 Daily sending quota exceeded" }, "550 5.4.5"],
    ["our SPF record is wrong", { body: "550-5.7.26 not authenticated\r\n550 5.7.26 see x" }, "550-5.7.26"],
    ["the server says nonsense", { "MAIL FROM": "hello there" }, "hello there"],
    [
      "STARTTLS is offered and then refused",
      { EHLO: "250-here\r\n250 STARTTLS", STARTTLS: "454 not now" },
      "454 not now",
    ],
  ];

  test.each(cases)("%s", async (_, script, words) => {
    await using server = await openScriptedServer(script);
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(server));
    const { lastReply, ...state } = await stateOf(world);
    expect(state).toEqual({ state: "waiting", attempts: 1, in: 30, hasContent: true });
    expect(lastReply).toContain(words);
    expect(world.lines.join("")).toContain("mail not taken, it is tried again");
  });

  test("no server is there", async () => {
    using closed = await holdClosedPort();
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(closed));
    expect(await stateOf(world)).toMatchObject({ state: "waiting", in: 30, hasContent: true });
  });

  test("the server does not take our password, which is no fault of the mail", async () => {
    await using server = await openMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(null, { message: "5.7.8 wrong password" }),
    });
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(
      world.toServer({ port: server.port, credentials: { user: "me", password: "wrong" } }),
    );
    const state = await stateOf(world);
    expect(state).toMatchObject({ state: "waiting", hasContent: true });
    expect(state.lastReply).toContain("535 5.7.8 wrong password");
  });

  test.each([
    ["connecting", { greeting: "silence" }],
    ["the envelope", { "RCPT TO": "silence" }],
    ["the content", { DATA: "silence" }],
  ] as const)("the server is silent at %s and the hand-over is cut", async (_, script) => {
    await using server = await openScriptedServer(script);
    await using world = await openWorld();
    await world.post(confirmMail);
    const cutting = new AbortController();
    void server.reached.then(() => cutting.abort(new Error("interrupted: the server stops")));
    await world.sendAll(world.toServer(server), { interrupt: cutting.signal });
    expect(await stateOf(world)).toMatchObject({
      state: "waiting",
      lastReply: "interrupted: the server stops",
    });
  });
});

describe("a mail fails at once when", () => {
  test.each([
    ["the recipient", { "RCPT TO": "550 5.1.1 no such user" }, "550 5.1.1 no such user"],
    ["DATA", { DATA: "554 no" }, "554 no"],
    ["the recipient without a reason", { "RCPT TO": "550 no" }, "550 no"],
    ["the content", { body: "554 5.7.1 spam" }, "554 5.7.1 spam"],
  ] as const)("%s is refused for good", async (_, script, words) => {
    await using server = await openScriptedServer(script);
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(server));
    world.advance(day / 2);
    expect(await world.sendAll(world.toServer(server))).toBe(0);
    const { lastReply, ...state } = await stateOf(world);
    expect(state).toMatchObject({ state: "failed", attempts: 1, hasContent: true });
    expect(lastReply).toContain(words);
  });

  test("a server that quotes the code does not bring it into the list or the log", async () => {
    const body = `554 spam: link code=${code} or ${code.replace("-", "")} for anna@example.org\r\n`;
    await using server = await openScriptedServer({ body });
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(server));
    const { lastReply } = await stateOf(world);
    expect(lastReply).toContain("554 spam: link code=[code] or [code]");
    for (const secret of [code, "ABCDE12345", "anna@"]) expect(world.lines.join("")).not.toContain(secret);
  });
});

test("tries again after 30 s, 2 min, 10 min, 30 min, then every hour, for a day", async () => {
  await using server = await openScriptedServer({ "RCPT TO": "450 busy" });
  await using world = await openWorld();
  await world.post(confirmMail);
  const mailer = world.toServer(server);
  const delays: number[] = [];
  for (let tries = 0; tries < 7; tries++) {
    expect(await world.sendAll(mailer)).toBe(1);
    const { in: delay } = await stateOf(world);
    delays.push(delay);
    world.advance(delay - 1);
    expect(await world.sendAll(mailer)).toBe(0);
    world.advance(1);
  }
  expect(delays).toEqual([30, 120, 600, 1800, 3600, 3600, 3600]);
});

describe("the sweep", () => {
  test("gives up what is not sent within a day, and wipes its content", async () => {
    await using world = await openWorld();
    await world.post(confirmMail);
    world.advance(day);
    await world.sweep();
    expect(await stateOf(world)).toMatchObject({ state: "waiting", hasContent: true });
    world.advance(1);
    await world.sweep();
    expect(await stateOf(world)).toMatchObject({ state: "failed", hasContent: false });
    expect(world.lines.join("")).toContain("mails given up");
  });

  test("wipes what failed when the day is over", async () => {
    await using server = await openScriptedServer({ "RCPT TO": "550 no" });
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(server));
    world.advance(day + 1);
    await world.sweep();
    expect(await stateOf(world)).toMatchObject({ state: "failed", hasContent: false });
  });

  test("forgets what was sent after a week and what failed after 30 days", async () => {
    await using world = await openWorld();
    await world.post(confirmMail, "sent@example.org");
    await world.sendAll(world.toFiles());
    await world.post(confirmMail, "failed@example.org");
    world.advance(day + 1);
    await world.sweep();
    const left = async () => (await world.entries()).map(({ to }) => to);
    world.advance(6 * day);
    await world.sweep();
    expect(await left()).toEqual(["failed@example.org"]);
    world.advance(25 * day);
    await world.sweep();
    expect(await left()).toEqual([]);
  });
});

describe("nothing is lost and nothing sent twice", () => {
  test("when the server comes back after a restart of ours", async () => {
    await using server = await openMailServer();
    using closed = await holdClosedPort();
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(closed));
    world.reopen();
    world.advance(30);
    await world.sendAll(world.toServer(server));
    await world.sendAll(world.toServer(server));
    expect(server.mails).toHaveLength(1);
  });

  test("when the process dies with a mail in hand: it waits until the claim ends", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await world.post(confirmMail);
    const now = world.clock.nowSeconds();
    await world.atomically(({ outbox }) => outbox.claimDue(mailKinds, now, now + 60));
    world.reopen();
    expect(await world.sendAll(world.toServer(server))).toBe(0);
    world.advance(60);
    expect(await world.sendAll(world.toServer(server))).toBe(1);
    expect(server.mails).toHaveLength(1);
  });

  test("when two processes send from one outbox", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    for (let index = 0; index < 20; index++) await world.post(confirmMail, `m${index}@example.org`);
    using other = openDatabase(world.path);
    const mailer = world.toServer(server);
    const theirs = {
      ...world.deps(mailer),
      reads: other.reads,
      transact: createTransact({ ...other, clock: world.clock }),
    };
    const senders = [world.deps(mailer), theirs, world.deps(mailer), theirs].map(async (deps) => {
      while (await sendNextMail(deps, calmly));
    });
    await Promise.all(senders);
    const recipients = server.mails.map(({ to }) => (to === undefined || Array.isArray(to) ? "" : to.text));
    expect(recipients.toSorted()).toEqual(
      Array.from({ length: 20 }, (_, i) => `m${i}@example.org`).toSorted(),
    );
  });

  test("when what came of it cannot be written down at first", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await world.post(confirmMail);
    const deps = world.deps(world.toServer(server));
    let writes = 0;
    let rests = 0;
    const transact: typeof deps.transact = (actor, work) => {
      writes += 1;
      if (writes === 2) throw new Error("no space");
      return deps.transact(actor, work);
    };
    await sendNextMail({ ...deps, transact }, { ...calmly, rest: async () => void (rests += 1) });
    expect(rests).toBe(1);
    expect(await stateOf(world)).toMatchObject({ state: "sent" });
    expect(server.mails).toHaveLength(1);
  });

  test("but where it may be, the second has the same Message-ID", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await world.post(confirmMail);
    const deps = world.deps(world.toServer(server));
    const cutting = new AbortController();
    let writes = 0;
    const transact: typeof deps.transact = (actor, work) => {
      writes += 1;
      if (writes === 2) cutting.abort();
      return writes === 2 ? Promise.reject(new Error("the process dies")) : deps.transact(actor, work);
    };
    const sent = sendNextMail({ ...deps, transact }, { ...calmly, interrupt: cutting.signal });
    expect(await sent.catch((error: unknown) => error)).toMatchObject({ message: "the process dies" });
    world.advance(60);
    await world.sendAll(world.toServer(server));
    const id = "<4102444800.1@www.example.org>";
    expect(server.mails.map(({ messageId }) => messageId)).toEqual([id, id]);
  });
});

test("a fault of ours is logged and leaves the mail waiting", async () => {
  await using world = await openWorld();
  const broken: Mailer = {
    deliver: () => Promise.reject(new TypeError("broken")),
    [Symbol.asyncDispose]: async () => undefined,
  };
  await world.post(confirmMail);
  await world.sendAll(broken);
  expect(await stateOf(world)).toMatchObject({ state: "waiting", hasContent: true });
  expect(world.lines.join("")).toContain("a mail could not be handed over");
});

test("a transaction that fails posts nothing", async () => {
  await using world = await openWorld();
  const failed = world.atomically(async ({ outbox }) => {
    await outbox.insertMail({ to: "a@example.org", language: "en", at: 0, mail: confirmMail });
    throw new Error("rolled back");
  });
  expect(await failed.catch((error: unknown) => error)).toMatchObject({ message: "rolled back" });
  expect(await world.entries()).toEqual([]);
});

describe("sends to an address", () => {
  test("are counted with codes or in their place, ignoring case, and not beyond the time asked for", async () => {
    await using world = await openWorld();
    const start = world.clock.nowSeconds();
    await world.post(confirmMail, "Anna@Example.org");
    await world.post({ template: "password-changed", username: "Anna" });
    await world.post(confirmMail, "other@example.org");
    world.advance(60);
    await world.post({ template: "unknown-address", ...origin });
    const since = (at: number) =>
      world.deps(world.toFiles()).reads.outbox.codeSendsSince("anna@example.org", at);
    expect(await since(start - 1)).toEqual([start, start + 60]);
    expect(await since(start)).toEqual([start + 60]);
  });
});

test("an id that no mail has is unknown", async () => {
  await using world = await openWorld();
  expect(await world.deps(world.toFiles()).reads.outbox.findMail(7 as MailId)).toBeNull();
});
