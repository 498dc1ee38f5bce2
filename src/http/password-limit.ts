import type { RateLimits } from "../domain/limits/rate-limits.ts";
import { AppError } from "../kernel/errors.ts";

/** Failures that are found only after the password was right. */
const afterTheRightPassword: ReadonlySet<string> = new Set(["conflict", "forbidden"]);

/**
 * Runs work that checks a password, as one attempt of an account from an address. Fails with limited when there were too
 * many; a right password makes earlier ones forgotten. Home edits count as sign-ins do, so that a stolen session serves
 * neither to guess the password nor to keep us hashing.
 */
export async function underPasswordLimit<T>(
  { signIn }: RateLimits,
  attempt: { readonly account: string; readonly address: string },
  work: () => Promise<T>,
): Promise<T> {
  signIn.take(attempt);
  try {
    const result = await work();
    signIn.succeeded(attempt);
    return result;
  } catch (error) {
    if (error instanceof AppError && afterTheRightPassword.has(error.code)) signIn.succeeded(attempt);
    throw error;
  }
}
