import { expect, test } from "bun:test";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import { homeStatus, orderCode, send, signInStatus } from "../support/registration.ts";
import { calmly, confirmMail, openWorld } from "../mail/outbox-world.ts";

const hour = 60 * 60;
const minute = 60;
/** A code lasts half an hour, a session a day (docs/contract/auth.md#codes, docs/contract/auth.md#tokens). */
const codeSeconds = 30 * minute;
const sessionSeconds = 24 * hour;

const jumps = [
  ["forward", hour],
  ["back", -hour],
] as const;

/** Time goes on as it does, a minute at a time, whatever the clock was turned to. */
function goOn(harness: Harness, seconds: number): void {
  for (let passed = 0; passed < seconds; passed += minute) harness.clock.advance(minute);
}

test.each(jumps)("a code works no longer than it should when the clock jumps an hour %s", async (_, jump) => {
  await using harness = await openHarness();
  const { mail } = await addMember(harness, "Alice");
  const code = await orderCode(harness, "reset", mail);
  harness.clock.advance(jump);
  goOn(harness, codeSeconds + minute);
  const answer = await send(harness, "POST /api/auth/forgetpass/validate", { code });
  expect(answer.status).toBe(400);
});

test.each(jumps)(
  "a session runs no longer than it should when the clock jumps an hour %s",
  async (_, jump) => {
    await using harness = await openHarness();
    const { jwt } = await addMember(harness, "Alice");
    harness.clock.advance(jump);
    await keepHouse(harness);
    goOn(harness, sessionSeconds + minute);
    expect(await homeStatus(harness, jwt)).toBe(401);
  },
);

test.each(jumps)(
  "a client that comes after the clock has jumped an hour %s is served as ever",
  async (_, jump) => {
    await using harness = await openHarness();
    const before = await addMember(harness, "Before");
    harness.clock.advance(jump);
    const alice = await addMember(harness, "Alice");
    expect(await homeStatus(harness, alice.jwt)).toBe(200);
    expect(await signInStatus(harness, before.name, before.password)).toBe(200);
    const code = await orderCode(harness, "reset", alice.mail);
    expect((await send(harness, "POST /api/auth/forgetpass/validate", { code })).status).toBe(204);
    expect(harness.takeComplaints()).toEqual([]);
  },
);

test.each(jumps)(
  "who was refused for a minute is not refused for an hour when it jumps %s",
  async (_, jump) => {
    await using harness = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const { name, password } = await addMember(harness, "Alice");
    for (let guess = 0; guess < 5; guess++) await signInStatus(harness, name, "not the password");
    expect(await signInStatus(harness, name, password)).toBe(429);
    harness.clock.advance(jump);
    // A refused client tries again, which shows the service that the clock has jumped.
    await signInStatus(harness, name, "not the password");
    goOn(harness, 2 * minute);
    expect(await signInStatus(harness, name, password)).toBe(200);
  },
);

test("who asked for a code may ask again a minute later, although the clock has jumped an hour back", async () => {
  await using harness = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
  const { mail } = await addMember(harness, "Alice");
  await orderCode(harness, "reset", mail);
  harness.clock.advance(-hour);
  goOn(harness, 2 * minute);
  expect((await send(harness, "POST /api/auth/forgetpass", { mail })).status).toBe(200);
});

test("a role ends at its time by the clock, whichever way that has jumped", async () => {
  await using harness = await openHarness();
  const keeper = await addMember(harness, "Keeper", { level: 3 });
  const alice = await addMember(harness, "Alice");
  const end = harness.clock.nowSeconds() + 2 * hour;
  await promote(harness, keeper, alice, end);
  expect(await listStatus(harness, alice)).toBe(200);
  harness.clock.advance(hour);
  expect(await listStatus(harness, alice)).toBe(200);
  harness.clock.advance(hour);
  expect(await listStatus(harness, alice)).toBe(403);
});

test("a mail that was posted before the clock jumped an hour back is sent a few minutes later", async () => {
  await using world = await openWorld();
  await world.post(confirmMail);
  world.advance(-hour);
  await world.sweep();
  // Somebody might have been sending it when the clock was set, so it waits for that.
  expect(await world.sendAll(world.toFiles(), calmly)).toBe(0);
  world.advance(5 * minute);
  await world.sweep();
  expect(await world.sendAll(world.toFiles(), calmly)).toBe(1);
  expect(await world.entries()).toMatchObject([{ state: "sent" }]);
});

test("a mail that was posted before the clock jumped an hour forward is sent once", async () => {
  await using world = await openWorld();
  await world.post(confirmMail);
  world.advance(hour);
  expect(await world.sendAll(world.toFiles(), calmly)).toBe(1);
  world.advance(-hour);
  expect(await world.sendAll(world.toFiles(), calmly)).toBe(0);
});

/** What a server does every minute. */
async function keepHouse({ services }: Harness): Promise<void> {
  const log = createLogger({ level: "error", format: "json", write: () => undefined });
  await using _ = startHousekeeping({ ...services, log });
}

async function promote(harness: Harness, keeper: Member, { account }: Member, end: number): Promise<void> {
  const request = `POST /api/admin/user/role/${account.id}`;
  const body = { user: account.id, role_level: 2, expired_at: end };
  expect((await edit(harness, keeper, request, body)).status).toBe(200);
}

async function listStatus(harness: Harness, { authorization }: Member): Promise<number> {
  return (await harness.fetch("/api/admin/users", { headers: { authorization } })).status;
}
