/* Plays generated requests, and collects every answer that the API's document does not have. */
import * as fc from "fast-check";
import { operationsOf } from "../support/openapi.ts";
import { plannedRequest, type Planned } from "./requests.ts";
import { openWorld, type ActorKind, type World } from "./world.ts";

export type Outcome = {
  /** Distinct faults, each with the first request that showed it. */
  readonly faults: readonly string[];
  /** How often each was answered: `GET /api/home 200`, as the document names it. */
  readonly answers: ReadonlySet<string>;
  readonly statuses: Readonly<Record<number, number>>;
};

/** A world lives for so many requests: later ones meet what earlier ones left, and its lists stay short. */
const requestsOfWorld = 1000;
/** One world in so many has limits, and answers 429. */
const limitedWorlds = 8;

export async function playRequests(count: number, seed: number): Promise<Outcome> {
  const faults = new Map<string, string>();
  const answers = new Set<string>();
  const statuses: Record<number, number> = {};
  for (let number = 0; number * requestsOfWorld < count; number++) {
    const limitFactor = number % limitedWorlds === limitedWorlds - 1 ? 1 : 0;
    await using world = await openWorld(limitFactor);
    const { document } = world.harness;
    const numRuns = Math.min(requestsOfWorld, count - number * requestsOfWorld);
    const requests = fc.sample(plannedRequest(document, operationsOf(document)), {
      numRuns,
      seed: seed + number,
    });
    for (const request of requests) {
      const { status, sent, fault } = await play(world, request);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (fault !== null && !faults.has(keyOf(fault))) faults.set(keyOf(fault), `${fault}\n${sent}`);
    }
    for (const answer of world.harness.answered) answers.add(answer);
  }
  return { faults: [...faults.values()], answers, statuses };
}

type Played = { readonly status: number; readonly sent: string; readonly fault: string | null };

/** A planned request as it is sent to one world. */
export type Settled = {
  readonly method: string;
  readonly path: string;
  readonly init: RequestInit;
  /** For people. */
  readonly sent: string;
};

/** Settles a request for the world as it is. A second goes by for each, so that limits let go again. */
export function settle(world: World, planned: Planned): Settled {
  world.harness.clock.advance(1);
  const { actor, method } = planned;
  const known = (field: string) => world.known(field, actor);
  const path = planned.path(known);
  const body = planned.body(known);
  const authorization = world.authorization(actor);
  const headers = {
    ...planned.headers,
    ...(authorization === null ? {} : { authorization }),
    ...(body?.type ? { "content-type": body.type } : {}),
  };
  const sent = `${actor}: ${method} ${path} ${JSON.stringify(headers)} ${printable(body?.content)}`;
  return { method, path, init: { method, headers, ...(body === null ? {} : { body: body.content }) }, sent };
}

async function play(world: World, planned: Planned): Promise<Played> {
  const { method, path, init, sent } = settle(world, planned);
  const { actor } = planned;
  let status = 0;
  let fault: string | null = null;
  try {
    const response = await world.harness.fetch(path, init);
    status = response.status;
    // Pages for people, which the document has: everything else answers programs.
    fault = path.startsWith("/mail/") ? null : await envelopeFault(response, `${method} ${path}`);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  const complaint = world.harness.takeComplaints().find(({ level }) => level === "error");
  if (isSpent(actor, status)) await world.replace(actor);
  const logged = complaint === undefined ? "" : `\nlogged: ${JSON.stringify(complaint).slice(0, 1500)}`;
  return {
    status,
    sent,
    fault: fault === null && complaint === undefined ? null : `${fault ?? "is logged"}${logged}`,
  };
}

/**
 * Whether somebody is no longer what they are there for: signed out, demoted or finished with registering.
 */
export function isSpent(actor: ActorKind, status: number): boolean {
  if (status === 401) return true;
  return (actor === "administrator" && status === 403) || (actor === "unfinished" && status === 409);
}

/** What answers outside the document must be too: an envelope. */
async function envelopeFault(response: Response, request: string): Promise<string | null> {
  if (response.status === 500) return `${request} answered 500: ${await response.text()}`;
  if (response.status < 400) return null;
  const text = await response.text();
  const keys = Object.keys(JSON.parse(text)).sort().join();
  return keys === "data,error,msg,url"
    ? null
    : `${request} answered ${response.status} without an envelope: ${text}`;
}

function printable(content: unknown): string {
  if (content instanceof FormData) {
    const parts = [...content.entries()].map(([name, part]) => `${name}=${part}`);
    return parts.join("&").slice(0, 400);
  }
  if (content instanceof Uint8Array) return `<${content.toHex()}>`;
  return JSON.stringify(content ?? "").slice(0, 400);
}

/** The same fault of another row or name is no other. */
function keyOf(fault: string): string {
  return fault.replaceAll(/[0-9a-f-]{32,}|\d+/g, "#").slice(0, 200);
}
