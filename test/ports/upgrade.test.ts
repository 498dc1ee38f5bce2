/** A data folder of every earlier schema is upgraded with all that is in it. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { chainOldEntries, migrations } from "../../src/adapters/sqlite/migrations.ts";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { newUuid, parseUuid, type AccountId, type Uuid } from "../../src/kernel/ids.ts";
import { changeDatabase, filesOf, makeData } from "../backup/data-world.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { textureFiles } from "../support/textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let today: string;

/**
 * Accounts that `makeData` does not make, numbered from 11 on: name, whether the mail is confirmed, password.
 */
const people = [
  { id: 11, mail: 0, password: null, player: null },
  { id: 12, mail: 1, password: "'hash'", player: null },
  { id: 13, mail: 0, password: null, player: "Dora", derived: 1, provider: "discord" },
  { id: 14, mail: 1, password: "'hash'", player: "Emil", derived: 1, provider: "github" },
  { id: 15, mail: 1, password: "'hash'", player: "Fritz", derived: 0 },
] as const;

beforeAll(async () => {
  folder = await temporaryFolder();
  today = join(folder.path, "today");
  await makeData(today);
  const statements = people.map((person) => {
    const { id, mail, password, player } = person;
    const uuid = `3f0c1d5e-6a7b-4c8d-9e0f-1122334455${id}`;
    const account = `INSERT INTO accounts (id, uuid, mail, mail_key, mail_verified, password_hash, level, created_at)
      VALUES (${id}, '${uuid}', '${id}@example.org', '${id}@example.org', ${mail}, ${password}, 1, 5);
      INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at)
      VALUES ('session ${id}', ${id}, ${id * 10}, 9999999999, ${id * 11});`;
    if (player === null) return account;
    const named = `INSERT INTO players (uuid, account_id, name, name_key, name_derived, created_at)
      VALUES ('${uuid}', ${id}, '${player}', '${player.toLowerCase()}', ${person.derived}, 6);`;
    if (!("provider" in person)) return account + named;
    const linked = `INSERT INTO identities (account_id, provider, subject, username, avatar, linked_at)
      VALUES (${id}, '${person.provider}', '${id}', 'x', '', 7);`;
    return account + named + linked;
  });
  // Two people who registered one address in a release that kept their passwords with their codes.
  const codes = ["first", "second"].map(
    (password) => `INSERT INTO codes (account_id, purpose, hash, mail, expires_at, password_hash)
      VALUES (11, 'confirm', 'of ${password}', '11@example.org', 9999999999, '${password}');`,
  );
  changeDatabase(join(today, "cloakroom.db"), [...statements, ...codes].join("\n"));
});
afterAll(() => folder[Symbol.asyncDispose]());

/** An account without anything, of the first day. */
const nobody = {
  mail: null,
  registration: "unconfirmed",
  mailVerified: false,
  passwordHash: null,
  permanentLevel: 1,
  language: "en",
  createdAt: 86_399,
} as const;

/** What SQLite and the triggers keep, and what a later migration works out again. */
const derivedTables = /^sqlite_|_search|^(?:row|daily)_counts$/;
const derivedColumns =
  /^audit_entries\.(?:previous_hash|hash|version|actor_account_id|actor_via)$|^bulk_mails\.(?:total|waiting|sent|failed)$|^accounts\.last_seen_at$/;

type Columns = Readonly<Record<string, readonly string[]>>;

function columnsOf(database: Database): Columns {
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const own = tables.all().filter(({ name }) => !derivedTables.test(name));
  return Object.fromEntries(
    own.map(({ name }) => [
      name,
      database
        .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
        .all(name)
        .map((column) => column.name),
    ]),
  );
}

/** The rows of today, in a database that has seen only so many migrations. */
function writeOldDatabase(path: string, seen: number): Columns {
  using old = new Database(path, { create: true });
  for (const { sql } of migrations.slice(0, seen)) old.run(sql);
  const columns = columnsOf(old);
  old.run("ATTACH ? AS today", [join(today, "cloakroom.db")]);
  old.run("PRAGMA foreign_keys = OFF");
  for (const [table, names] of Object.entries(columns)) {
    const listed = names.map((name) => `"${name}"`).join(", ");
    old.run(`INSERT OR REPLACE INTO main.${table} (${listed}) SELECT ${listed} FROM today.${table}`);
  }
  // Their chain covered fewer fields.
  if (columns["audit_entries"]?.includes("hash") && !columns["audit_entries"].includes("version")) {
    chainOldEntries(old);
  }
  old.run(`PRAGMA user_version = ${seen}`);
  return columns;
}

/** As releases named files of textures whose rows did not. */
async function nameFilesByHash(dataDir: string): Promise<void> {
  for (const file of await textureFiles(dataDir, "")) {
    const hash = basename(file).slice(0, 64);
    await rename(file, join(dirname(file), `${hash}.png`));
  }
}

