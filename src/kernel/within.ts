/**
 * The promise's result; if it takes more than `ms` milliseconds, what `late` returns or throws. The work
 * behind the promise is not stopped.
 */
export async function within<Result, Late>(
  ms: number,
  result: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([result, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
