/* A member of a cluster under Patroni, with the files that the page gives it. */
import { chmod, chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { projectRoot } from "../tidy/project-files.ts";
import { openFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { asOrdinary, isRoot, ordinary, startKept, type RunningServerProcess } from "./run-servers.ts";

/** Debian's, as the page names them. */
export const postgresPrograms = "/usr/lib/postgresql/15/bin";

/** In seconds, in the page's words. */
export type Timing = { readonly ttl: number; readonly loopWait: number; readonly retryTimeout: number };

type Part = "postgres" | "patroni" | "etcd";

/** One machine of the cluster: its etcd, its Patroni and its PostgreSQL. */
export class PatroniMember {
  readonly name: string;
  readonly address: string;
  readonly #folder: string;
  readonly #ways: FaultProxy[] = [];
  #etcdSettings: Readonly<Record<string, string>> = {};
  #etcd: RunningServerProcess | null = null;
  #patroni: RunningServerProcess | null = null;
  #frozen: readonly number[] = [];

  constructor(name: string, address: string, folder: string) {
    this.name = name;
    this.address = address;
    this.#folder = folder;
  }

  /** Writes its certificate and the files of etcd and Patroni. */
  async prepare(network: string, timing: Timing | undefined): Promise<void> {
    for (const place of ["", "etc", "etcd", "run"]) await makeFolder(join(this.#folder, place), 0o700);
    await this.#makeCertificate();
    const etcd = (await this.#filled("etcd.env", network))
      .replaceAll("/var/lib/etcd", join(this.#folder, "etcd"))
      .replaceAll("/etc/etcd", join(this.#folder, "etc"));
    this.#etcdSettings = Object.fromEntries(
      [...etcd.matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
    );
    for (const number of [1, 2, 3])
      this.#ways.push(await openFaultProxy({ target: { host: `${network}.1${number}`, port: 2379 } }));
    const ways = this.#ways.map(({ port }) => `127.0.0.1:${port}`).join(", ");
    const config = timed(await this.#filled("config.yml", network), timing)
      // Patroni would find etcd's own addresses otherwise, and pass the proxies by.
      .replace(/^ {2}hosts: .*$/m, `  hosts: [${ways}]\n  use_proxies: true`)
      .replaceAll("/etc/patroni", join(this.#folder, "etc"))
      .replace("/var/lib/postgresql/15/patroni", this.#data)
      .replace("/var/lib/postgresql/.pgpass-patroni", join(this.#folder, "pgpass"))
      .replace("/run/postgresql", join(this.#folder, "run"))
      // It is another user's process here, in a folder that only this user may enter.
      .replace(/\bpeer$/m, "trust");
    await this.#write("etc/config.yml", config);
  }

  /** A file with the values of this member. */
  async #filled(name: string, network: string): Promise<string> {
    const read = (password: string) => readFile(join(this.#folder, "..", password), "utf8");
    const text = (await fileOf(name))
      .replaceAll("_NAME_", this.name)
      .replaceAll("_ADDRESS_", this.address)
      .replaceAll("_REPLICATION_PASSWORD_", await read("replication-password"))
      .replaceAll("_REWIND_PASSWORD_", await read("rewind-password"));
    return addressed(text, network);
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  async startEtcd(): Promise<void> {
    this.#etcd = await startKept({
      command: ["etcd"],
      environment: { PATH: process.env["PATH"] ?? "", ...this.#etcdSettings },
      log: join(this.#folder, "etcd.log"),
      signal: "SIGKILL",
      givesUpRoot: true,
      isReady: () => this.#etcdIsWell(),
    });
  }

  /** It has found the others, and one of them leads. */
  async #etcdIsWell(): Promise<boolean> {
    const read = (name: string) => readFile(join(this.#folder, "etc", name), "utf8");
    const [ca, cert, key] = [await read("ca.crt"), await read("server.crt"), await read("server.key")];
    const signal = AbortSignal.timeout(2000);
    return fetch(`https://${this.address}:2379/health`, {
      tls: { ca, cert, key },
      signal,
      keepalive: false,
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Starts Patroni, which starts PostgreSQL. */
  async start(): Promise<void> {
    this.#patroni = await startKept({
      command: ["patroni", join(this.#folder, "etc/config.yml")],
      environment: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" },
      log: join(this.#folder, "patroni.log"),
      signal: "SIGTERM",
      givesUpRoot: true,
      isReady: () => listens(this.address, 8008),
    });
  }

  /** Kills these of its processes at once, as a loss of power does. */
  async kill(...parts: readonly Part[]): Promise<void> {
    const pids = await this.#pids(parts);
    // Held first, so that no process is started meanwhile.
    for (const signal of ["SIGSTOP", "SIGKILL"] as const) for (const pid of pids) send(pid, signal);
    if (parts.includes("patroni")) await this.#patroni?.[Symbol.asyncDispose]();
    if (parts.includes("etcd")) await this.#etcd?.[Symbol.asyncDispose]();
  }

  async freeze(...parts: readonly Part[]): Promise<void> {
    this.#frozen = await this.#pids(parts);
    for (const pid of this.#frozen) send(pid, "SIGSTOP");
  }

  /** Lets all run on that was frozen. */
  async thaw(): Promise<void> {
    for (const pid of this.#frozen) send(pid, "SIGCONT");
    this.#frozen = [];
  }

  /** Its Patroni reaches no etcd any more, and others reach it. */
  cutFromEtcd(): void {
    for (const way of this.#ways) {
      way.refuse();
      way.cut();
    }
  }

  async heal(): Promise<void> {
    for (const way of this.#ways) await way.heal();
  }

  /** The lines that Patroni and PostgreSQL have written since Patroni's last start. */
  log(): Promise<string> {
    return readFile(join(this.#folder, "patroni.log"), "utf8");
  }

  /** As PostgreSQL's superuser. */
  async sql(text: string): Promise<string> {
    const given = ["-h", join(this.#folder, "run"), "-U", "postgres", "-X", "-At", "-c", text];
    return outputOf([join(postgresPrograms, "psql"), ...given, "postgres"]);
  }

  patronictl(words: readonly string[]): Promise<string> {
    return outputOf(["patronictl", "-c", join(this.#folder, "etc/config.yml"), ...words]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.thaw();
    await this.kill("patroni", "postgres", "etcd");
    for (const way of this.#ways) await way[Symbol.asyncDispose]();
  }

  async #pids(parts: readonly Part[]): Promise<readonly number[]> {
    const of = {
      patroni: async () => (this.#patroni === null || this.#patroni.hasEnded() ? [] : [this.#patroni.pid]),
      etcd: async () => (this.#etcd === null || this.#etcd.hasEnded() ? [] : [this.#etcd.pid]),
      postgres: () => this.#postgresPids(),
    };
    const found: number[] = [];
    // PostgreSQL last: Patroni would start it again.
    for (const part of parts.toSorted()) found.push(...(await of[part]()));
    return found;
  }

  /** The server's processes; empty when it does not run. */
  async #postgresPids(): Promise<readonly number[]> {
    const file = await readFile(join(this.#data, "postmaster.pid"), "utf8").catch(() => "");
    const server = Number(file.split("\n", 1)[0]);
    const rows = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid=,comm="]).stdout.toString().trim().split("\n");
    const processes = rows.map((row) => row.trim().split(/\s+/));
    if (!processes.some(([pid, , name]) => Number(pid) === server && name === "postgres")) return [];
    const children = processes.filter(([, parent]) => Number(parent) === server);
    return [server, ...children.map(([pid]) => Number(pid))];
  }

  async #makeCertificate(): Promise<void> {
    const [key, request] = [join(this.#folder, "etc/server.key"), join(this.#folder, "request")];
    const authority = join(this.#folder, "..", "ca");
    const names = `subjectAltName=DNS:${this.name}.example.org,IP:${this.address},IP:127.0.0.1`;
    await this.#write("names", names);
    const kind = [
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-subj",
      `/CN=${this.name}`,
    ];
    await Bun.$`openssl req ${kind} -keyout ${key} -out ${request}`.quiet();
    const signing = [
      "-CA",
      `${authority}.crt`,
      "-CAkey",
      `${authority}.key`,
      "-CAcreateserial",
      "-days",
      "2",
    ];
    const certificate = join(this.#folder, "etc/server.crt");
    await Bun.$`openssl x509 -req -in ${request} ${signing} -out ${certificate} -extfile ${join(this.#folder, "names")}`.quiet();
    await this.#write("etc/ca.crt", await readFile(`${authority}.crt`, "utf8"));
    for (const file of [key, certificate]) await give(file, 0o600);
  }

  async #write(name: string, text: string): Promise<void> {
    await writeFile(join(this.#folder, name), text);
    await give(join(this.#folder, name), 0o600);
  }
}

/** A file that operators install. */
export function fileOf(name: string): Promise<string> {
  return readFile(join(projectRoot, "docs/operate/patroni", name), "utf8");
}

/** What leaves a loopback address has 127.0.0.1 as its own. */
export function addressed(text: string, network: string): string {
  return text
    .replaceAll(/(?<!verifyhost )\bdb(\d)\.example\.org/g, `${network}.1$1`)
    .replaceAll("10.0.0.0/24", "127.0.0.0/8");
}

function timed(config: string, timing: Timing | undefined): string {
  if (timing === undefined) return config;
  return config
    .replace(/ttl: \d+/, `ttl: ${timing.ttl}`)
    .replace(/loop_wait: \d+/, `loop_wait: ${timing.loopWait}`)
    .replace(/retry_timeout: \d+/, `retry_timeout: ${timing.retryTimeout}`);
}

/** Makes a folder that the servers can read. */
export async function makeFolder(path: string, mode = 0o755): Promise<void> {
  await mkdir(path, { recursive: true });
  // The product narrows the mask of the process, and servers run as another user.
  await give(path, mode);
}

async function give(file: string, mode: number): Promise<void> {
  await chmod(file, mode);
  if (isRoot) await chown(file, ordinary.uid, ordinary.gid);
}

async function outputOf(command: readonly string[]): Promise<string> {
  const run = Bun.spawn([...asOrdinary(), ...command], {
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${error}${out}`);
  return out;
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
