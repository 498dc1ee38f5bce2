/*
 * A community that comes from elsewhere: against the bare insertion of the same rows, against the intake of
 * the same textures alone, and beside people who use the service. `IMPORTED_ACCOUNTS` says how many accounts
 * it has, and `IMPORTED_MANY` how many the large one has whose memory is compared; a million take minutes.
 *
 *   IMPORTED_MANY=1000000 bun run bench --only import
 */
import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { applyMigrations } from "../../src/adapters/sqlite/migrations.ts";
import { createTextureImporter } from "../../src/adapters/texture-threads/texture-importer.ts";
import { openThreadPool } from "../../src/adapters/texture-threads/thread-pool.ts";
import { loadConfig } from "../../src/boot/config.ts";
import { dataFolder } from "../../src/boot/data-folder.ts";
import { openTextures } from "../../src/boot/textures.ts";
import { bucketMissing, testBucket, type TestBucket } from "../support/bucket.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { jwtSecret, password, type SignedIn } from "./accounts-data.ts";
import { requestText } from "./http.bench.ts";
import { insertBare, insertBareOnPostgres, writeList } from "./import-data.ts";
import { startLoad } from "./peer.ts";
import { fillBoth, isPostgresMissing } from "./postgres-data.ts";
import { digits, type Line } from "./report.ts";
import type { Server, Subject } from "./subject.ts";

const accounts = Number(process.env["IMPORTED_ACCOUNTS"] ?? 100_000);
const many = Number(process.env["IMPORTED_MANY"] ?? 100_000);
const few = 10_000;
const textures = 2_000;
/** What comes while others use the service: more than comes within the seconds that are measured. */
const beside = 60_000;
const filesAtOnce = 8;

type Settings = Readonly<Record<string, string>>;

/** Leaves out what needs a server that is not there, and says so. */
export async function benchImport(subject: Subject): Promise<readonly Line[]> {
  const folder = join(subject.folder, "moving-in");
  const list = await writeList(join(folder, "list"), accounts);
  const hasPostgres = !isPostgresMissing("import on PostgreSQL");
  return [
    ...(await compareRows(subject, folder, list)),
    ...(hasPostgres ? await compareRowsOnPostgres(subject, folder, list) : []),
    ...(await compareTextures(subject, folder)),
    ...(await compareMemory(subject, folder)),
    ...(await measureBeside(subject, folder, hasPostgres)),
  ];
}

type Ran = { readonly seconds: number; readonly mebibytes: number };

function importList(subject: Subject, list: string, settings: Settings): Promise<Ran> {
  return runCommand(subject, ["import", "--from", "csv", "--file", list, "--json"], settings);
}

