/** The kinds of stored hashes: an algorithm with its parameters, which decide how long verifying takes. */

/** OWASP's second choice for Argon2id (docs/contract/auth.md#passwords): 19 MiB, two passes, one lane. */
export const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** How every hash of today begins. */
export const kindOfToday = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;

const argon2 =
  /^\$argon2(?:id|i|d)\$(?:v=19\$)?m=\d{1,10},t=\d{1,10},p=\d{1,8}\$(?=[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$)/;
/** `2a`, `2b` and `2y` are names that OpenBSD, older libraries and PHP give to the same algorithm. */
const bcrypt = /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$(?=[./A-Za-z0-9]{53}$)/;

/** The part of a hash before its salt; null when the hash is of no kind that can be verified. */
export function kindOf(hash: string): string | null {
  return (argon2.exec(hash) ?? bcrypt.exec(hash))?.[0] ?? null;
}

/** Whether the kind is bcrypt's. */
export function isBcrypt(kind: string): boolean {
  return kind.startsWith("$2");
}

/**
 * What a hash of the kind takes on a usual core, in milliseconds: it grows with memory and passes, or doubles
 * with each step of bcrypt.
 */
export function usualMilliseconds(kind: string): number {
  const [first = 0, second = 0] = Array.from(kind.matchAll(/(?:[mt]=|^\$2\w\$)(\d+)/g), ([, number]) =>
    Number(number),
  );
  if (isBcrypt(kind)) return 60 * 2 ** (first - 10);
  return (30 * first * second) / (cost.memoryCost * cost.timeCost);
}

/** A hash of the kind with random bytes for salt and result: no known password fits it. */
export function dummyOf(kind: string): string {
  // bcrypt writes 16 and 23 bytes, whose last letters hold four and two bits that count for nothing.
  return isBcrypt(kind)
    ? `${kind}${bcryptText(21)}.${bcryptText(30)}.`
    : `${kind}${argon2Text(32)}$${argon2Text(32)}`;
}

const bcryptLetters = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function bcryptText(length: number): string {
  return Array.from(randomBytes(length), (byte) => bcryptLetters[byte & 63]).join("");
}

function argon2Text(bytes: number): string {
  return randomBytes(bytes).toBase64({ omitPadding: true });
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
