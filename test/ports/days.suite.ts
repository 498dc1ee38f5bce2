/** What every store of daily counts must do, whatever it keeps them in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { newUuid, type AccountId } from "../../src/kernel/ids.ts";
import { sessionRow, type OpenStores } from "./stores.suite.ts";

const daySeconds = 86_400;

export function daysSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  beforeEach(async () => void (opened = await open()));
  afterEach(() => opened[Symbol.asyncDispose]());

  const register = (createdAt: number) =>
    opened.atomically(({ accounts }) =>
      accounts.insertAccount({
        uuid: newUuid(),
        mail: null,
        registration: "unconfirmed",
        mailVerified: false,
        passwordHash: null,
        permanentLevel: 1,
        language: "en",
        createdAt,
      }),
    );
  const signIn = (account: AccountId, id: string, createdAt: number) =>
    opened.atomically(({ sessions }) => sessions.insertSession({ ...sessionRow(account, id), createdAt }));
  const days = (from = 0) => opened.reads.days.listDays(from);

  describe(`${name}: the days`, () => {
    test("are none at first", async () => {
      expect(await days()).toEqual([]);
    });

    test("count registrations and sign-ins, each on its own day in UTC", async () => {
      const { id } = await register(5 * daySeconds);
      await register(6 * daySeconds - 1);
      await register(6 * daySeconds);
      await signIn(id, "a", 6 * daySeconds);
      await signIn(id, "b", 7 * daySeconds);
      await signIn(id, "c", 8 * daySeconds - 1);
      expect(await days()).toEqual([
        { day: 5, registrations: 2, signIns: 0 },
        { day: 6, registrations: 1, signIns: 1 },
        { day: 7, registrations: 0, signIns: 2 },
      ]);
      expect((await days(6)).map(({ day }) => day)).toEqual([6, 7]);
    });

    test("keep what they counted when it is gone", async () => {
      const { id } = await register(0);
      await signIn(id, "a", 0);
      await opened.atomically(({ sessions }) => sessions.deleteSession(sessionRow(id, "a").id));
      await opened.atomically(({ accounts }) => accounts.deleteAccount(id));
      expect(await days()).toEqual([{ day: 0, registrations: 1, signIns: 1 }]);
    });

    test("count nothing of what was rolled back", async () => {
      const failing = opened.atomically(async ({ accounts }) => {
        await accounts.insertAccount({
          uuid: newUuid(),
          mail: null,
          registration: "complete",
          mailVerified: false,
          passwordHash: null,
          permanentLevel: 1,
          language: "en",
          createdAt: 1,
        });
        throw new Error("no");
      });
      expect(await failing.catch(String)).toBe("Error: no");
      expect(await days()).toEqual([]);
    });

    test("are forgotten before a day", async () => {
      for (const day of [1, 2, 3]) await register(day * daySeconds);
      await opened.atomically((stores) => stores.days.deleteDays(3));
      expect((await days()).map(({ day }) => day)).toEqual([3]);
    });
  });

  describe(`${name}: what is known of accounts`, () => {
    test("is how many are unconfirmed", async () => {
      const count = () => opened.reads.accounts.countUnconfirmed();
      expect(await count()).toBe(0);
      const [one, other] = [await register(1), await register(1)];
      expect(await count()).toBe(2);
      const set = (id: AccountId, registration: "unnamed" | "complete" | "unconfirmed") =>
        opened.atomically(({ accounts }) => accounts.updateAccount(id, { registration }));
      await set(one.id, "unnamed");
      expect(await count()).toBe(1);
      await set(one.id, "complete");
      expect(await count()).toBe(1);
      await set(one.id, "unconfirmed");
      expect(await count()).toBe(2);
      await opened.atomically(({ accounts }) => accounts.deleteAccount(other.id));
      expect(await count()).toBe(1);
    });

    test("is when a session of theirs was last used, also of those that ended", async () => {
      const { id } = await register(1);
      const lastSeen = () => opened.reads.accounts.findLastSeen(id);
      expect(await lastSeen()).toBeNull();
      const use = (session: string, lastUsedAt: number) =>
        opened.atomically(({ sessions }) =>
          sessions.insertSession({ ...sessionRow(id, session), lastUsedAt }),
        );
      await use("a", 50);
      await use("b", 40);
      expect(await lastSeen()).toBe(50);
      await opened.atomically(({ sessions }) => sessions.deleteSession(sessionRow(id, "a").id));
      expect(await lastSeen()).toBe(50);
      await opened.atomically(({ sessions }) => sessions.deleteSessionsOf(id));
      expect(await lastSeen()).toBe(50);
      await use("c", 60);
      expect(await lastSeen()).toBe(60);
    });
  });
}
