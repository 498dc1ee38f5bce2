import type { AccountId } from "../../kernel/ids.ts";
import type { LoggedEvent } from "../model/event.ts";

/** What is read of the log of events. */
export interface EventReads {
  /** Events after the one with this id, the oldest first, `rows` at most. */
  listEvents(after: number, rows: number): Promise<readonly LoggedEvent[]>;
  /** The id of the last event, also when it is not kept any more; 0 when there was none yet. */
  newestEventId(): Promise<number>;
}

/**
 * The log of events. There is no way to add one: each is made by the change that it is about, whichever store writes it and
 * whichever process, in the transaction of that change.
 */
export interface EventStore extends EventReads {
  /**
   * The accounts with a player that shows something else by now than when this transaction began: its commit makes an event of each
   * such player.
   */
  listChangedLooks(): Promise<readonly AccountId[]>;
  /**
   * Removes events from before the time given (Unix seconds), and those that are not among the newest `kept`, `rows` at most.
   * Returns how many.
   */
  deleteOldEvents(old: {
    readonly before: number;
    readonly kept: number;
    readonly rows: number;
  }): Promise<number>;
}

/** Calls the listener whenever a transaction of this process has made events, until what it returns is disposed of. */
export type OnEvents = (listener: () => void) => Disposable;
