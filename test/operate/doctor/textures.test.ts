/**
 * Up to 200 textures doctor looks at all of them, and of more at a sample, without repeats; it says which.
 */
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { inspectDatabase } from "../../../src/adapters/sqlite/inspect.ts";
import { inspectRows } from "../../../src/adapters/postgres/inspect.ts";
import { openWorkSession } from "../../../src/adapters/postgres/connections/work-session.ts";
import type { RowReads } from "../../../src/operate/doctor/database.ts";
import { sampleTextures } from "../../../src/operate/doctor/textures.ts";
import { temporaryFolder } from "../../cli/run-program.ts";
import { makeData } from "../../backup/data-world.ts";
import { testDatabase } from "../../support/migrated-postgres.ts";
import { postgresMissing } from "../../support/postgres.ts";
import { examineIn } from "./beside-server.ts";
import { notedDatabase } from "../../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: samples of textures (${postgresMissing})`);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let full: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  await makeData(full);
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Adds so many rows without files. Each of their hashes is 64 digits. */
function addOnSqlite(path: string, count: number): void {
  using database = new Database(path);
  database.run(`INSERT INTO textures (hash, file, digest, width, height, created_at) WITH RECURSIVE n(i) AS
    (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count} LIMIT ${count})
    SELECT hash, hash || '.' || lower(hex(randomblob(16))), hash, 64, 64, 1 FROM (SELECT lower(hex(randomblob(32))) AS hash, i FROM n)`);
}

async function addOnPostgres(url: string, count: number): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  await sql.unsafe(`INSERT INTO textures (hash, file, digest, width, height, created_at)
    SELECT hash, hash || '.' || md5(hash), hash, 64, 64, 1 FROM
      (SELECT md5(i::text) || md5('x' || i) AS hash FROM generate_series(1, ${count}) AS i) AS made`);
}

describe("doctor's look at textures", () => {
  test.each([
    [196, "196 of 200 textures are missing or damaged"],
    [197, /^19[6-7] of a sample of 200 of 201 textures are missing or damaged$/],
  ])("with %d lost ones says how many it looked at", async (lost, message) => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    addOnSqlite(join(dataDir, "cloakroom.db"), lost);
    const { of } = await examineIn(dataDir);
    expect(of("textures")).toMatchObject([
      { state: "problem", message: expect.stringMatching(message), remedy: expect.stringContaining("fsck") },
    ]);
  });
});

type Reads = Pick<RowReads, "countTextures" | "shuffledTextures" | "textureFrom">;

/** 200 of so many, each once. */
async function expectSample(reads: Reads, count: number): Promise<void> {
  const { rows, total } = await sampleTextures(reads, 200);
  expect({ total, rows: rows.length, hashes: new Set(rows.map(({ hash }) => hash)).size }).toEqual({
    total: count,
    rows: Math.min(200, count),
    hashes: Math.min(200, count),
  });
}

const counts = [0, 200, 205, 20_001];

describe("a sample of textures holds none twice", () => {
  test.each(counts)("on SQLite, of %d", async (count) => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    const path = join(dataDir, "cloakroom.db");
    using database = new Database(path);
    for (const table of ["skins", "capes", "textures"]) database.run(`DELETE FROM ${table}`);
    addOnSqlite(path, count);
    using inspection = inspectDatabase(path);
    if (inspection === null) throw new Error("no database");
    await expectSample(inspection, count);
  });

  test.skipIf(postgresMissing !== null).each(counts)("on PostgreSQL, of %d", async (count) => {
    await using database = await testDatabase();
    if (count > 0) await addOnPostgres(database.url, count);
    await using session = await openWorkSession(notedDatabase(database.url));
    await expectSample(inspectRows(session), count);
  });
});
