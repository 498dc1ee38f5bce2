import { AppError } from "../kernel/errors.ts";

/** Lets unfinished work be cleaned up. The second signal ends the process at once. */
export function abortOnSignal(): Disposable & { readonly signal: AbortSignal } {
  const aborting = new AbortController();
  const abort = (signal: NodeJS.Signals) => aborting.abort(new AppError("internal", `stopped by ${signal}`));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, abort);
  return {
    signal: aborting.signal,
    [Symbol.dispose]: () => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, abort);
    },
  };
}
