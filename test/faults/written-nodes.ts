/*
 * Several nodes over one PostgreSQL on which everything that writes goes on, and the ledger of what they
 * answered.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableSource } from "../../src/adapters/postgres/move/table-copy.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { openTableTarget } from "../../src/adapters/sqlite/table-copy.ts";
import { copyTables } from "../../src/domain/backup/copy-tables.ts";
import { openNodes, type NodeProcess, type Nodes } from "../nodes/node-processes.ts";
import { examineDatabase, filesBelow, type Found, type StoredFile } from "./examine.ts";
import { openLedger, type Ledger } from "./ledger.ts";
import { liveTogether, serviceToken } from "./lives.ts";
import type { Newcomer } from "./newcomer.ts";
import { password, skinUpload, type Person } from "./people.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { randomFrom } from "./random.ts";
import { askAt, type Answer, type Request, type Served } from "./service.ts";
import { notedDatabase } from "../support/noted-database.ts";

/** So long waits a request that got 503 or 429 before another one is sent. */
const pauseMs = 50;
/** A picture of which the others upload and delete no copy. */
const stillSeed = 100;

/** Nodes that are asked: each request goes to one of those that are in service. */
export type Crowd = Served & {
  readonly join: (node: NodeProcess) => void;
  /** The node gets no more requests. What it was asked and has not answered by its end is unknown. */
  readonly leave: (node: NodeProcess) => void;
  /** Holds requests back until the work is done, which begins once all have ended that were under way. */
  readonly quietly: <T>(work: () => Promise<T>) => Promise<T>;
  /** When requests were answered with success, and by whom. */
  readonly successes: readonly { readonly node: NodeProcess; readonly at: number }[];
  readonly counts: () => { readonly unavailable: number; readonly slowestMs: number };
};

function openCrowd(random: () => number): Crowd {
  const nodes: NodeProcess[] = [];
  const successes: { readonly node: NodeProcess; readonly at: number }[] = [];
  const underWay = new Set<Promise<unknown>>();
  let free = Promise.resolve();
  let changed = Promise.withResolvers<void>();
  let unavailable = 0;
  let slowestMs = 0;

  const askOne = async (node: NodeProcess, request: Request): Promise<Answer | null> => {
    const start = performance.now();
    try {
      const answer = await askAt(node.address, request);
      // 429: more passwords wait than may, when all come back at once.
      const isBusy = answer.status === 503 || answer.status === 429;
      if (isBusy) unavailable += 1;
      else if (!request.line.startsWith("GET ")) successes.push({ node, at: performance.now() });
      return isBusy ? null : answer;
    } catch (error) {
      // Only a death excuses silence.
      if (nodes.includes(node)) throw error;
      return null;
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - start);
    }
  };
  const pick = async (): Promise<NodeProcess> => {
    for (;;) {
      await free;
      const node = nodes[Math.floor(random() * nodes.length)];
      if (node !== undefined) return node;
      await changed.promise;
    }
  };

  return {
    join: (node) => {
      nodes.push(node);
      changed.resolve();
      changed = Promise.withResolvers();
    },
    leave: (node) => void nodes.splice(nodes.indexOf(node), 1),
    ask: async (request) => {
      const asked = askOne(await pick(), request);
      underWay.add(asked);
      const answer = await asked.finally(() => underWay.delete(asked));
      if (answer === null) await Bun.sleep(pauseMs);
      return answer;
    },
    quietly: async (work) => {
      const held = Promise.withResolvers<void>();
      free = held.promise;
      try {
        await Promise.allSettled(underWay);
        return await work();
      } finally {
        held.resolve();
      }
    },
    successes,
    counts: () => ({ unavailable, slowestMs: Math.round(slowestMs) }),
  };
}

export type WrittenNodes = AsyncDisposable & {
  readonly nodes: Nodes;
  readonly crowd: Crowd;
  readonly office: PostOffice;
  readonly ledger: Ledger;
  readonly newcomers: readonly Newcomer[];
  /** A member with a skin, which nothing changes. */
  readonly still: Person;
  /** What is kept now, and what of it is wrong. Requests wait meanwhile. */
  readonly look: () => Promise<Found & { readonly wrong: readonly string[] }>;
  /** Fails when one of the lives did; else it never ends. */
  readonly failure: Promise<never>;
  /** No more is begun; resolves when all have ended. */
  readonly end: () => Promise<void>;
};

