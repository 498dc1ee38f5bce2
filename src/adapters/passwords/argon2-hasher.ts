import type { PasswordHasher } from "../../domain/ports.ts";

/** OWASP's second choice for Argon2id, in one place (decisions, Accounts): 19 MiB, two passes, one lane. */
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;

/** Argon2id through Bun, which works off the main thread. */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, cost),
  verify: async (password, hash) => {
    try {
      return await Bun.password.verify(password, hash);
    } catch {
      // Bun throws for a hash that it cannot read: nobody signs in with it.
      return false;
    }
  },
  needsRehash: (hash) => !hash.startsWith(prefix),
};
