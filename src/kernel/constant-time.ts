import { timingSafeEqual } from "node:crypto";

/**
 * Compares a secret with what a client sent, in constant time: the duration does not tell where the two differ. It tells whether
 * their lengths differ, so where the length is a secret the digests of both are compared.
 */
export function isSameSecret(expected: string | Uint8Array, given: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
