import { PlainError } from "../../../kernel/errors.ts";
import type { Sender } from "../../sql/sender.ts";

/** How long a lease holds after it was taken or prolonged. */
export const leaseSeconds = 10;

/** The time of the database, in Unix milliseconds: every node compares with the same clock. */
export const databaseMs = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/**
 * A right that one holder at a time has, for as long as it prolongs it. A holder's terms are numbered, and
 * numbers only grow.
 */
export type Lease = {
  /**
   * Takes the lease when it is free or over. Resolves to the number of the term; null while another one holds
   * it.
   */
  readonly take: () => Promise<number | null>;
  /** Resolves to false when the term is over: another one may have it. */
  readonly prolong: (term: number) => Promise<boolean>;
  /** Frees it for the next one. Does nothing when the term is over. */
  readonly giveBack: (term: number) => Promise<void>;
  /**
   * For the beginning of a transaction: fails with unavailable when the term is over by the database's clock.
   */
  readonly requireHeld: (session: Sender, term: number) => Promise<void>;
};

/** How often a lease is prolonged. */
export const prolongMs = 3_000;

/**
 * Tries once to take the lease, and prolongs it until it is disposed of, which gives it back. Null while
 * another one holds it.
 */
export async function holdLease(lease: Lease): Promise<AsyncDisposable | null> {
  const term = await lease.take();
  if (term === null) return null;
  let prolonging: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // The next one tries again.
    prolonging = lease.prolong(term).catch(() => undefined);
  }, prolongMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await prolonging;
      await lease.giveBack(term).catch(() => undefined);
    },
  };
}

/**
 * Of several that hold the same name each is another holder, also one that a former process of the same node
 * was.
 */
export function leaseOf(sender: Sender, name: string, holder: string): Lease {
  return {
    take: async () => {
      const [row] = await sender.send(
        `INSERT INTO leases (name, holder, term, until) VALUES ($1, $2, 1, ${databaseMs} + $3)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, term = leases.term + 1, until = excluded.until
         WHERE leases.until <= ${databaseMs} RETURNING term`,
        [name, holder, leaseSeconds * 1000],
      );
      return row === undefined ? null : Number(row[0]);
    },
    prolong: async (term) => {
      const rows = await sender.send(
        `UPDATE leases SET until = ${databaseMs} + $4
         WHERE name = $1 AND holder = $2 AND term = $3 AND until > ${databaseMs} RETURNING term`,
        [name, holder, term, leaseSeconds * 1000],
      );
      return rows.length > 0;
    },
    giveBack: async (term) => {
      await sender.send("UPDATE leases SET until = 0 WHERE name = $1 AND holder = $2 AND term = $3", [
        name,
        holder,
        term,
      ]);
    },
    requireHeld: async (session, term) => {
      const rows = await session.send(
        `SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND term = $3 AND until > ${databaseMs}`,
        [name, holder, term],
      );
      if (rows.length === 0) throw new PlainError("unavailable", "This node no longer leads");
    },
  };
}
