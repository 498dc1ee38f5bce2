import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "../../src/kernel/limits.ts";
import { expectError } from "../support/scenario.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { orderCode } from "../support/registration.ts";
import { isLeftOut } from "../support/storages.ts";

const gib = 1024 ** 3;
/** After so long a look is waited for, however long it takes. */
const { readinessKnownSeconds: knownSeconds } = limits;

async function ready(harness: Harness): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await harness.fetch("/health/ready");
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Storage whose writes a test can break and restore, and which counts them. */
function breakableStorage() {
  const state = { fault: null as Error | null, free: gib, apart: null as number | null, writes: 0 };
  const storage = {
    write: async () => {
      state.writes += 1;
      if (state.fault !== null) throw state.fault;
    },
    freeSpace: async () => [
      { folder: "data", bytes: state.free, used: 0 } as const,
      ...(state.apart === null ? [] : [{ folder: "textures", bytes: state.apart, used: 0 } as const]),
    ],
  };
  return { state, storage };
}

describe("GET /health/live", () => {
  test("answers as long as the process does, also when nothing can be written", async () => {
    const { state, storage } = breakableStorage();
    await using harness = await openHarness({ storage });
    state.fault = new Error("read-only");
    const response = await harness.fetch("/health/live");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ error: false, msg: "Alive", url: null, data: {} });
    expect(state.writes).toBe(0);
  });

  test("takes GET and HEAD only", async () => {
    await using harness = await openHarness();
    expect((await harness.fetch("/health/live", { method: "HEAD" })).status).toBe(200);
    await expectError(await harness.fetch("/health/live", { method: "POST" }), 405);
  });
});

