import { refusals } from "../../domain/model/refusals.ts";
import type { AppError } from "../../kernel/errors.ts";

/** While the bucket is away, one call a second finds out whether it is back. */
const probeMs = 1_000;

/** What is known of the bucket: whether it answers, and since when it does not. */
export type Outage = {
  /**
   * Before a call: whether it is the one that finds out if the bucket is back. Fails with unavailable at once
   * for the others.
   */
  readonly enter: () => { readonly isProbe: boolean };
  readonly answered: () => void;
  /** The reason never holds an address or a key. */
  readonly failed: (reason: string) => AppError;
  /** Why the bucket is away; null: it is there, as far as is known. */
  readonly reason: () => string | null;
};

/**
 * Remembers that the bucket does not answer, so that requests do not all wait for it. Reports each beginning
 * and end.
 */
export function watchOutage(changed: (reason: string | null) => void): Outage {
  let known: string | null = null;
  let nextProbeAt = 0;
  const learn = (reason: string | null) => {
    const isNew = (reason === null) !== (known === null);
    known = reason;
    if (isNew) changed(reason);
  };
  return {
    enter: () => {
      if (known === null) return { isProbe: false };
      const now = performance.now();
      if (now < nextProbeAt) throw away(known);
      nextProbeAt = now + probeMs;
      return { isProbe: true };
    },
    answered: () => learn(null),
    failed: (reason) => {
      nextProbeAt = performance.now() + probeMs;
      learn(reason);
      return away(reason);
    },
    reason: () => known,
  };
}

function away(reason: string): AppError {
  return refusals.picturesAway({ report: { bucket: reason } });
}
