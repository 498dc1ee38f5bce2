import type { Engine, Rerun } from "../../domain/ports/engine.ts";
import type { Atomically, Reads } from "../../domain/ports/stores.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type AppError, PlainError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/log.ts";
import { createSignal } from "../../kernel/signal.ts";
import type { PostgresAddress } from "./connections/address.ts";
import { PolledFeed } from "./feed/change-feed.ts";
import { openDatabaseClock, type DatabaseClock } from "./cluster/database-clock.ts";
import { openEventJournal } from "./feed/event-journal.ts";
import { numberEvents } from "./feed/event-numbers.ts";
import { eventReads, eventStore } from "../sql/event-store.ts";
import { translateFault } from "./connections/faults.ts";
import { placeMark, readMark } from "./cluster/marks.ts";
import { openNotices } from "./feed/notices.ts";
import { outboxReads } from "../sql/outbox-store.ts";
import { openPool, type Pool } from "./connections/pool.ts";
import { followReplica, type Replica } from "./connections/replica.ts";
import type { Sender } from "../sql/sender.ts";
import { readsOf, storesOf } from "../sql/stores.ts";
import { searchesOf } from "./search.ts";
import { openTouch, type Touched } from "./touched.ts";
import { createTransactions, type Place, type TransactionStats } from "./transact.ts";
import type { Condition } from "./connections/used-server.ts";

/** A readiness check fails when the feed has had no news for so long. */
const staleSeconds = 2;

export type PostgresOptions = {
  readonly setting: {
    readonly address: PostgresAddress;
    /** Replicas that delivery may read from; null: none. */
    readonly readAddress: PostgresAddress | null;
    /** Connections for requests. */
    readonly poolMax: number;
    /** See `ConnectionOptions`. */
    readonly prepared: boolean;
  };
  readonly nodeName: string;
  /** Default: the database's. */
  readonly clock?: Clock | undefined;
  readonly rerun?: Rerun | undefined;
  readonly log: Pick<Logger, "info" | "warn">;
};

/** The open database, as one node uses it. */
export type PostgresDatabase = AsyncDisposable & {
  readonly engine: Engine;
  readonly pool: Pick<Pool, "write" | "jobs" | "node">;
  /** Transactions of jobs; the guard is the first act of each. */
  readonly inBackground: (guard: (session: Sender) => Promise<void>) => Atomically;
  readonly statistics: () => PostgresStatistics;
};

export type PostgresStatistics = {
  readonly connections: ReturnType<Pool["stats"]>;
  readonly transactions: TransactionStats;
  readonly servers: Condition;
  /** Since when nothing is known of what other nodes changed. */
  readonly feedLagSeconds: number;
  /** How far the machine's clock is ahead of the database's. */
  readonly clockAheadSeconds: number;
};

/**
 * Connects to the server that takes writes. Fails with unavailable without one. The schema must be up to
 * date.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  await using opened = new AsyncDisposableStack();
  const pool = opened.use(await startedPool(options));
  const ownClock = opened.use(openDatabaseClock(pool.looks, options.log));
  const feed = opened.use(new PolledFeed(pool.looks, ownClock));
  await ownClock.measure();
  await feed.start();
  const replica = openReplica(options, opened, { pool, feed, ownClock });
  const journal = opened.use(openEventJournal(pool.looks));
  const mailDue = createSignal();
  const clock = options.clock ?? ownClock;
  const notices = opened.use(
    openNotices(pool, {
      change: () => feed.hurry(),
      event: journal.look,
      mail: mailDue.send,
    }),
  );
  opened.use(followServer(pool, feed, ownClock));
  const transactions = createTransactions({
    pool,
    rerun: options.rerun,
    makePlace: (sender) =>
      makePlace(sender, clock, ({ subjects, mailDue: isMailDue, events }) => {
        feed.publish(subjects);
        if (isMailDue) mailDue.send();
        if (subjects.length > 0) notices.tell("change");
        if (events) journal.look();
        if (events) notices.tell("event");
        if (isMailDue) notices.tell("mail");
      }),
  });
  const closing = opened.move();
  const close = () => closing.disposeAsync();
  return {
    engine: {
      reads: { ...readsOn(pool.read), ...(replica && { textures: replica.textures }) },
      atomically: transactions.inLane("requests"),
      background: { reads: readsOn(pool.jobs.read), atomically: transactions.inLane("jobs") },
      looks: { outbox: outboxReads(pool.looks) },
      changes: feed,
      onMailDue: mailDue.listen,
      onEvents: journal.onEvents,
      clock,
      probe: () => probe(pool, feed.lagSeconds()),
      ...identityOf(pool),
      [Symbol.asyncDispose]: close,
    },
    pool,
    inBackground: (guard) => transactions.inLane("jobs", guard),
    statistics: () => ({
      connections: pool.stats(),
      transactions: transactions.stats(),
      servers: pool.condition(),
      feedLagSeconds: feed.lagSeconds(),
      clockAheadSeconds: ownClock.aheadSeconds(),
    }),
    [Symbol.asyncDispose]: close,
  };
}

/** Another server's numbers and time may be others. */
function followServer(pool: Pool, feed: PolledFeed, clock: DatabaseClock): Disposable {
  return pool.onServer((news) => {
    if (news === "none") return;
    if (news === "other") feed.restart();
    clock.measure().catch(() => undefined);
  });
}

