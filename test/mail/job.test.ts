import { expect, jest, test } from "bun:test";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { refusals } from "../../src/domain/model/refusals.ts";
import { sendNextMail } from "../../src/domain/mail/send-mail.ts";
import { startMailOutbox } from "../../src/jobs/mail-outbox.ts";
import { openMailServer } from "./mail-server.ts";
import type { Transact } from "../../src/domain/ports/unit-of-work.ts";
import { calmly, confirmMail, openWorld } from "./outbox-world.ts";

/** Lets everything go on that waits for a promise. */
const settle = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

test("sends a mail as soon as its transaction is committed", async () => {
  await using server = await openMailServer();
  await using world = await openWorld();
  await using _job = startMailOutbox(world.deps(world.toServer(server)));
  await world.post(confirmMail);
  await server.has(1);
});

test("sends what waited from before it started", async () => {
  await using server = await openMailServer();
  await using world = await openWorld();
  await world.post(confirmMail);
  world.reopen();
  await using _job = startMailOutbox(world.deps(world.toServer(server)));
  await server.has(1);
});

test("sees what another process posts", async () => {
  await using server = await openMailServer();
  await using world = await openWorld();
  await using _job = startMailOutbox(world.deps(world.toServer(server)));
  using other = openDatabase(world.path);
  const post = {
    to: "a@example.org",
    language: "en",
    at: world.clock.nowSeconds(),
    mail: confirmMail,
  } as const;
  await other.atomically(({ outbox }) => outbox.insertMail(post));
  await server.has(1);
});

test("sends each of many mails once, several at a time", async () => {
  await using server = await openMailServer();
  await using world = await openWorld();
  {
    await using _job = startMailOutbox(world.deps(world.toServer(server)));
    const names = Array.from({ length: 12 }, (_, index) => `m${index}@example.org`);
    await Promise.all(names.map((name) => world.post(confirmMail, name)));
    await server.has(names.length);
  }
  expect(await world.entries()).toSatisfy((entries) => entries.every(({ state }) => state === "sent"));
  expect(server.mails).toHaveLength(12);
});

test("lets a mail in hand arrive when it is to stop, and begins no other", async () => {
  const reached = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  await using server = await openMailServer({
    onRcptTo: async (_, __, done) => {
      reached.resolve();
      await mayGoOn.promise;
      done();
    },
  });
  await using world = await openWorld();
  const job = startMailOutbox(world.deps(world.toServer(server)));
  await world.post(confirmMail, "first@example.org");
  await reached.promise;
  const stopped = job[Symbol.asyncDispose]();
  await world.post(confirmMail, "second@example.org");
  mayGoOn.resolve();
  await stopped;
  expect(await world.entries()).toMatchObject([
    { to: "first@example.org", state: "sent" },
    { to: "second@example.org", state: "waiting", attempts: 0 },
  ]);
});

test("writes the result of a mail again while the database is away, and says so without an error", async () => {
  await using server = await openMailServer();
  await using world = await openWorld();
  await world.post(confirmMail);
  const deps = world.deps(world.toServer(server));
  let calls = 0;
  const transact: Transact = (actor, work) => {
    calls += 1;
    // The first one claims the mail.
    return calls === 2 ? Promise.reject(refusals.unavailable()) : deps.transact(actor, work);
  };
  expect(await sendNextMail({ ...deps, transact }, calmly)).toBe(true);
  expect(server.mails).toHaveLength(1);
  expect(await world.entries()).toMatchObject([{ state: "sent", attempts: 1 }]);
  const said = world.lines
    .map((line) => JSON.parse(line))
    .filter(({ message }) => /not be written/.test(message));
  expect(said).toMatchObject([{ level: "warn" }]);
});

test("begins no sweep while one takes long", async () => {
  await using world = await openWorld();
  jest.useFakeTimers();
  try {
    const mayGoOn = Promise.withResolvers<never>();
    const transact: Transact = () => mayGoOn.promise;
    const job = startMailOutbox({ ...world.deps(world.toFiles()), transact });
    jest.advanceTimersByTime(5 * 60_000);
    mayGoOn.reject(new Error("at last"));
    await settle();
    expect(world.lines.filter((line) => line.includes("the outbox was not swept"))).toHaveLength(1);
    jest.advanceTimersByTime(60_000);
    await settle();
    expect(world.lines.filter((line) => line.includes("the outbox was not swept"))).toHaveLength(2);
    await job[Symbol.asyncDispose]();
  } finally {
    jest.useRealTimers();
  }
});
