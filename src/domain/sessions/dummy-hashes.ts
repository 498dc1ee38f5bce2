import type { Clock } from "../../kernel/clock.ts";
import { within } from "../../kernel/within.ts";
import type { HashCounts } from "./hash-counts.ts";
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
/** How long a sign-in waits for new shares where there are earlier ones. */
const lookMs = 50;

type Share = { readonly kind: string; readonly until: number };

type Deps = {
  readonly reads: {
    readonly accounts: Pick<
      Reads["accounts"],
      "sampleHashes" | "countMembers" | "listOtherHashes" | "sampleOtherHashes"
    >;
  };
  readonly hasher: Pick<PasswordHasher, "kindOf" | "nameOf" | "dummy">;
  /** How many hashes of each kind were not made today's way. */
  readonly hashCounts: () => Promise<HashCounts>;
  readonly clock: Pick<Clock, "steadySeconds">;
};

/**
 * Chooses the kind of a login's dummy hash by a keyed hash, so that it stays the same and no stranger can
 * foresee it, and so often as accounts have hashes of that kind. `hash`: 43 characters of base64url under a
 * key of this installation.
 */
export function createDummyHashes(deps: Deps & { readonly hash: (text: string) => string }): DummyHash {
  const { hasher, clock } = deps;
  let shares: Promise<readonly Share[]> | null = null;
  let lookedAt = 0;
  /** While the database is away, the shares stay as they were. */
  const lookOr = async (before: readonly Share[]): Promise<readonly Share[]> => {
    try {
      return await look(deps);
    } catch {
      lookedAt = Number.NEGATIVE_INFINITY;
      return before;
    }
  };
  const renew = async (earlier: Promise<readonly Share[]> | null): Promise<readonly Share[]> => {
    const before = (await earlier) ?? [];
    const looking = lookOr(before);
    if (earlier === null) return looking;
    void looking.then((found) => (shares = Promise.resolve(found)));
    return within(lookMs, looking, () => before);
  };
  const current = (): Promise<readonly Share[]> => {
    const now = clock.steadySeconds();
    if (shares !== null && now < lookedAt + lookSeconds) return shares;
    lookedAt = now;
    shares = renew(shares);
    return shares;
  };

  return async (login) => {
    const known = await current();
    const { by, value } = credentialsKey(login);
    const place = placeOf(deps.hash(`${by}:${value}`));
    return hasher.dummy(known.find(({ until }) => place < until)?.kind ?? null);
  };
}

/**
 * The kinds of hashes, by how many accounts have them: of today's kind an estimate, of the others by name as
 * counted, and among hashes of one name, as those of two costs, by a sample.
 */
async function look({ reads: { accounts }, hasher, hashCounts }: Deps): Promise<readonly Share[]> {
  const counts = await hashCounts();
  const others = sumOf(counts.values());
  const weights = new Map<string, number>();
  for (const [name, kinds] of Map.groupBy(await sampleOthers(accounts, others), hasher.nameOf)) {
    const readable = kinds.flatMap((hash) => hasher.kindOf(hash) ?? []);
    for (const kind of readable)
      weights.set(kind, (weights.get(kind) ?? 0) + (counts.get(name) ?? 0) / kinds.length);
  }
  const sample = await accounts.sampleHashes(sampleMax);
  const present = sample.filter((hash) => hash !== null).length / Math.max(1, sample.length);
  const today = (await accounts.countMembers(null)) * present - others;
  const kindOfToday = hasher.kindOf(hasher.dummy(null));
  if (today > 0 && kindOfToday !== null) weights.set(kindOfToday, (weights.get(kindOfToday) ?? 0) + today);
  return sharesOf(weights);
}

function sampleOthers(accounts: Deps["reads"]["accounts"], others: number): Promise<readonly string[]> {
  if (others > sampleMax) return accounts.sampleOtherHashes(sampleMax);
  return accounts
    .listOtherHashes({ after: null, rows: sampleMax })
    .then((all) => all.map(({ passwordHash }) => passwordHash));
}

/** The kinds in the order of their names, each up to the sum of its share and those before it. */
function sharesOf(weights: ReadonlyMap<string, number>): readonly Share[] {
  const all = sumOf(weights.values());
  let sum = 0;
  return [...weights]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, weight]) => {
      sum += weight;
      return { kind, until: sum / all };
    });
}

function sumOf(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + number, 0);
}

/** A place from 0 to 1 by the first 32 bits of a hash. */
function placeOf(hash: string): number {
  const [word = 0] = new Uint32Array(
    Uint8Array.fromBase64(hash, { alphabet: "base64url" }).slice(0, 4).buffer,
  );
  return word / 2 ** 32;
}
