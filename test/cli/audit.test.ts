import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import { hashOfEntry, type ChainedEntry } from "../../src/domain/model/audit-chain.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;
/** A data folder whose audit has this many entries. */
const entries = 7;
let whole: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  whole = await auditFolder(entries);
});
afterAll(() => folder[Symbol.asyncDispose]());

const actor = { name: "cli", accountId: 5 as AccountId, via: "session:3c0d" };

async function auditFolder(count: number): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await mkdir(dataDir);
  await append(dataDir, count);
  return dataDir;
}

async function append(dataDir: string, count: number): Promise<void> {
  const path = join(dataDir, "cloakroom.db");
  migrateDatabase(path);
  using database = openDatabase(path);
  await database.atomically(async ({ audit }) => {
    for (let number = 1; number <= count; number++) {
      const forAccountId = number as AccountId;
      const detail = { old: { username: "Änne" }, new: { username: `Anna_${number}` } };
      const about = { action: "user.update", forAccountId, at: 1000 + number };
      await audit.append({ actor, ...about, detail });
    }
  });
}

/** A copy of the whole audit that somebody has laid hands on, past the program. */
async function tampered(...statements: readonly string[]): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await cp(whole, dataDir, { recursive: true });
  using database = new Database(join(dataDir, "cloakroom.db"));
  for (const statement of statements) database.run(statement);
  return dataDir;
}

const verify = (dataDir: string, ...args: readonly string[]) =>
  run(["audit", "verify", "--data-dir", dataDir, ...args]);
const exported = (dataDir: string, ...args: readonly string[]) =>
  run(["audit", "export", "--data-dir", dataDir, ...args]);

type Line = {
  readonly id: number;
  readonly iss: string;
  readonly actor_id: number | null;
  readonly actor_via: string | null;
  readonly action: string;
  readonly for: number;
  readonly time: number;
  readonly detail: string;
  readonly version: number;
  readonly previous_hash: string;
  readonly hash: string;
};
const linesOf = (out: string): readonly Line[] =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const newestHash = async (dataDir: string) => linesOf((await exported(dataDir)).out).at(-1)?.hash ?? "";

/**
 * Gives an entry the hash that its content and this one before it ask for, as a forger with the program at
 * hand would.
 */
function rehashed(dataDir: string, id: number): string {
  using database = new Database(join(dataDir, "cloakroom.db"));
  const entry = database
    .query<ChainedEntry, [number]>(
      `SELECT id, issuer AS actorName, actor_account_id AS actorAccountId, actor_via AS actorVia, version, action, for_account_id AS forAccountId, at, detail, previous_hash AS previousHash, hash
       FROM audit_entries WHERE id = ?`,
    )
    .get(id);
  const hash = hashOfEntry(entry!);
  database.query("UPDATE audit_entries SET hash = ? WHERE id = ?").run(hash, id);
  return hash;
}

/** Hashes an entry as version 1 does, on the one before it. */
function chained(dataDir: string, id: number): void {
  using database = new Database(join(dataDir, "cloakroom.db"));
  const before = database.query<{ hash: string }, [number]>("SELECT hash FROM audit_entries WHERE id = ?");
  const row = database.query<Record<string, unknown>, [number]>("SELECT * FROM audit_entries WHERE id = ?");
  const { issuer, action, for_account_id: about, at, detail } = row.get(id) ?? {};
  const previous = before.get(id - 1)?.hash ?? "";
  const text = JSON.stringify([previous, id, issuer, action, about, at, detail]);
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const keep = database.query("UPDATE audit_entries SET previous_hash = ?, hash = ? WHERE id = ?");
  keep.run(previous, hash, id);
}

/** The audit as a program before version 2 wrote it, and as this one goes on with it. */
async function grown(...statements: readonly string[]): Promise<string> {
  const dataDir = await tampered();
  {
    using database = new Database(join(dataDir, "cloakroom.db"));
    database.run("UPDATE audit_entries SET version = 1, actor_account_id = NULL, actor_via = NULL");
  }
  for (let id = 1; id <= entries; id++) chained(dataDir, id);
  await append(dataDir, 2);
  using database = new Database(join(dataDir, "cloakroom.db"));
  for (const statement of statements) database.run(statement);
  return dataDir;
}

