/*
 * PgBouncer in transaction mode and HAProxy, which Debian has as packages, for the longer runs. Each ends
 * with the run, or when it is disposed of.
 */
import { chmod, chown, mkdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort, isRoot, ordinary, runFolder, startKept } from "./run-servers.ts";

/** Programs of root's own folders are found as well. */
const find = (name: string) =>
  Bun.which(name, { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/local/sbin` });

const pgbouncer = find("pgbouncer");
const haproxy = find("haproxy");

/** Why PgBouncer cannot run here; null when it can. */
export const pgbouncerMissing =
  pgbouncer === null ? "pgbouncer is not installed (apt install pgbouncer)" : null;
/** Why HAProxy cannot run here; null when it can. */
export const haproxyMissing = haproxy === null ? "haproxy is not installed (apt install haproxy)" : null;

export type Pooler = AsyncDisposable & {
  /** The address through it. */
  readonly url: string;
};

type PgbouncerOptions = {
  readonly mode?: "transaction" | "session";
  /** Settings that clients send at connect, of which it takes no notice; it refuses others. */
  readonly ignored?: string;
};

const usuallyIgnored =
  "extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

/**
 * Puts PgBouncer, unless told otherwise in transaction mode, before the server of the address, with four
 * connections of its own for each database.
 */
export async function startPgbouncer(
  url: string,
  { mode = "transaction", ignored = usuallyIgnored }: PgbouncerOptions = {},
): Promise<Pooler> {
  if (pgbouncer === null) throw new Error(pgbouncerMissing ?? "");
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await ownFolder("pgbouncer"));
  const { hostname, port, username, password } = new URL(url);
  const listening = freePort();
  await folder.write("users", `"${username}" "${decodeURIComponent(password)}"\n`);
  const settings = await folder.write(
    "pgbouncer.ini",
    [
      "[databases]",
      `* = host=${hostname} port=${port || "5432"}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${listening}`,
      "unix_socket_dir =",
      "auth_type = plain",
      `auth_file = ${folder.path}/users`,
      `pool_mode = ${mode}`,
      `default_pool_size = ${mode === "session" ? 40 : 4}`,
      `ignore_startup_parameters = ${ignored}`,
    ].join("\n"),
  );
  opened.use(
    await startKept({
      command: [pgbouncer, settings],
      log: join(folder.path, "log"),
      signal: "SIGTERM",
      givesUpRoot: true,
      isReady: () => listens(listening),
    }),
  );
  const through = new URL(url);
  through.host = `127.0.0.1:${listening}`;
  const closing = opened.move();
  return { url: through.href, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

export type Balancer = AsyncDisposable & { readonly port: number };

/**
 * Puts HAProxy before HTTP servers on these ports of the loopback address. It asks `/health/ready` every 200
 * ms, and a request whose connection is refused goes to another server.
 */
export function startHaproxy(ports: readonly number[]): Promise<Balancer> {
  const port = freePort();
  return runHaproxy(
    port,
    [
      "defaults",
      "  mode http",
      "  timeout connect 2s",
      // Without it a check may take as long as the time between two, which on a busy machine takes out all
      // nodes at once.
      "  timeout check 2s",
      "  timeout client 60s",
      "  timeout server 60s",
      "  option redispatch",
      "  retries 3",
      "frontend all",
      `  bind 127.0.0.1:${port}`,
      "  default_backend nodes",
      "backend nodes",
      "  balance roundrobin",
      "  option httpchk GET /health/ready",
      ...ports.map((one, index) => `  server node${index} 127.0.0.1:${one} check inter 200ms fall 1 rise 1`),
      "",
    ].join("\n"),
  );
}

/**
 * Runs HAProxy with this configuration, which has it listen on this port of the loopback address, and name
 * the certificate `certificate.pem` where it has one.
 */
export async function runHaproxy(port: number, configuration: string, certificate = ""): Promise<Balancer> {
  if (haproxy === null) throw new Error(haproxyMissing ?? "");
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await ownFolder("haproxy"));
  const settings = await folder.write("haproxy.cfg", configuration);
  await folder.write("certificate.pem", certificate);
  opened.use(
    await startKept({
      command: [haproxy, "-db", "-C", folder.path, "-f", settings],
      log: join(folder.path, "log"),
      signal: "SIGTERM",
      givesUpRoot: true,
      isReady: () => listens(port),
    }),
  );
  const closing = opened.move();
  return { port, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** A folder that the program can read without root's rights, and no other user. */
async function ownFolder(name: string) {
  const path = join(runFolder(), `${name}-${crypto.randomUUID()}`);
  await mkdir(path);
  await give(path, 0o700);
  return {
    path,
    write: async (file: string, text: string) => {
      await writeFile(join(path, file), text);
      await give(join(path, file), 0o600);
      return join(path, file);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

async function give(file: string, mode: number): Promise<void> {
  await chmod(file, mode);
  if (isRoot) await chown(file, ordinary.uid, ordinary.gid);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
