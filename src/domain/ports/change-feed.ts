/**
 * A player, skin or cape by its uuid, or a texture by its hash: what delivery shows, and what an answer is
 * made from.
 */
export type Subject = `${"player" | "skin" | "cape" | "texture"}:${string}`;

/**
 * Players who were not here before, many at once: what was found while there was no such player may be
 * another. An import has this subject instead of one for each player.
 */
export const newcomers = "player:new" satisfies Subject;

/**
 * The subjects that one commit changed; or `interrupted` when commits may have been missed, so that anything
 * may have changed.
 */
export type Change = readonly Subject[] | "interrupted";

/**
 * What is committed, by this process or another, in the order of the commits; on several machines within a
 * second.
 */
export interface ChangeFeed {
  /** Calls the listener after each commit that changed a subject. A listener must not throw. */
  subscribe(listener: (change: Change) => void): Disposable;
  /**
   * How far the feed has come: equal numbers before and after a read say that nothing changed meanwhile. This
   * process's commits are in it at once. It looks for those of other processes when it last did so 20 ms
   * before `now` or earlier, and calls the listeners first. `now` is `performance.now()`, for callers that
   * have it already.
   */
  position(now?: number): number;
  /**
   * Whether what was remembered may still be given: false after 30 s without news from the database, and from
   * the end of a sleep of the process until there is some, when anything may have changed. Asked after
   * `position`. `now` as above.
   */
  isFresh(now?: number): boolean;
  /**
   * A number of all that is committed, by any process, as reads have it at this moment: while it stays the
   * same they find the same. Null where the engine has none, or does not know it now.
   */
  version(): number | null;
}
