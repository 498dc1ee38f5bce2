/** The audit's lists stay fast however long it is: no statement reads a long table from end to end, or sorts one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { auditReads } from "../../src/adapters/sqlite/audit-store.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/database.ts";
import { openWriter, type Db } from "../../src/adapters/sqlite/open.ts";
import type { AuditReads } from "../../src/domain/audit/audit.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { isLong, stepsOf } from "../support/query-plan.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Db;
beforeAll(async () => {
  folder = await temporaryFolder();
  const path = join(folder.path, "cloakroom.db");
  migrateDatabase(path, { dryRun: false });
  database = openWriter(path);
});
afterAll(async () => {
  database.$client.close();
  await folder[Symbol.asyncDispose]();
});

const page = (search: string | null, after: number | null = null) => ({ search, after, rows: 10 });

test.each<readonly [string, (audit: AuditReads) => Promise<unknown>]>([
  ["a page", (audit) => audit.listEntries(page(null, 5))],
  ["a page of what a search finds", (audit) => audit.listEntries(page("cli", 5))],
  ["a page about an account", (audit) => audit.listEntries(page("7", 5))],
  ["a page about an account whose number may stand in a name", (audit) => audit.listEntries(page("777"))],
  ["the count", (audit) => audit.countEntries(null)],
  ["the count of what a search finds", (audit) => audit.countEntries("cli")],
  ["the count about an account", (audit) => audit.countEntries("7")],
  ["the count about an account whose number may stand in a name", (audit) => audit.countEntries("777")],
  ["the chain", (audit) => audit.readChain(5, 10)],
])("%s is found by indexes, without sorting", async (_, work) => {
  const steps = await stepsOf(database, (db) => work(auditReads(db)));
  expect(steps.filter((step) => step.startsWith("SEARCH")).length).toBeGreaterThan(0);
  // SQLite's own table of the highest numbers has a row for each table that has some.
  expect(steps.filter(isLong).filter((step) => step !== "SCAN sqlite_sequence")).toEqual([]);
});

test("what the others would show is seen", async () => {
  const steps = await stepsOf(database, async ({ $client }) => [
    $client.query("SELECT id FROM audit_entries WHERE issuer = 'cli'"),
    $client.query("SELECT rowid FROM audit_search WHERE issuer LIKE '%cli%'"),
    $client.query("SELECT id FROM audit_entries WHERE id > 5 ORDER BY at"),
  ]);
  expect(steps.filter(isLong)).toHaveLength(3);
});
