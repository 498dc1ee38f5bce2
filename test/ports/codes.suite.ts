/** What every code store must do, whatever it keeps codes in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CodePurpose, PendingCode } from "../../src/domain/model/code.ts";
import type { Atomically } from "../../src/domain/ports/stores.ts";
import { newUuid, type AccountId } from "../../src/kernel/ids.ts";
import type { OpenStores } from "./stores.suite.ts";

export function codesSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let transact: Atomically;
  let alice: AccountId;
  let bob: AccountId;
  beforeEach(async () => {
    opened = await open();
    ({ atomically: transact } = opened);
    [alice, bob] = [await addAccount("alice"), await addAccount("bob")];
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const addAccount = (name: string) =>
    transact(async ({ accounts }) => {
      const fixed = {
        registration: "unnamed",
        mailVerified: true,
        passwordHash: null,
        permanentLevel: 1,
        language: "en",
        createdAt: 1,
      } as const;
      return (await accounts.insertAccount({ uuid: newUuid(), mail: `${name}@example.org`, ...fixed })).id;
    });
  const code = (hash: string, rest: Partial<PendingCode> = {}): PendingCode => ({
    accountId: alice,
    purpose: "reset",
    hash,
    mail: "alice@example.org",
    expiresAt: 100,
    ...rest,
  });
  const put = (...codes: readonly PendingCode[]) =>
    transact(async (stores) => {
      for (const one of codes) await stores.codes.putCode(one);
    });
  /** Which of the hashes are known. */
  const known = async (...hashes: readonly string[]) => {
    const found = await Promise.all(hashes.map((hash) => opened.reads.codes.findCode(hash)));
    return found.flatMap((one) => (one === null ? [] : [one.hash]));
  };

  const useUp = (hash: string) =>
    transact(async ({ codes }) => {
      const found = await codes.findCode(hash);
      await Promise.resolve();
      if (found !== null) await codes.deleteCodesOf(found.accountId, found.purpose);
      return found !== null;
    });

  const keep = (account: AccountId, ...hashes: readonly string[]) =>
    transact(async ({ codes }) => {
      for (const hash of hashes) await codes.keepRegistrationPassword(account, hash, 3);
    });
  const kept = (account: AccountId, most = 10) => opened.reads.codes.registrationPasswords(account, most);

  describe(`${name}: codes`, () => {
    test.each<CodePurpose>(["confirm", "reset", "mail"])("are found by their hash: %s", async (purpose) => {
      const one = code("a", { purpose });
      await put(one);
      expect(await opened.reads.codes.findCode("a")).toEqual(one);
      expect(await transact((stores) => stores.codes.findCode("a"))).toEqual(one);
    });

    test("are found by nothing else", async () => {
      await put(code("abc"));
      expect(await known("", "ab", "ABC", "abc ", "abcd", "%", "alice@example.org")).toEqual([]);
    });

    test("are found when they have expired, which is for the caller to judge", async () => {
      await put(code("old", { expiresAt: 0 }));
      expect(await known("old")).toEqual(["old"]);
    });

    test("of registrations stand beside each other", async () => {
      const [first, second, others] = [
        code("first", { purpose: "confirm" }),
        code("second", { purpose: "confirm", mail: "ALICE@example.org" }),
        code("others", { purpose: "confirm", accountId: bob }),
      ];
      await put(first, second, code("reset"), others);
      expect(await opened.reads.codes.findCode("first")).toEqual(first);
      expect(await opened.reads.codes.findCode("second")).toEqual(second);
      await transact((stores) => stores.codes.deleteCodesOf(alice, "confirm"));
      expect(await known("first", "second", "reset", "others")).toEqual(["reset", "others"]);
    });

    test("give way to a newer one of the same account and purpose, and to no other", async () => {
      await put(
        code("first"),
        code("others", { accountId: bob }),
        code("confirm", { purpose: "confirm" }),
        code("mail", { purpose: "mail" }),
      );
      const second = code("second", { mail: "new@example.org", expiresAt: 200 });
      await put(second);
      expect(await known("first", "second", "others", "confirm", "mail")).toEqual([
        "second",
        "others",
        "confirm",
        "mail",
      ]);
      expect(await opened.reads.codes.findCode("second")).toEqual(second);
    });

    test("are good until they expire, whatever they are for", async () => {
      await put(
        code("a", { purpose: "mail", expiresAt: 100 }),
        code("b", { purpose: "confirm", expiresAt: 50 }),
      );
      const { hasValidCode } = opened.reads.codes;
      expect([await hasValidCode(alice, 99), await hasValidCode(alice, 100)]).toEqual([true, false]);
      expect(await hasValidCode(bob, 1)).toBe(false);
    });

    test("of an account are deleted all, or those of one purpose", async () => {
      const all = [
        code("reset"),
        code("mail", { purpose: "mail" }),
        code("confirm", { purpose: "confirm" }),
        code("others", { accountId: bob }),
      ];
      await put(...all);
      const hashes = all.map(({ hash }) => hash);
      await transact((stores) => stores.codes.deleteCodesOf(alice, "reset"));
      expect(await known(...hashes)).toEqual(["mail", "confirm", "others"]);
      await transact((stores) => stores.codes.deleteCodesOf(alice));
      expect(await known(...hashes)).toEqual(["others"]);
    });

    test.each(["confirm", "claim"] as const)(
      "for %s are removed that expired before a time, or will after one",
      async (purpose) => {
        const carl = await addAccount("carl");
        const accounts = [alice, bob, carl, await addAccount("dora")];
        const times = [99, 100, 101, 102];
        await put(
          ...accounts.map((accountId, place) =>
            code(`${times[place]}`, { accountId, purpose, expiresAt: times[place] ?? 0 }),
          ),
          code("other", { purpose: "reset", expiresAt: 1 }),
        );
        await transact((stores) => stores.codes.deleteExpiredCodes(purpose, 100, 101));
        expect(await known("99", "100", "101", "102", "other")).toEqual(["100", "101", "other"]);
      },
    );

    test("are stored many at once, in place of those with the same purpose", async () => {
      await put(code("old", { purpose: "claim" }), code("reset"));
      const many = [alice, bob].map((accountId) =>
        code(`new ${accountId}`, { accountId, purpose: "claim", mail: "", expiresAt: 200 }),
      );
      await transact((stores) => stores.codes.putCodes(many));
      expect(await known("old", "reset", `new ${alice}`, `new ${bob}`)).toEqual([
        "reset",
        `new ${alice}`,
        `new ${bob}`,
      ]);
      expect(await opened.reads.codes.findCode(`new ${bob}`)).toEqual(many[1] ?? null);
      await transact((stores) => stores.codes.putCodes([]));
    });

    test("go with their account", async () => {
      await put(code("a"), code("others", { accountId: bob }));
      await transact(({ accounts }) => accounts.deleteAccount(alice));
      expect(await known("a", "others")).toEqual(["others"]);
    });

    test("come back when what used them up fails", async () => {
      await put(code("a"));
      const failed = transact(async (stores) => {
        await stores.codes.deleteCodesOf(alice);
        expect(await stores.codes.findCode("a")).toBeNull();
        throw new Error("no");
      });
      expect(await failed.catch((error: unknown) => String(error))).toBe("Error: no");
      expect(await known("a")).toEqual(["a"]);
    });

    test("are used up by one of many at once", async () => {
      await put(code("a"));
      const won = await Promise.all(Array.from({ length: 20 }, () => useUp("a")));
      expect(won.filter(Boolean)).toHaveLength(1);
    });
  });

  describe(`${name}: passwords of registrations`, () => {
    test("are read from the newest on, of one account, as many as are asked for", async () => {
      expect(await kept(alice)).toEqual([]);
      await keep(alice, "first", "second");
      await keep(bob, "others");
      expect([await kept(alice), await kept(alice, 1)]).toEqual([["second", "first"], ["second"]]);
      expect(await transact(({ codes }) => codes.registrationPasswords(alice, 10))).toEqual([
        "second",
        "first",
      ]);
    });

    test("give way to newer ones beyond a number, and to no other account's", async () => {
      await keep(bob, "others");
      await keep(alice, "1", "2", "3", "4", "5");
      expect([await kept(alice), await kept(bob)]).toEqual([["5", "4", "3"], ["others"]]);
    });

    test.each([
      ["all codes", [], undefined],
      ["codes of registrations", [], "confirm"],
      ["codes of resets", ["first"], "reset"],
      ["codes of new addresses", ["first"], "mail"],
    ] as const)("where %s are deleted, %j stay", async (_, left, purpose) => {
      await keep(alice, "first");
      await keep(bob, "others");
      await transact(({ codes }) => codes.deleteCodesOf(alice, purpose));
      expect([await kept(alice), await kept(bob)]).toEqual([[...left], ["others"]]);
    });

    test("go with their account", async () => {
      await keep(alice, "first");
      await keep(bob, "others");
      await transact(({ accounts }) => accounts.deleteAccount(alice));
      expect([await kept(alice), await kept(bob)]).toEqual([[], ["others"]]);
    });
  });
}
