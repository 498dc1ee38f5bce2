/*
 * Two nodes on one database, one of them over a network that a test makes fail, and what many members get
 * from each.
 */
import { SQL } from "bun";
import { readFile } from "node:fs/promises";
import { openNodes, until, type NodeProcess } from "../nodes/node-processes.ts";
import { openPostgresProxy, type PostgresProxy } from "../support/postgres-proxy.ts";
import { emptyDatabase } from "../support/postgres.ts";
import { skinPng } from "../support/textures.ts";
import { formOf } from "./people.ts";
import { openPostOffice } from "./post-office.ts";
import { askAt, type Request } from "./service.ts";
import { settingsWith } from "./written-nodes.ts";
import { makeMember, type Member } from "./written-once.ts";

export type FarNode = AsyncDisposable & {
  readonly proxy: PostgresProxy;
  /** Reaches the database through the proxy, as a user of its own. */
  readonly far: NodeProcess;
  readonly near: NodeProcess;
  readonly member: Member;
  /** A member who is asked for on the near node alone. */
  readonly neighbour: Member;
  /** The server, as its superuser. */
  readonly sql: SQL;
  /** The user of the far node. */
  readonly user: string;
};

/**
 * Each node has a user of its own, without the superuser's rights, so that the server can refuse one of them.
 */
export async function openFarNode(settings: Readonly<Record<string, string>> = {}): Promise<FarNode> {
  await using opened = new AsyncDisposableStack();
  const office = opened.use(await openPostOffice(Math.random));
  const database = opened.use(await emptyDatabase());
  const sql = opened.use(new SQL({ url: database.url, max: 1 }));
  const [owner, user] = ["near", "far"].map((name) => `${name}_${crypto.randomUUID().slice(0, 8)}`) as [
    string,
    string,
  ];
  await sql.unsafe(`CREATE ROLE ${owner} LOGIN PASSWORD 'near'`);
  await sql.unsafe(`CREATE ROLE ${user} LOGIN PASSWORD 'far' IN ROLE ${owner}`);
  await sql.unsafe(`ALTER DATABASE ${database.name} OWNER TO ${owner}`);
  await sql.unsafe(`ALTER SCHEMA public OWNER TO ${owner}`);
  const proxy = opened.use(await openPostgresProxy(asUser(database.url, user, "far")));
  const nodes = opened.use(await openNodes(asUser(database.url, owner, "near")));
  const given = { ...settingsWith(office), WARDROBE_MAX: "10000", ...settings };
  const near = await nodes.start("near", given);
  const far = await nodes.start("far", { ...given, DATABASE_URL: proxy.url });
  const member = await makeMember(nodes, near, "Member");
  const neighbour = await makeMember(nodes, near, "Neighbour");
  const closing = opened.move();
  return {
    proxy,
    far,
    near,
    member,
    neighbour,
    sql,
    user,
    [Symbol.asyncDispose]: async () => {
      await sql.unsafe(`ALTER ROLE ${user} CONNECTION LIMIT -1`);
      await closing.disposeAsync();
    },
  };
}

function asUser(url: string, user: string, password: string): string {
  const own = new URL(url);
  own.username = user;
  own.password = password;
  return own.href;
}

export type Told = {
  /** How many got which status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly slowestMs: number;
  /** Uploads that were said to be done. */
  readonly kept: readonly string[];
};

/** Asks so often at once, half of it to read and half to write. */
export async function askMany(node: NodeProcess, { token }: Member, many: number): Promise<Told> {
  const statuses: Record<number, number> = {};
  const kept: string[] = [];
  let slowestMs = 0;
  const askOne = async (number: number) => {
    const name = `Skin ${crypto.randomUUID()}`;
    const form = () => formOf({ skin: skinPng(number % 50), slim: "false", name });
    const request: Request =
      number % 2 === 0
        ? { line: "GET /api/home", token }
        : { line: "POST /api/home/edit/upload", form, token };
    const start = performance.now();
    const { status } = await askAt(node.address, request);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200 && number % 2 === 1) kept.push(name);
  };
  await Promise.all(Array.from({ length: many }, (_, number) => askOne(number)));
  return { statuses, slowestMs: Math.round(slowestMs), kept };
}

/**
 * How many connections to the proxy are open, of all clients. The system is asked, because a stalled proxy
 * does not hear which of them the node has closed. Where there is no such list, the proxy's own count.
 */
export async function openConnections({ port, openLinks }: PostgresProxy): Promise<number> {
  const list = await readFile("/proc/net/tcp", "utf8").catch(() => null);
  if (list === null) return openLinks();
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const established = "01";
  const lines = list.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.filter(([, , to, state]) => to?.endsWith(remote) && state === established).length;
}

/** Names that the database does not have, of those that were said to be kept. */
export async function lostOf({ sql }: FarNode, told: readonly Told[]): Promise<readonly string[]> {
  const rows: readonly { readonly name: string }[] = await sql`SELECT name FROM skins`;
  const names = new Set(rows.map(({ name }) => name));
  return told.flatMap(({ kept }) => kept).filter((name) => !names.has(name));
}

/**
 * Asks a node to read and to write, one after the other, until it is over; the slowest answer, and those that
 * were no success.
 */
export function askOnAndOn(node: NodeProcess, member: Member, pauseMs: number) {
  const over = new AbortController();
  const refused: string[] = [];
  let slowestMs = 0;
  let answered = 0;
  const asking = (async () => {
    while (!over.signal.aborted) {
      const told = await askMany(node, member, 2);
      slowestMs = Math.max(slowestMs, told.slowestMs);
      answered += 2;
      refused.push(...Object.keys(told.statuses).filter((status) => status !== "200"));
      await Bun.sleep(pauseMs);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await asking;
      return { refused, slowestMs, answered };
    },
  };
}

/** From now until the node reads and writes again. */
export async function backMs(node: NodeProcess, member: Member): Promise<number> {
  const start = performance.now();
  await until(async () => (await askMany(node, member, 2)).statuses[200] === 2);
  return Math.round(performance.now() - start);
}
