/**
 * Shares one run of a slow check between concurrent callers. Each caller waits `seconds` at most and then fails with an error
 * that begins with `late`; the run itself goes on.
 */
export function singleFlight<T>(run: () => Promise<T>, seconds: number, late: string): () => Promise<T> {
  let underway: Promise<T> | null = null;

  return async () => {
    underway ??= run().finally(() => (underway = null));
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${late} within ${seconds} seconds`)), seconds * 1000);
    try {
      return await Promise.race([underway, promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