export type Writing = {
  readonly databaseUrl: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** All objects of the nodes; without it those of their folder. */
  readonly files?: () => AsyncIterable<StoredFile>;
  readonly players: number;
  readonly newcomersAtOnce: number;
  readonly seed: number;
};

/** Settings of each node, besides those of `openNodes`. */
export const settingsWith = (office: PostOffice) => ({
  PLAYERS_MAX: "2",
  SERVICE_API_TOKEN: serviceToken,
  SMTP_URL: `smtp://127.0.0.1:${office.port}`,
  MAIL_PER_SECOND_MAX: "1000",
  LOG_LEVEL: "warn",
});

/** Starts the first node, makes its accounts, and lets all of them live. */
export async function openWrittenNodes(
  { databaseUrl, settings = {}, files, players, newcomersAtOnce, seed }: Writing,
  start: (nodes: Nodes, settings: Readonly<Record<string, string>>) => Promise<readonly NodeProcess[]>,
): Promise<WrittenNodes> {
  await using opened = new AsyncDisposableStack();
  const random = randomFrom(seed);
  const office = opened.use(await openPostOffice(random));
  const nodes = opened.use(await openNodes(databaseUrl));
  const crowd = openCrowd(random);
  const started = await start(nodes, { ...settingsWith(office), ...settings });
  const [first] = started;
  if (first === undefined) throw new Error("there is no node");
  for (const node of started) crowd.join(node);
  const people = await makePeople(nodes, first, players);
  const [administrator, still, ...others] = people;
  if (administrator === undefined || still === undefined) throw new Error("there is no administrator");
  await askAt(first.address, skinUpload(still, stillSeed));
  const listFiles = files ?? (() => filesBelow(join(nodes.dataDir, "textures")));
  const beginning = await examineCopy(databaseUrl, null, listFiles());
  const ledger = openLedger(beginning.facts);
  const newcomers: Newcomer[] = [];
  const over = new AbortController();
  const lives = liveTogether({
    service: crowd,
    office,
    ledger,
    random,
    newcomers,
    newcomersAtOnce,
    administrator,
    over: over.signal,
    players: others,
  });
  const failure = new Promise<never>((_, reject) => void lives.catch(reject));
  failure.catch(() => undefined);
  let { newestHash } = beginning;
  const closing = opened.move();
  return {
    nodes,
    crowd,
    office,
    ledger,
    newcomers,
    still,
    failure,
    look: () =>
      crowd.quietly(async () => {
        const found = await examineCopy(databaseUrl, newestHash, listFiles());
        ({ newestHash } = found);
        return { ...found, wrong: [...found.faults, ...ledger.settle(found.facts)] };
      }),
    end: async () => {
      over.abort();
      await lives;
    },
    [Symbol.asyncDispose]: () => {
      over.abort();
      return closing.disposeAsync();
    },
  };
}

async function makePeople(nodes: Nodes, node: NodeProcess, players: number): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (const name of [
    "Keeper",
    "Still",
    ...Array.from({ length: players }, (_, number) => `Player_${number}`),
  ]) {
    const mail = `${name}@example.org`;
    const flags = ["--mail", mail, "--username", name, "--password", password];
    const made = await nodes.command([
      "user",
      "create",
      ...flags,
      ...(name === "Keeper" ? ["--admin"] : []),
      "--json",
    ]);
    if (made.code !== 0) throw new Error(made.error);
    const { data } = await askAt(node.address, {
      line: "POST /api/auth/login",
      json: { username: name, password },
    });
    people.push({ id: Number(JSON.parse(made.out).id), name, mail, token: String(data["jwt"]) });
  }
  return people;
}

/**
 * Copies all tables, as of one moment, to a database of SQLite, where the questions are those of a data
 * folder.
 */
async function examineCopy(
  url: string,
  notedHash: string | null,
  files: AsyncIterable<StoredFile>,
): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-examined-"));
  try {
    const path = join(folder, "cloakroom.db");
    await copyDatabase(url, path);
    return await examineDatabase(path, { notedHash, files });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const progress = () => undefined;

async function copyDatabase(url: string, path: string): Promise<void> {
  await using reading = await openWorkSession(notedDatabase(url));
  await reading.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const source = tableSource(reading);
  using target = openTableTarget(path, await source.community());
  const { signal } = new AbortController();
  await copyTables({ source, target, carry: (_, rows) => Promise.resolve(rows), progress, signal });
  await target.complete(await source.lastNumbers(), progress);
  target.finish();
  await reading.command("COMMIT");
}
