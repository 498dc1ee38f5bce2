/*
 * An import that is killed again and again, and then runs to its end. What is expected follows from the list
 * alone.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runProcess, temporaryFolder } from "../cli/run-program.ts";
import type { DatabaseReader } from "../support/database-reader.ts";
import { openStorage, type StorageChoice } from "../support/storages.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { randomFrom } from "./random.ts";

type Options = {
  readonly command: readonly string[];
  readonly storage: StorageChoice;
  readonly accounts: number;
  readonly kills: number;
  readonly seed: number;
};

export type ImportReport = { readonly faults: readonly string[]; readonly kills: number };

/** How many skins there are: some are worn by many. */
const skins = 60;
const pollMs = 2;

export async function killImports({
  command,
  storage,
  accounts,
  kills,
  seed,
}: Options): Promise<ImportReport> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder());
  const [data, source] = [join(folder.path, "data"), join(folder.path, "old")];
  for (const path of [data, source]) await mkdir(path);
  const kept = opened.use(await openStorage(storage, { path: data, isOwn: true }));
  const people = await writeList(source, accounts);
  const env = {
    PATH: process.env["PATH"] ?? "",
    DATA_DIR: data,
    JWT_SECRET: "ea30c79355b4de39daa4d2417d3b0d272dfbdffc993ec6fbcc4b683a62142b6e",
    ...kept.settings,
  };
  const args = ["import", "--from", "csv", "--file", join(source, "people.csv"), "--source-name", "old"];
  const random = randomFrom(seed);
  const faults: string[] = [];
  let killed = 0;
  using database = kept.read();
  for (let kill = 0; kill < kills; kill++) {
    const child = Bun.spawn([...command, ...args], {
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const have = database.countRows("accounts");
    const until = have + Math.floor(random() * Math.max(1, (accounts - have) / (kills - kill)));
    while (child.exitCode === null && database.countRows("accounts") <= until) await Bun.sleep(pollMs);
    await Bun.sleep(random() * 40);
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      killed += 1;
    }
    await child.exited;
    faults.push(...halves(database));
    // Else the next run would wait for the end of the lease.
    database.change("UPDATE import_runs SET until = 0");
  }
  const run = (...given: readonly string[]) => runProcess(given, { folder: folder.path, environment: env });
  const end = await run(...args);
  if (end.code !== 0) faults.push(`the last run ended with ${end.code}: ${end.error}`);
  faults.push(...halves(database), ...differences(database, people));
  const before = database.everything();
  const again = await run(...args);
  if (again.code !== 0) faults.push(`a further run ended with ${again.code}: ${again.error}`);
  faults.push(...changedTables(before, database.everything()));
  for (const check of [["fsck"], ["audit", "verify"]]) {
    const { code, out, error } = await run(...check);
    if (code !== 0) faults.push(`${check.join(" ")} ended with ${code}: ${out}${error}`);
  }
  return { faults, kills: killed };
}

type Person = { readonly name: string; readonly mail: string; readonly uuid: string; readonly skin: number };

async function writeList(folder: string, accounts: number): Promise<readonly Person[]> {
  for (let seed = 0; seed < skins; seed++) await Bun.write(join(folder, `${seed}.png`), skinPng(seed));
  await Bun.write(join(folder, "cape.png"), capePng(3));
  const people = Array.from({ length: accounts }, (_, number) => ({
    name: `Sailor_${number}`,
    mail: `sailor${number}@example.org`,
    uuid: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    skin: number % skins,
  }));
  const rows = people.map(({ name, mail, uuid, skin }) =>
    [name, mail, "true", uuid, `${skin}.png`, skin === 0 ? "cape.png" : ""].join(),
  );
  const head = "username,mail,mail_verified,uuid,skin,cape";
  await Bun.write(join(folder, "people.csv"), `${[head, ...rows].join("\n")}\n`);
  return people;
}

/** Accounts without what belongs to them: a transaction is kept whole or not at all. */
function halves(database: DatabaseReader): readonly string[] {
  const checks = {
    "accounts without a player": "SELECT count(*) AS rows FROM accounts WHERE main_player_id IS NULL",
    "players without a skin": "SELECT count(*) AS rows FROM players WHERE selected_skin_id IS NULL",
    "accounts without a link": `
      SELECT count(*) AS rows FROM accounts WHERE NOT EXISTS (
        SELECT 1 FROM import_links WHERE kind = 'account' AND local_id = accounts.id)`,
    "links that lead nowhere": `
      SELECT count(*) AS rows FROM import_links WHERE kind = 'player' AND NOT EXISTS (
        SELECT 1 FROM players WHERE id = local_id)`,
  };
  return Object.entries(checks).flatMap(([what, statement]) => {
    const rows = Number(database.rows(statement)[0]?.["rows"]);
    return rows === 0 ? [] : [`${rows} ${what}`];
  });
}

/** How the end differs from what the list says. */
function differences(database: DatabaseReader, people: readonly Person[]): readonly string[] {
  const rows = database.rows(`
    SELECT players.name AS name, players.uuid AS uuid, accounts.mail AS mail, skins.texture_hash AS hash
    FROM players JOIN accounts ON accounts.main_player_id = players.id JOIN skins ON skins.id = players.selected_skin_id
    ORDER BY players.uuid`);
  const faults: string[] = [];
  const hashes = new Map<number, unknown>();
  if (rows.length !== people.length) faults.push(`${rows.length} people of ${people.length}`);
  for (const [place, person] of people.entries()) {
    const row = rows[place];
    const isSame =
      row?.["name"] === person.name && row["uuid"] === person.uuid && row["mail"] === person.mail;
    const hash = hashes.get(person.skin) ?? row?.["hash"];
    hashes.set(person.skin, hash);
    if (!isSame || row["hash"] !== hash) faults.push(`${person.name} is ${JSON.stringify(row)}`);
  }
  const wearers = people.filter(({ skin }) => skin === 0).length;
  const counts = {
    accounts: people.length,
    players: people.length,
    skins: people.length,
    capes: 1,
    cape_grants: wearers,
    textures: skins + 1,
  };
  for (const [table, count] of Object.entries(counts)) {
    const found = database.countRows(table);
    if (found !== count) faults.push(`${found} rows of ${table}, not ${count}`);
  }
  return [...faults.slice(0, 10), ...countFaults(database, people.length)];
}

/** Counts that are kept beside the rows, and what followers of events read. */
function countFaults(database: DatabaseReader, players: number): readonly string[] {
  const events = database.rows("SELECT type, body FROM events");
  const others = events.filter(({ type }) => type !== "community.imported");
  const told = events.reduce((all, { body }) => all + Number(JSON.parse(String(body)).players ?? 0), 0);
  const daily = database.rows("SELECT what FROM daily_counts WHERE what = 'registration'");
  return [
    ...(others.length === 0 ? [] : [`${others.length} other events`]),
    ...(events.length === 0 || told === players ? [] : [`followers read of ${told} players`]),
    ...(daily.length === 0 ? [] : ["registrations were counted"]),
  ];
}

/** Tables that a run without changes writes in. */
const written = new Set(["import_runs", "audit_entries", "audit_head", "row_counts", "sqlite_sequence"]);

type Tables = ReturnType<DatabaseReader["everything"]>;

function changedTables(before: Tables, after: Tables): readonly string[] {
  return Object.keys(after)
    .filter((table) => !written.has(table) && !table.includes("search"))
    .filter((table) => !Bun.deepEquals(before[table], after[table]))
    .map((table) => `a further run changed ${table}`);
}
