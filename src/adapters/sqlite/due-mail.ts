import type { OnMailDue } from "../../domain/ports/outbox-store.ts";

/** Wakes whoever sends mail when a transaction that made some due has been committed. */
export function trackDueMail(): {
  /** Notes that the running transaction makes a mail due. One that fails wakes the sender at the next commit, in vain. */
  readonly touch: () => void;
  /** Tells what was noted. */
  readonly commit: () => void;
  readonly onMailDue: OnMailDue;
} {
  const listeners = new Set<() => void>();
  let touched = false;

  return {
    touch: () => {
      touched = true;
    },
    commit: () => {
      if (!touched) return;
      touched = false;
      for (const listener of listeners) listener();
    },
    onMailDue: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}
