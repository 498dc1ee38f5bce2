/** What every store of suspensions must do, whatever it keeps them in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Suspension } from "../../src/domain/model/suspension.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { insertMember, type OpenStores } from "./stores.suite.ts";

export function suspensionsSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let anna: AccountId;
  let bert: AccountId;
  beforeEach(async () => {
    opened = await open();
    const add = (name: string) => opened.atomically((stores) => insertMember(stores, name));
    anna = (await add("anna")).account.id;
    bert = (await add("bert")).account.id;
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const put = (...all: readonly Suspension[]) =>
    opened.atomically(async ({ suspensions }) => {
      for (const one of all) await suspensions.putSuspension(one);
    });
  const find = (account: AccountId) => opened.reads.suspensions.findSuspension(account);
  const events = async () => (await opened.reads.events.listEvents(0, 100)).map(({ type }) => type);

  describe(`${name}: suspensions`, () => {
    test("are found by their account, ended or not", async () => {
      expect(await find(anna)).toBeNull();
      const one = suspension(anna, { until: 1, reason: "Стянул „скин“ 🦊" });
      await put(one);
      expect(await find(anna)).toEqual(one);
      expect(await opened.atomically(({ suspensions }) => suspensions.findSuspension(anna))).toEqual(one);
      expect(await find(bert)).toBeNull();
    });

    test("an account has one: the last", async () => {
      await put(suspension(anna, { until: 7, reason: "one" }), suspension(bert));
      const last = suspension(anna, { issuer: "cli", at: 6 });
      await put(last);
      expect([await find(anna), await find(bert)]).toEqual([last, suspension(bert)]);
    });

    test("are removed alone, and with their account", async () => {
      await put(suspension(anna), suspension(bert));
      await opened.atomically(({ suspensions }) => suspensions.deleteSuspension(anna));
      expect([await find(anna), await find(bert)]).toEqual([null, suspension(bert)]);
      await opened.atomically(({ accounts }) => accounts.deleteAccount(bert));
      expect(await find(bert)).toBeNull();
    });

    test("those that have ended are listed, the longest ended first, and not counted", async () => {
      await put(suspension(anna, { until: 20 }), suspension(bert, { until: 10 }));
      const { listEndedSuspensions: list, countSuspended: count } = opened.reads.suspensions;
      const ended = async (now: number, rows = 10) =>
        (await list(now, rows)).map(({ accountId }) => accountId);
      expect([await ended(9), await count(9)]).toEqual([[], 2]);
      expect([await ended(10), await count(10)]).toEqual([[bert], 1]);
      expect([await ended(20), await count(20)]).toEqual([[bert, anna], 0]);
      expect(await ended(20, 1)).toEqual([bert]);
      await put(suspension(anna));
      expect([await ended(99), await count(99)]).toEqual([[bert], 1]);
    });

    test("are events, unless the account has no player", async () => {
      const before = (await events()).length;
      await put(suspension(anna, { until: 7 }));
      await opened.atomically(({ suspensions }) => suspensions.deleteSuspension(anna));
      expect((await events()).slice(before)).toEqual(["account.suspended", "account.restored"]);
      const [, last] = (await opened.reads.events.listEvents(0, 100)).slice(before).toReversed();
      expect(last).toMatchObject({ type: "account.suspended", player: { name: "anna" }, until: 7 });
    });

    test("an administrator who is suspended is not a lasting one", async () => {
      const lasting = (now: number) => opened.reads.accounts.hasLastingAdministrator({ than: anna, now });
      await opened.atomically(({ accounts }) => accounts.updateAccount(bert, { permanentLevel: 3 }));
      expect(await lasting(5)).toBe(true);
      await put(suspension(bert, { until: 10 }));
      expect([await lasting(9), await lasting(10)]).toEqual([false, true]);
      await put(suspension(bert));
      expect(await lasting(99)).toBe(false);
    });
  });
}

function suspension(accountId: AccountId, rest: Partial<Suspension> = {}): Suspension {
  return { accountId, until: null, reason: "", issuer: "Chief", at: 5, ...rest };
}