/** Lets two entries change places. */
function swap(left: number, right: number): readonly string[] {
  return [
    `UPDATE audit_entries SET id = 1000 WHERE id = ${left}`,
    `UPDATE audit_entries SET id = ${left} WHERE id = ${right}`,
    `UPDATE audit_entries SET id = ${right} WHERE id = 1000`,
    "UPDATE sqlite_sequence SET seq = 7 WHERE name = 'audit_entries'",
  ];
}

describe("audit verify", () => {
  test("finds a complete chain, and prints its length and newest hash", async () => {
    const hash = await newestHash(whole);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await verify(whole)).toEqual({
      code: 0,
      out: `7 entries hold; the newest hash is ${hash}\n`,
      error: "",
    });
    expect(JSON.parse((await verify(whole, "--json")).out)).toEqual({
      holds: true,
      entries: 7,
      newest_hash: hash,
      broken_entry: null,
      problem: null,
    });
  });

  test("finds nothing wrong with an audit that has no entries", async () => {
    expect(await verify(await auditFolder(0))).toEqual({
      code: 0,
      out: "the audit has no entries\n",
      error: "",
    });
  });

  test("walks on over the end of a page", async () => {
    const { code, out } = await verify(await auditFolder(2001));
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^2001 entries hold; /) });
  });

  const changed = "its content does not fit its hash, so it was changed";
  const columns =
    "issuer, actor_account_id, actor_via, version, action, for_account_id, at, detail, previous_hash, hash";
  test.each<readonly [string, readonly string[], number, string]>([
    ["another issuer", ["UPDATE audit_entries SET issuer = 'Anna' WHERE id = 4"], 4, changed],
    ["another actor", ["UPDATE audit_entries SET actor_account_id = 6 WHERE id = 4"], 4, changed],
    ["no actor", ["UPDATE audit_entries SET actor_account_id = NULL WHERE id = 4"], 4, changed],
    ["another session", ["UPDATE audit_entries SET actor_via = 'session:4d1e' WHERE id = 4"], 4, changed],
    ["another version", ["UPDATE audit_entries SET version = 1 WHERE id = 7"], 7, changed],
    ["no valid version", ["UPDATE audit_entries SET version = 3 WHERE id = 7"], 7, changed],
    ["another action", ["UPDATE audit_entries SET action = 'user.delete' WHERE id = 4"], 4, changed],
    ["another account", ["UPDATE audit_entries SET for_account_id = 5 WHERE id = 4"], 4, changed],
    ["another time", ["UPDATE audit_entries SET at = at + 1 WHERE id = 4"], 4, changed],
    ["a time that is a text", ["UPDATE audit_entries SET at = 'now' WHERE id = 4"], 4, changed],
    ["another detail", ["UPDATE audit_entries SET detail = '{}' WHERE id = 4"], 4, changed],
    ["a blank in a detail", ["UPDATE audit_entries SET detail = detail || ' ' WHERE id = 4"], 4, changed],
    ["another hash before", ["UPDATE audit_entries SET previous_hash = '' WHERE id = 4"], 4, changed],
    ["another hash", ["UPDATE audit_entries SET hash = previous_hash WHERE id = 4"], 4, changed],
    ["the first one changed", ["UPDATE audit_entries SET issuer = 'Anna' WHERE id = 1"], 1, changed],
    ["the newest one changed", ["UPDATE audit_entries SET issuer = 'Anna' WHERE id = 7"], 7, changed],
    ["the first one gone", ["DELETE FROM audit_entries WHERE id = 1"], 2, "entry 1 was removed before it"],
    ["one gone", ["DELETE FROM audit_entries WHERE id = 4"], 5, "entry 4 was removed before it"],
    [
      "several gone",
      ["DELETE FROM audit_entries WHERE id BETWEEN 3 AND 5"],
      6,
      "entries 3 to 5 were removed before it",
    ],
    ["the newest one gone", ["DELETE FROM audit_entries WHERE id = 7"], 7, "entry 7 was removed at the end"],
    ["all gone", ["DELETE FROM audit_entries"], 1, "entries 1 to 7 were removed at the end"],
    ["two that changed places", swap(3, 4), 3, changed],
    [
      "one put in between, the later ones moved up",
      [
        "DROP TRIGGER audit_search_added",
        "UPDATE audit_entries SET id = id + 1000 WHERE id > 3",
        "UPDATE audit_entries SET id = id - 999 WHERE id > 1000",
        `INSERT INTO audit_entries (id, ${columns}) SELECT 4, ${columns} FROM audit_entries WHERE id = 3`,
      ],
      4,
      changed,
    ],
    [
      "one put in, far beyond the end",
      [`INSERT INTO audit_entries (id, ${columns}) SELECT 99, ${columns} FROM audit_entries WHERE id = 7`],
      99,
      "entries 8 to 98 were removed before it",
    ],
    [
      "a number that no entry gets",
      [
        `INSERT INTO audit_entries (id, ${columns}) SELECT 9223372036854775806, ${columns} FROM audit_entries WHERE id = 7`,
      ],
      8,
      "removed at the end",
    ],
    [
      "the first one gone and the others moved down",
      [
        "DELETE FROM audit_entries WHERE id = 1",
        "UPDATE audit_entries SET id = id - 1",
        "UPDATE sqlite_sequence SET seq = 6 WHERE name = 'audit_entries'",
      ],
      1,
      changed,
    ],
  ])("finds %s", async (_, statements, entry, problem) => {
    const dataDir = await tampered(...statements);
    const { code, out, error } = await verify(dataDir);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toStartWith(`cloakroom: the audit is broken at entry ${entry}: `);
    expect(error).toContain(problem);
    const { code: jsonCode, out: json } = await verify(dataDir, "--json");
    expect(jsonCode).toBe(1);
    expect(JSON.parse(json)).toMatchObject({
      holds: false,
      entries: problem.endsWith("removed before it") ? expect.any(Number) : entry - 1,
      broken_entry: entry,
      problem: expect.stringContaining(problem),
    });
  });

  test("finds an entry whose hash was recalculated by the one that follows it", async () => {
    const dataDir = await tampered("UPDATE audit_entries SET issuer = 'Anna' WHERE id = 4");
    rehashed(dataDir, 4);
    const { error } = await verify(dataDir);
    expect(error).toContain(
      "broken at entry 5: it does not follow entry 4, so that one was put in the place",
    );
  });

  test("finds a first entry that another one stood before", async () => {
    const dataDir = await tampered(
      "DELETE FROM audit_entries WHERE id = 1",
      "UPDATE audit_entries SET id = 1 WHERE id = 2",
    );
    rehashed(dataDir, 1);
    expect((await verify(dataDir)).error).toContain("broken at entry 1: it does not begin the chain");
  });

  describe("where the first entries are of version 1, which names no actor", () => {
    test("the chain holds, and its lines say which version they are of", async () => {
      const dataDir = await grown();
      expect(await verify(dataDir)).toMatchObject({ code: 0, error: "" });
      const lines = linesOf((await exported(dataDir)).out);
      expect(lines.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 2]);
      expect(lines[6]).toMatchObject({ actor_id: null, actor_via: null });
      expect(lines[7]).toMatchObject({ actor_id: 5, actor_via: "session:3c0d" });
    });

    test("an actor that is put into one of them is found", async () => {
      const dataDir = await grown("UPDATE audit_entries SET actor_account_id = 5 WHERE id = 3");
      expect((await verify(dataDir)).error).toContain(`broken at entry 3: ${changed}`);
    });

    test("an entry that is rewritten as one of them, with a hash that fits, is found", async () => {
      const dataDir = await grown(
        "UPDATE audit_entries SET version = 1, actor_account_id = NULL, actor_via = NULL WHERE id = 9",
      );
      chained(dataDir, 9);
      expect((await verify(dataDir)).error).toContain(
        "broken at entry 9: it is of version 1 and follows one of version 2, so it was changed",
      );
    });
  });

  test("never gives a number again, so entries taken from the end are missed for ever", async () => {
    const dataDir = await tampered("DELETE FROM audit_entries WHERE id > 5");
    await append(dataDir, 3);
    expect(linesOf((await exported(dataDir)).out).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 8, 9, 10]);
    const { code, error } = await verify(dataDir);
    expect(code).toBe(1);
    expect(error).toContain("broken at entry 8: entries 6 to 7 were removed before it");
  });

  test("finds the hash that was noted, in capitals too, also when entries were added since", async () => {
    const noted = await newestHash(whole);
    const dataDir = await tampered();
    await append(dataDir, 2);
    const { code, out } = await verify(dataDir, "--head", noted.toUpperCase());
    expect(code).toBe(0);
    expect(out).toEndWith("the hash that was noted is that of entry 7\n");
    const { out: json } = await verify(dataDir, "--json", "--head", noted);
    expect(JSON.parse(json)).toMatchObject({ holds: true, entries: 9, head_entry: 7 });
  });

  test("misses the noted hash where the end of the chain was rewritten", async () => {
    const noted = await newestHash(whole);
    const dataDir = await tampered("UPDATE audit_entries SET issuer = 'Anna' WHERE id = 7");
    const made = rehashed(dataDir, 7);
    // The chain alone does not show it; the noted hash does.
    expect(await verify(dataDir)).toMatchObject({ code: 0, out: expect.stringContaining(made) });
    const { code, error } = await verify(dataDir, "--head", noted);
    expect(code).toBe(1);
    expect(error).toContain(`no entry has the hash ${noted}`);
    const { out: json } = await verify(dataDir, "--json", "--head", noted);
    expect(JSON.parse(json)).toMatchObject({ holds: false, broken_entry: null, head_entry: null });
  });

  test.each(["", "abc", "g".repeat(64), "0".repeat(63), "0".repeat(65)])(
    "takes no %j for a hash",
    async (text) => {
      const { code, error } = await verify(whole, `--head=${text}`);
      expect(code).toBe(2);
      expect(error).toContain("must be 64 hexadecimal digits");
    },
  );
});

