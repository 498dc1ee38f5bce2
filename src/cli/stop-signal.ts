import { PlainError } from "../kernel/errors.ts";

/** The first signal lets the work remove its files. The second one ends the process at once. */
export function abortOnSignal(): Disposable & { readonly signal: AbortSignal } {
  const aborting = new AbortController();
  const abort = (signal: NodeJS.Signals) =>
    aborting.abort(new PlainError("internal", `stopped by ${signal}`));
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const signal of signals) process.once(signal, abort);
  return {
    signal: aborting.signal,
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, abort);
    },
  };
}
