import { refusals } from "../../domain/model/refusals.ts";
import { availableParallelism } from "node:os";
import type { PasswordHasher } from "../../domain/ports/password-hasher.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import { FairQueue } from "../../kernel/fair-queue.ts";
import { behalf } from "../../kernel/on-behalf.ts";
import { atLowPriority } from "../../kernel/pool-priority.ts";
import { Waiters, type Waiter } from "../../kernel/waiters.ts";
import {
  cost,
  dummyOf,
  fastPart,
  fits,
  kindOf,
  kindOfToday,
  nameOf,
  usualMilliseconds,
} from "./hash-kinds.ts";

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

/**
 * Hashes with Argon2id off the main thread, and verifies hashes of other systems as well; these, and hashes
 * of another cost, need a new hash. Clients share the time evenly: a client's next hash waits for one of each
 * other client at most.
 */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => inTurn(kindOfToday, () => hashToday(password)),
  verify: async (password, hash, typed = password) => {
    const kind = kindOf(hash);
    if (kind === null) return false;
    const isRight = (given: string) => inTurn(kind, () => fits(given, hash).catch(refuseFault));
    // Other systems hashed what was typed.
    const isFitting =
      (await isRight(password)) || (typed !== password && kind !== kindOfToday && (await isRight(typed)));
    // A hash of nothing may have come from elsewhere, and a text that cannot be a password is given as
    // nothing.
    return isFitting && password !== "";
  },
  needsRehash: (hash) => kindOf(hash) !== kindOfToday,
  kindOf,
  nameOf,
  dummy: (kind) => dummyOf(kind ?? kindOfToday),
  wrap: async (hash) => {
    const fast = fastPart(hash);
    if (fast === null) return null;
    return inTurn(kindOfToday, async () => `${fast.head}${await hashToday(fast.digest)}`);
  },
  isSame: (now, compared) => {
    if (now === compared) return true;
    const fast = fastPart(compared);
    return fast !== null && now !== null && now.startsWith(`${fast.head}$argon2id$`);
  },
  isBusy: () => !queue.hasPlace,
};

function hashToday(password: string): Promise<string> {
  return Bun.password.hash(password, cost).catch(refuseFault);
}

function refuseFault(error: unknown): never {
  throw refusals.passwordsAway({ cause: error, report: { error } });
}
