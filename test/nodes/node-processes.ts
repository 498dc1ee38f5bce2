/* Servers of one database, each a process of its own, as an operator runs them. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, runProcess, type Outcome } from "../cli/run-program.ts";
import { startKept } from "../support/run-servers.ts";
import { program } from "../support/program.ts";

export const nodeSecret = "correct horse battery staple, twice";

export type Answer = {
  readonly status: number;
  readonly msg: string;
  readonly data: unknown;
  /** All of it. */
  readonly text: string;
};

/** One running server. */
export type NodeProcess = {
  readonly address: string;
  readonly ask: (line: string, given?: { json?: object; form?: FormData; token?: string }) => Promise<Answer>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly hasEnded: () => boolean;
  /** All that it has logged, a line each. */
  readonly log: () => Promise<readonly { readonly level: string; readonly message: string }[]>;
};

export type Nodes = AsyncDisposable & {
  readonly databaseUrl: string;
  /** Of all nodes. */
  readonly dataDir: string;
  /** It takes a free port unless the settings name one. `command` is another program. */
  readonly start: (
    name: string,
    settings?: Readonly<Record<string, string>>,
    command?: readonly string[],
  ) => Promise<NodeProcess>;
  /** All that the node of this name has written since its last start, also while it starts. */
  readonly logged: (name: string) => Promise<string>;
  /** Runs a command with the settings of the nodes; `input` is what it reads. */
  readonly command: (
    args: readonly string[],
    settings?: Readonly<Record<string, string>>,
    input?: string,
  ) => Promise<Outcome>;
  /** A server that does not start: how it ends. */
  readonly refused: (settings: Readonly<Record<string, string>>) => Promise<Outcome>;
  /** The name of the node that leads; null while nodes wait for the lease. */
  readonly leader: () => Promise<string | null>;
};

/**
 * Nodes over one database and one folder, which they share as a network's file system. All end when it is
 * disposed of.
 */
export async function openNodes(databaseUrl: string): Promise<Nodes> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-nodes-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const environment = {
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, "data"),
    JWT_SECRET: nodeSecret,
    LOG_FORMAT: "json",
    RATE_LIMIT_FACTOR: "0",
    SITE_URL: "https://www.example.org",
  };
  const command: Nodes["command"] = (args, settings = {}, input = "") =>
    run(args, { environment: { ...environment, ...settings }, secret: input });
  const logs = new Map<string, string>();
  const processes = opened.use(new AsyncDisposableStack());
  const closing = opened.move();
  return {
    databaseUrl,
    dataDir: environment.DATA_DIR,
    logged: async (name) => readFile(logs.get(name) ?? "", "utf8").catch(() => ""),
    start: async (name, settings = {}, command = program) => {
      const log = join(folder, `${name}-${Bun.randomUUIDv7()}.log`);
      logs.set(name, log);
      const node = await startNode(command, log, { ...environment, ...settings, NODE_NAME: name });
      processes.use(node);
      return node;
    },
    command,
    refused: (settings) =>
      runProcess(["serve"], { folder, environment: { ...environment, PORT: "0", ...settings } }),
    leader: async () => {
      const { out } = await command(["nodes", "--json"]);
      const listed: readonly { name: string; leader: boolean }[] = JSON.parse(out);
      return listed.find(({ leader }) => leader)?.name ?? null;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function startNode(
  program: readonly string[],
  log: string,
  environment: Readonly<Record<string, string>>,
): Promise<NodeProcess & AsyncDisposable> {
  const port = async () => /^cloakroom .* listening on .*:(\d+)$/m.exec(await readFile(log, "utf8"))?.[1];
  const kept = await startKept({
    command: [...program, "serve"],
    log,
    signal: "SIGKILL",
    // A port that was free a moment ago may be another server's by now, which would answer for the node.
    environment: { PORT: "0", ...environment },
    isReady: async () => (await port()) !== undefined,
  });
  const address = `http://127.0.0.1:${await port()}`;
  return {
    address,
    ask: (line, given = {}) => askAt(address, line, given),
    signal: (signal) => process.kill(kept.pid, signal),
    hasEnded: kept.hasEnded,
    log: async () => {
      const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line.startsWith("{"));
      return lines.map((line) => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

async function askAt(
  address: string,
  line: string,
  { json, form, token }: { json?: object; form?: FormData; token?: string },
): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const headers = new Headers();
  if (json !== undefined) headers.set("content-type", "application/json");
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const body = form ?? (json === undefined ? null : JSON.stringify(json));
  const answer = await fetch(address + path, { method, headers, keepalive: false, ...(body && { body }) });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  const { msg = "", data = null } = isJson ? JSON.parse(text) : {};
  return { status: answer.status, msg, data, text };
}

/**
 * Asks again and again until it is so, which is dear where each time a whole command runs. Fails after a
 * minute, which is many times what it may take.
 */
export async function until(isSo: () => Promise<boolean>, everyMs = 50): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error("it did not come true within a minute");
    await Bun.sleep(everyMs);
  }
}
