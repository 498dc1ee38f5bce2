import type { AccountId, Uuid } from "../../kernel/ids.ts";
import type { LoggedEvent } from "../model/event.ts";

/** What is read of the log of events. */
export interface EventReads {
  /** Events after the one with this id, the oldest first, `rows` at most. */
  listEvents(after: number, rows: number): Promise<readonly LoggedEvent[]>;
  /**
   * The id of the oldest event that is kept; 0 when there is none. Of those after it only replaced ones are
   * missing.
   */
  oldestEventId(): Promise<number>;
  /** The id of the last event, also when it is not kept any more; 0 when there was none yet. */
  newestEventId(): Promise<number>;
}

/** What was removed, and where the next look begins. */
export type RepeatedLooks = {
  /** The player of each event that was removed. */
  readonly removed: readonly Uuid[];
  /** The id of the last event that was looked at; null: there was no event after the id. */
  readonly last: number | null;
};

/**
 * The log of events. There is no way to add one: each is made by the change that it is about, whichever store
 * writes it and whichever process, in the transaction of that change.
 */
export interface EventStore extends EventReads {
  /**
   * The account of each player that shows something else by now than when this transaction began: its commit
   * makes an event of each such player.
   */
  listChangedLooks(): Promise<readonly AccountId[]>;
  /** How many events are kept. */
  countEvents(): Promise<number>;
  /**
   * Removes events from before the time given (Unix seconds), and those that are not among the newest `kept`,
   * `rows` at most. Returns how many.
   */
  deleteOldEvents(old: {
    readonly before: number;
    readonly kept: number;
    readonly rows: number;
  }): Promise<number>;
  /**
   * Looks at `span` events after an id, and removes those `player.textures` among them that are followed by a
   * later one of their player, the busiest player's first, `rows` at most. The oldest event that is kept
   * stays.
   */
  deleteRepeatedLooks(place: {
    readonly after: number;
    readonly span: number;
    readonly rows: number;
  }): Promise<RepeatedLooks>;
}

/**
 * Calls the listener whenever a transaction of this process has made events, until what it returns is
 * disposed of.
 */
export type OnEvents = (listener: () => void) => Disposable;
