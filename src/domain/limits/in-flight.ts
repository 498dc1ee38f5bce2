import { AppError } from "../../kernel/errors.ts";

/** Lets something begin under a key, until what it gets is disposed of. Fails with limited when too much is under way. */
export type InFlight = (key: string) => Disposable;

/** Bounds what may be under way under one key at a time. `refusal` is the message to the others. */
export function createInFlight(options: { readonly atOnceMax: number; readonly refusal: string }): InFlight {
  const underway = new Map<string, number>();

  return (key) => {
    const before = underway.get(key) ?? 0;
    // Nothing that is bounded here takes much longer than this, unless its client takes its time.
    if (before >= options.atOnceMax) throw new AppError("limited", options.refusal, { retryAfterSeconds: 2 });
    underway.set(key, before + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (underway.get(key) ?? 1) - 1;
        if (left > 0) underway.set(key, left);
        else underway.delete(key);
      },
    };
  };
}
