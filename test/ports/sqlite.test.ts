import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import type { Rerun } from "../../src/domain/ports/engine.ts";
import { openReader, openWriter } from "../../src/adapters/sqlite/open.ts";
import { shareSnapshot } from "../../src/adapters/sqlite/read-snapshot.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { writeFreshDatabase } from "../support/fresh-database.ts";
import { runTwice } from "../support/run-twice.ts";
import { auditSuite } from "./audit.suite.ts";
import { codesSuite } from "./codes.suite.ts";
import { daysSuite } from "./days.suite.ts";
import { memberListsSuite } from "./member-lists.suite.ts";
import { identitiesSuite } from "./identities.suite.ts";
import { importsSuite } from "./imports.suite.ts";
import { outboxSuite } from "./outbox.suite.ts";
import { playersSuite } from "./players.suite.ts";
import { storesSuite, transactionsSuite } from "./stores.suite.ts";
import { hashesSuite } from "./hashes.suite.ts";
import { suspensionsSuite } from "./suspensions.suite.ts";
import { texturesSuite } from "./textures.suite.ts";

async function openFresh(rerun?: Rerun) {
  const folder = await temporaryFolder();
  const path = join(folder.path, "test.db");
  await writeFreshDatabase(path);
  const database = openDatabase(path, rerun === undefined ? {} : { rerun });
  return {
    path,
    ...database,
    [Symbol.asyncDispose]: async () => {
      database[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** An account without anything. */
const nobody = () =>
  ({
    uuid: newUuid(),
    mail: null,
    registration: "unconfirmed",
    mailVerified: false,
    passwordHash: null,
    permanentLevel: 1,
    language: "en",
    createdAt: 1,
  }) as const;

const openTwice = () => openFresh(runTwice());

// Apart, so that a test opens the database of its own suite alone.
describe("transactions", () => transactionsSuite("SQLite", openFresh, { areAlone: true }));
describe("stores", () => storesSuite("SQLite", openTwice));
describe("players", () => playersSuite("SQLite", openTwice));
describe("audit", () => auditSuite("SQLite", openTwice));
describe("textures", () => texturesSuite("SQLite", openTwice));
describe("codes", () => codesSuite("SQLite", openTwice));
describe("identities", () => identitiesSuite("SQLite", openTwice));
describe("imports", () => importsSuite("SQLite", openTwice));
describe("outbox", () => outboxSuite("SQLite", openTwice));
describe("days", () => daysSuite("SQLite", openTwice));
describe("hashes", () => hashesSuite("SQLite", openTwice));
describe("suspensions", () => suspensionsSuite("SQLite", openTwice));
describe("lists of members", () => memberListsSuite("SQLite", openTwice));

test("waits for another process that holds the write lock, and goes on when it is done", async () => {
  await using stores = await openFresh();
  using other = new Database(stores.path);
  other.run("BEGIN IMMEDIATE");
  const events: string[] = [];
  const waiting = stores.atomically(async () => void events.push("ours"));
  // The event loop stays free meanwhile, so this goes on at once.
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
  events.push("theirs");
  other.run("COMMIT");
  await waiting;
  expect(events).toEqual(["theirs", "ours"]);
});

test("reads while another process holds the write lock", async () => {
  await using stores = await openFresh();
  using other = new Database(stores.path);
  other.run("BEGIN IMMEDIATE");
  expect(await stores.reads.accounts.listMembers({ after: null, rows: 1, search: null })).toEqual([]);
  other.run("ROLLBACK");
});

test("holds no lock while nothing is written", async () => {
  await using stores = await openFresh();
  await stores.atomically(async () => {});
  using other = new Database(stores.path);
  other.run("PRAGMA busy_timeout = 0");
  expect(() => other.run("BEGIN EXCLUSIVE")).not.toThrow();
  other.run("ROLLBACK");
});

test("writes ahead, waits for the disk and keeps references whole", async () => {
  await using stores = await openFresh();
  using other = new Database(stores.path);
  expect(other.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  const orphan = stores.atomically(({ textures }) =>
    textures.grantCapes({ accounts: [1 as never], capes: [1 as never], grantedAt: 1, expiresAt: null }),
  );
  expect(await orphan.catch((error: unknown) => String(error))).toMatch(/has just been deleted/);
});

test.each([
  ["that writes", openWriter],
  ["that reads", openReader],
])("what a schema names is not trusted by the handle %s", async (_, open) => {
  await using stores = await openFresh();
  using other = new Database(stores.path);
  other.run("CREATE VIEW evil AS SELECT name FROM pragma_table_info('accounts')");
  expect(other.query("SELECT * FROM evil").all()).not.toEqual([]);
  const handle = open(stores.path);
  expect(() => handle.query("SELECT * FROM evil").all()).toThrow("unsafe use of virtual table");
  handle.close(true);
});

test("a shared snapshot that SQLite has ended by itself is no fault of who comes next", () => {
  using reader = new Database(":memory:");
  const snapshot = shareSnapshot(reader);
  const reads = snapshot.sharing({ one: () => reader.query("SELECT 1 AS one").get() });
  expect(reads.one()).toEqual({ one: 1 });
  // As an error of the disk does.
  reader.run("ROLLBACK");
  expect(() => snapshot.end()).not.toThrow();
  expect(reads.one()).toEqual({ one: 1 });
  snapshot.end();
  expect(reader.inTransaction).toBe(false);
});

test("nothing of the files stays open when it is closed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "test.db");
  migrateDatabase(path);
  expect(await readdir(folder.path)).toEqual(["test.db"]);
  {
    using database = openDatabase(path);
    await database.atomically(({ accounts }) => accounts.insertAccount(nobody()));
    await database.reads.accounts.listMembers({ after: null, rows: 1, search: null });
  }
  // The last one to close takes the log away. A later close would remove the log of a database put in its
  // place.
  expect(await readdir(folder.path)).toEqual(["test.db"]);
});

test("what was committed is there after opening again, without a clean end", async () => {
  await using stores = await openFresh();
  const account = await stores.atomically(({ accounts }) => accounts.insertAccount(nobody()));
  using again = openDatabase(stores.path);
  expect(await again.reads.accounts.findMember({ by: "id", value: account.id })).toEqual({
    account,
    player: null,
  });
});

test("the change feed moves with a change that shows, and only then", async () => {
  await using stores = await openFresh();
  const before = stores.changes.position();
  const account = await stores.atomically(({ accounts }) => accounts.insertAccount(nobody()));
  expect(stores.changes.position()).toBe(before);
  const { uuid } = account;
  const player = { uuid, accountId: account.id, name: "Alice", createdAt: 1 };
  await stores.atomically(({ players }) => players.insertPlayer(player));
  expect(stores.changes.position()).not.toBe(before);
});

test("the sender gets a signal once a mail has been committed, and at no other time", async () => {
  await using stores = await openFresh();
  let calls = 0;
  const listening = stores.onMailDue(() => void (calls += 1));
  const mail = { template: "test" } as const;
  const post = () =>
    stores.atomically(async ({ outbox }) => {
      await outbox.insertMail({ to: "anna@example.org", language: "en", at: 1, mail });
      return calls;
    });
  expect(await post()).toBe(0);
  expect(calls).toBe(1);
  await stores.atomically(({ codes }) => codes.deleteExpiredCodes("reset", 1, 2));
  expect(calls).toBe(1);
  listening[Symbol.dispose]();
  await post();
  expect(calls).toBe(1);
});
