/*
 * MariaDB for tests, where Debian's `mariadb-server` is installed: one server a run, a database of its own
 * for each test that asks. It is a system that a community comes from, never one of ours.
 */
import { SQL } from "bun";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { asOrdinary, freePort, isRoot, ordinary, setpriv, sharedServer, startKept } from "./run-servers.ts";

const installer = Bun.which("mariadb-install-db");
const program = Bun.which("mariadbd", { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/libexec` });

/** Why no test can have a MariaDB here; null when each can. */
export const mariadbMissing: string | null = reasonAgainst();

function reasonAgainst(): string | null {
  if (installer === null || program === null) return "mariadb-server is not installed";
  return isRoot && setpriv === null ? "MariaDB does not run as root, and setpriv is missing" : null;
}

export type MariaDatabase = AsyncDisposable & {
  readonly name: string;
  readonly port: number;
  /** As the server's own superuser. */
  readonly sql: SQL;
};

/** Makes an empty database, which goes when it is disposed of. */
export async function emptyMariaDatabase(): Promise<MariaDatabase> {
  const port = await sharedServer({ name: "mariadb", start: startServer });
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await using server = clientOf(port, "mysql");
  await server.unsafe(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  const sql = clientOf(port, name);
  return {
    name,
    port,
    sql,
    [Symbol.asyncDispose]: async () => {
      await sql.unsafe(`DROP DATABASE ${name}`);
      await sql.close({ timeout: 0 });
    },
  };
}

function clientOf(port: number, database: string): SQL {
  return new SQL(`mysql://127.0.0.1:${port}`, {
    adapter: "mysql",
    username: "root",
    password: "",
    database,
    max: 1,
    tls: false,
    connectionTimeout: 30,
  });
}

/** Its temporary files are in its own folder: a server that starts removes those of others beside it. */
async function startServer(folder: string): Promise<number> {
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  if (isRoot) for (const path of [folder, data]) await chown(path, ordinary.uid, ordinary.gid);
  const install = [
    ...asOrdinary(),
    installer ?? "",
    "--no-defaults",
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ];
  const made = Bun.spawn(install, { cwd: "/", stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [error, code] = await Promise.all([made.stderr.text(), made.exited, made.stdout.text()]);
  if (code !== 0) throw new Error(`mariadb-install-db failed: ${error}`);
  const port = freePort();
  const command = [
    program ?? "",
    "--no-defaults",
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    `--socket=${join(folder, "socket")}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    "--skip-name-resolve",
    "--innodb-buffer-pool-size=32M",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-doublewrite=0",
  ];
  await startKept({
    command,
    log: join(folder, "log"),
    signal: "SIGKILL",
    givesUpRoot: true,
    isReady: () => answers(port),
  });
  return port;
}

async function answers(port: number): Promise<boolean> {
  try {
    await using sql = clientOf(port, "mysql");
    await sql.unsafe("SELECT 1");
    return true;
  } catch {
    return false;
  }
}
