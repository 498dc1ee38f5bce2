import { availableParallelism } from "node:os";
import type { PasswordHasher } from "../../domain/ports/password-hasher.ts";
import { createGate } from "../../kernel/gate.ts";
import { lowerHashPriority } from "./hash-priority.ts";
import { verifierOf, type Verifier } from "./hash-kinds.ts";

/** OWASP's second choice for Argon2id, in one place (decisions, Accounts): 19 MiB, two passes, one lane. */
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;

/**
 * Bun hashes in the threads that also do the work on files, so as many hashes as there are cores leave the files room: with
 * 200 at once a file took seconds to be written, and with it every change of textures. A hash takes 30 ms of a core.
 */
const inTurn = createGate({
  atOnceMax: availableParallelism(),
  waitingMax: 128 * availableParallelism(),
  refusal: "Too many passwords to check at once; try again in a moment",
});

/**
 * Hashes with Argon2id, off the main thread. Fails with limited when too many wait. Verifies what other systems left behind as well; that needs a new hash, as
 * does a hash of another cost.
 */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => inTurn(() => atLowPriority(Bun.password.hash(password, cost))),
  verify: async (password, hash) => {
    const verify = verifierOf(hash);
    return verify !== null && (await inTurn(() => fits(verify, password, hash)));
  },
  needsRehash: (hash) => !hash.startsWith(prefix),
};

async function fits(verify: Verifier, password: string, hash: string): Promise<boolean> {
  try {
    return await atLowPriority(verify(password, hash));
  } catch {
    // Bun throws for a hash that it cannot read: nobody signs in with it.
    return false;
  }
}

/** The threads exist only once work has been given to them. */
function atLowPriority<T>(work: Promise<T>): Promise<T> {
  lowerHashPriority();
  return work;
}
