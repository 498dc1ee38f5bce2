import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import type { Engine, Rerun } from "../../domain/ports/engine.ts";
import type { Reads, Stores } from "../../domain/ports/stores.ts";
import { openChangeLog } from "./change-feed.ts";
import { systemClock, type Clock } from "../../kernel/clock.ts";
import { createSignal, type Signal } from "../../kernel/signal.ts";
import { eventReads, eventStore } from "../sql/event-store.ts";
import { openReader, openWriter } from "./open.ts";
import { openLogSync } from "./log-sync.ts";
import { placeMark, readPlace } from "./place-mark.ts";
import { shareSnapshot } from "./read-snapshot.ts";
import type { Touch } from "../sql/touch.ts";
import { readsOf, storesOf } from "../sql/stores.ts";
import { searchesOf } from "./search.ts";
import { openTouch } from "./touched.ts";
import type { Sender } from "../sql/sender.ts";
import { createAtomically, type TransactionHooks } from "./transact.ts";
import { hotReads } from "./hot-reads.ts";
import { withLargeCache } from "./large-cache.ts";
import { openSender } from "./sender.ts";
import { createWriteProbe } from "./write-probe.ts";

/** The open database: a handle that writes and one that reads. */
export type SqliteDatabase = Engine &
  Disposable & {
    readonly sizes: () => DatabaseSizes;
  };

/** Bytes on disk: of the file, and of the write-ahead log beside it. */
export type DatabaseSizes = { readonly file: number; readonly log: number };

type OpenOptions = {
  /** Whether works run again, which none needs to here. */
  readonly rerun?: Rerun;
  /** Default: the machine's. */
  readonly clock?: Clock;
};

/** Opens the database file, whose schema must be up to date. */
export function openDatabase(path: string, { rerun, clock = systemClock }: OpenOptions = {}): SqliteDatabase {
  const writer = openWriter(path);
  const reader = openReader(path);
  const snapshot = shareSnapshot(reader);
  const changes = openChangeLog(writer, snapshot);
  const mailDue = createSignal();
  const newEvents = createSignal();
  const log = openLogSync(writer);
  const sender = openSender(writer);
  const touched = openTouch(sender, clock);
  const stores = storesOn(writer, sender, touched.touch);
  const hooks = hooksOf({ touched, changes, snapshot, log, mailDue, newEvents });
  const atomically = createAtomically(writer, stores, hooks, rerun);
  const close = (): void => {
    snapshot.end();
    log[Symbol.dispose]();
    // With true, as everywhere here: otherwise statements keep the file open until they are collected, and
    // the last close would delete the log of a database that was put in its place.
    reader.close(true);
    writer.close(true);
  };

  const reads = readsOn(reader, snapshot);
  return {
    reads,
    atomically,
    background: { reads, atomically },
    looks: reads,
    onMailDue: mailDue.listen,
    onEvents: newEvents.listen,
    changes,
    probe: createWriteProbe(writer, atomically),
    clock,
    communityId: () => Promise.resolve(communityIdOf(reader)),
    place: {
      read: () => readPlace(writer),
      put: (id, instead) => atomically(async () => placeMark(writer).put(id, instead)),
    },
    sizes: () => ({ file: bytesOf(path), log: bytesOf(`${path}-wal`) }),
    [Symbol.dispose]: close,
    [Symbol.asyncDispose]: () => Promise.resolve(close()),
  };
}

type Hooked = {
  readonly touched: ReturnType<typeof openTouch>;
  readonly changes: ReturnType<typeof openChangeLog>;
  readonly snapshot: ReturnType<typeof shareSnapshot>;
  readonly log: ReturnType<typeof openLogSync>;
  readonly mailDue: Signal;
  readonly newEvents: Signal;
};

/** Each transaction writes what it touched, ends the snapshot of the reads, and signals what happened. */
function hooksOf({ touched, changes, snapshot, log, mailDue, newEvents }: Hooked): TransactionHooks {
  const { reports, begin, write } = touched;
  let hasEvents = false;
  return {
    begin,
    write: async () => {
      hasEvents = await write();
    },
    beforeCommit: () => {
      changes.write(reports.subjects);
      // While a snapshot is open, SQLite cannot begin the log again: it grows, and every commit beyond 4 MB
      // tries, with an fsync.
      snapshot.end();
    },
    kept: log.kept,
    committed: () => {
      // First, so that listeners read what was committed.
      snapshot.end();
      changes.publish(reports.subjects);
      if (reports.isMailDue) mailDue.send();
      if (hasEvents) newEvents.send();
    },
  };
}

function readsOn(reader: Database, snapshot: ReturnType<typeof shareSnapshot>): Reads {
  const sender = openSender(reader);
  const reads = { ...readsOf(sender, searchesOf(sender)), events: eventReads(sender, numbered) };
  const { accounts, players, sessions, textures, identities, serviceTokens } = reads;
  const hot = hotReads(reader);
  return {
    ...reads,
    accounts: snapshot.sharing({ ...accounts, ...hot.accounts }),
    players: snapshot.sharing(players),
    sessions: snapshot.sharing({ ...sessions, ...hot.sessions }),
    textures: snapshot.sharing({ ...textures, ...hot.textures }),
    identities: snapshot.sharing(identities),
    serviceTokens: snapshot.sharing(serviceTokens),
  };
}

/** Events have their numbers from the beginning. */
const numbered = () => Promise.resolve();

/** Made with the table. */
function communityIdOf(client: Database): string {
  const row = client.query<{ value: string }, []>("SELECT value FROM marks WHERE name = 'community'").get();
  if (row === null) throw new Error("The database has no id of its community");
  return row.value;
}

function storesOn(writer: Database, sender: Sender, touch: Touch): Stores {
  const stores = storesOf(sender, touch, searchesOf(sender));
  const hot = hotReads(writer);
  return {
    ...stores,
    sessions: { ...stores.sessions, ...hot.sessions },
    textures: { ...stores.textures, ...hot.textures },
    outbox: withLargeCache(writer, stores.outbox),
    events: eventStore(sender, touch, numbered),
  };
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
