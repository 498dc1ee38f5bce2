/* One client that asks for more than the connections to PostgreSQL can take, and everybody else. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { onBehalfOf } from "../../src/kernel/on-behalf.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, uploadForm, type Member } from "../support/members.ts";
import { postgresMissing } from "../support/postgres.ts";
import { skinPng } from "../support/textures.ts";

if (postgresMissing !== null) console.error(`NOT RUN: one busy client (${postgresMissing})`);

/** As many as may wait for a connection, and more. */
const waitingMax = 2_000;
const busyMax = 2_500;
const [busyAddress, address] = ["192.0.2.66", "198.51.100.7"] as const;

const json = (value: object, authorization = "") => ({
  method: "POST",
  headers: { "content-type": "application/json", ...(authorization !== "" && { authorization }) },
  body: JSON.stringify(value),
});

const never = () => Promise.reject(new Error("no transaction was expected"));

describe.skipIf(postgresMissing !== null)("while one client fills the connections to PostgreSQL", () => {
  let harness: Harness;
  let anna: Member;
  let skin: string;
  beforeAll(async () => {
    harness = await openHarness({
      on: { database: "postgres" },
      settings: { TRUSTED_PROXIES: "127.0.0.1" },
      works: "once",
    });
    anna = await addMember(harness, "Anna");
    skin = await addSkin(harness, anna, {});
  }, 30_000);
  afterAll(() => harness?.[Symbol.asyncDispose]());

  const from = (client: string, path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-for", client);
    return harness.fetch(path, { ...init, headers });
  };
  /**
   * Transactions for a client which do not end: those that have begun, and as many as may wait. Returns how
   * many were refused.
   */
  async function fill(client: string, count: number) {
    const mayEnd = Promise.withResolvers<void>();
    let refused = 0;
    const hold = () =>
      harness.services
        .transact(system, async (tx) => {
          await tx.players.count(anna.account.id);
          await mayEnd.promise;
        })
        .catch(() => void (refused += 1));
    const all = onBehalfOf({ client, gone: null }, () => Array.from({ length: count }, hold));
    while (connections()?.waiting !== waitingMax) await Bun.sleep(1);
    return async () => {
      mayEnd.resolve();
      await Promise.all(all);
      return refused;
    };
  }
  const connections = () => harness.services.databaseStatistics()?.connections["requests"];

  test.each<[string, () => Promise<Response>]>([
    ["a profile", () => from(address, "/api/home", { headers: { authorization: anna.authorization } })],
    ["a picture's address", () => from(address, `/api/skin/launcher/${anna.uuid}`)],
    [
      "an upload",
      () =>
        from(address, "/api/home/edit/upload", {
          method: "POST",
          headers: { authorization: anna.authorization },
          body: uploadForm({ file: skinPng(7) }),
        }),
    ],
    [
      "a selection",
      () => from(address, "/api/home/edit/skin/select", json({ skinid: skin }, anna.authorization)),
    ],
    [
      "a sign-in",
      () => from(address, "/api/auth/login", json({ username: "Anna", password: anna.password })),
    ],
  ])("%s of another one is answered", async (_, ask) => {
    const end = await fill(busyAddress, busyMax);
    const { status } = await ask();
    expect(await end()).toBeGreaterThan(0);
    expect(status).toBe(200);
  });

  test("by requests that are answered, others are answered as well", async () => {
    // Each is another address, so no answer is remembered.
    const all = Array.from({ length: busyMax }, (_, number) =>
      from(busyAddress, `/api/skin/launcher/${anna.uuid}?${number}`),
    );
    const { status } = await from(address, "/api/home", { headers: { authorization: anna.authorization } });
    const statuses = (await Promise.all(all)).map((answer) => answer.status);
    expect(status).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    harness.takeComplaints();
  });

  test("jobs and metrics read and write, and transactions of jobs are done", async () => {
    const ends = await Promise.all(["a", "b"].map((client) => fill(client, busyMax)));
    const { backgroundReads, activity, clock } = harness.services;
    const [session] = await backgroundReads.sessions.listSessions(anna.account.id, 0);
    if (session === undefined) throw new Error("Anna has no session");
    activity.note({ id: session.id, lastUsedAt: null }, clock.nowSeconds());
    await activity.flush();
    const term = { signal: new AbortController().signal, isHeld: () => true, atomically: never };
    for (const { run } of harness.services.upkeep) await run(term);
    expect(await harness.metrics()).toContain("cloakroom_outbox_mails");
    await Promise.all(ends.map((end) => end()));
  });

  test("readiness waits for no connection of requests, and liveness for nothing", async () => {
    const ends = await Promise.all(["a", "b"].map((client) => fill(client, busyMax)));
    expect(connections()).toMatchObject({ inUse: 10, waiting: waitingMax });
    const ready = await from(address, "/health/ready");
    expect(await ready.json()).toMatchObject({
      error: false,
      data: { database: true, disk: true, textures: true, outbox: true },
    });
    expect((await from(address, "/health/live")).status).toBe(200);
    await Promise.all(ends.map((end) => end()));
  });
});