/** Runs the command as an operator does. */
async function runCommand(subject: Subject, args: readonly string[], settings: Settings): Promise<Ran> {
  const start = performance.now();
  const child = Bun.spawn([subject.binary, ...args], {
    env: { JWT_SECRET: jwtSecret, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let kibibytes = 0;
  // What the system counts for a process that ended includes the bench, of which it was a copy for a moment.
  const looking = setInterval(() => {
    kibibytes = Math.max(kibibytes, peakOf(child.pid));
  }, 20);
  const [error, code] = await Promise.all([child.stderr.text(), child.exited]);
  clearInterval(looking);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${error}`);
  return { seconds: (performance.now() - start) / 1000, mebibytes: kibibytes / 1024 };
}

/** The most memory that a process had so far; 0 once it has ended. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(?<kibibytes>\d+) kB$/m.exec(status)?.groups?.["kibibytes"] ?? 0);
  } catch {
    return 0;
  }
}

async function compareRows(subject: Subject, folder: string, list: string): Promise<readonly Line[]> {
  const data = join(folder, "rows");
  const first = await importList(subject, list, { DATA_DIR: data });
  const second = await importList(subject, list, { DATA_DIR: data });
  const bare = join(folder, "bare.db");
  using database = new Database(bare, { create: true });
  applyMigrations(database);
  database.close(true);
  return linesOfRows("SQLite", { first, second, bare: insertBare(join(data, "cloakroom.db"), bare) });
}

async function compareRowsOnPostgres(
  subject: Subject,
  folder: string,
  list: string,
): Promise<readonly Line[]> {
  await using made = await testDatabase();
  await using empty = await testDatabase();
  const settings = { DATA_DIR: join(folder, "rows-postgres"), DATABASE_URL: made.url };
  const first = await importList(subject, list, settings);
  const second = await importList(subject, list, settings);
  return linesOfRows("PostgreSQL", { first, second, bare: await insertBareOnPostgres(made.url, empty.url) });
}

function linesOfRows(
  engine: string,
  { first, second, bare }: { readonly first: Ran; readonly second: Ran; readonly bare: number },
): readonly Line[] {
  const count = accounts.toLocaleString("en");
  return [
    {
      measure: `import of accounts without textures, ${engine}, against inserting the same rows`,
      goal: { atLeast: 0.3 },
      measured: bare / first.seconds,
      unit: "of bare",
      detail: `${count} accounts in ${digits(first.seconds)} s, bare in ${digits(bare)} s`,
    },
    {
      measure: `a second import without changes, ${engine}, against the first`,
      goal: { atMost: 0.3 },
      measured: second.seconds / first.seconds,
      unit: "times as much",
      detail: `${digits(second.seconds)} s`,
    },
  ];
}

async function compareTextures(subject: Subject, folder: string): Promise<readonly Line[]> {
  const list = await writeList(join(folder, "dressed"), textures, true);
  const disk = { folder, list, where: "disk", alone: {}, imported: {} };
  const lines = [await compareIntake(subject, disk)];
  if (bucketMissing !== null) {
    console.error(`bench: NOT RUN: import into a bucket (${bucketMissing})`);
    return lines;
  }
  // A community's each.
  await using one = await testBucket();
  await using other = await testBucket();
  const settings = { alone: settingsOf(one), imported: settingsOf(other) };
  return [...lines, await compareIntake(subject, { folder, list, where: "bucket", ...settings })];
}

function settingsOf({ url, endpoint, region, accessKeyId, secretAccessKey }: TestBucket): Settings {
  return {
    BLOBS: url,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

type Intake = {
  readonly folder: string;
  readonly list: string;
  readonly where: string;
  readonly alone: Settings;
  readonly imported: Settings;
};

async function compareIntake(subject: Subject, { folder, list, where, ...settings }: Intake): Promise<Line> {
  const alone = await takeIn(join(folder, `alone-${where}`), join(list, ".."), settings.alone);
  const data = join(folder, `dressed-${where}`);
  const { seconds } = await importList(subject, list, { ...settings.imported, DATA_DIR: data });
  return {
    measure: `import of textures, ${where}, against the intake alone`,
    goal: { atLeast: 0.7 },
    measured: alone / seconds,
    unit: "of bare",
    detail: `${textures} in ${digits(seconds)} s, alone in ${digits(alone)} s`,
  };
}

/** Checks, encodes and stores the files of a folder, as uploads do. Returns the seconds. */
async function takeIn(dataDir: string, from: string, settings: Settings): Promise<number> {
  await mkdir(dataDir, { recursive: true });
  const { config } = await loadConfig({
    flags: { DATA_DIR: dataDir },
    environment: { JWT_SECRET: jwtSecret, ...settings },
    file: null,
    logsToTerminal: false,
    serving: false,
  });
  const { blobs, prepare } = await openTextures(config, dataFolder(dataDir), {
    communityId: async () => "bench",
  });
  await using threads = openThreadPool("imports");
  const importer = createTextureImporter(threads, config.rules.textures);
  await prepare();
  const files = (await readdir(from)).filter((name) => name.endsWith(".png")).values();
  const start = performance.now();
  const takeSome = async (): Promise<void> => {
    for (const name of files) {
      const { png, texture } = await importer.skin(await Bun.file(join(from, name)).bytes(), null, "bench");
      await blobs.put(texture.hash, png);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, takeSome));
  return (performance.now() - start) / 1000;
}

/** Of the import, and of an export of what came. */
async function compareMemory(subject: Subject, folder: string): Promise<readonly Line[]> {
  const measure = async (count: number) => {
    const list = await writeList(join(folder, `list-${count}`), count);
    const settings = { DATA_DIR: join(folder, `memory-${count}`) };
    const imported = await importList(subject, list, settings);
    const file = join(folder, `memory-${count}.tar.zst`);
    const exported = await runCommand(subject, ["export", file, "--with-hashes"], settings);
    return { imported, exported };
  };
  const small = await measure(few);
  const large = await measure(many);
  return [
    memoryLine("import", 1.5, [small.imported, large.imported]),
    memoryLine("export", 1.3, [small.exported, large.exported]),
  ];
}

function memoryLine(what: string, atMost: number, [small, large]: readonly [Ran, Ran]): Line {
  return {
    measure: `memory of a large ${what} against a small one`,
    goal: { atMost },
    measured: large.mebibytes / small.mebibytes,
    unit: "times as much",
    detail: `${digits(large.mebibytes)} MiB with ${many.toLocaleString("en")} accounts, ${digits(small.mebibytes)} MiB with ${few.toLocaleString("en")}`,
  };
}

async function measureBeside(
  subject: Subject,
  folder: string,
  hasPostgres: boolean,
): Promise<readonly Line[]> {
  if (!hasPostgres) return [];
  const list = await writeList(join(folder, "beside"), beside);
  await using both = await fillBoth(subject, { accounts: 3000, signedIn: 200 });
  const lines: Line[] = [];
  {
    await using server = await both.onSqlite();
    const settings = { DATA_DIR: both.files };
    lines.push(
      ...(await measureUse(subject, { list, settings, servers: [server], what: "a server", ...both })),
    );
  }
  await using one = await both.onPostgres();
  await using other = await both.onPostgres();
  const settings = { DATA_DIR: both.node, DATABASE_URL: both.url };
  const nodes = { list, settings, servers: [one, other], what: "two nodes", ...both };
  return [...lines, ...(await measureUse(subject, nodes))];
}

type Use = {
  readonly list: string;
  readonly settings: Settings;
  readonly servers: readonly Server[];
  readonly members: readonly SignedIn[];
  readonly what: string;
};

/** Pictures and sign-ins while an import runs, which ends with what is measured. */
async function measureUse(
  subject: Subject,
  { list, settings, servers, members, what }: Use,
): Promise<readonly Line[]> {
  const idle = await picturesOf(servers, members);
  const child = Bun.spawn([subject.binary, "import", "--from", "csv", "--file", list, "--json"], {
    env: { JWT_SECRET: jwtSecret, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await Bun.sleep(untilAppliedMs);
    const busy = await picturesOf(servers, members);
    const signIns = await signInsAt(servers, members);
    if (child.exitCode !== null) throw new Error("The import ended before all was measured");
    return [
      {
        measure: `cached pictures of ${what} while an import runs, against idle`,
        goal: { atLeast: 0.5 },
        measured: busy / idle,
        unit: "of calm",
        detail: `${Math.round(busy)} a second, idle ${Math.round(idle)}`,
      },
      {
        measure: `the slowest sign-in at ${what} meanwhile`,
        goal: { atMost: 2000 },
        measured: signIns.slowest,
        unit: "ms",
        detail: `of ${signIns.times}, ${signIns.failed} of which failed`,
      },
    ];
  } finally {
    child.kill();
    await child.exited;
  }
}

/** The plan of so many accounts is made by then. */
const untilAppliedMs = 15_000;

async function picturesOf(servers: readonly Server[], members: readonly SignedIn[]): Promise<number> {
  using load = startLoad();
  const path = `/api/skin/head/${members[1]?.uuid}?size=100`;
  let all = 0;
  for (const { port, url } of servers) {
    const { status } = await fetch(url + path);
    const job = { request: requestText(path), status, connections: 32, pace: "full" } as const;
    await load.ask({ ...job, port, milliseconds: 500 });
    all += (await load.ask({ ...job, port, milliseconds: 2000 })).perSecond;
  }
  return all;
}

async function signInsAt(servers: readonly Server[], members: readonly SignedIn[]) {
  const times: number[] = [];
  let failed = 0;
  const end = performance.now() + 5_000;
  for (let number = 0; performance.now() < end; number++) {
    const { mail = "" } = members[number % members.length] ?? {};
    const start = performance.now();
    const answer = await fetch(`${servers[number % servers.length]?.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: mail, password }),
    });
    times.push(performance.now() - start);
    if (!answer.ok) failed += 1;
    await answer.body?.cancel();
  }
  return { slowest: Math.max(...times), times: times.length, failed };
}
