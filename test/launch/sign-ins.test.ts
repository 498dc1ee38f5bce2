/**
 * Players who sign in through a launch server: no player locks another one out
 * (docs/contract/launch-servers.md).
 */
import { describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import type { StorageChoice } from "../support/storages.ts";

const secret = "aurora-secret-of-more-than-32-characters";
const settings = { RATE_LIMIT_FACTOR: "1", TRUSTED_PROXIES: "127.0.0.1", AURORA_SECRET: secret };

async function openLaunched(on: StorageChoice = {}) {
  const harness = await openHarness({ settings, on, secrets: () => [secret] });
  const anna = await addMember(harness, "Anna");
  const { token } = await createToken(harness.services, commandLine, "launch", ["launcher"]);
  const { token: weak } = await createToken(harness.services, commandLine, "weak", ["find"]);
  harness.clock.advance(120);
  return { harness, anna, token, weak };
}

type World = Awaited<ReturnType<typeof openLaunched>>;

/** All players come from the address of the launch server. */
const ofServer = { "content-type": "application/json", "x-forwarded-for": "203.0.113.1" };

/** By GravitLauncher. `context` is what the LaunchServer says of the connection. */
function authorize(world: World, login: string, password: string, context?: unknown) {
  return world.harness.fetch("/api/gravit/auth/authorize", {
    method: "POST",
    headers: { ...ofServer, authorization: `Bearer ${world.token}` },
    body: JSON.stringify({ login, password: { type: "plain", password }, context }),
  });
}

const byAurora = (world: World, login: string, password: string) =>
  world.harness.fetch(`/api/aurora/${secret}/auth`, {
    method: "POST",
    headers: ofServer,
    body: JSON.stringify({ login, password }),
  });

const bare: Readonly<Record<string, (world: World, login: string, password: string) => Promise<Response>>> = {
  "an AuroraLauncher server": byAurora,
  "a LaunchServer that says no address": authorize,
  "a LaunchServer whose address is none": (world, login, password) =>
    authorize(world, login, password, { ip: "localhost" }),
};

describe.each(Object.entries(bare))("through %s", (_, signIn) => {
  test("a player signs in right after the wrong tries of others", async () => {
    const world = await openLaunched();
    await using _harness = world.harness;
    for (let time = 0; time < 12; time++)
      expect((await signIn(world, "Anna", "a wrong password")).status).toBe(403);
    expect((await signIn(world, "Anna", world.anna.password)).status).toBe(200);
    expect((await signIn(world, world.anna.mail, world.anna.password)).status).toBe(200);
  });

  test("a login is tried once in two intervals, and what is too much is 429, never a wrong password", async () => {
    // Where no statement takes its time, all arrive before the first one's end.
    const world = await openLaunched({ database: "sqlite" });
    await using _harness = world.harness;
    const begunAt = world.harness.clock.steadySeconds();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => signIn(world, "Anna", world.anna.password)),
    );
    const seconds = world.harness.clock.steadySeconds() - begunAt;
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1 + seconds / 2);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const late = answers.find(({ status }) => status === 429);
    expect(late?.headers.get("retry-after")).toBe("2");
    expect(await late?.json()).toEqual({
      error: expect.stringMatching(/\S/),
      ...(signIn === byAurora ? { success: false } : { code: 429 }),
    });
  });
});

const from = (ip: string) => ({ ip, login: "Anna", client: null });

const wrong = (world: World, ip: string, login = "Anna") =>
  authorize(world, login, "a wrong password", from(ip));

describe("a LaunchServer that says the players' addresses", () => {
  test("has its players counted for these", async () => {
    const world = await openLaunched();
    await using _harness = world.harness;
    const { anna } = world;
    for (let time = 0; time < 5; time++) expect((await wrong(world, "198.51.100.1")).status).toBe(403);
    const refused = await authorize(world, "Anna", anna.password, from("198.51.100.1"));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ error: expect.stringMatching(/\S/), code: 429 });
    expect((await authorize(world, "Anna", anna.password, from("2001:db8::1"))).status).toBe(200);
    for (let time = 0; time < 20; time++) await wrong(world, "198.51.100.1", `Nobody${time}`);
    expect((await wrong(world, "198.51.100.1", "Another")).status).toBe(429);
    expect((await wrong(world, "198.51.100.2", "Another")).status).toBe(403);
  });

  test("gives their sessions these addresses", async () => {
    const world = await openLaunched();
    await using _harness = world.harness;
    await authorize(world, "Anna", world.anna.password, from("2001:DB8::0:1"));
    const { services, clock } = world.harness;
    const addresses = await services.reads.sessions.listAddresses(world.anna.account.id, clock.nowSeconds());
    expect(addresses).toContain("2001:db8::1");
    expect(addresses).not.toContain("203.0.113.1");
  });

  test("has to show the right `launcher`, or no address of its is believed", async () => {
    const world = await openLaunched();
    await using _harness = world.harness;
    const statuses = await tries(world.harness, world.anna);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    const weak = await authorize(
      { ...world, token: world.weak },
      "Anna",
      world.anna.password,
      from("198.51.100.1"),
    );
    expect(weak.status).toBe(403);
  });
});

/** A launcher that makes addresses up. */
async function tries(harness: Harness, { name: username }: Member): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < 6; time++) {
    const body = JSON.stringify({
      username,
      password: "a wrong password",
      context: { ip: `192.0.2.${time}` },
    });
    const answer = await harness.fetch("/api/yggdrasil/authenticate", {
      method: "POST",
      headers: ofServer,
      body,
    });
    statuses.push(answer.status);
  }
  return statuses;
}
