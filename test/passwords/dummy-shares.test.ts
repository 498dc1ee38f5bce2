/** How often unknown names get the work of each kind of hash: as often as accounts have hashes of it. */
import { expect, test } from "bun:test";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { countHashes } from "../../src/domain/sessions/hash-counts.ts";
import { createDummyHashes } from "../../src/domain/sessions/dummy-hashes.ts";
import type { AccountId } from "../../src/kernel/ids.ts";

const names = 6000;
const today = "$argon2id$v=19$m=19456,t=2,p=1$";

type Community = {
  /** Accounts with a hash of today, and without a password. */
  readonly today: number;
  readonly none: number;
  /** Those with hashes of these kinds, by effort. */
  readonly others: Readonly<Record<string, number>>;
};

const evenly = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.filter((_, at) => at % Math.ceil(items.length / most) === 0);

/** The kinds of the dummies of many unknown names, with their shares. */
async function sharesIn({
  today: ofToday,
  none,
  others,
}: Community): Promise<Readonly<Record<string, number>>> {
  const held = Object.entries(others).flatMap(([effort, count]) =>
    Array.from({ length: count }, () => argon2Hasher.dummy(effort)),
  );
  const all = ofToday + none + held.length;
  const accounts = {
    sampleHashes: async (most: number) => {
      const present = argon2Hasher.dummy(null);
      return Array.from({ length: most }, (_, at) => (at < (most * none) / all ? null : present));
    },
    countMembers: async () => all,
    listOtherHashes: async () =>
      held.slice(0, 1024).map((passwordHash) => ({ id: 1 as AccountId, passwordHash })),
    sampleOtherHashes: async (most: number) => evenly(held, most),
    countOtherHashes: async ({ after }: { readonly after: AccountId | null }) =>
      after === null ? held.map((hash) => ({ head: headOf(hash), hashes: 1, last: 1 as AccountId })) : [],
  };
  const deps = { reads: { accounts }, hasher: argon2Hasher };
  const dummyHash = createDummyHashes({
    ...deps,
    hashCounts: () => countHashes(deps),
    clock: { steadySeconds: () => 0 },
    hash: (text) => new Bun.CryptoHasher("sha256").update(text).digest("base64url"),
  });
  const found = new Map<string, number>();
  for (let at = 0; at < names; at++) {
    const effort = argon2Hasher.kindOf(await dummyHash(`Nobody${at}`)) ?? "none";
    found.set(effort, (found.get(effort) ?? 0) + 1);
  }
  return Object.fromEntries([...found].map(([effort, count]) => [effort, count / names]));
}

const headOf = (hash: string) => /^\$(?:wrapped\$)?[^$]+\$/.exec(hash)?.[0] ?? "";

test.each<readonly [string, Community, Readonly<Record<string, number>>]>([
  ["of none", { today: 0, none: 0, others: {} }, { [today]: 1 }],
  ["of today alone", { today: 5000, none: 100, others: {} }, { [today]: 1 }],
  ["without passwords", { today: 0, none: 100, others: {} }, { [today]: 1 }],
  [
    "of five kinds",
    {
      today: 200,
      none: 1000,
      others: { $2y$10$: 200, $2y$12$: 200, "$scrypt$ln=15,r=8,p=1$": 200, $phpass$B: 200 },
    },
    { [today]: 0.2, $2y$10$: 0.2, $2y$12$: 0.2, "$scrypt$ln=15,r=8,p=1$": 0.2, $phpass$B: 0.2 },
  ],
  [
    "with more hashes of other systems than a sample has",
    { today: 1500, none: 0, others: { $2a$10$: 3000, "$pbkdf2-django$24000$": 1500 } },
    { [today]: 0.25, $2a$10$: 0.5, "$pbkdf2-django$24000$": 0.25 },
  ],
  [
    "with one hash in fifty of another system",
    { today: 9800, none: 0, others: { "$wrapped$md5$$argon2id$v=19$m=19456,t=2,p=1$": 200 } },
    { [today]: 0.98, "$wrapped$md5$$argon2id$v=19$m=19456,t=2,p=1$": 0.02 },
  ],
])("in a community %s", async (_, community, expected) => {
  const shares = await sharesIn(community);
  expect(Object.keys(shares).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [effort, share] of Object.entries(expected))
    expect({ effort, off: Math.abs((shares[effort] ?? 0) - share) < 0.03 }).toEqual({ effort, off: true });
});