describe("audit export", () => {
  test("prints a line of JSON for every entry, the oldest first", async () => {
    const { code, out, error } = await exported(whole);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const lines = linesOf(out);
    expect(lines.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(lines[3]).toEqual({
      id: 4,
      iss: "cli",
      actor_id: 5,
      actor_via: "session:3c0d",
      action: "user.update",
      for: 4,
      time: 1004,
      detail: '{"old":{"username":"Änne"},"new":{"username":"Anna_4"}}',
      version: 2,
      previous_hash: lines[2]!.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("can be checked with the lines alone, as its help says", async () => {
    let before = "";
    for (const line of linesOf((await exported(whole)).out)) {
      const first = [line.previous_hash, line.id, line.iss, line.action, line.for, line.time, line.detail];
      const list = [...first, line.version, line.actor_id, line.actor_via];
      const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(list)).digest("hex");
      expect({ before: line.previous_hash, hash: line.hash }).toEqual({ before, hash });
      before = hash;
    }
    const { out: help } = await run(["audit", "export", "--help"]);
    expect(help.replaceAll(/\s+/g, " ")).toContain(
      "SHA-256 of the JSON list [previous_hash, id, iss, action, for, time, detail, version, actor_id, actor_via]",
    );
  });

  test.each([
    ["0", [1, 2, 3, 4, 5, 6, 7]],
    ["5", [6, 7]],
    ["7", []],
    ["900", []],
  ])("--after %s prints what came later", async (after, ids) => {
    const { code, out } = await exported(whole, "--after", after);
    expect({ code, ids: linesOf(out).map(({ id }) => id) }).toEqual({ code: 0, ids });
  });

  test("takes --json like everything that lists, and prints the same", async () => {
    const { code, out } = await exported(whole, "--json", "--after", "3");
    expect({ code, ids: linesOf(out).map(({ id }) => id) }).toEqual({ code: 0, ids: [4, 5, 6, 7] });
    expect(out).toBe((await exported(whole, "--after", "3")).out);
  });

  test.each(["-1", "x", "1.5"])("takes no %s for an id", async (after) => {
    expect(await exported(whole, `--after=${after}`)).toMatchObject({ code: 2, out: "" });
  });

  test("ends without a word when the reader has enough", async () => {
    const dataDir = await auditFolder(3000);
    const child = Bun.spawn([...program, "audit", "export", "--data-dir", dataDir], {
      env: { PATH: process.env["PATH"] ?? "" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = child.stdout.getReader();
    expect((await reader.read()).value?.byteLength).toBeGreaterThan(0);
    await reader.cancel();
    expect({ code: await child.exited, error: await child.stderr.text() }).toEqual({ code: 0, error: "" });
  });

  test("prints all of a long audit to a pipe, in order", async () => {
    const dataDir = await auditFolder(3000);
    const child = Bun.spawn([...program, "audit", "export", "--data-dir", dataDir], {
      env: { PATH: process.env["PATH"] ?? "" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, code] = await Promise.all([child.stdout.text(), child.exited]);
    expect(code).toBe(0);
    expect(linesOf(out).map(({ id }) => id)).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1));
  });
});
