import { availableParallelism } from "node:os";
import type { PasswordHasher } from "../../domain/ports/password-hasher.ts";
import { atLowPriority } from "../../kernel/pool-priority.ts";
import { createSemaphore } from "../../kernel/semaphore.ts";

/** OWASP's second choice for Argon2id (docs/contract/auth.md#passwords): 19 MiB, two passes, one lane. */
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;

/**
 * Bun hashes in the threads that also do file operations. One hash per core leaves room for files: with 200 at once, a file
 * and with it every change of textures took seconds to be written. A hash takes 30 ms of a core.
 */
const inTurn = createSemaphore({
  atOnceMax: availableParallelism(),
  waitingMax: 128 * availableParallelism(),
  refusal: "Too many passwords to check at once; try again in a moment",
});

/** Resolves to whether a password fits a hash. Works off the main thread; may throw for a malformed hash. */
type Verify = (password: string, hash: string) => Promise<boolean>;

const verifyArgon2: Verify = (password, hash) => Bun.password.verify(password, hash);

/** bcrypt ignores everything beyond this. */
const bcryptBytesMax = 72;

/** Bun hashes longer passwords with SHA-512 first, which no other system does, so it gets what bcrypt itself would see. */
const verifyBcrypt: Verify = (password, hash) =>
  Bun.password.verify(new TextEncoder().encode(password).slice(0, bcryptBytesMax), hash);

/**
 * How each kind of hash is verified, by the name between its first two `$`. A kind from an importer gets a line here, and
 * a name if its own system does not name it.
 */
const verifiers: ReadonlyMap<string, Verify> = new Map([
  ["argon2id", verifyArgon2],
  ["argon2i", verifyArgon2],
  ["argon2d", verifyArgon2],
  // Names that OpenBSD, older libraries and PHP give to the same algorithm.
  ["2a", verifyBcrypt],
  ["2b", verifyBcrypt],
  ["2y", verifyBcrypt],
]);

/**
 * Hashes with Argon2id off the main thread, and verifies hashes of other systems as well; these, and hashes of another cost,
 * need a new hash. Fails with limited when too many wait.
 */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => inTurn(() => atLowPriority(Bun.password.hash(password, cost))),
  verify: async (password, hash) => {
    const [, kind = ""] = hash.split("$", 2);
    const verify = verifiers.get(kind);
    return verify !== undefined && (await inTurn(() => fits(verify, password, hash)));
  },
  needsRehash: (hash) => !hash.startsWith(prefix),
};

async function fits(verify: Verify, password: string, hash: string): Promise<boolean> {
  try {
    return await atLowPriority(verify(password, hash));
  } catch {
    // Bun throws for a hash that it cannot read: no password fits it.
    return false;
  }
}
