import { AppError } from "../../kernel/errors.ts";

/** Lets work begin under a key; disposing of the result says that it is done. Fails with limited when too much is under way. */
export type InFlight = (key: string) => Disposable;

/** Bounds how much is under way under one key at a time. `refusal` is the message when it is too much. */
export function createInFlight(options: { readonly atOnceMax: number; readonly refusal: string }): InFlight {
  const underway = new Map<string, number>();

  return (key) => {
    const before = underway.get(key) ?? 0;
    // An upload takes about as long.
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