describe("GET /health/ready", () => {
  test("says that a fresh service is ready", async () => {
    await using harness = await openHarness();
    expect(await ready(harness)).toEqual({
      status: 200,
      body: {
        error: false,
        msg: "Ready",
        url: null,
        data: { database: true, disk: true, textures: true, outbox: true },
      },
    });
  });

  test.each([
    ["the database cannot be written", { fault: new Error("EROFS /srv/data") }, ["database"]],
    ["the disk is nearly full", { free: 64 * 1024 ** 2 - 1 }, ["disk"]],
    ["the disk of the textures is nearly full", { apart: 64 * 1024 ** 2 - 1 }, ["disk"]],
    ["database and disk are", { fault: new Error("EROFS"), free: 0 }, ["database", "disk"]],
  ])("is 503 when %s, without the reason, which the log has", async (_, trouble, missing) => {
    const { state, storage } = breakableStorage();
    await using harness = await openHarness({ storage });
    Object.assign(state, trouble);
    const { status, body } = await ready(harness);
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        error: true,
        msg: `Not ready: ${missing.join(", ")}`,
        url: null,
        data: {
          database: !missing.includes("database"),
          disk: !missing.includes("disk"),
          textures: true,
          outbox: true,
        },
      },
    });
    expect(JSON.stringify(body)).not.toContain("EROFS");
    const complaints = harness.takeComplaints();
    expect(complaints.map(({ part }) => part)).toEqual(missing);
    expect(complaints.every(({ reason }) => reason !== undefined)).toBe(true);
  });

  test("accepts exactly as much room as must be free, and a file system that does not report it", async () => {
    const enough = { folder: "data", bytes: 64 * 1024 ** 2, used: 0 } as const;
    for (const spaces of [[enough], []]) {
      await using harness = await openHarness({ storage: { freeSpace: async () => spaces } });
      expect((await ready(harness)).status).toBe(200);
    }
  });

  test("names the disk that has less room", async () => {
    const { state, storage } = breakableStorage();
    await using harness = await openHarness({ storage });
    Object.assign(state, { free: 2, apart: 1 });
    await ready(harness);
    expect(harness.takeComplaints()).toMatchObject([
      { message: "the disk of the textures is nearly full", reason: "1 bytes are free" },
    ]);
  });

  test("finds that no texture can be written, and is well when one can, with nothing left behind", async () => {
    await using harness = await openHarness({ on: { files: "files" } });
    const staging = join(harness.folder, "textures/staging");
    await rename(staging, `${staging}-away`);
    expect(await ready(harness)).toMatchObject({
      status: 503,
      body: { msg: "Not ready: textures", data: { database: true, disk: true, textures: false } },
    });
    expect(harness.takeComplaints()).toMatchObject([
      { part: "textures", message: expect.stringContaining("uploads fail") },
    ]);
    await rename(`${staging}-away`, staging);
    harness.clock.advance(knownSeconds);
    expect((await ready(harness)).status).toBe(200);
    expect(await harness.countFiles()).toBe(0);
  });

  test("waits no longer than two seconds for a disk that does not answer, and asks it once", async () => {
    let asked = 0;
    const probe = () => ((asked += 1), Promise.withResolvers<never>().promise);
    await using harness = await openHarness({ on: { files: "files" }, blobs: { probe } });
    for (let i = 0; i < 2; i++) {
      expect((await ready(harness)).body).toMatchObject({ msg: "Not ready: textures" });
      harness.clock.advance(1);
    }
    expect(asked).toBe(1);
    expect(harness.takeComplaints()).toHaveLength(1);
  });

  test("answers from what it knows while a look takes long, and waits for that only once it is old", async () => {
    let hangs: PromiseWithResolvers<void> | null = null;
    await using harness = await openHarness({ storage: { write: async () => hangs?.promise } });
    expect((await ready(harness)).status).toBe(200);
    hangs = Promise.withResolvers();
    harness.clock.advance(knownSeconds - 1);
    const early = await Promise.all(Array.from({ length: 3 }, () => ready(harness)));
    expect(early.map(({ status }) => status)).toEqual([200, 200, 200]);
    harness.clock.advance(1);
    const late = ready(harness);
    hangs.reject(new Error("read-only"));
    expect((await late).status).toBe(503);
    hangs = null;
    harness.clock.advance(knownSeconds);
    expect((await ready(harness)).status).toBe(200);
    harness.takeComplaints();
  });

  test("checks at most once a second, once for all that ask meanwhile, and logs changes once", async () => {
    const { state, storage } = breakableStorage();
    const blobs = { probe: async () => {} };
    await using harness = await openHarness({ storage, blobs });
    const statuses = async () =>
      (await Promise.all(Array.from({ length: 20 }, () => ready(harness)))).map(({ status }) => status);
    expect(new Set(await statuses())).toEqual(new Set([200]));
    state.fault = new Error("read-only");
    harness.clock.advance(0.75);
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect(state.writes).toBe(1);
    harness.clock.advance(0.25);
    expect(new Set(await statuses())).toEqual(new Set([503]));
    harness.clock.advance(1);
    expect(new Set(await statuses())).toEqual(new Set([503]));
    expect(state.writes).toBe(3);
    expect(harness.takeComplaints()).toHaveLength(1);
    state.fault = null;
    harness.clock.advance(1);
    expect(new Set(await statuses())).toEqual(new Set([200]));
  });

  test("looks again after a second also when the clock was set back meanwhile", async () => {
    const { state, storage } = breakableStorage();
    await using harness = await openHarness({ storage, blobs: { probe: async () => {} } });
    await ready(harness);
    state.fault = new Error("read-only");
    harness.clock.advance(-3600);
    harness.clock.advance(1);
    expect((await ready(harness)).status).toBe(503);
    harness.takeComplaints();
  });

  test.skipIf(isLeftOut("sqlite", "no process locks all of PostgreSQL"))(
    "finds a database that another process keeps locked, and is well when it lets go",
    async () => {
      await using harness = await openHarness();
      using other = new Database(join(harness.folder, "cloakroom.db"));
      other.run("BEGIN IMMEDIATE");
      expect((await ready(harness)).status).toBe(503);
      expect(harness.takeComplaints()).toHaveLength(1);
      other.run("ROLLBACK");
      harness.clock.advance(knownSeconds);
      expect((await ready(harness)).status).toBe(200);
    },
  );

  const isNoFile = isLeftOut("sqlite", "the database of PostgreSQL is no file of ours");
  test.skipIf(isNoFile || process.platform === "win32").each<[string, (path: string) => Promise<unknown>]>([
    ["is gone", async () => undefined],
    ["was replaced", (path) => copyFile(`${path}-away`, path)],
  ])("finds that the database's file %s, and is well when it is back", async (_, replace) => {
    await using harness = await openHarness();
    const path = join(harness.folder, "cloakroom.db");
    await rename(path, `${path}-away`);
    await replace(path);
    expect(await ready(harness)).toMatchObject({
      status: 503,
      body: { msg: "Not ready: database", data: { database: false, textures: true } },
    });
    expect(harness.takeComplaints()).toMatchObject([
      { part: "database", message: expect.stringContaining("the database file is gone or was replaced") },
    ]);
    await rename(`${path}-away`, path);
    harness.clock.advance(knownSeconds);
    expect((await ready(harness)).status).toBe(200);
  });

  test("warns of mails that do not leave, and stays ready", async () => {
    await using harness = await openHarness();
    await orderCode(harness, "confirm", "anna@example.org");
    harness.clock.advance(15 * 60);
    expect((await ready(harness)).body).toMatchObject({ data: { outbox: true } });
    harness.clock.advance(knownSeconds);
    expect(await ready(harness)).toMatchObject({ status: 200, body: { data: { outbox: false } } });
    expect(harness.takeComplaints()).toMatchObject([{ part: "outbox" }]);
  });

  test("changes nothing that is kept", async () => {
    await using harness = await openHarness();
    const before = harness.database.everything();
    await ready(harness);
    expect(harness.database.everything()).toEqual(before);
  });
});
