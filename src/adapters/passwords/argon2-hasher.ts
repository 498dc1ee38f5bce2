import type { PasswordHasher } from "../../domain/ports.ts";
import { lowerHashPriority } from "./hash-priority.ts";
import { verifierOf } from "./hash-kinds.ts";

/** OWASP's second choice for Argon2id, in one place (decisions, Accounts): 19 MiB, two passes, one lane. */
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;

/**
 * Hashes with Argon2id, off the main thread. Verifies what other systems left behind as well; that needs a new hash, as
 * does a hash of another cost.
 */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => atLowPriority(Bun.password.hash(password, cost)),
  verify: async (password, hash) => {
    const verify = verifierOf(hash);
    if (verify === null) return false;
    try {
      return await atLowPriority(verify(password, hash));
    } catch {
      // Bun throws for a hash that it cannot read: nobody signs in with it.
      return false;
    }
  },
  needsRehash: (hash) => !hash.startsWith(prefix),
};

/** The threads exist only once work has been given to them. */
function atLowPriority<T>(work: Promise<T>): Promise<T> {
  lowerHashPriority();
  return work;
}
