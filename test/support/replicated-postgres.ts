/*
 * Two PostgreSQL servers with streaming replication, for tests that lose one: the standby is a copy of the
 * primary's folder and is synchronous, so that what the primary has acknowledged is on both. Both wait for
 * the disk (fsync), as in operation.
 */
import { SQL } from "bun";
import { appendFile, chmod, chown, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeCluster, startPostgres, superuserAddress, type PostgresStart } from "./postgres-program.ts";
import { freePort, isRoot, ordinary, runFolder, type RunningServerProcess } from "./run-servers.ts";

export type PostgresServer = {
  readonly port: number;
  /** With the superuser's password, and the database that is always there. */
  readonly url: string;
  /** With settings of this start alone. */
  readonly start: (settings?: PostgresStart["settings"]) => Promise<void>;
  /** Ends it at once and leaves its folder as after a loss of power: every process of it is killed. */
  readonly kill: () => Promise<void>;
  /** It neither answers nor ends: all of its processes are held. */
  readonly pause: () => void;
  readonly resume: () => void;
};

export type ReplicatedPostgres = AsyncDisposable & {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The address of a database on the pair, as `DATABASE_URL` takes it. */
  readonly url: (database: string) => string;
  /** Makes an empty database, and waits until the standby has it. */
  readonly makeDatabase: (name: string) => Promise<void>;
  /** Makes the standby the server that takes writes. */
  readonly promote: () => Promise<void>;
};

/**
 * Starts both and waits until the standby is synchronous. They end with the run, or when this is disposed of.
 */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  await using opened = new AsyncDisposableStack();
  const folder = join(runFolder(), `replicated-${crypto.randomUUID()}`);
  await mkdir(folder);
  // The product narrows the mask of the process, and servers run as another user.
  await chmod(folder, 0o755);
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
  const [port, standbyPort] = [freePort(), freePort()];
  await makeCluster(join(folder, "primary"), password);
  await copyAsStandby(folder, superuserAddress(port, password));
  const common = { wal_level: "replica", max_wal_senders: "10", wal_keep_size: "512MB" };
  const primary = opened.use(
    serverOf({
      data: join(folder, "primary"),
      log: join(folder, "primary.log"),
      url: superuserAddress(port, password),
      settings: { ...common, synchronous_standby_names: "*" },
    }),
  );
  const standby = opened.use(
    serverOf({
      data: join(folder, "standby"),
      log: join(folder, "standby.log"),
      url: superuserAddress(standbyPort, password),
      settings: {
        ...common,
        hot_standby: "on",
        // Once a second is enough to find the primary again.
        wal_retrieve_retry_interval: "1s",
      },
    }),
  );
  await primary.start();
  await standby.start();
  await untilThere(primary.url, "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')");
  const closing = opened.move();
  return {
    primary,
    standby,
    url: (database) =>
      superuserAddress(port, password).replace(/\/postgres$/, `,127.0.0.1:${standbyPort}/${database}`),
    makeDatabase: async (name) => {
      await statement(primary.url, `CREATE DATABASE ${name}`);
      await untilThere(standby.url, `SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    },
    promote: () => statement(standby.url, "SELECT pg_promote(true, 60)"),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** The copy of a cluster that never ran is a standby of it, once it is said so. */
async function copyAsStandby(folder: string, primary: string): Promise<void> {
  const [from, to] = [join(folder, "primary"), join(folder, "standby")];
  const { exitCode, stderr } = Bun.spawnSync(["cp", "-a", from, to]);
  if (exitCode !== 0) throw new Error(`the copy failed: ${stderr.toString()}`);
  const { port, username, password } = new URL(primary);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  await appendFile(join(to, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  await writeFile(join(to, "standby.signal"), "");
  if (isRoot) await chown(join(to, "standby.signal"), ordinary.uid, ordinary.gid);
}

function serverOf(start: PostgresStart): PostgresServer & AsyncDisposable {
  let running: RunningServerProcess | null = null;
  const processes = () => (running === null ? [] : [running.pid, ...childrenOf(running.pid)]);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes()) send(pid, name);
  };
  return {
    port: Number(new URL(start.url).port),
    url: start.url,
    start: async (settings = {}) =>
      void (running = await startPostgres({ ...start, settings: { ...start.settings, ...settings } })),
    kill: async () => {
      if (running === null) return;
      // Held first, so that it starts no process meanwhile.
      send(running.pid, "SIGSTOP");
      signal("SIGKILL");
      await running[Symbol.asyncDispose]();
      running = null;
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    [Symbol.asyncDispose]: async () => {
      signal("SIGCONT");
      await running?.[Symbol.asyncDispose]();
    },
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function childrenOf(parent: number): readonly number[] {
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid="]);
  const rows = stdout.toString().trim().split("\n");
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, of]) => (of === parent ? [pid] : []));
}

/** Waits until the statement finds a row, a minute at most. */
async function untilThere(url: string, text: string): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  for (let tries = 0; tries < 600; tries++) {
    if ((await sql.unsafe(text)).length > 0) return;
    await Bun.sleep(100);
  }
  throw new Error(`found nothing: ${text}`);
}

async function statement(url: string, text: string): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  await sql.unsafe(text);
}
