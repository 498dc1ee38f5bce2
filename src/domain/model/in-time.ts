import { limits } from "../../kernel/limits.ts";

/**
 * Whether something with an end may be used now: it has not ended, and was not made in the future, before the
 * clock was set back. In that case it would last too long. Times are Unix seconds.
 */
export function isInTime(
  { createdAt, expiresAt }: { readonly createdAt: number; readonly expiresAt: number },
  now: number,
): boolean {
  return expiresAt > now && createdAt <= now + limits.clockStepSeconds;
}
