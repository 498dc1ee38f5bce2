import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdir, utimes } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase, planMigration } from "../../src/adapters/sqlite/migrate.ts";
import { applyMigrations, migrations } from "../../src/adapters/sqlite/migrations.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { verifyChain } from "../../src/domain/audit/verify-chain.ts";
import { temporaryFolder } from "../cli/run-program.ts";

const folderOfMigrations = resolve(import.meta.dir, "../../src/adapters/sqlite/migrations");
const uuid = "3f0c1d5e-6a7b-4c8d-9e0f-112233445566";
const names = migrations.map(({ name }) => name);

test("the list holds every migration on disk, in the journal's order", async () => {
  const { entries } = await Bun.file(join(folderOfMigrations, "meta/_journal.json")).json();
  expect(entries.map(({ tag }: { tag: string }) => tag)).toEqual(names);
  const files = (await readdir(folderOfMigrations)).filter((name) => name.endsWith(".sql"));
  expect(files.sort()).toEqual(names.map((name) => `${name}.sql`));
  for (const { name, sql } of migrations) {
    expect(sql).toBe(await Bun.file(join(folderOfMigrations, `${name}.sql`)).text());
  }
});

test("a new database gets all of them, and no copy is kept of nothing", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "new.db");
  expect(migrateDatabase(path)).toEqual({ applied: names, copy: null });
  expect(versionOf(path)).toBe(names.length);
});

test("a second time nothing happens", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "twice.db");
  migrateDatabase(path);
  const before = schemaOf(path);
  expect(migrateDatabase(path)).toEqual({ applied: [], copy: null });
  expect(schemaOf(path)).toEqual(before);
  expect((await readdir(folder.path)).filter((name) => name.includes("before"))).toEqual([]);
});

test("a dry run reports what would be done and does nothing", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "none.db");
  expect(planMigration(path)).toEqual({ applied: names, copy: null });
  expect(await readdir(folder.path)).toEqual([]);
});

test("a database that is older is brought up to date, and a copy of it is kept beside it", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "old.db");
  using old = new Database(path, { create: true });
  old.run("CREATE TABLE kept (text TEXT)");
  old.run("INSERT INTO kept VALUES ('from before')");
  const { applied, copy } = migrateDatabase(path);
  expect(applied).toEqual(names);
  expect(copy).toStartWith(`${path}.before-${names[0]}-`);
  using kept = new Database(copy ?? "", { readonly: true });
  expect(kept.query("SELECT text FROM kept").all()).toEqual([{ text: "from before" }]);
  expect(kept.query("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'accounts'").get()).toEqual({
    tables: 0,
  });
});

test("of the copies that were kept before, only the newest stay", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "old.db");
  const years = [2024, 2021, 2023, 2022];
  for (const year of years) await Bun.write(`${path}.before-0001_mail-${year}-01-01T00-00-00-000Z`, "");
  await Bun.write(`${path}.before`, "somebody's own");
  using old = new Database(path, { create: true });
  old.run("CREATE TABLE kept (text TEXT)");
  const { copy } = migrateDatabase(path);
  const left = (await readdir(folder.path)).filter((name) => name.includes(".before")).sort();
  expect(left).toEqual(
    [
      "old.db.before",
      basename(copy ?? ""),
      ...[2023, 2024].map((year) => `old.db.before-0001_mail-${year}-01-01T00-00-00-000Z`),
    ].sort(),
  );
});

test("what programs that were killed left half copied is removed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "old.db");
  for (const name of [".copying-2024-01-01T00-00-00-000Z", ".copying-2024-01-01T00-00-00-000Z-journal"]) {
    await Bun.write(path + name, "half");
    await utimes(path + name, 1000, 1000);
  }
  await Bun.write(`${path}.copying-2024-01-02T00-00-00-000Z`, "by another process, now");
  for (const day of [1, 2, 3, 4, 5])
    await Bun.write(`${path}.before-0001_mail-2024-01-0${day}T00-00-00-000Z`, "");
  using old = new Database(path, { create: true });
  old.run("CREATE TABLE kept (text TEXT)");
  migrateDatabase(path);
  const left = (await readdir(folder.path)).filter((name) => /copying|before/.test(name));
  expect(
    left
      .map((name) => name.replace(/^old\.db\.(\w+)-.*(\d{4}-\d\d-\d\d)T.*$/, "$1 $2"))
      .sort()
      .slice(0, 2),
  ).toEqual(["before 2024-01-04", "before 2024-01-05"]);
  expect(left).toHaveLength(4);
  expect(left).toContain("old.db.copying-2024-01-02T00-00-00-000Z");
});

const first = {
  name: "0000_first",
  sql: `CREATE TABLE accounts (id INTEGER PRIMARY KEY, mail TEXT);
    CREATE TABLE players (id INTEGER PRIMARY KEY, account INTEGER REFERENCES accounts (id) ON DELETE CASCADE);`,
};
const rebuild = (rows: string) => ({
  name: "0001_rebuild",
  sql: `CREATE TABLE again (id INTEGER PRIMARY KEY, mail TEXT NOT NULL);
    INSERT INTO again SELECT id, mail FROM accounts WHERE ${rows};
    DROP TABLE accounts;
    ALTER TABLE again RENAME TO accounts;`,
});
function openFilled() {
  const database = new Database(":memory:", { strict: true });
  applyMigrations(database, [first]);
  database.run("INSERT INTO accounts VALUES (1, 'a'), (2, 'b')");
  database.run("INSERT INTO players VALUES (10, 1), (20, 2)");
  return database;
}
const countPlayers = (database: Database) => database.query("SELECT id FROM players").all().length;
const deleteAccount = (database: Database) => database.run("DELETE FROM accounts WHERE id = 1");

