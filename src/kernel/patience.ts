/**
 * Makes a question out of one whose answer may never come, as from a disk that is far away: it is asked once at a time, for all who
 * want to know meanwhile, and each of them waits `seconds` at most. Then it fails with an error that says `late`; what was asked
 * goes on.
 */
export function askPatiently<T>(ask: () => Promise<T>, seconds: number, late: string): () => Promise<T> {
  let underway: Promise<T> | null = null;

  return async () => {
    underway ??= ask().finally(() => (underway = null));
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${late} within ${seconds} seconds`)), seconds * 1000);
    try {
      return await Promise.race([underway, promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
