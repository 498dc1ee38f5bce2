/**
 * Compares a secret with what a client sent, in constant time: the duration does not show where the two
 * differ. It shows whether their lengths differ; where the length is secret, too, callers pass digests.
 */
export function isSameSecret(expected: string | Uint8Array, given: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}
