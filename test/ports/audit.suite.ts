/** What every audit store must do, whatever it keeps entries in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { AuditEntry, AuditReads } from "../../src/domain/ports/audit-store.ts";
import { hashOfEntry } from "../../src/domain/model/audit-chain.ts";
import type { Atomically } from "../../src/domain/ports/stores.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { named } from "../support/actors.ts";
import { accountRow, insertMember, type OpenStores } from "./stores.suite.ts";

export function auditSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let transact: Atomically;
  let audit: AuditReads;
  beforeEach(async () => {
    opened = await open();
    ({ atomically: transact } = opened);
    ({ audit } = opened.reads);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const append = (...entries: readonly AuditEntry[]) =>
    transact(async (stores) => {
      for (const one of entries) await stores.audit.append(one);
    });
  const found = async (search: string | null, after: number | null = null, rows = 10) =>
    (await audit.listEntries({ search, after, rows })).map(({ id }) => id);

  describe(`${name}: the audit`, () => {
    test("is empty at first", async () => {
      expect(await found(null)).toEqual([]);
      expect([await audit.countEntries(null), await audit.countWritten()]).toEqual([0, 0]);
      expect(await audit.readChain(0, 10)).toEqual([]);
    });

    test("gives back what was appended, with its number", async () => {
      const detail = { old: { name: "Änne", perms: 1 }, new: { name: "\u{1F9E5}", perms: null } };
      const actor = { name: "Anna", accountId: 5 as AccountId, via: "session:3c0d" };
      const whole = entry({ actor, action: "role.set", forAccountId: 7 as AccountId, detail });
      await append(whole, entry());
      expect(await audit.listEntries({ search: null, after: null, rows: 10 })).toEqual([
        { id: 2, ...entry() },
        { id: 1, ...whole },
      ]);
    });

    test("lists the newest first, and what came before the last one seen", async () => {
      await append(entry(), entry(), entry(), entry(), entry());
      expect(await found(null)).toEqual([5, 4, 3, 2, 1]);
      expect(await found(null, null, 2)).toEqual([5, 4]);
      expect(await found(null, 4, 2)).toEqual([3, 2]);
      expect(await found(null, 1)).toEqual([]);
      expect(await found(null, 999)).toEqual([5, 4, 3, 2, 1]);
    });

    test("finds by a part of the issuer or the action, in any case", async () => {
      await append(
        entry({ actor: named("Anna"), action: "user.update" }),
        entry({ actor: named("service:web-shop"), action: "role.set" }),
        entry({ actor: named("Hannah"), action: "cape.grant" }),
      );
      expect(await found("ann")).toEqual([3, 1]);
      expect(await found("ANNA")).toEqual([3, 1]);
      expect(await found("service:")).toEqual([2]);
      expect(await found("web-shop")).toEqual([2]);
      expect(await found("e.g")).toEqual([3]);
      expect(await found("user.delete")).toEqual([]);
      expect(await found("ann", 3)).toEqual([1]);
      expect(await found("ann", null, 1)).toEqual([3]);
      expect(await audit.countEntries("ann")).toBe(2);
      expect(await audit.countEntries("user.delete")).toBe(0);
    });

    test.each(["a", "an", "x", "🧥"])("finds nothing by %j, which is too short", async (search) => {
      await append(entry({ actor: named("Anna") }));
      expect([await found(search), await audit.countEntries(search)]).toEqual([[], 0]);
    });

    test.each(['"', '""a', "a OR b", "issuer:cli", "cli*", "NEAR(cli)", "%cli%", "c_i", "\\", "'--"])(
      "takes %j for a text, not for an expression",
      async (search) => {
        await append(entry());
        expect([await found(search), await audit.countEntries(search)]).toEqual([[], 0]);
      },
    );

    test("finds by the account that entries concern", async () => {
      await append(about(7), about(77), about(7), entry());
      expect(await found("7")).toEqual([3, 1]);
      expect(await found("7", 3)).toEqual([1]);
      expect(await found("7", null, 1)).toEqual([3]);
      expect(await found("77")).toEqual([2]);
      expect(await found("8")).toEqual([]);
      expect(await found("0")).toEqual([]);
      expect(await audit.countEntries("7")).toBe(2);
    });

    test("finds by a number that is an account and stands in an issuer, each entry once", async () => {
      await append(
        about(123),
        entry({ actor: named("Anna123") }),
        entry({ actor: named("Anna123"), forAccountId: 123 as AccountId }),
        about(12),
      );
      expect(await found("123")).toEqual([3, 2, 1]);
      expect(await found("123", 3, 1)).toEqual([2]);
      expect(await audit.countEntries("123")).toBe(3);
    });

    test("names the people of entries, also the deleted ones", async () => {
      const [anna, gone] = await transact(async (stores) => [
        await insertMember(stores, "Anna"),
        await insertMember(stores, "Gone"),
      ]);
      const [annaId, goneId] = [anna.account.id, gone.account.id];
      const unnamed = await transact(({ accounts }) => accounts.insertAccount(accountRow("new@example.org")));
      await transact(({ accounts }) => accounts.deleteAccount(goneId));
      const detail = { old: { uuid: "", username: "Gone", mail: "gone@example.org" } };
      await append(about(goneId), entry({ action: "user.delete", forAccountId: goneId, detail }));
      await append(entry({ action: "role.expire", forAccountId: goneId }));
      const people = await audit.listPeople([unnamed.id, goneId, annaId, annaId, 999]);
      expect(people.toSorted((one, other) => one.id - other.id)).toEqual([
        { id: annaId, name: "Anna", isDeleted: false },
        { id: goneId, name: "Gone", isDeleted: true },
        { id: unnamed.id, name: unnamed.mail ?? "", isDeleted: false },
        { id: 999, name: "", isDeleted: true },
      ]);
      expect(await audit.listPeople([])).toEqual([]);
    });

    test("finds by the account that acted, whatever its name was", async () => {
      const by = (name: string, id: number) =>
        entry({ actor: { name, accountId: id as AccountId, via: null } });
      await append(by("Anna", 5), by("Bert", 6), by("Annabel", 5), entry());
      const filter = { ...everyEntry, actorAccountId: 5 as AccountId };
      const page = { search: null, after: null, rows: 10 };
      expect((await audit.listEntries(page, filter)).map(({ id }) => id)).toEqual([3, 1]);
      expect(await audit.countEntries(null, 10, filter)).toBe(2);
      expect(await audit.countEntries(null, 10, { ...filter, actor: "Anna" })).toBe(1);
      expect(await audit.countEntries(null, 10, { ...filter, forAccountId: 7 as AccountId })).toBe(0);
    });

    test("lists what a filter finds in the form that the chain hashes", async () => {
      await append(entry({ detail: { new: { perms: 3 } } }), about(7), entry());
      const page = { search: null, after: null, rows: 10 };
      const all = await audit.listChained(page, everyEntry);
      expect(all).toEqual((await audit.readChain(0, 10)).toReversed());
      expect(all.map(hashOfEntry)).toEqual(all.map(({ hash }) => hash));
      const some = await audit.listChained({ ...page, after: 3 }, everyEntry);
      expect(some.map(({ id }) => id)).toEqual([2, 1]);
    });

    test("chains every entry to the one before", async () => {
      await append(entry(), about(7));
      await append(entry({ detail: { new: { perms: 3 } } }));
      const chain = await audit.readChain(0, 10);
      expect(chain.map(({ id, detail }) => [id, detail])).toEqual([
        [1, "{}"],
        [2, "{}"],
        [3, '{"new":{"perms":3}}'],
      ]);
      expect(chain.map(({ previousHash }) => previousHash)).toEqual(["", chain[0]!.hash, chain[1]!.hash]);
      expect(chain.map(hashOfEntry)).toEqual(chain.map(({ hash }) => hash));
      expect((await audit.readChain(1, 1)).map(({ id }) => id)).toEqual([2]);
      expect(await audit.countWritten()).toBe(3);
    });

    test("leaves no gap where a transaction fails", async () => {
      await append(entry());
      const failed = transact(async (stores) => {
        await stores.audit.append(entry());
        throw new Error("no");
      });
      await failed.catch(() => {});
      await append(entry());
      expect(await found(null)).toEqual([2, 1]);
      expect(await audit.countEntries(null)).toBe(2);
    });

    test("keeps to one chain when many append at once", async () => {
      await Promise.all(Array.from({ length: 20 }, (_, at) => append(entry({ at }), entry({ at }))));
      const chain = await audit.readChain(0, 100);
      expect(chain).toHaveLength(40);
      expect(chain.slice(1).map(({ previousHash }) => previousHash)).toEqual(
        chain.slice(0, -1).map(({ hash }) => hash),
      );
    });
  });
}

const everyEntry = {
  forAccountId: null,
  actorAccountId: null,
  actor: null,
  action: null,
  since: null,
  until: null,
};

function entry(rest: Partial<AuditEntry> = {}): AuditEntry {
  return {
    actor: { name: "cli", accountId: null, via: null },
    action: "user.create",
    forAccountId: null,
    at: 1000,
    detail: {},
    ...rest,
  };
}

function about(id: number): AuditEntry {
  return entry({ forAccountId: id as AccountId });
}
