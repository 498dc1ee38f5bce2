import type { Clock } from "../../kernel/clock.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { OnEvents } from "./event-store.ts";
import type { OnMailDue } from "./outbox-store.ts";
import type { PlaceMark } from "./place-label.ts";
import type { Atomically, Reads } from "./stores.ts";

/** How one run of a transaction's work ended. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Asked after each run of a work, the first being run 1: whether to roll it back and run the work again, as
 * engines do that find conflicts only when they commit. Several works may be under way at once. Tests answer
 * that.
 */
export type Rerun = (run: number, outcome: Outcome, work: object) => boolean;

/** An open database, whichever it is. Disposing of it closes it. */
export type Engine = AsyncDisposable & {
  readonly reads: Reads;
  readonly atomically: Atomically;
  /** The same for the program's own work: it never waits for requests and takes no capacity from them. */
  readonly background: { readonly reads: Reads; readonly atomically: Atomically };
  /** What a node asks to know how it does: this waits for nothing else. */
  readonly looks: Pick<Reads, "outbox">;
  readonly changes: ChangeFeed;
  readonly onMailDue: OnMailDue;
  readonly onEvents: OnEvents;
  /** The time that all who share the database agree on. */
  readonly clock: Clock;
  /** As `write` of `storage-probe.ts`. */
  readonly probe: () => Promise<void>;
  /** What identifies the community's data, wherever it is moved. */
  readonly communityId: () => Promise<string>;
  /** The id of the place of its textures. */
  readonly place: PlaceMark;
};
