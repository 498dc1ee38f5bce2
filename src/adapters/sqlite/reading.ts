import type { Database } from "bun:sqlite";
import type { Reads } from "../../domain/ports/stores.ts";
import { eventReads } from "../sql/event-store.ts";
import type { Sender } from "../sql/sender.ts";
import { readsOf } from "../sql/stores.ts";
import { hotReads } from "./hot-reads.ts";
import { shareSnapshot, type ReadSnapshot } from "./read-snapshot.ts";
import { searchesOf } from "./search.ts";
import { openSender } from "./sender.ts";

/** What reads committed rows, and what transactions on the writing handle call. */
export type Reading = {
  readonly reads: Reads;
  readonly snapshot: Pick<ReadSnapshot, "end" | "version">;
  /** A transaction has begun on the writing handle: until it has ended, reads go to the other one. */
  readonly setWriting: (isWriting: boolean) => void;
  /** It was committed: the next read sees it. */
  readonly committed: () => void;
};

/**
 * Reads on the writing handle, and while a transaction is open there on the other one. A commit makes void
 * what any other handle has in memory: its next reads would fetch each page from the file again, a session in
 * 60 µs instead of 6. Each statement chooses, because a transaction may begin between two of one read.
 */
export function openReading(writer: Database, reader: Database, numbered: () => Promise<void>): Reading {
  const [usual, beside] = [placeOn(writer), placeOn(reader)];
  let place = usual;
  let commits = 0;
  const end = (): void => {
    usual.snapshot.end();
    beside.snapshot.end();
  };
  const version = (): number | null => {
    // A transaction may change what is read next.
    if (place !== usual) return null;
    const others = usual.snapshot.version();
    // Neither number falls, so that the sum is another one after each commit.
    return others === null ? null : others + commits;
  };
  const entered = () => {
    place.snapshot.enter();
    return place;
  };
  const sender: Sender = {
    dialect: "sqlite",
    send: (text, values) => entered().sender.send(text, values),
  };
  const hot = <Store extends object>(storeOf: (one: typeof usual) => Store) =>
    atPlace(() => storeOf(entered()), Object.keys(storeOf(usual)));
  const reads = readsOf(sender, searchesOf(sender));
  return {
    reads: {
      ...reads,
      accounts: { ...reads.accounts, ...hot(({ accounts }) => accounts) },
      sessions: { ...reads.sessions, ...hot(({ sessions }) => sessions) },
      textures: { ...reads.textures, ...hot(({ textures }) => textures) },
      events: eventReads(sender, numbered),
    },
    snapshot: { end, version },
    setWriting: (isWriting) => {
      place = isWriting ? beside : usual;
    },
    committed: () => {
      commits += 1;
      end();
    },
  };
}

function placeOn(handle: Database) {
  return { ...hotReads(handle), sender: openSender(handle, "reads"), snapshot: shareSnapshot(handle) };
}

/** The same methods, each of the object that there is when it is called. */
function atPlace<Methods extends object>(now: () => Methods, names: readonly string[]): Methods {
  const method = (name: string) => {
    return (...input: readonly unknown[]): unknown => {
      // Hot reads are methods, and do not use `this`.
      const call = Reflect.get(now(), name) as (...input: readonly unknown[]) => unknown;
      return call(...input);
    };
  };
  // It changes neither what a method takes nor what it gives, which the type of entries cannot say.
  return Object.fromEntries(names.map((name) => [name, method(name)])) as Methods;
}