function rowsOf(path: string, columns: Columns) {
  using database = new Database(path, { readonly: true });
  return Object.fromEntries(
    Object.entries(columns).map(([table, names]) => {
      const kept = names.filter((name) => !derivedColumns.test(`${table}.${name}`));
      return [table, database.query(`SELECT ${kept.join(", ")} FROM ${table}`).all()];
    }),
  );
}

/** How many migrations came before the one that derives registrations, main players and methods of proof. */
const identity = migrations.findIndex(({ name }) => name === "0006_identity");

/** As well for the one that kept passwords with codes. */
const findings = migrations.findIndex(({ name }) => name === "0005_findings");

/** As well for the one that gave them a table, which folders of later schemas have. */
const passwords = migrations.findIndex(({ name }) => name === "0010_registration_passwords");

/** As well for the one that writes offline uuids. */
const offlineIds = migrations.findIndex(({ name }) => name === "0011_offline_ids_and_shared_skins");

/** As well for the one that writes when each account was last seen. */
const lastSeen = migrations.findIndex(({ name }) => name === "0013_moderator_lists");

/** As well for the one that drops the triggers that counted. The stores of later schemas write the counts. */
const withoutTriggers = migrations.findIndex(({ name }) => name === "0014_without_triggers");

describe.each(migrations.slice(0, -1).map(({ name }, index) => ({ name, seen: index + 1 })))(
  "a folder of $name",
  ({ seen }) => {
    let dataDir: string;
    let path: string;
    let columns: Columns;
    let before: Awaited<ReturnType<typeof look>>;
    let after: typeof before;

    const look = async () => ({ rows: rowsOf(path, columns), files: await filesOf(dataDir) });

    beforeAll(async () => {
      dataDir = join(folder.path, `of-${seen}`);
      path = join(dataDir, "cloakroom.db");
      await cp(today, dataDir, { recursive: true });
      for (const end of ["", "-wal", "-shm"]) await rm(`${path}${end}`, { force: true });
      columns = writeOldDatabase(path, seen);
      if (columns["textures"]?.includes("file") !== true) await nameFilesByHash(dataDir);
      before = await look();
      expect(await run(["migrate", "--data-dir", dataDir])).toMatchObject({ code: 0, error: "" });
      after = await look();
    });

    test("keeps its rows, files and a copy of itself", () => {
      expect(before.rows["accounts"]).toHaveLength(people.length + 2);
      expect(before.rows["skins"]).toHaveLength(3);
      const { rows, files } = after;
      expect(rows).toEqual(before.rows);
      const copies = Object.keys(files).filter((name) => name.startsWith("cloakroom.db.before-"));
      expect(copies).toEqual([
        expect.stringMatching(new RegExp(`^cloakroom\\.db\\.before-${migrations[seen]?.name}-`)),
      ]);
      expect(files).toMatchObject(before.files);
      expect(rowsOf(join(dataDir, copies[0] ?? ""), columns)).toEqual(before.rows);
    });

    test("has whole textures and an audit chain without a gap", async () => {
      const fsck = await run(["fsck", "--json", "--data-dir", dataDir]);
      expect(JSON.parse(fsck.out)).toMatchObject({ checked: 4, faults: [] });
      const audit = await run(["audit", "verify", "--data-dir", dataDir]);
      expect(audit).toMatchObject({ code: 0, error: "" });
    });

    test.if(seen <= identity)("knows each account's registration and main player", () => {
      using database = new Database(path, { readonly: true });
      const rows = database.query(`SELECT accounts.id, registration, name FROM accounts
        LEFT JOIN players ON players.id = main_player_id ORDER BY accounts.id`);
      // Before derived names were marked, no account could have one.
      const derived = (columns["players"] ?? []).includes("name_derived");
      expect(rows.values()).toEqual([
        [1, "complete", "Anna"],
        [2, "complete", "Boris"],
        [11, "unconfirmed", null],
        [12, "unnamed", null],
        [13, derived ? "unnamed" : "complete", "Dora"],
        [14, "complete", "Emil"],
        [15, "complete", "Fritz"],
      ]);
    });

    test.if(seen <= identity)("knows how each session was opened, where that is certain", () => {
      using database = new Database(path, { readonly: true });
      const rows = database.query(
        "SELECT id, kind, player_id, methods, proved_at FROM sessions ORDER BY account_id",
      );
      const linked = "identities" in columns;
      expect(rows.values()).toEqual([
        ["session 11", "web", null, "[]", 110],
        ["session 12", "web", null, '["password"]', 120],
        ["session 13", "web", null, linked ? '["social:discord"]' : "[]", 130],
        ["session 14", "web", null, linked ? "[]" : '["password"]', 140],
        ["session 15", "web", null, '["password"]', 150],
      ]);
    });

    test.if(seen > findings && seen <= passwords)("has the passwords of registrations that differ", () => {
      using database = new Database(path, { readonly: true });
      const rows = database.query("SELECT account_id, password_hash FROM registration_passwords ORDER BY id");
      expect(rows.values()).toEqual([
        [11, "first"],
        [11, "second"],
      ]);
    });

    test.if(seen <= offlineIds)("knows each player's offline uuid", () => {
      using database = new Database(path, { readonly: true });
      const rows = database.query<{ name: string; offline_uuid: string }, []>(
        "SELECT name, offline_uuid FROM players WHERE name <> 'Ida'", // whom another test adds
      );
      const found = rows.all();
      expect(found.length).toBeGreaterThan(4);
      expect(found).toEqual(found.map(({ name }) => ({ name, offline_uuid: offlineUuid(name) })));
    });

    // The first release did not know when a session was used, and the last one writes it with each session.
    test.if(seen > 1 && seen <= lastSeen)("knows when each account was last seen", () => {
      using database = new Database(path, { readonly: true });
      const seen = database.query("SELECT last_seen_at FROM accounts WHERE id > 10 ORDER BY id").values();
      expect(seen).toEqual(people.map(({ id }) => [id * 11]));
    });

    test.if(seen <= withoutTriggers)("counts what the overview shows", async () => {
      using database = new Database(path);
      const shown = () => ({
        accounts: database
          .query("SELECT name, rows FROM row_counts WHERE name LIKE 'accounts%' ORDER BY 1")
          .values(),
        days: database
          .query("SELECT times FROM daily_counts WHERE day = 0 AND what = 'registration'")
          .values(),
      });
      const unconfirmed = database.query<{ count: number }, []>(
        "SELECT count(*) AS count FROM accounts WHERE registration = 'unconfirmed'",
      );
      const count = unconfirmed.get()?.count ?? 0;
      expect(count).toBeGreaterThan(0);
      const all = people.length + 2;
      const counted = (more: number) => [
        ["accounts", all + more],
        ["accounts_unconfirmed", count + more],
      ];
      expect(shown()).toEqual({ accounts: counted(0), days: [[people.length]] });
      using stores = openDatabase(path);
      const { id } = await stores.atomically(({ accounts }) =>
        accounts.insertAccount({ ...nobody, uuid: newUuid() }),
      );
      expect(shown()).toEqual({ accounts: counted(1), days: [[people.length + 1]] });
      await stores.atomically(({ accounts }) => accounts.updateAccount(id, { registration: "unnamed" }));
      expect(shown().accounts).toEqual([
        ["accounts", all + 1],
        ["accounts_unconfirmed", count],
      ]);
      await stores.atomically(({ accounts }) => accounts.deleteAccount(id));
      expect(shown()).toEqual({ accounts: counted(0), days: [[people.length + 1]] });
    });

    test("finds people by each player's name", () => {
      using database = new Database(path);
      database.run(`INSERT INTO players (uuid, account_id, name, name_key, created_at)
        VALUES ('3f0c1d5e-6a7b-4c8d-9e0f-112233445599', 15, 'Gustav', 'gustav', 6)`);
      const found = database.query("SELECT rowid FROM users_search WHERE name LIKE ?");
      expect(["%fritz%", "%gustav%"].map((name) => found.values(name))).toEqual([[[15]], [[15]]]);
      database.run("UPDATE players SET name = 'Heinz' WHERE name = 'Gustav'");
      expect(["%fritz%", "%gustav%", "%heinz%"].map((name) => found.values(name))).toEqual([
        [[15]],
        [],
        [[15]],
      ]);
      database.run("DELETE FROM players WHERE name = 'Heinz'");
      expect(["%fritz%", "%heinz%"].map((name) => found.values(name))).toEqual([[[15]], []]);
    });

    test("lets a uuid name one account at most", async () => {
      using stores = openDatabase(path);
      const uuid = parseUuid("3f0c1d5e-6a7b-4c8d-9e0f-112233445511") ?? newUuid();
      const ida = { uuid, name: "Ida", createdAt: 6 };
      const insert = (account: number, uuid: Uuid) =>
        stores.atomically(({ players }) =>
          players.insertPlayer({ ...ida, uuid, accountId: account as AccountId }),
        );
      expect(await insert(15, uuid).catch(String)).toContain("is the UUID of another player or account");
      const { id } = await insert(11, uuid);
      await stores.atomically(({ players }) => players.deletePlayer(id));
      const other = newUuid();
      await insert(15, other);
      const account = stores.atomically(({ accounts }) => accounts.insertAccount({ ...nobody, uuid: other }));
      expect(await account.catch(String)).toContain("is the UUID of another player or account");
    });
  },
);
