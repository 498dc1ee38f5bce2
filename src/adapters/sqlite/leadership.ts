import type { Leadership } from "../../domain/ports/leadership.ts";
import type { Atomically } from "../../domain/ports/stores.ts";

/** The leadership of a server that is alone: one term, for as long as it serves. */
export function leadAlone(atomically: Atomically): Leadership {
  const term = { signal: new AbortController().signal, isHeld: () => true, atomically };
  return { isLeader: () => true, whileLeading: (begin) => begin(term) };
}
