import type { Reads, Transact } from "../ports/stores.ts";

/** What rights are looked up in: sessions with the levels of their members, and service tokens. */
export type RightReads = Pick<Reads, "sessions" | "serviceTokens">;

/**
 * Looks up whether somebody may act, and returns what the right gives them. The reads decide the moment: outside a
 * transaction they see what is committed, inside one what holds when it commits. Fails with unauthenticated or forbidden
 * once the right was taken away.
 */
export type Right<Given> = (reads: RightReads) => Promise<Given>;

/** Gives the transactions that a right allows. */
export type TransactBy = (right: Right<unknown>) => Transact;

/**
 * Binds transactions to rights: each looks its right up before it works, and fails as the right does. No other change is
 * committed between this look and the transaction's own commit, so the right holds when the change is made, however long
 * the body, a password's hash or a texture took before.
 */
export function bindTransact(transact: Transact): TransactBy {
  return (right) => (work) =>
    transact(async (stores) => {
      await right(stores);
      return work(stores);
    });
}