describe("a table that others refer to is built again", () => {
  test("without the rows that refer to it being deleted", () => {
    using database = openFilled();
    expect(applyMigrations(database, [first, rebuild("true")])).toHaveLength(1);
    expect(countPlayers(database)).toBe(2);
    deleteAccount(database);
    expect(countPlayers(database)).toBe(1);
  });

  test("but not when a row would refer to nothing", () => {
    using database = openFilled();
    const refused = () => applyMigrations(database, [first, rebuild("id = 1")]);
    expect(refused).toThrow("Migrations would leave broken references in players");
    expect(database.query("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    expect(countPlayers(database)).toBe(2);
  });
});

test("accounts, names and sessions of the first version are there after all that followed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "first.db");
  {
    using old = new Database(path, { create: true });
    old.run(migrations[0]?.sql ?? "");
    old.run("PRAGMA user_version = 1");
    old.run(`INSERT INTO accounts (id, uuid, mail, mail_key, mail_verified, password_hash, level, created_at)
      VALUES (7, '${uuid}', 'Anna@example.org', 'anna@example.org', 1, 'hash', 3, 5)`);
    old.run(`INSERT INTO players (uuid, account_id, name, name_key, created_at)
      VALUES ('${uuid}', 7, 'Anna', 'anna', 6)`);
    old.run("INSERT INTO sessions (id, account_id, created_at, expires_at) VALUES ('s', 7, 10, 100)");
  }
  expect(migrateDatabase(path).applied).toEqual(names.slice(1));
  using database = openDatabase(path);
  const member = await database.reads.accounts.findMember({ by: "name", value: "anna" });
  expect(member).toMatchObject({
    account: { id: 7, uuid, mail: "Anna@example.org", mailVerified: true, permanentLevel: 3, language: "en" },
    player: { uuid, name: "Anna" },
  });
  const [session, ...others] = await database.reads.sessions.listSessions(member!.account.id, 50);
  expect(session).toMatchObject({ id: "s", createdAt: 10, expiresAt: 100, address: "", userAgent: "" });
  expect(others).toEqual([]);
});

test("audit entries of the second version are chained, and new ones follow them", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "cloakroom.db");
  const written = [
    {
      id: 1,
      actorName: "cli",
      action: "user.create",
      forAccountId: 7,
      at: 10,
      detail: '{"username":"Änne"}',
    },
    { id: 2, actorName: "cli", action: "cape.upload", forAccountId: 0, at: 11, detail: '{ "owners" : [7] }' },
    { id: 3, actorName: "cli", action: "user.delete", forAccountId: 7, at: 12, detail: "{}" },
  ];
  {
    using old = new Database(path, { create: true });
    for (const { sql } of migrations.slice(0, 2)) old.run(sql);
    old.run("PRAGMA user_version = 2");
    const insert = old.query(
      "INSERT INTO audit_entries (id, issuer, action, for_account_id, at, detail) VALUES (?, ?, ?, ?, ?, ?)",
    );
    for (const { id, actorName, action, forAccountId, at, detail } of written) {
      insert.run(id, actorName, action, forAccountId, at, detail);
    }
  }
  expect(migrateDatabase(path).applied).toEqual(names.slice(2));
  using database = openDatabase(path);
  const { audit } = database.reads;
  expect(await audit.readChain(0, 10)).toMatchObject(written);
  expect(await audit.countEntries(null)).toBe(3);
  expect(await audit.countEntries("user.")).toBe(2);
  const entry = { actor: commandLine, action: "user.create", forAccountId: null, at: 13, detail: {} };
  await database.atomically((stores) => stores.audit.append(entry));
  const report = await verifyChain(audit, { noted: null, onProgress: () => {} });
  expect(report).toMatchObject({ fault: null, newest: { id: 4 } });
});

test("a database from the future is refused and not touched", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "future.db");
  migrateDatabase(path);
  using database = new Database(path);
  database.run(`PRAGMA user_version = ${names.length + 1}`);
  for (const look of [planMigration, migrateDatabase]) {
    expect(() => look(path)).toThrow(/newer version/);
  }
  expect(versionOf(path)).toBe(names.length + 1);
});

test("two processes that start at once do it once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "both.db");
  const program = `
    import { migrateDatabase, planMigration } from ${JSON.stringify(resolve(import.meta.dir, "../../src/adapters/sqlite/migrate.ts"))};
    migrateDatabase(${JSON.stringify(path)});`;
  const both = [1, 2].map(() =>
    Bun.spawn([process.execPath, "-e", program], { stdout: "ignore", stderr: "pipe" }),
  );
  const errors = await Promise.all(both.map((one) => one.stderr.text()));
  expect(errors).toEqual(["", ""]);
  expect(await Promise.all(both.map((one) => one.exited))).toEqual([0, 0]);
  expect(versionOf(path)).toBe(names.length);
  using database = openDatabase(path);
  expect(await database.reads.accounts.listMembers({ after: null, rows: 1, search: null })).toEqual([]);
});

function versionOf(path: string): number | undefined {
  using database = new Database(path, { readonly: true });
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
}

function schemaOf(path: string): readonly unknown[] {
  using database = new Database(path, { readonly: true });
  return database.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
}
