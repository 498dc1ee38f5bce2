import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/log.ts";
import { system } from "../model/actor.ts";
import type { LoggedEvent } from "../model/event.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import type { SendWebhook } from "../ports/webhook-sender.ts";
import type { WebhookProgress } from "../ports/webhook-store.ts";
import { eventJson } from "./event-json.ts";
import { readOn } from "./read-on.ts";
import { webhookHash, webhookName } from "./webhook-address.ts";
import { signWebhook } from "./webhook-signature.ts";

/** Counts deliveries by address, for metrics. */
export type WebhookCounts = {
  readonly count: (address: string, result: "delivered" | "failed") => void;
  readonly read: () => readonly {
    readonly address: string;
    readonly result: string;
    readonly count: number;
  }[];
};

/** What deliveries need. */
export type DeliverDeps = {
  readonly reads: Pick<Reads, "events" | "webhooks">;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly log: Logger;
  readonly send: SendWebhook;
  readonly secret: string;
  readonly publicUrl: string;
  readonly counts: WebhookCounts;
};

/**
 * Events that are sent before the progress is written: a process that is killed sends no more than these
 * again. Slow receivers are recorded after each second.
 */
const batchEvents = 100;
const recordSeconds = 1;

const retryDelays = [3, 30, 2 * 60, 10 * 60, 30 * 60] as const;
const retryDelayMax = 60 * 60;

/** How long to wait after so many failed tries: 3 s, 30 s, 2 min, 10 min, 30 min, then an hour each. */
function retryDelaySeconds(attempts: number): number {
  return retryDelays[Math.max(0, attempts - 1)] ?? retryDelayMax;
}

/** Remembers these addresses and no others. A new one gets what happens from now on. */
export async function keepWebhooks(
  { transact }: Pick<DeliverDeps, "transact">,
  urls: readonly string[],
): Promise<void> {
  await transact(system, async ({ events, webhooks }) =>
    webhooks.keepWebhooks(urls.map(webhookHash), await events.newestEventId()),
  );
}

/**
 * Sends an address the events that wait for it, in order, each until the receiver takes it, some of them at
 * most; returns false when there is nothing to do now. A refused one waits, and all behind it. Events that
 * the log keeps no more are given up, which the log says. A process that dies meanwhile sends some again.
 */
export async function deliverEvents(
  deps: DeliverDeps,
  url: string,
  interrupt: AbortSignal,
): Promise<boolean> {
  const { reads, clock } = deps;
  const progress = await reads.webhooks.findWebhook(webhookHash(url));
  if (progress === null || progress.nextTryAt > clock.nowSeconds()) return false;
  const { after, events } = await readOn(reads.events, progress.position, batchEvents);
  if (after !== progress.position)
    return giveUp(deps, url, { ...progress, position: after }, progress.position);
  if (events.length === 0) return false;
  await record(deps, await sendAll(deps, url, { progress, events, interrupt }));
  return true;
}

async function giveUp(
  deps: DeliverDeps,
  url: string,
  progress: WebhookProgress,
  position: number,
): Promise<boolean> {
  const events = progress.position - position;
  // Fewer than none: the database is an older copy, and the log begins again.
  if (events > 0)
    deps.log.warn("events given up: not taken within a day", { address: webhookName(url), events });
  await record(deps, progress);
  return true;
}

type Batch = {
  readonly progress: WebhookProgress;
  readonly events: readonly LoggedEvent[];
  readonly interrupt: AbortSignal;
};

/** Returns how far the address is after these events, or after the first that it refuses. */
async function sendAll(
  deps: DeliverDeps,
  url: string,
  { progress: begun, events, interrupt }: Batch,
): Promise<WebhookProgress> {
  const { clock, counts } = deps;
  const until = clock.steadySeconds() + recordSeconds;
  const progress = { ...begun };
  for (const event of events) {
    if (interrupt.aborted) return progress;
    const reason = await sendOne(deps, url, event, interrupt);
    const now = clock.nowSeconds();
    if (reason !== null)
      return interrupt.aborted ? progress : refused(deps, url, { progress, event, reason });
    counts.count(webhookName(url), "delivered");
    Object.assign(progress, {
      position: event.id,
      attempts: 0,
      nextTryAt: 0,
      deliveredAt: now,
      lastError: "",
    });
    if (clock.steadySeconds() >= until) return progress;
  }
  return progress;
}

function sendOne(
  { send, secret, clock, publicUrl }: DeliverDeps,
  url: string,
  event: LoggedEvent,
  interrupt: AbortSignal,
): Promise<string | null> {
  const message = { id: String(event.id), timestamp: clock.nowSeconds(), body: eventJson(event, publicUrl) };
  return send(url, { ...message, signature: signWebhook(secret, message) }, interrupt);
}

function refused(
  { clock, log, counts }: DeliverDeps,
  url: string,
  { progress, event, reason }: { progress: WebhookProgress; event: LoggedEvent; reason: string },
): WebhookProgress {
  const attempts = progress.attempts + 1;
  const nextTryAt = clock.nowSeconds() + retryDelaySeconds(attempts);
  const again = new Date(nextTryAt * 1000).toISOString();
  const address = webhookName(url);
  counts.count(address, "failed");
  log.warn("event not taken, it is sent again", { address, event: event.id, attempts, reason, again });
  return { ...progress, attempts, nextTryAt, lastError: reason };
}

function record({ transact }: DeliverDeps, progress: WebhookProgress): Promise<void> {
  return transact(system, ({ webhooks }) => webhooks.recordWebhook(progress));
}

/** Counts that begin with 0 for each of these addresses, so that the first failure is an increase. */
export function createWebhookCounts(urls: readonly string[]): WebhookCounts {
  const counts = new Map<string, { address: string; result: string; count: number }>();
  const add = (address: string, result: string, more: number) => {
    const key = `${result} ${address}`;
    const count = counts.get(key)?.count ?? 0;
    counts.set(key, { address, result, count: count + more });
  };
  for (const name of urls.map(webhookName))
    for (const result of ["delivered", "failed"]) add(name, result, 0);
  return {
    count: (address, result) => add(address, result, 1),
    read: () => [...counts.values()],
  };
}
