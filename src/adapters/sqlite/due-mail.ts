import type { OnMailDue } from "../../domain/ports/outbox-store.ts";

/** Wakes the mail sender after the commit of a transaction that made a mail due. */
export function trackDueMail(): {
  /** Notes that the running transaction makes a mail due. If it fails, the next commit wakes the sender for nothing. */
  readonly touch: () => void;
  /** After a commit: wakes the sender if a mail was noted. */
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
