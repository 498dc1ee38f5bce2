/** What every store must do with password hashes of other systems, whatever it keeps accounts in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { AccountId } from "../../src/kernel/ids.ts";
import { insertMember, type OpenStores } from "./stores.suite.ts";

const ofToday = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";

const from = (after: AccountId | null, rows: number) => ({ after, rows });

/** Accounts of a table of this file are numbers that may be missing, as far as types go. */
const shown = (page: Promise<unknown>): Promise<unknown> => page;

export function hashesSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  /** Accounts with these hashes, in the order of their ids. */
  async function keep(...hashes: readonly (string | null)[]): Promise<readonly AccountId[]> {
    const ids: AccountId[] = [];
    for (const [at, passwordHash] of hashes.entries()) {
      const { account } = await opened.atomically((stores) => insertMember(stores, `member${at}`));
      await opened.atomically(({ accounts }) => accounts.updateAccount(account.id, { passwordHash }));
      ids.push(account.id);
    }
    return ids;
  }
  describe(`${name}: password hashes`, () => {
    test("that are all of today are none of other systems", async () => {
      await keep(ofToday, null, `${ofToday}b`);
      const { listOtherHashes, countOtherHashes, sampleOtherHashes } = opened.reads.accounts;
      expect(await listOtherHashes(from(null, 10))).toEqual([]);
      expect(await countOtherHashes(from(null, 10))).toEqual([]);
      expect(await sampleOtherHashes(10)).toEqual([]);
    });

    test("of other systems are listed by account, a page at a time", async () => {
      const hashes = ["$md5$a", ofToday, null, "$2y$10$b", "$argon2id$v=19$m=8,t=1,p=1$c$d"];
      const [first, , , second, third] = await keep(...hashes);
      const { listOtherHashes } = opened.reads.accounts;
      const one = { id: first, passwordHash: "$md5$a" };
      const two = { id: second, passwordHash: "$2y$10$b" };
      const three = { id: third, passwordHash: "$argon2id$v=19$m=8,t=1,p=1$c$d" };
      expect(await shown(listOtherHashes(from(null, 10)))).toEqual([one, two, three]);
      expect(await shown(listOtherHashes(from(null, 2)))).toEqual([one, two]);
      expect(await shown(listOtherHashes(from(second ?? null, 2)))).toEqual([three]);
      expect(await listOtherHashes(from(third ?? null, 2))).toEqual([]);
    });

    test("of other systems are counted by their beginnings, a page at a time", async () => {
      const ids = await keep(
        "$md5$a",
        "$salted2-md5$salt$a",
        "$md5$b",
        "$wrapped$md5$$argon2id$v=19$m=19456,t=2,p=1$c$d",
        ofToday,
        "$wrapped$salted2-md5$salt$$argon2id$v=19$m=19456,t=2,p=1$c$d",
        "$wrapped$md5$$argon2id$v=19$m=19456,t=2,p=1$e$f",
        "$2y$10$b",
      );
      const { countOtherHashes } = opened.reads.accounts;
      const found = await countOtherHashes(from(null, 10));
      const sorted: readonly unknown[] = found.toSorted((a, b) => (a.head < b.head ? -1 : 1));
      expect(sorted).toEqual([
        { head: "$2y$", hashes: 1, last: ids[7] },
        { head: "$md5$", hashes: 2, last: ids[2] },
        { head: "$salted2-md5$", hashes: 1, last: ids[1] },
        { head: "$wrapped$md5$", hashes: 2, last: ids[6] },
        { head: "$wrapped$salted2-md5$", hashes: 1, last: ids[5] },
      ]);
      expect(await shown(countOtherHashes(from(ids[6] ?? null, 10)))).toEqual([
        { head: "$2y$", hashes: 1, last: ids[7] },
      ]);
      expect(await countOtherHashes(from(ids[7] ?? null, 10))).toEqual([]);
    });

    test("that are no hashes are counted too", async () => {
      await keep("", "$", "nonsense", "$wrapped$");
      const counts = await opened.reads.accounts.countOtherHashes(from(null, 10));
      expect(counts.reduce((sum, { hashes }) => sum + hashes, 0)).toBe(4);
    });

    test("of other systems are sampled among themselves", async () => {
      await keep(ofToday, "$md5$1", "$md5$2", ofToday, "$md5$4", "$md5$5", null);
      const { sampleOtherHashes } = opened.reads.accounts;
      expect(await sampleOtherHashes(16)).toEqual(
        expect.arrayContaining(["$md5$1", "$md5$2", "$md5$4", "$md5$5"]),
      );
      expect((await sampleOtherHashes(2)).length).toBeLessThanOrEqual(2);
    });

    test("are replaced only where they are the ones that are expected", async () => {
      const [one = 0 as AccountId] = await keep("$md5$a");
      const replace = (from: string, to: string) =>
        opened.atomically(({ accounts }) => accounts.replaceHash(one, { from, to }));
      const hash = async () =>
        (await opened.reads.accounts.findMember({ by: "id", value: one }))?.account.passwordHash;
      await replace("$md5$b", "$md5$c");
      expect(await hash()).toBe("$md5$a");
      await replace("$md5$a", "$md5$c");
      expect(await hash()).toBe("$md5$c");
    });
  });
}
