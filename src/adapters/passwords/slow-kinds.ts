/** Argon2 and bcrypt, which the runtime verifies in its threads. */
import { codeOf } from "../../kernel/errors.ts";
import { randomBase64, randomCryptText, type HashKind } from "./kind.ts";

/** OWASP's second choice for Argon2id (docs/contract/auth.md#passwords): 19 MiB, two passes, one lane. */
export const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** How every hash of today begins. */
export const kindOfToday = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;

const argon2Form =
  /^\$argon2(?:id|i|d)\$(?:v=19\$)?m=\d{1,10},t=\d{1,10},p=\d{1,8}\$(?=[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$)/;
/** `2a`, `2b` and `2y` are names that OpenBSD, older libraries and PHP give to the same algorithm. */
const bcryptForm = /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$(?=[./A-Za-z0-9]{53}$)/;

/** bcrypt ignores everything beyond this. */
const bcryptBytesMax = 72;

export const argon2: readonly HashKind[] = ["argon2id", "argon2i", "argon2d"].map((name) => ({
  name,
  head: `$${name}$`,
  read: (hash) => readBy(argon2Form, hash, (password) => password),
  milliseconds: (effort) => {
    const [memory = 0, passes = 0] = numbersIn(/[mt]=(\d+)/g, effort);
    return (30 * memory * passes) / (cost.memoryCost * cost.timeCost);
  },
  dummy: (effort) => `${effort}${randomBase64(32)}$${randomBase64(32)}`,
}));

export const bcrypt: readonly HashKind[] = ["2a", "2b", "2y"].map((name) => ({
  name: "bcrypt",
  head: `$${name}$`,
  // Bun hashes longer passwords with SHA-512 first, which no other system does, so it gets what bcrypt itself
  // would see.
  read: (hash) =>
    readBy(bcryptForm, hash, (password) => new TextEncoder().encode(password).slice(0, bcryptBytesMax)),
  milliseconds: (effort) => 60 * 2 ** ((numbersIn(/^\$2\w\$(\d+)/g, effort)[0] ?? 0) - 10),
  // It writes 16 and 23 bytes, whose last letters hold four and two bits that count for nothing.
  dummy: (effort) => `${effort}${randomCryptText(21)}.${randomCryptText(30)}.`,
}));

function readBy(form: RegExp, hash: string, bytesOf: (password: string) => string | Uint8Array) {
  const effort = form.exec(hash)?.[0];
  if (effort === undefined) return null;
  return { effort, fits: (password: string) => verify(bytesOf(password), hash) };
}

/** What Bun calls a hash that no password can fit. Every other failure is a fault of the system. */
const unreadable: ReadonlySet<string | null> = new Set([
  "PASSWORD_INVALID_ENCODING",
  "PASSWORD_WEAK_PARAMETERS",
  "PASSWORD_UNSUPPORTED_ALGORITHM",
]);

/** Whether the password fits; fails with the runtime's error when the system cannot compute it. */
export async function verify(password: string | Uint8Array, hash: string): Promise<boolean> {
  try {
    return await Bun.password.verify(password, hash);
  } catch (error) {
    if (unreadable.has(codeOf(error))) return false;
    throw error;
  }
}

function numbersIn(pattern: RegExp, text: string): readonly number[] {
  return Array.from(text.matchAll(pattern), ([, number]) => Number(number));
}
