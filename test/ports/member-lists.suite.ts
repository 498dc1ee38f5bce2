/** What lists of members that are sorted must do, whatever they are kept in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { MemberPlace } from "../../src/domain/ports/account-store.ts";
import type { ListedMember, Member } from "../../src/domain/model/account.ts";
import { listSortedMembers, memberPlace, type MemberOrder } from "../../src/domain/members/sorted-members.ts";
import { limits } from "../../src/kernel/limits.ts";
import { accountRow, insertMember, sessionRow, type OpenStores } from "./stores.suite.ts";

export function memberListsSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  beforeEach(async () => void (opened = await open()));
  afterEach(() => opened[Symbol.asyncDispose]());

  const add = (name: string) => opened.atomically((stores) => insertMember(stores, name));
  const addUnnamed = (mail: string) =>
    opened.atomically(({ accounts }) => accounts.insertAccount({ ...accountRow(mail), mail }));
  const use = ({ account }: Pick<ListedMember, "account">, lastUsedAt: number, id = `of ${account.id}`) =>
    opened.atomically(({ sessions }) =>
      sessions.insertSession({ ...sessionRow(account.id, id), lastUsedAt }),
    );
  /** All of a list, read in pages of this size. */
  const readAll = async (order: MemberOrder, rows: number, search: string | null = null) => {
    const labels: string[] = [];
    for (let after: MemberPlace | null = null; ;) {
      const page = await listSortedMembers(opened.reads.accounts, { order, after, rows, search });
      labels.push(...page.map(labelOf));
      const last = page.at(-1);
      if (last === undefined || page.length < rows) return labels;
      after = memberPlace(order, last);
    }
  };

  describe(`${name}: members`, () => {
    test.each([1, 2, 3, 100])(
      "are listed by name, %i at a time, those without one at the end",
      async (rows) => {
        await addUnnamed("z@example.org");
        for (const one of ["bob", "Zoe", "alice", "Carl"]) await add(one);
        await addUnnamed("a@example.org");
        const named = ["alice", "bob", "Carl", "Zoe"];
        expect(await readAll("name", rows)).toEqual([...named, "z@example.org", "a@example.org"]);
      },
    );

    test.each([1, 2, 3, 100])(
      "are listed by last use, %i at a time, those never seen at the end",
      async (rows) => {
        const members = new Map<string, Member>();
        for (const one of ["never", "early", "late", "same", "never_2"]) members.set(one, await add(one));
        for (const [one, at] of Object.entries({ early: 1000, late: 9000, same: 9000 }))
          await use(members.get(one)!, at);
        expect(await readAll("seen", rows)).toEqual(["same", "late", "early", "never_2", "never"]);
      },
    );

    test.each([1, 100])("that a search finds are sorted, too, %i at a time", async (rows) => {
      for (const one of ["anna_z", "bert", "anna_b", "anna_k"]) await add(one);
      await addUnnamed("anna@example.org");
      expect(await readAll("name", rows, "anna")).toEqual(["anna_b", "anna_k", "anna_z", "anna@example.org"]);
      await use(await find("anna_k"), 100);
      expect(await readAll("seen", rows, "anna_")).toEqual(["anna_k", "anna_b", "anna_z"]);
    });

    test("keep their place when they are renamed or seen between two pages", async () => {
      for (const one of ["a", "b", "c"]) await use(await add(one), one.charCodeAt(0));
      const { accounts } = opened.reads;
      const page = { order: "seen", rows: 2, search: null } as const;
      const [first, second] = await listSortedMembers(accounts, { ...page, after: null });
      expect([first, second].map((member) => labelOf(member!))).toEqual(["c", "b"]);
      await use(second!, 90_000, "later");
      const rest = await listSortedMembers(accounts, { ...page, after: memberPlace("seen", second!) });
      expect(rest.map(labelOf)).toEqual(["a"]);
    });

    test("were last seen when a session was used, but for what follows at once", async () => {
      const alice = await add("alice");
      const { id } = alice.account;
      const seen = async () =>
        (await opened.reads.accounts.listMembers({ after: null, rows: 1, search: null }))[0]?.lastSeenAt;
      expect(await seen()).toBeNull();
      await use(alice, 1000);
      expect(await seen()).toBe(1000);
      const noteUse = (at: number) =>
        opened.atomically(({ sessions }) =>
          sessions.setLastUsed(new Map([[sessionRow(id, `of ${id}`).id, at]])),
        );
      await noteUse(1000 + limits.lastSeenSeconds - 1);
      expect(await seen()).toBe(1000);
      expect(await opened.reads.accounts.findLastSeen(id)).toBe(1000 + limits.lastSeenSeconds - 1);
      await noteUse(1000 + limits.lastSeenSeconds);
      expect(await seen()).toBe(1000 + limits.lastSeenSeconds);
      await use(alice, 500, "a clock that was set back");
      expect(await seen()).toBe(1000 + limits.lastSeenSeconds);
    });
  });

  const find = async (name: string) => {
    const member = await opened.reads.accounts.findMember({ by: "name", value: name });
    if (member === null) throw new Error(`There is no ${name}`);
    return member;
  };
}

function labelOf({ account, player }: ListedMember): string {
  return player?.name ?? account.mail ?? "";
}
