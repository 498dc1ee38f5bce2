/** How long sessions of the console last (docs/contract/console.md#session). */
import { expect, test } from "bun:test";
import { setLevel } from "../../src/domain/members/levels.ts";
import type { Level } from "../../src/domain/model/account.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { openConsoleBrowser, ownHeaders, secureName, type ConsoleBrowser } from "../support/console.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, signIn, type Member } from "../support/members.ts";
import { homeStatus } from "../support/registration.ts";

const hour = 60 * 60;
const day = 24 * hour;

/** A member who signed in to the console just now. */
async function open(harness: Harness, level: Level, stay: boolean) {
  const member = await addMember(harness, "Anna", { level });
  const browser = openConsoleBrowser(harness);
  await browser.signIn(member, stay);
  return { member, browser };
}

async function isOpen(browser: ConsoleBrowser): Promise<boolean> {
  return (await browser.visitor()) !== null;
}

/** Housekeeping runs once: it writes what was noted, and removes what has ended. */
async function keepHouse({ services }: Harness): Promise<void> {
  const log = createLogger({ level: "error", format: "json", write: () => {} });
  await using _running = startHousekeeping({ ...services, log });
}

type Row = readonly [name: string, level: Level, stay: boolean, idle: number, whole: number];
const lifetimes: readonly Row[] = [
  ["a player's", 1, false, day, day],
  ["the one of a player who stays signed in", 1, true, 14 * day, 30 * day],
  ["a moderator's", 2, false, 2 * hour, day],
  ["a moderator's, whatever was ticked", 2, true, 2 * hour, day],
  ["an administrator's", 3, false, 2 * hour, day],
  ["an administrator's, whatever was ticked", 3, true, 2 * hour, day],
];

test.each(lifetimes)("%s ends when it was idle for long", async (_, level, stay, idle) => {
  await using harness = await openHarness();
  const { browser } = await open(harness, level, stay);
  expect((await browser.visitor())?.expires_at).toBe(harness.clock.nowSeconds() + idle);
  harness.clock.advance(idle - 1);
  expect(await isOpen(browser)).toBe(true);
  harness.clock.advance(idle);
  expect(await isOpen(browser)).toBe(false);
  expect(browser.cookies.size).toBe(0);
});

test.each(lifetimes)("%s goes on while it is used, and not for ever", async (...row) => {
  const [, level, stay, idle, whole] = row;
  await using harness = await openHarness();
  const { browser } = await open(harness, level, stay);
  const step = idle / 4;
  for (let passed = step; passed < whole; passed += step) {
    harness.clock.advance(step);
    expect([passed, await isOpen(browser)]).toEqual([passed, true]);
    // Uses are written some time later, and count before that.
    if (passed % (2 * step) === 0) await keepHouse(harness);
  }
  harness.clock.advance(step);
  expect(await isOpen(browser)).toBe(false);
});

test("the cookie of staff who stay signed in lasts for a day", async () => {
  await using harness = await openHarness();
  const member = await addMember(harness, "Mark", { level: 2 });
  const response = await openConsoleBrowser(harness).signIn(member, true);
  expect(response.headers.get("set-cookie")).toContain(`; Max-Age=${day};`);
});

test.each([2, 3] as const)(
  "a rise to level %d cuts a session at once, and its end gives it back",
  async (level) => {
    await using harness = await openHarness();
    const { member, browser } = await open(harness, 1, true);
    const now = harness.clock.nowSeconds();
    expect((await browser.visitor())?.expires_at).toBe(now + 14 * day);
    await setLevel(harness.services, commandLine, {
      account: member.account.id,
      level,
      expiresAt: now + hour,
    });
    expect(await browser.visitor()).toMatchObject({ perms: level, expires_at: now + 2 * hour });
    harness.clock.advance(hour);
    expect(await browser.visitor()).toMatchObject({ perms: 1, expires_at: now + hour + 14 * day });
  },
);

test("a session older than a day ends with a rise, however much it is used", async () => {
  await using harness = await openHarness();
  const { member, browser } = await open(harness, 1, true);
  harness.clock.advance(day);
  expect(await isOpen(browser)).toBe(true);
  await setLevel(harness.services, commandLine, { account: member.account.id, level: 3, expiresAt: null });
  const token = browser.cookies.get(secureName) ?? "";
  const headers = { ...ownHeaders, cookie: `${secureName}=${token}` };
  expect((await harness.fetch("/api/admin/users", { headers })).status).toBe(401);
  expect(await isOpen(browser)).toBe(false);
});

test.each([
  ["GET /api/home", "what a page sends by itself"],
  ["GET /console/session", "a page that asks by itself who is signed in"],
])("%s is no use of the session when it is %s", async (request) => {
  await using harness = await openHarness();
  const { browser } = await open(harness, 3, false);
  const cookie = `${secureName}=${browser.cookies.get(secureName)}`;
  const [method = "", path = ""] = request.split(" ");
  const poll = () =>
    harness.fetch(path, { method, headers: { ...ownHeaders, cookie, "x-cloakroom-background": "1" } });
  for (let passed = 0; passed < 2 * hour - 60; passed += 600) {
    harness.clock.advance(passed === 0 ? 540 : 600);
    expect((await poll()).status).toBe(200);
  }
  harness.clock.advance(60);
  expect(await isOpen(browser)).toBe(false);
});

test("the bounds hold for calls of the API", async () => {
  await using harness = await openHarness();
  const { browser } = await open(harness, 3, false);
  harness.clock.advance(2 * hour - 1);
  expect((await browser.send("GET /api/home")).status).toBe(200);
  harness.clock.advance(2 * hour);
  expect((await browser.send("GET /api/home")).status).toBe(401);
});

test("a token of the API keeps its day, also an administrator's who does nothing", async () => {
  await using harness = await openHarness();
  const { jwt } = await addMember(harness, "Olga", { level: 3 });
  harness.clock.advance(day - 1);
  expect(await homeStatus(harness, jwt)).toBe(200);
  harness.clock.advance(1);
  expect(await homeStatus(harness, jwt)).toBe(401);
});

test("housekeeping removes a session that stayed when its month is over, and no sooner", async () => {
  await using harness = await openHarness();
  const { browser, member } = await open(harness, 1, true);
  for (let days = 0; days < 29; days += 7) {
    harness.clock.advance(7 * day);
    await isOpen(browser);
    await keepHouse(harness);
    const left = await sessionsOf(harness, member);
    expect([days, left]).toEqual([days, days < 28 ? 1 : 0]);
  }
});

async function sessionsOf(harness: Harness, { account }: Member): Promise<number> {
  return (await harness.services.reads.sessions.listSessions(account.id, 0)).length;
}

test("one that went unused is listed no more", async () => {
  await using harness = await openHarness();
  const { member } = await open(harness, 1, true);
  harness.clock.advance(14 * day);
  const jwt = await signIn(harness, member.name, member.password);
  const answer = await harness.fetch("/api/home/sessions", { headers: { authorization: `Bearer ${jwt}` } });
  expect(JSON.parse(await answer.text()).data).toHaveLength(1);
});

test.each([
  ["forward", hour],
  ["back", -hour],
] as const)("none runs longer than it should when the clock jumps an hour %s", async (_, jump) => {
  await using harness = await openHarness();
  const { browser } = await open(harness, 1, true);
  harness.clock.advance(jump);
  await keepHouse(harness);
  for (let passed = 0; passed <= 30 * day; passed += 12 * hour) {
    harness.clock.advance(12 * hour);
    await isOpen(browser);
  }
  expect(await isOpen(browser)).toBe(false);
});
