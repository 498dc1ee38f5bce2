/* Plays the same requests on two engines, and collects every answer that differs. */
import * as fc from "fast-check";
import { bucketMissing } from "../support/bucket.ts";
import { operationsOf } from "../support/openapi.ts";
import { isSpent, settle } from "./play.ts";
import { hostileRequest, plannedRequest, type Planned } from "./requests.ts";
import { openWorld, type World } from "./world.ts";

export type Comparison = {
  /** Distinct differences, each with the first request that showed it. */
  readonly differences: readonly string[];
  readonly statuses: Readonly<Record<number, number>>;
};

/** Worlds live for so many requests, as those of `play.ts` do. */
const requestsOfWorld = 1000;

/** Numbers of rows, and with uuids default skins, are the same in both worlds then. */
const alike = { works: "once", settings: { PLAYER_UUIDS: "offline" } } as const;

const today = { database: "sqlite", files: "files" } as const;
const others = { database: "postgres", files: bucketMissing === null ? "s3" : "files" } as const;

/**
 * One lists the settings that are given, by which the two differ; the other one packs random UUIDs, which
 * cannot be told apart in a deflated text.
 */
const notCompared: ReadonlySet<string> = new Set(["/api/admin/installation", "/api/home/export"]);

const kinds = { generated: plannedRequest, hostile: hostileRequest } as const;

/**
 * Plays requests on SQLite with files and on PostgreSQL with a bucket, if there is one, in worlds of their
 * own.
 */
export async function compareEngines(
  kind: keyof typeof kinds,
  count: number,
  seed: number,
): Promise<Comparison> {
  const differences = new Map<string, string>();
  const statuses: Record<number, number> = {};
  for (let number = 0; number * requestsOfWorld < count; number++) {
    const factor = number % 2;
    await using one = await openWorld(factor, { ...alike, on: today });
    await using other = await openWorld(factor, { ...alike, on: others });
    const { document } = one.harness;
    const numRuns = Math.min(requestsOfWorld, count - number * requestsOfWorld);
    const planned = kinds[kind](document, operationsOf(document));
    const players = [createPlayer(one), createPlayer(other)] as const;
    for (const request of fc.sample(planned, { numRuns, seed: seed + number })) {
      const [first, second] = await Promise.all(players.map((play) => play(request)));
      if (first === undefined || second === undefined) continue;
      statuses[first.status] = (statuses[first.status] ?? 0) + 1;
      if (first.text === second.text || notCompared.has(first.route)) continue;
      const key = `${request.method} ${first.route}`;
      if (!differences.has(key))
        differences.set(
          key,
          `${first.sent}\nSQLite:     ${first.text.slice(0, 2000)}\nPostgreSQL: ${second.text.slice(0, 2000)}`,
        );
    }
  }
  return { differences: [...differences.values()], statuses };
}

type Answer = {
  readonly status: number;
  readonly route: string;
  readonly sent: string;
  /** The answer, in which what is made by chance has names by the order in which it was seen. */
  readonly text: string;
};

/** Headers that clients act upon. */
const headers = ["content-type", "location", "retry-after", "cache-control", "link", "allow"];

function createPlayer(world: World): (planned: Planned) => Promise<Answer> {
  const names = createNames();
  return async (planned) => {
    const { method, path, init, sent } = settle(world, planned);
    const route = routeOf(path);
    const response = await world.harness.fetch(path, init).catch((error: unknown) => String(error));
    const complaints = world.harness.takeComplaints().filter(({ level }) => level === "error");
    const logged = complaints.map((line) => `\nlogged: ${JSON.stringify(line).slice(0, 1500)}`).join("");
    if (typeof response === "string") return { status: 0, route, sent, text: response + logged };
    const { status } = response;
    const sentHeaders = headers.map(
      (name) => `${name}: ${names.inText(route, response.headers.get(name) ?? "")}`,
    );
    const body = await bodyOf(response, (text) => names.inBody(`${method} ${route}`, text));
    if (isSpent(planned.actor, status)) await world.replace(planned.actor);
    await keepInOrder(world);
    return { status, route, sent, text: [status, ...sentHeaders, body].join("\n") + logged };
  };
}

/** What the leader of several nodes does for the engine; nothing on SQLite. */
async function keepInOrder({ harness: { services } }: World): Promise<void> {
  const term = {
    signal: new AbortController().signal,
    isHeld: () => true,
    atomically: () => Promise.reject(new Error("No upkeep of this engine has transactions")),
  };
  for (const { run } of services.upkeep) await run(term);
}

async function bodyOf(response: Response, named: (text: string) => string): Promise<string> {
  const bytes = await response.bytes();
  const isText = /json|text/.test(response.headers.get("content-type") ?? "");
  return isText
    ? named(new TextDecoder().decode(bytes))
    : new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** The path without what names a row. */
function routeOf(path: string): string {
  const { pathname } = new URL(path, "http://localhost");
  return pathname.replaceAll(/\/(?:[0-9a-f-]{32,}|\d+|[^/]{40,})(?=\/|$)/g, "/*");
}

/** UUIDs with dashes, also without their first digit, and without dashes, digests, tokens, secrets. */
const chance =
  /crs_[\w-]{43}|eyJ[\w-]+\.[\w-]+\.[\w-]+|[0-9a-f]{7,8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b|\b[\w-]{43}\b/g;
/** Fields that hold numbers of rows. A rolled back transaction uses numbers up on PostgreSQL. */
const numbers = /(?:^|_)(?:id|user|userid|account|cape|entry|for|after|before|next|newest|oldest)$/i;

/** Numbers that two services on one machine have apart. */
const ofMachine = / disk (?:free|used)_bytes$/;

/** Names things that are made by chance, alike in two worlds that see them in the same order. */
function createNames() {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: string, value: string): string => {
    const key = `${kind} ${value}`;
    const name = known.get(key) ?? `<${kind} ${(counts.get(kind) ?? 0) + 1}>`;
    if (!known.has(key)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    known.set(key, name);
    return name;
  };
  const inText = (place: string, text: string) =>
    text
      .replaceAll(chance, (value) => nameOf(`chance${value.length}`, value))
      .replaceAll(/(?<=[?&](?:after|before)=)\d+|(?<=\/)\d+(?=\/|$)/g, (value) => nameOf(place, value));
  const named = (place: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => named(place, one));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, named(`${place} ${key}`, inner)]),
      );
    }
    if (typeof value === "string") return inText(place, value);
    if (ofMachine.test(place)) return "<of the machine>";
    return typeof value === "number" && numbers.test(place.split(" ").at(-1) ?? "")
      ? nameOf(place, String(value))
      : value;
  };
  return {
    inText,
    inBody: (place: string, text: string): string => {
      try {
        return JSON.stringify(named(place, JSON.parse(text)));
      } catch {
        return inText(place, text);
      }
    },
  };
}