type Primary = { readonly pool: Pool; readonly feed: PolledFeed; readonly ownClock: DatabaseClock };

/**
 * Null without one in the settings. Does not wait for it: until it is found, and whenever it is away, the
 * primary answers.
 */
function openReplica(
  { setting, nodeName, log }: PostgresOptions,
  opened: AsyncDisposableStack,
  { pool, feed, ownClock }: Primary,
): Replica | null {
  if (setting.readAddress === null) return null;
  const replica = opened.use(
    openPool({
      address: setting.readAddress,
      requestSlots: setting.poolMax,
      prepared: setting.prepared,
      applicationName: `cloakroom ${nodeName}`,
      role: "any",
      log: { info: () => undefined, warn: () => undefined },
    }),
  );
  replica.start().catch(() => undefined);
  return opened.use(followReplica({ primary: pool, replica, feed, clock: ownClock, log }));
}

async function startedPool({ setting, nodeName, log }: PostgresOptions): Promise<Pool> {
  const { address, poolMax: requestSlots, prepared } = setting;
  const pool = openPool({ address, requestSlots, prepared, applicationName: `cloakroom ${nodeName}`, log });
  try {
    await pool.start();
    return pool;
  } catch (error) {
    await pool[Symbol.asyncDispose]();
    throw translateFault(error);
  }
}

function readsOn(db: Sender): Reads {
  return { ...readsOf(db, searchesOf(db)), events: eventReads(db, numberEvents) };
}

/** The stores of one place for transactions, and what surrounds each run. */
export function makePlace(db: Sender, clock: Clock, committed: (touched: Touched) => void): Place {
  const { touch, touched, ...around } = openTouch(db, clock);
  const stores = { ...storesOf(db, touch, searchesOf(db)), events: eventStore(db, touch, numberEvents) };
  return { ...around, stores, committed: () => committed(touched()) };
}

/** What the pool and the feed know already, so that the answer never waits for a server that is away. */
function probe(pool: Pool, lagSeconds: number): Promise<void> {
  const fault = probeFault(pool, lagSeconds);
  return fault === null ? Promise.resolve() : Promise.reject(fault);
}

function probeFault(pool: Pool, lagSeconds: number): AppError | null {
  if (!pool.isOpen()) return new PlainError("unavailable", "the database cannot be reached");
  if (lagSeconds > staleSeconds) {
    const words = `nothing was read from the database for ${Math.round(lagSeconds)} seconds`;
    return new PlainError("unavailable", words);
  }
  const { damage, isReadOnly } = pool.condition();
  if (damage !== null) return new PlainError("internal", damage);
  return isReadOnly ? new PlainError("forbidden", "the server was switched to reads only") : null;
}

function identityOf(pool: Pool): Pick<PostgresDatabase["engine"], "communityId" | "place"> {
  const communityId = async () => {
    const id = await readMark(pool.read, "community");
    if (id === null) throw new Error("The database has no id of its community");
    return id;
  };
  return { communityId, place: placeMark(pool.node) };
}
