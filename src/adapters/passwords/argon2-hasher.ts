import { refusals } from "../../domain/model/refusals.ts";
import { availableParallelism } from "node:os";
import type { PasswordHasher } from "../../domain/ports/password-hasher.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import { codeOf } from "../../kernel/errors.ts";
import { FairQueue } from "../../kernel/fair-queue.ts";
import { behalf } from "../../kernel/on-behalf.ts";
import { atLowPriority } from "../../kernel/pool-priority.ts";
import { Waiters, type Waiter } from "../../kernel/waiters.ts";
import { cost, dummyOf, isBcrypt, kindOf, kindOfToday, usualMilliseconds } from "./hash-kinds.ts";

/** Seconds until a refused hash may be tried again: within them all waiting hashes are done. */
const retryAfterSeconds = 3;

/**
 * Bun hashes in the threads that also do file operations. One hash per core leaves room for files: with 200
 * at once, a file and with it every change of textures took seconds to be written. A hash takes 30 ms of a
 * core.
 */
const queue = new FairQueue({
  atOnceMax: availableParallelism(),
  // An imported hash may be as slow as its system liked. One core is left to the others.
  largeMilliseconds: 250,
  waitingMax: 128 * availableParallelism(),
  waitMillisecondsMax: retryAfterSeconds * 1000,
  refusal: refusals.passwordsBusy,
});

/**
 * Half a second of all cores: an address never needs more, by its limits, and the queue holds six times as
 * much.
 */
const ofClientMax = 16 * availableParallelism();

/** Hashes of each client that wait or are under way. Holds no client without one. */
const underway = new Map<string, number>();

/**
 * What the program does for itself, as a command or a job: one client among the others, without a bound of
 * its own.
 */
const program: Waiter = { client: "the program itself", gone: null };

/**
 * How long a hash of each kind takes here, in milliseconds: the shortest recent time, because a slower hash
 * had to share its core. Imported hashes are of a few kinds.
 */
const measured = new BoundedMap<string, number>(64);
/**
 * How fast the least time is forgotten: a hash that is slower for good counts as twice as slow after 35 of
 * them.
 */
const growth = 1.02;

const expectedOf = (kind: string) => measured.get(kind) ?? usualMilliseconds(kind);

/** Runs the work when it is the turn of the client for whom it is done. */
async function inTurn<T>(kind: string, work: () => Promise<T>): Promise<T> {
  const waiter = behalf() ?? program;
  const { client } = waiter;
  const count = underway.get(client) ?? 0;
  if (count >= ofClientMax && waiter !== program) throw refusals.passwordsOfAddress({ retryAfterSeconds });
  underway.set(client, count + 1);
  try {
    const turn = { waiters: new Waiters(waiter), expectedMilliseconds: expectedOf(kind) };
    return await queue.run(turn, () => timed(kind, work));
  } finally {
    const left = (underway.get(client) ?? 0) - 1;
    if (left > 0) underway.set(client, left);
    else underway.delete(client);
  }
}

async function timed<T>(kind: string, work: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  const result = await atLowPriority(work());
  measured.set(kind, Math.min(performance.now() - begunAt, expectedOf(kind) * growth));
  return result;
}

/** bcrypt ignores everything beyond this. */
const bcryptBytesMax = 72;

/**
 * For bcrypt, Bun hashes longer passwords with SHA-512 first, which no other system does, so it gets what
 * bcrypt itself would see.
 */
function readBy(kind: string, password: string): string | Uint8Array {
  return isBcrypt(kind) ? new TextEncoder().encode(password).slice(0, bcryptBytesMax) : password;
}

/**
 * Hashes with Argon2id off the main thread, and verifies hashes of other systems as well; these, and hashes
 * of another cost, need a new hash. Clients share the time evenly: a client's next hash waits for one of each
 * other client at most.
 */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => inTurn(kindOfToday, () => Bun.password.hash(password, cost).catch(refuseFault)),
  verify: async (password, hash) => {
    const kind = kindOf(hash);
    return kind !== null && inTurn(kind, () => fits(kind, password, hash));
  },
  needsRehash: (hash) => kindOf(hash) !== kindOfToday,
  kindOf,
  dummy: (kind) => dummyOf(kind ?? kindOfToday),
};

/** What Bun calls a hash that no password can fit. Every other failure is a fault of the system. */
const unreadable: ReadonlySet<string | null> = new Set([
  "PASSWORD_INVALID_ENCODING",
  "PASSWORD_WEAK_PARAMETERS",
  "PASSWORD_UNSUPPORTED_ALGORITHM",
]);

async function fits(kind: string, password: string, hash: string): Promise<boolean> {
  try {
    return await Bun.password.verify(readBy(kind, password), hash);
  } catch (error) {
    return unreadable.has(codeOf(error)) ? false : refuseFault(error);
  }
}

function refuseFault(error: unknown): never {
  throw refusals.passwordsAway({ cause: error, report: { error } });
}
