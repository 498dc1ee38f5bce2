/*
 * Three members of etcd and three of PostgreSQL under Patroni, as docs/operate/patroni.md sets them up: its
 * own files, of which only addresses and folders are replaced. A member has an address of its own on the
 * loopback network, and the page's ports.
 */
import { existsSync } from "node:fs";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  addressed,
  fileOf,
  makeFolder,
  PatroniMember,
  postgresPrograms,
  type Timing,
} from "./patroni-member.ts";
import { isRoot, runFolder, setpriv } from "./run-servers.ts";

/** Why the cluster cannot run here; null when it can. */
export const patroniMissing: string | null = reasonAgainst();

function reasonAgainst(): string | null {
  if (process.platform !== "linux") return "it needs Linux, whose loopback network has many addresses";
  if (isRoot && setpriv === null) return "PostgreSQL does not run as root, and setpriv is missing";
  const missing = ["patroni", "etcd", "openssl"].filter((name) => Bun.which(name) === null);
  if (missing.length > 0) return `not installed: ${missing.join(", ")} (apt install patroni etcd-server)`;
  const python = "/usr/lib/python3/dist-packages";
  if (existsSync(`${python}/OpenSSL`) && !existsSync(`${python}/idna`))
    return "Patroni speaks no TLS to etcd here (apt install python3-idna)";
  return existsSync(postgresPrograms) ? null : "Debian's postgresql-15 is not installed";
}

export type MemberState = {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
};

export type PatroniCluster = AsyncDisposable & {
  readonly members: readonly PatroniMember[];
  /** The page's settings for nodes: all hosts, by TLS. */
  readonly url: string;
  /** The same through a balancer on this port. */
  readonly urlThrough: (port: number) => string;
  /** HAProxy's file of the page, listening on this port. */
  readonly haproxyFile: (port: number) => Promise<string>;
  /** What Patroni says of all members; empty while no member answers. */
  readonly states: () => Promise<readonly MemberState[]>;
  /**
   * Waits until one member leads and all others stream from it, one of them synchronously; returns the one
   * that leads.
   */
  readonly untilWhole: () => Promise<PatroniMember>;
  readonly patronictl: (...words: readonly string[]) => Promise<string>;
};

/**
 * Starts all members and makes the role and database of the program. Without `timing` that of the page holds.
 */
export async function startPatroni(timing?: Timing): Promise<PatroniCluster> {
  await using opened = new AsyncDisposableStack();
  const folder = join(runFolder(), `patroni-${crypto.randomUUID().slice(0, 8)}`);
  await makeFolder(folder);
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const password = crypto.randomUUID();
  const network = `127.${1 + Math.floor(Math.random() * 254)}.${Math.floor(Math.random() * 255)}`;
  await makeAuthority(folder);
  const members: PatroniMember[] = [];
  for (const number of [1, 2, 3]) {
    const member = new PatroniMember(`db${number}`, `${network}.1${number}`, join(folder, `db${number}`));
    opened.use(member);
    await member.prepare(network, timing);
    members.push(member);
  }
  await Promise.all(members.map((member) => member.startEtcd()));
  const [first, ...others] = members;
  if (first === undefined) throw new Error("there is no member");
  await first.start();
  const ca = await readFile(join(folder, "ca.crt"), "utf8");
  const states = () => askStates(members, ca);
  await until(async () => (await states()).some(isLeading), "no member leads");
  await first.sql(`CREATE ROLE cloakroom LOGIN PASSWORD '${password}'`);
  await first.sql("CREATE DATABASE cloakroom OWNER cloakroom TEMPLATE template0 ENCODING UTF8");
  await Promise.all(others.map((member) => member.start()));
  const urlOf = (hosts: string) =>
    `postgres://cloakroom:${password}@${hosts}/cloakroom?sslmode=verify-full&sslrootcert=${folder}/ca.crt`;
  const untilWhole = async () => {
    let now: readonly MemberState[] = [];
    const isWhole = async () => {
      now = await states();
      return members.length === now.length && isWell(now);
    };
    await until(isWhole, () => `the members are ${JSON.stringify(now)}`);
    const leading = members.find(({ name }) => now.some((one) => one.name === name && isLeading(one)));
    if (leading === undefined) throw new Error("no member leads");
    return leading;
  };
  await untilWhole();
  const closing = opened.move();
  return {
    members,
    url: urlOf(members.map(({ address }) => `${address}:5432`).join(",")),
    urlThrough: (port) => urlOf(`127.0.0.1:${port}`),
    haproxyFile: async (port) =>
      addressed(await fileOf("haproxy.cfg"), network)
        .replace(/^ {4}(?:user|group) haproxy\n/gm, "")
        .replace("bind 127.0.0.1:5432", `bind 127.0.0.1:${port}`)
        .replaceAll("/etc/ssl/certs/our-databases.crt", join(folder, "ca.crt")),
    states,
    untilWhole,
    patronictl: (...words) => first.patronictl(words),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const isLeading = ({ role, state }: MemberState) => role === "leader" && state === "running";

/** One leads, and all others follow it on its timeline, one synchronously. */
function isWell(states: readonly MemberState[]): boolean {
  const leader = states.find(isLeading);
  const followers = states.filter((one) => one !== leader);
  return (
    leader !== undefined &&
    followers.some(({ role }) => role === "sync_standby") &&
    // 3.0 says `running` for a standby that streams.
    followers.every(({ state, timeline }) => /running|streaming/.test(state) && timeline === leader.timeline)
  );
}

async function askStates(members: readonly PatroniMember[], ca: string): Promise<readonly MemberState[]> {
  for (const { address } of members)
    try {
      const signal = AbortSignal.timeout(2000);
      const answer = await fetch(`https://${address}:8008/cluster`, {
        tls: { ca },
        signal,
        keepalive: false,
      });
      // The boundary: Patroni's REST API.
      return ((await answer.json()) as { members: readonly MemberState[] }).members;
    } catch {
      // The next one may answer.
    }
  return [];
}

/** The authority, and the passwords that the page's files ask for. */
async function makeAuthority(folder: string): Promise<void> {
  const [key, certificate] = [join(folder, "ca.key"), join(folder, "ca.crt")];
  const kind = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    "/CN=our databases",
  ];
  await Bun.$`openssl req -x509 ${kind} -days 2 -keyout ${key} -out ${certificate}`.quiet();
  // HAProxy reads it as another user, and the product narrows the mask of the process.
  await chmod(certificate, 0o644);
  for (const name of ["replication-password", "rewind-password"])
    await writeFile(join(folder, name), crypto.randomUUID());
}

/** Waits until it is so, three minutes at most: a member may have to be copied again. */
async function until(isSo: () => Promise<boolean>, otherwise: string | (() => string)): Promise<void> {
  const end = performance.now() + 180_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(typeof otherwise === "string" ? otherwise : otherwise());
    await Bun.sleep(200);
  }
}
