/*
 * docs/operate/one-primary.sh, but for its paths and TLS, before a primary and a standby of Debian's
 * PostgreSQL 15: which of them may start, from the first day to the one after a failover.
 */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../nodes/node-processes.ts";
import { asOrdinary, freePort, isRoot, ordinary, runFolder, startKept } from "../support/run-servers.ts";
import { projectRoot } from "../tidy/project-files.ts";

const bin = "/usr/lib/postgresql/15/bin";
const programs = ["initdb", "postgres", "pg_basebackup", "pg_controldata", "psql"];
const missing = programs.every((name) => existsSync(join(bin, name)))
  ? null
  : "Debian's postgresql-15 is not installed";
if (missing !== null) console.error(`NOT RUN: the guard of the primary (${missing})`);

type Server = { readonly data: string; readonly port: number };

/** Runs a program as the user of the servers. */
function begin(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { PATH: `${bin}:/usr/bin:/bin`, ...environment };
  return Bun.spawn([...asOrdinary(), ...command], { cwd: "/", env, stdout: "pipe", stderr: "pipe" });
}

async function done(...command: readonly string[]): Promise<void> {
  const child = begin(command);
  const [error, code] = await Promise.all([child.stderr.text(), child.exited, child.stdout.text()]);
  if (code !== 0) throw new Error(`${command[0]}: ${error}`);
}

const conninfo = ({ port }: Server) => `host=127.0.0.1 port=${port} user=postgres`;

const startServer = ({ data, port }: Server) =>
  startKept({
    command: [join(bin, "postgres"), "-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", ""],
    log: `${data}.log`,
    signal: "SIGQUIT",
    givesUpRoot: true,
    isReady: async () => (await begin(["psql", "-c", "SELECT 1", conninfo({ data, port })]).exited) === 0,
  });

/** A primary and its standby, as point 3 of the guide makes it; both are stopped. */
async function openPair() {
  const folder = join(runFolder(), `one-primary-${crypto.randomUUID()}`);
  await mkdir(folder);
  // The product narrows the mask of the process, and servers run as another user.
  await chmod(folder, 0o755);
  if (isRoot) await chown(folder, ordinary.uid, ordinary.gid);
  const primary = { data: join(folder, "primary"), port: freePort() };
  const standby = { data: join(folder, "standby"), port: freePort() };
  await done("initdb", "-D", primary.data, "-U", "postgres", "-A", "trust", "--no-sync", "--no-instructions");
  await using _running = await startServer(primary);
  const copy = ["-D", standby.data, "-R", "-c", "fast", "-C", "-S", "standby", "-d", conninfo(primary)];
  await done("pg_basebackup", "--no-sync", ...copy);
  return {
    folder,
    primary,
    standby,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }),
  };
}

/** Begins the script as before a start of `own`, which asks `other`. */
async function beginGuard(folder: string, own: Server, other: Server) {
  const text = await Bun.file(join(projectRoot, "docs/operate/one-primary.sh")).text();
  const script = text
    .replace("data=/var/lib/postgresql/15/main", `data=${own.data}`)
    .replace("override=/run/postgresql/", `override=${folder}/`)
    .replace(/user=replicator (.*) sslmode=verify-full sslrootcert=\S+ca\.crt/, "user=postgres $1");
  return begin(["sh", "-c", script, "one-primary", "127.0.0.1"], { PGPORT: String(other.port) });
}

async function guard(folder: string, own: Server, other: Server) {
  const child = await beginGuard(folder, own, other);
  const [code, error] = await Promise.all([child.exited, child.stderr.text()]);
  return { code, error };
}

test.skipIf(missing !== null)(
  "a primary starts beside its standby, waits for one that does not answer, and does not start when that one was promoted",
  async () => {
    await using pair = await openPair();
    const { folder, primary, standby } = pair;
    const mayStart = { code: 0, error: "" };
    expect(await guard(folder, standby, primary)).toEqual(mayStart);

    const waiting = await beginGuard(folder, primary, standby);
    const reader = waiting.stderr.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value ?? []).toString()).toStartWith(
      "waiting for 127.0.0.1, which may have been promoted",
    );
    await Bun.write(join(folder, "others-are-off"), "");
    expect(await waiting.exited).toBe(0);
    expect(existsSync(join(folder, "others-are-off"))).toBe(false);

    await using _standby = await startServer(standby);
    expect(await guard(folder, primary, standby)).toEqual(mayStart);
    await done("psql", "-q", "-c", "SELECT pg_promote()", conninfo(standby));
    await until(async () => (await guard(folder, primary, standby)).code === 1);
    expect((await guard(folder, primary, standby)).error).toStartWith(
      "127.0.0.1 was promoted: it is on timeline 2, this server on 1.",
    );
    // It has no standby yet that could have been promoted, so it waits for no other server.
    expect(await guard(folder, standby, primary)).toEqual(mayStart);
  },
  60_000,
);
