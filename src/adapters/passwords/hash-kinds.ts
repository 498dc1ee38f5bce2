/** Whether a password fits a hash. Works off the main thread; may throw for a hash that is malformed. */
export type Verifier = (password: string, hash: string) => Promise<boolean>;

/**
 * How each kind of hash is verified, by the name between its first two `$`. A kind that an importer brings gets a line here,
 * and a name where its own system gives it none.
 */
const verifiers: ReadonlyMap<string, Verifier> = new Map([
  ["argon2id", verifyArgon2],
  ["argon2i", verifyArgon2],
  ["argon2d", verifyArgon2],
  // Names that OpenBSD, older libraries and PHP give to the same thing.
  ["2a", verifyBcrypt],
  ["2b", verifyBcrypt],
  ["2y", verifyBcrypt],
]);

/** What verifies a hash in PHC text form; null for a kind that nobody knows. */
export function verifierOf(hash: string): Verifier | null {
  const [, kind = ""] = hash.split("$", 2);
  return verifiers.get(kind) ?? null;
}

function verifyArgon2(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password, hash);
}

/** What bcrypt looks at; the rest of a longer password counts for nothing. */
const bcryptBytesMax = 72;

/** Bun hashes longer passwords with SHA-512 first, which no other system does: they get what bcrypt itself would see. */
function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  const bytes = new TextEncoder().encode(password);
  return Bun.password.verify(bytes.slice(0, bcryptBytesMax), hash);
}
