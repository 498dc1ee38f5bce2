import type { Clock } from "../../kernel/clock.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import { credentialsKey } from "./credentials.ts";

/**
 * Returns a hash that no password fits, for a login of no account, or of one without a password. Comparing
 * takes as long as with the hash of some account: otherwise an account from another system, whose hash is
 * slower or faster than ours, would be known by the time of a wrong password.
 */
export type DummyHash = (login: string) => Promise<string>;

/** How old the shares of the kinds may be. They change as people sign in, and by imports. */
const lookSeconds = 60;
/** How many accounts are looked at. Reading them takes some milliseconds. */
const sampleMax = 1024;

type Share = { readonly kind: string; readonly until: number };

/**
 * Chooses the kind of a login's dummy hash by a keyed hash, so that it stays the same and no stranger can
 * foresee it, and so often as accounts have hashes of that kind. `hash`: 43 characters of base64url under a
 * key of this installation.
 */
export function createDummyHashes(deps: {
  readonly reads: { readonly accounts: Pick<Reads["accounts"], "sampleHashes"> };
  readonly hasher: Pick<PasswordHasher, "kindOf" | "dummy">;
  readonly clock: Pick<Clock, "steadySeconds">;
  readonly hash: (text: string) => string;
}): DummyHash {
  const { reads, hasher, clock } = deps;
  let shares: Promise<readonly Share[]> | null = null;
  let lookedAt = 0;
  const look = async (): Promise<readonly Share[]> => {
    const kinds = (await reads.accounts.sampleHashes(sampleMax)).map(hasher.kindOf);
    return sharesOf(kinds.filter((kind) => kind !== null));
  };
  const current = (): Promise<readonly Share[]> => {
    const now = clock.steadySeconds();
    if (shares !== null && now < lookedAt + lookSeconds) return shares;
    const before = shares ?? Promise.resolve([]);
    lookedAt = now;
    // While the database is away, the shares stay as they were.
    shares = look().catch(() => {
      lookedAt = Number.NEGATIVE_INFINITY;
      return before;
    });
    return shares;
  };

  return async (login) => {
    const known = await current();
    const { by, value } = credentialsKey(login);
    const place = placeOf(deps.hash(`${by}:${value}`));
    return hasher.dummy(known.find(({ until }) => place < until)?.kind ?? null);
  };
}

/** The kinds in the order of their names, each up to the sum of its share and those before it. */
function sharesOf(kinds: readonly string[]): readonly Share[] {
  const counts = Map.groupBy(kinds, (kind) => kind);
  let sum = 0;
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, all]) => {
      sum += all.length;
      return { kind, until: sum / kinds.length };
    });
}

/** A place from 0 to 1 by the first 32 bits of a hash. */
function placeOf(hash: string): number {
  const [word = 0] = new Uint32Array(
    Uint8Array.fromBase64(hash, { alphabet: "base64url" }).slice(0, 4).buffer,
  );
  return word / 2 ** 32;
}
