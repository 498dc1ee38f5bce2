/** What every implementation of the stores must do, whatever it keeps them in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Level, Member, TemporaryLevel } from "../../src/domain/model/account.ts";
import type { NewAccount, UnconfirmedPlace } from "../../src/domain/ports/account-store.ts";
import type { NewPlayer } from "../../src/domain/ports/player-store.ts";
import type { Session } from "../../src/domain/ports/session-store.ts";
import type { Reads, Stores, Atomically } from "../../src/domain/ports/stores.ts";
import type { Appearance } from "../../src/domain/ports/texture-store.ts";
import type { Cape, Texture } from "../../src/domain/model/texture.ts";
import {
  newUuid,
  parseTextureHash,
  type AccountId,
  type PlayerId,
  type SessionId,
  type SkinId,
  type Uuid,
  newTextureFile,
} from "../../src/kernel/ids.ts";
import { limits } from "../../src/kernel/limits.ts";

export type OpenStores = AsyncDisposable & { readonly reads: Reads; readonly atomically: Atomically };

/**
 * What holds of transactions. Here works count their runs, so each runs once, unless the engine itself
 * repeats it: `areAlone` says that one transaction is open at a time.
 */
export function transactionsSuite(
  name: string,
  open: () => Promise<OpenStores>,
  { areAlone }: { readonly areAlone: boolean },
): void {
  let opened: OpenStores;
  let reads: Reads;
  let transact: Atomically;
  beforeEach(async () => {
    opened = await open();
    ({ reads, atomically: transact } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const addMember = (name: string) => transact((stores) => insertMember(stores, name));
  const find = (name: string) => reads.accounts.findMember({ by: "name", value: name });

  describe(`${name}: a transaction`, () => {
    test("gives back what its work gives back", async () => {
      expect(await transact(async () => 7)).toBe(7);
    });

    test("keeps all that was written when its work is done", async () => {
      const { account } = await addMember("alice");
      expect(await reads.accounts.findMember({ by: "id", value: account.id })).toMatchObject({ account });
    });

    test("rolls back after an await", async () => {
      const failed = transact(async (stores) => {
        await insertMember(stores, "alice");
        await Promise.resolve();
        await insertMember(stores, "bob");
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error("no");
      });
      expect(await messageOf(failed)).toBe("no");
      expect(await reads.accounts.listMembers({ after: null, rows: 10, search: null })).toEqual([]);
    });

    test("rolls back when its work throws before any await", async () => {
      const failed = transact(() => {
        throw new Error("at once");
      });
      expect(await messageOf(failed)).toBe("at once");
      await addMember("alice");
      expect(await find("alice")).not.toBeNull();
    });

    test("sees its own writes, which no other reader does before the end", async () => {
      const seen = await transact(async (stores) => {
        await insertMember(stores, "alice");
        const inside = await stores.accounts.findMember({ by: "name", value: "alice" });
        return { inside: inside !== null, outside: (await find("alice")) !== null };
      });
      expect(seen).toEqual({ inside: true, outside: false });
      expect(await find("alice")).not.toBeNull();
    });

    test.if(areAlone)("writes alone: the next one waits for its end, in the order of asking", async () => {
      const events: string[] = [];
      const one = Promise.withResolvers<void>();
      const first = transact(async () => {
        events.push("first begins");
        await one.promise;
        events.push("first ends");
      });
      const second = transact(async () => void events.push("second"));
      const third = transact(async () => void events.push("third"));
      for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
      events.push("released");
      one.resolve();
      await Promise.all([first, second, third]);
      expect(events).toEqual(["first begins", "released", "first ends", "second", "third"]);
    });

    test("does not suffer from the failure of the one before", async () => {
      const failed = transact(async () => {
        throw new Error("no");
      });
      const fine = addMember("alice");
      expect(await messageOf(failed)).toBe("no");
      expect(await fine).toMatchObject({ player: { name: "alice" } });
    });

    test("adds up when many count at once", async () => {
      const { account } = await addMember("alice");
      const textureHash = (await transact((stores) => insertTexture(stores, 1))).hash;
      const putOne = () =>
        transact(async ({ textures }) => {
          const count = await textures.countSkins(account.id);
          await Promise.resolve();
          await textures.insertSkin({ ...skinRow(account.id), name: `skin ${count}`, textureHash });
        });
      await Promise.all(Array.from({ length: 50 }, putOne));
      const names = (await reads.textures.listSkins(account.id)).map((skin) => skin.name);
      expect(names).toEqual(Array.from({ length: 50 }, (_, i) => `skin ${i}`));
    });

    test.if(areAlone)("is refused when two thousand wait already", async () => {
      const gate = Promise.withResolvers<void>();
      const waiting = Array.from({ length: 2_000 }, () => transact(() => gate.promise));
      const refused = transact(async () => {});
      expect(await refused.catch((error: unknown) => error)).toMatchObject({ kind: "limited" });
      gate.resolve();
      await Promise.all(waiting);
      expect(await transact(async () => "again")).toBe("again");
    });
  });
}

export function storesSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let reads: Reads;
  let transact: Atomically;
  beforeEach(async () => {
    opened = await open();
    ({ reads, atomically: transact } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const addMember = (name: string) => transact((stores) => insertMember(stores, name));
  const others = ({ account }: Member, now = 1) =>
    reads.accounts.hasLastingAdministrator({ than: account.id, now });
  const setLevels = ({ account }: Member, permanentLevel: Level, role: TemporaryLevel | null = null) =>
    transact(({ accounts }) => accounts.updateAccount(account.id, { permanentLevel, temporaryLevel: role }));
  const sessionsOf = async ({ account }: Member) =>
    (await reads.sessions.listSessions(account.id, 1)).map(({ id }) => id as string);
  const findByMail = (value: string) => reads.accounts.findMember({ by: "mail", value });
  const listUnconfirmed = (createdUntil: number, after: UnconfirmedPlace | null, rows: number) =>
    reads.accounts.listUnconfirmed({ createdUntil, after, rows });
  const find = (name: string) => reads.accounts.findMember({ by: "name", value: name });

  describe(`${name}: accounts`, () => {
    test("are found by id, uuid, mail address and name, in the form of the keys", async () => {
      const member = await addMember("Alice");
      const { account } = member;
      for (const key of [
        { by: "id", value: account.id },
        { by: "uuid", value: account.uuid },
        { by: "mail", value: "alice@example.org" },
        { by: "name", value: "alice" },
      ] as const) {
        expect(await reads.accounts.findMember(key)).toEqual(member);
      }
    });

    test("without a player are members, too", async () => {
      const account = await transact((stores) => stores.accounts.insertAccount(accountRow("alice")));
      expect(await reads.accounts.findMember({ by: "id", value: account.id })).toEqual({
        account,
        player: null,
      });
    });

    test("and unknown names are told apart", async () => {
      expect(await find("nobody")).toBeNull();
      expect(await reads.accounts.findMember({ by: "id", value: 1 as AccountId })).toBeNull();
    });

    test.each([
      ["a mail address", { ...accountRow("other"), mail: "alice@example.org" }, null],
      ["a mail address in another case", { ...accountRow("other"), mail: "ALICE@example.org" }, null],
      ["a name", accountRow("other"), "alice"],
      ["a name in another case", accountRow("other"), "ALICE"],
    ])("share no %s: the second fails with conflict", async (_, row, playerName) => {
      await addMember("alice");
      const second = transact(async ({ accounts, players }) => {
        const account = await accounts.insertAccount(row);
        if (playerName === null) return;
        await players.insertPlayer({
          uuid: account.uuid,
          accountId: account.id,
          name: playerName,
          createdAt: 1,
        });
      });
      expect(await second.catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
      expect(await reads.accounts.listMembers({ after: null, rows: 10, search: null })).toHaveLength(1);
    });

    test("that want the same name at once: one gets it", async () => {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => addMember("alice")));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await reads.accounts.listMembers({ after: null, rows: 10, search: null })).toHaveLength(1);
    });

    test("may be many without a mail address", async () => {
      for (let i = 0; i < 2; i++) {
        await transact((stores) => stores.accounts.insertAccount({ ...accountRow("x"), mail: null }));
      }
      expect(await reads.accounts.listMembers({ after: null, rows: 10, search: null })).toHaveLength(2);
    });

    test("are listed by id, a page at a time", async () => {
      for (const name of ["a", "b", "c"]) await addMember(name);
      const [first, ...others] = await reads.accounts.listMembers({ after: null, rows: 2, search: null });
      expect([first, ...others].map((member) => member?.player?.name)).toEqual(["a", "b"]);
      const rest = await reads.accounts.listMembers({ after: others[0]!.account.id, rows: 10, search: null });
      expect(rest.map(({ player }) => player?.name)).toEqual(["c"]);
    });

    test("never get a number twice", async () => {
      const first = await addMember("alice");
      await transact((stores) => stores.accounts.deleteAccount(first.account.id));
      expect((await addMember("alice")).account.id).toBeGreaterThan(first.account.id);
    });

    test("show whether another is an administrator for good", async () => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      await setLevels(alice, 3);
      expect([await others(alice), await others(bob)]).toEqual([false, true]);
      await setLevels(bob, 3);
      expect(await others(alice)).toBe(true);
    });

    test.each<[string, boolean, Level, TemporaryLevel | null]>([
      ["lower", false, 2, null],
      ["an administrator for a time alone", false, 1, { level: 3, expiresAt: 100 }],
      ["lowered for a time", false, 3, { level: 1, expiresAt: 100 }],
      ["lowered until now", true, 3, { level: 1, expiresAt: 50 }],
      ["an administrator for a time, and then for good", true, 3, { level: 3, expiresAt: 100 }],
    ])("count no other administrator who is %s: %p", async (_, counts, permanentLevel, role) => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      await setLevels(bob, permanentLevel, role);
      expect(await others(alice, 50)).toBe(counts);
    });

    test("count no other administrator who is unfinished", async () => {
      const alice = await addMember("alice");
      const row = { ...accountRow("bob"), permanentLevel: 3 } as const;
      await transact((stores) => stores.accounts.insertAccount(row));
      expect(await others(alice)).toBe(false);
    });

    test("list ended roles, the longest ended first, until they are taken away", async () => {
      const [alice, bob, carol] = [
        await addMember("alice"),
        await addMember("bob"),
        await addMember("carol"),
      ];
      await setLevels(alice, 1, { level: 2, expiresAt: 100 });
      await setLevels(bob, 3, { level: 1, expiresAt: 99 });
      await setLevels(carol, 1, { level: 3, expiresAt: 101 });
      const ended = await reads.accounts.listEndedLevels(100, 10);
      expect(
        ended.map(({ account, player }) => [player?.name, account.permanentLevel, account.temporaryLevel]),
      ).toEqual([
        ["bob", 3, { level: 1, expiresAt: 99 }],
        ["alice", 1, { level: 2, expiresAt: 100 }],
      ]);
      expect(await reads.accounts.listEndedLevels(100, 1)).toEqual(ended.slice(0, 1));
      await setLevels(bob, 3);
      expect(await reads.accounts.listEndedLevels(100, 10)).toEqual(ended.slice(1));
    });

    test("fail with a change of what no column has, instead of losing it", async () => {
      const { account } = await addMember("alice");
      const change = { permanentLevel: 3, role: null } as const;
      const changing = transact(({ accounts }) => accounts.updateAccount(account.id, change));
      expect(await changing.catch(String)).toContain("accounts has no column for role");
      const skin = { id: 1 as SkinId, edit: { name: "other", cape: null } };
      const editing = transact(({ textures }) => textures.updateSkin(skin.id, skin.edit));
      expect(await editing.catch(String)).toContain("skins has no column for cape");
    });

    test("show the password hashes of some that lie evenly among all", async () => {
      expect(await reads.accounts.sampleHashes(16)).toEqual([]);
      for (let number = 1; number <= 9; number++) {
        const { account } = await addMember(`member${number}`);
        const passwordHash = number === 3 ? null : String(number);
        await transact(({ accounts }) => accounts.updateAccount(account.id, { passwordHash }));
      }
      const { sampleHashes } = reads.accounts;
      expect(await sampleHashes(16)).toEqual(["1", "2", null, "4", "5", "6", "7", "8", "9"]);
      expect(await sampleHashes(3)).toEqual(["1", "5", "9"]);
      expect(await sampleHashes(5)).toEqual(["1", null, "5", "7", "9"]);
    });

    test("list unknown ids, in the order of asking", async () => {
      const { account } = await addMember("alice");
      const ids = [9, account.id, 7, 8].map((id) => id as AccountId);
      expect(await reads.accounts.listUnknown(ids)).toEqual([9, 7, 8] as AccountId[]);
      expect(await reads.accounts.listUnknown([])).toEqual([]);
    });

    test("hold a freed name for their owner, the latest hold counting", async () => {
      const accountId = 5 as AccountId;
      const holds = [
        { accountId, heldUntil: 100, playerId: 7 as PlayerId },
        { accountId, heldUntil: 200, playerId: 8 as PlayerId },
        { accountId, heldUntil: 200, playerId: null },
      ];
      for (const hold of holds) {
        await transact((stores) => stores.players.holdName("alice", hold));
        expect(await reads.players.findNameHold("alice")).toEqual(hold);
      }
      expect(await reads.players.findNameHold("bob")).toBeNull();
    });

    test("lose a hold when its owner takes the name back, or when its time is over", async () => {
      const hold = { accountId: 5 as AccountId, playerId: 7 as PlayerId };
      await transact(async ({ players }) => {
        await players.holdName("back", { ...hold, heldUntil: 300 });
        await players.holdName("early", { ...hold, heldUntil: 99 });
        await players.holdName("then", { ...hold, heldUntil: 100 });
      });
      await transact(({ players }) => players.releaseName("back"));
      await transact(({ players }) => players.deleteExpiredHolds(100));
      const holds = await Promise.all(
        ["back", "early", "then"].map((name) => reads.players.findNameHold(name)),
      );
      expect(holds).toEqual([null, null, { ...hold, heldUntil: 100 }]);
    });

    test("hold so many names of one owner, those that last the longest and of these the last", async () => {
      const [id, other] = [5 as AccountId, 6 as AccountId];
      const holds = [
        ["early", id, 100],
        ["longest", id, 300],
        ["first", id, 200],
        ["others", other, 50],
        ["last", id, 200],
      ] as const;
      await transact(async ({ players }) => {
        for (const [name, accountId, heldUntil] of holds)
          await players.holdName(name, { accountId, heldUntil, playerId: null });
        await players.dropHolds(id, 2);
      });
      const kept: string[] = [];
      for (const [name] of holds) if ((await reads.players.findNameHold(name)) !== null) kept.push(name);
      expect(kept).toEqual(["longest", "others", "last"]);
    });

    test("hold when their owners renamed them, each its own", async () => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      await transact(({ players }) => players.noteRename(alice.player!.id, 77));
      expect(await reads.players.lastRename(alice.player!.id)).toBe(77);
      expect(await reads.players.lastRename(bob.player!.id)).toBe(0);
    });

    test("keep uuid and skin under another name, and are found by that alone", async () => {
      const { account, player } = await addMember("alice");
      await transact(({ players }) => players.renamePlayer(player!.id, "Alicia"));
      expect(await find("alice")).toBeNull();
      expect(await find("alicia")).toEqual({ account, player: { ...player!, name: "Alicia" } });
    });

    test.each([
      ["a name", "bob"],
      ["a name in another case", "bOb"],
    ])("cannot be renamed to %s that is another's", async (_, name) => {
      const { player } = await addMember("alice");
      await addMember("bob");
      const renamed = transact(({ players }) => players.renamePlayer(player!.id, name));
      expect(await renamed.catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
      expect(await find("alice")).not.toBeNull();
    });

    test("are found by a new address alone; another's fails with conflict", async () => {
      const { account } = await addMember("alice");
      const bob = await addMember("bob");
      await transact(({ accounts }) =>
        accounts.updateAccount(account.id, { mail: "New@Example.org", mailVerified: false }),
      );
      expect(await findByMail("alice@example.org")).toBeNull();
      expect(await findByMail("new@example.org")).toMatchObject({
        account: { ...account, mail: "New@Example.org", mailVerified: false },
      });
      const taken = transact(({ accounts }) =>
        accounts.updateAccount(bob.account.id, { mail: "NEW@example.org", mailVerified: true }),
      );
      expect(await taken.catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
      expect(await findByMail("bob@example.org")).toEqual(bob);
    });

    test("get their mails in the language that was set last", async () => {
      const { account } = await addMember("alice");
      await transact(({ accounts }) => accounts.updateAccount(account.id, { language: "en" }));
      const found = await reads.accounts.findMember({ by: "id", value: account.id });
      expect(found?.account).toEqual({ ...account, language: "en" });
    });

    test("verify an address that was not", async () => {
      const row = { ...accountRow("alice"), mailVerified: false };
      const { id } = await transact(({ accounts }) => accounts.insertAccount(row));
      await transact(({ accounts }) => accounts.updateAccount(id, { ...row, mailVerified: true }));
      expect(await reads.accounts.findMember({ by: "id", value: id })).toMatchObject({
        account: { mailVerified: true },
      });
    });

    test("whose registration is unconfirmed are listed by age, a page at a time", async () => {
      const rows = [
        ["young", 300, "unconfirmed"],
        ["confirmed", 100, "unnamed"],
        ["twin", 200, "unconfirmed"],
        ["named", 200, "complete"],
        ["old", 100, "unconfirmed"],
        ["other", 200, "unconfirmed"],
      ] as const;
      const ids = new Map<number, string>();
      await transact(async ({ accounts }) => {
        for (const [name, createdAt, registration] of rows) {
          const row = { ...accountRow(name), createdAt, registration, mailVerified: false };
          ids.set((await accounts.insertAccount(row)).id, name);
        }
      });
      const all = await listUnconfirmed(300, null, 10);
      expect(all.map(({ id }) => ids.get(id))).toEqual(["old", "twin", "other", "young"]);
      expect(await listUnconfirmed(299, null, 10)).toEqual(all.slice(0, 3));
      expect(await listUnconfirmed(300, all[1] ?? null, 2)).toEqual(all.slice(2));
      expect(await listUnconfirmed(300, all[3] ?? null, 2)).toEqual([]);
    });

    test("are listed when their deletion is due, the longest due first", async () => {
      const ids = new Map<AccountId, string>();
      await transact(async ({ accounts }) => {
        for (const [name, deleteAt] of Object.entries({
          late: 30,
          first: 10,
          stays: null,
          twin: 20,
          second: 20,
        })) {
          const { id } = await accounts.insertAccount(accountRow(name));
          await accounts.updateAccount(id, { deleteAt });
          ids.set(id, name);
        }
      });
      const due = async (now: number, rows = 10) =>
        (await reads.accounts.listLeaving(now, rows)).map((id) => ids.get(id));
      expect(await due(9)).toEqual([]);
      expect(await due(20)).toEqual(["first", "twin", "second"]);
      expect(await due(99, 2)).toEqual(["first", "twin"]);
    });

    test("take player, sessions, skins and grants with them, but no cape", async () => {
      const { account, player } = await addMember("alice");
      const { skin, cape } = await transact(async (stores) => {
        const { hash } = await insertTexture(stores, 1);
        const row = { ...skinRow(account.id), textureHash: hash };
        await stores.players.selectSkin(player!.id, await stores.textures.insertSkin(row));
        await stores.sessions.insertSession(sessionRow(account.id, "s"));
        return { skin: row, cape: await insertCape(stores, 2, account.id) };
      });
      await transact((stores) => stores.accounts.deleteAccount(account.id));
      expect(await find("alice")).toBeNull();
      expect(await reads.sessions.findSession("s" as SessionId)).toBeNull();
      expect(await reads.textures.findSkin(skin.uuid)).toBeNull();
      expect(await reads.textures.listGrantedCapes(account.id, 1)).toEqual([]);
      expect(await reads.textures.findCape({ by: "uuid", value: cape.uuid })).not.toBeNull();
    });
  });

  describe(`${name}: sessions`, () => {
    test("are found with whose they are, and end one by one or all at once", async () => {
      const member = await addMember("alice");
      const { id } = member.account;
      const rows = ["a", "b", "c"].map((name) => sessionRow(id, name));
      const left = async () => {
        const found = await Promise.all(rows.map((row) => reads.sessions.findSession(row.id)));
        return found.flatMap((one) => (one === null ? [] : [one.session.id as string]));
      };
      await transact(async ({ sessions }) => {
        for (const row of rows) await sessions.insertSession(row);
      });
      const session = { id: rows[0]!.id, accountId: id, expiresAt: 100, lastUsedAt: 1 };
      expect(await reads.sessions.findSession(rows[0]!.id)).toMatchObject({ session, member });
      await transact(({ sessions }) => sessions.deleteSession(rows[1]!.id));
      expect(await left()).toEqual(["a", "c"]);
      await transact(({ sessions }) => sessions.deleteSessionsOf(id));
      expect(await left()).toEqual([]);
    });

    test.each<[string, Partial<NewAccount>, Partial<NewPlayer> | null]>([
      ["without a player, an address and a password", { mail: null, passwordHash: null }, null],
      ["with an unconfirmed address", { mailVerified: false, language: "en" }, {}],
      ["with a derived name", {}, { nameDerived: true }],
    ])("bring a member %s as it is", async (_, account, player) => {
      const member = await transact(async ({ accounts, players, sessions }) => {
        const { id, uuid } = await accounts.insertAccount({ ...accountRow("alice"), ...account });
        await sessions.insertSession(sessionRow(id, "s"));
        if (player !== null)
          await players.insertPlayer({ uuid, accountId: id, name: "alice", createdAt: 1, ...player });
        return accounts.findMember({ by: "id", value: id });
      });
      expect((await reads.sessions.findSession("s" as SessionId))?.member).toEqual(member!);
    });

    test("bring a member's role, selected skin and wish for no mails", async () => {
      const member = await addMember("alice");
      const { id } = member.account;
      await setLevels(member, 1, { level: 3, expiresAt: 100 });
      const skin = await transact(async (stores) => {
        const { hash } = await insertTexture(stores, 1);
        const inserted = await stores.textures.insertSkin({ ...skinRow(id), textureHash: hash });
        await stores.players.selectSkin(member.player!.id, inserted);
        await stores.accounts.updateAccount(id, { wantsBulkMail: false });
        await stores.sessions.insertSession(sessionRow(id, "s"));
        return inserted;
      });
      expect((await reads.sessions.findSession("s" as SessionId))?.member).toEqual({
        account: { ...member.account, temporaryLevel: { level: 3, expiresAt: 100 }, wantsBulkMail: false },
        player: { ...member.player!, selectedSkinId: skin },
      });
    });

    test("keep what kind they are, whom they are bound to, and what was proven when", async () => {
      const { account, player } = await addMember("alice");
      const web = sessionRow(account.id, "web");
      const game = { ...sessionRow(account.id, "game"), kind: "game", playerId: player!.id } as const;
      await transact(async ({ sessions }) => {
        await sessions.insertSession(web);
        await sessions.insertSession({ ...game, methods: [], provedAt: 7, lastUsedAt: 2 });
      });
      const listed = await reads.sessions.listSessions(account.id, 1);
      expect(listed).toEqual([{ ...game, methods: [], provedAt: 7, lastUsedAt: 2 }, web]);
      expect((await reads.sessions.findSession(game.id))?.session.kind).toBe("game");
    });

    test("have the addresses that they were opened from, while they have not expired", async () => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      const from = (member: Member, id: string, address: string, expiresAt = 60) =>
        transact(({ sessions }) =>
          sessions.insertSession({ ...sessionRow(member.account.id, id), address, expiresAt }),
        );
      await from(alice, "a", "192.0.2.1");
      await from(alice, "b", "192.0.2.1");
      await from(alice, "c", "2001:db8::1");
      await from(alice, "expired", "192.0.2.2", 50);
      await from(bob, "bob's", "192.0.2.3");
      await transact(({ sessions }) => sessions.setLastUsed(new Map([["c" as SessionId, 40]])));
      expect(await reads.sessions.listAddresses(alice.account.id, 50)).toEqual(["2001:db8::1", "192.0.2.1"]);
      expect(await reads.sessions.listAddresses(0 as AccountId, 50)).toEqual([]);
    });

    test("end all but the one that is kept", async () => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      await transact(async ({ sessions }) => {
        for (const id of ["a", "b"]) await sessions.insertSession(sessionRow(alice.account.id, id));
        await sessions.insertSession(sessionRow(bob.account.id, "bob's"));
      });
      await transact(({ sessions }) => sessions.deleteSessionsOf(alice.account.id, "b" as SessionId));
      expect([await sessionsOf(alice), await sessionsOf(bob)]).toEqual([["b"], ["bob's"]]);
    });

    test("are listed while they last, the last used first", async () => {
      const { account } = await addMember("alice");
      const rows = [
        { ...sessionRow(account.id, "used early"), lastUsedAt: 10 },
        { ...sessionRow(account.id, "used late"), lastUsedAt: 30 },
        { ...sessionRow(account.id, "expired"), lastUsedAt: 40, expiresAt: 50 },
        { ...sessionRow(account.id, "used between"), lastUsedAt: 20, address: "", userAgent: "" },
      ];
      await transact(async ({ sessions }) => {
        for (const row of rows) await sessions.insertSession(row);
      });
      const listed = await reads.sessions.listSessions(account.id, 50);
      expect(listed).toEqual([rows[1]!, rows[3]!, rows[0]!]);
    });

    test("note when they were used; those that ended are passed over", async () => {
      const { account } = await addMember("alice");
      await transact(async ({ sessions }) => {
        for (const id of ["a", "b"]) await sessions.insertSession(sessionRow(account.id, id));
      });
      const uses = new Map(["b", "ended"].map((id) => [id as SessionId, 60]));
      await transact(({ sessions }) => sessions.setLastUsed(uses));
      const listed = await reads.sessions.listSessions(account.id, 1);
      expect(listed.map(({ id, lastUsedAt }) => [id as string, lastUsedAt])).toEqual([
        ["b", 60],
        ["a", 1],
      ]);
    });

    test("leave the event loop to others after every thousand uses that are noted", async () => {
      const uses = new Map(Array.from({ length: 2001 }, (_, index) => [`${index}` as SessionId, 60]));
      const others: string[] = [];
      const noted = transact(({ sessions }) => sessions.setLastUsed(uses)).then(() => others.push("noted"));
      for (let turn = 1; turn <= 2; turn++) {
        await new Promise((resolve) => void setImmediate(resolve));
        others.push(`turn ${turn}`);
      }
      await noted;
      expect(others).toEqual(["turn 1", "turn 2", "noted"]);
    });

    test("of games are found by the hash of their token, with the player that they are bound to", async () => {
      const { account, player } = await addMember("alice");
      const second = await transact(({ players }) =>
        players.insertPlayer({ uuid: newUuid(), accountId: account.id, name: "Second", createdAt: 1 }),
      );
      await transact(async ({ sessions }) => {
        await sessions.insertSession({ ...sessionRow(account.id, "web"), tokenHash: "web" });
        for (const [id, bound] of [
          ["main", player!.id],
          ["second", second.id],
          ["none", null],
        ] as const) {
          await sessions.insertSession(gameRow(account.id, id, bound));
        }
      });
      const found = async (hash: string) => (await reads.sessions.findGameSession(hash))?.player;
      expect(await found("hash of main")).toEqual(player);
      expect(await found("hash of second")).toEqual(second);
      expect(await found("hash of none")).toBeNull();
      for (const hash of ["web", "main", "HASH OF MAIN", ""]) expect(await found(hash)).toBeUndefined();
      const times = { createdAt: 1, expiresAt: 100, lastUsedAt: 1, idleSeconds: null };
      const use = { kind: "game", refreshOnly: false } as const;
      expect(await reads.sessions.findGameSession("hash of main")).toEqual({
        session: { id: "main" as SessionId, accountId: account.id, clientToken: "of main", ...times, ...use },
        member: { account, player },
        player,
      });
    });

    test("of games are found with no more than their player, and known to exist", async () => {
      const { account, player } = await addMember("alice");
      const second = await transact(({ players }) =>
        players.insertPlayer({ uuid: newUuid(), accountId: account.id, name: "Second", createdAt: 1 }),
      );
      await transact(async ({ sessions }) => {
        await sessions.insertSession({ ...sessionRow(account.id, "web"), tokenHash: "web" });
        await sessions.insertSession(gameRow(account.id, "main", player!.id));
        await sessions.insertSession(gameRow(account.id, "second", second.id));
        await sessions.insertSession(gameRow(account.id, "none", null));
        await sessions.markRefreshOnly(second.id);
      });
      const times = { createdAt: 1, expiresAt: 100, lastUsedAt: 1 };
      for (const [id, bound, refreshOnly] of [
        ["main", player, false],
        ["second", second, true],
        ["none", null, false],
      ] as const)
        expect(await reads.sessions.findGamePlayer(`hash of ${id}`)).toEqual({
          session: { id: id as SessionId, ...times, refreshOnly },
          player: bound && { uuid: bound.uuid, name: bound.name },
        });
      for (const hash of ["web", "main", "HASH OF MAIN", ""])
        expect(await reads.sessions.findGamePlayer(hash)).toBeNull();
      const exists = (id: string) => reads.sessions.hasSession(id as SessionId);
      expect([await exists("web"), await exists("main"), await exists("nobody")]).toEqual([
        true,
        true,
        false,
      ]);
      await transact(({ sessions }) => sessions.deleteSession("main" as SessionId));
      expect(await exists("main")).toBe(false);
      expect(await reads.sessions.findGamePlayer("hash of main")).toBeNull();
    });

    test("of games get another token", async () => {
      const { account, player } = await addMember("alice");
      await transact(async ({ sessions }) => {
        await sessions.insertSession(gameRow(account.id, "a", null));
        await sessions.insertSession(gameRow(account.id, "b", player!.id));
        await sessions.markRefreshOnly(player!.id);
      });
      const stale = async (hash: string) => (await reads.sessions.findGameSession(hash))?.session.refreshOnly;
      expect([await stale("hash of a"), await stale("hash of b")]).toEqual([false, true]);
      const times = { createdAt: 50, expiresAt: 150, lastUsedAt: 50 };
      const client = { address: "192.0.2.9", userAgent: "Another" };
      const renewal = { tokenHash: "fresh", playerId: player!.id, ...times, ...client };
      await transact(({ sessions }) => sessions.renewGameSession("b" as SessionId, renewal));
      expect(await reads.sessions.findGameSession("hash of b")).toBeNull();
      expect(await stale("fresh")).toBe(false);
      const listed = await reads.sessions.listSessions(account.id, 1);
      expect(listed.find(({ id }) => id === ("b" as SessionId))).toEqual({
        ...gameRow(account.id, "b", player!.id),
        ...renewal,
      });
    });

    test("of games are trimmed to those that were opened last", async () => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      await transact(async ({ sessions }) => {
        await sessions.insertSession(sessionRow(alice.account.id, "web"));
        await sessions.insertSession(gameRow(bob.account.id, "bob's", null));
        for (const [id, createdAt] of [
          ["c", 3],
          ["a", 2],
          ["b", 2],
          ["d", 1],
        ] as const) {
          await sessions.insertSession({ ...gameRow(alice.account.id, id, null), createdAt });
        }
        await sessions.trimSessions(alice.account.id, "game", 2);
      });
      expect((await sessionsOf(alice)).toSorted()).toEqual(["b", "c", "web"]);
      await transact(({ sessions }) => sessions.trimSessions(alice.account.id, "game", 0));
      expect([await sessionsOf(alice), await sessionsOf(bob)]).toEqual([["web"], ["bob's"]]);
    });

    test("of the website are trimmed apart from those of games", async () => {
      const alice = await addMember("alice");
      await transact(async ({ sessions }) => {
        for (const [id, createdAt] of [
          ["old", 1],
          ["newest", 3],
          ["newer", 2],
        ] as const)
          await sessions.insertSession({ ...sessionRow(alice.account.id, id), createdAt });
        await sessions.insertSession({ ...gameRow(alice.account.id, "game", null), createdAt: 0 });
        await sessions.trimSessions(alice.account.id, "web", 2);
      });
      expect((await sessionsOf(alice)).toSorted()).toEqual(["game", "newer", "newest"]);
    });

    test("are listed up to the rows of a page, the last used first", async () => {
      const alice = await addMember("alice");
      await transact(async ({ sessions }) => {
        for (let n = 0; n < limits.pageRowsMax + 5; n++)
          await sessions.insertSession({ ...sessionRow(alice.account.id, `s${n}`), lastUsedAt: n });
      });
      const listed = await sessionsOf(alice);
      expect(listed).toHaveLength(limits.pageRowsMax);
      expect([listed[0], listed.at(-1)]).toEqual([`s${limits.pageRowsMax + 4}`, "s5"]);
    });

    test("of games end with their player", async () => {
      const { account } = await addMember("alice");
      const second = await transact(({ players }) =>
        players.insertPlayer({ uuid: newUuid(), accountId: account.id, name: "Second", createdAt: 1 }),
      );
      await transact(async ({ sessions, players }) => {
        await sessions.insertSession(gameRow(account.id, "kept", null));
        await sessions.insertSession(gameRow(account.id, "gone", second.id));
        await players.deletePlayer(second.id);
      });
      expect((await reads.sessions.listSessions(account.id, 1)).map(({ id }) => id as string)).toEqual([
        "kept",
      ]);
    });

    test("that expired before a time, or were opened after one, are removed", async () => {
      const { account } = await addMember("alice");
      const day = 24 * 60 * 60;
      const lifetimes = { web: day, staying: 30 * day, game: 30 * day } as const;
      await transact(async ({ sessions }) => {
        for (const expiresAt of [99, 100, 101]) {
          await sessions.insertSession({ ...sessionRow(account.id, `until ${expiresAt}`), expiresAt });
        }
        for (const [what, seconds] of Object.entries(lifetimes)) {
          const row = what === "game" ? gameRow : sessionRow;
          for (const createdAt of [1, 300, 301]) {
            const times = { createdAt, expiresAt: createdAt + seconds };
            await sessions.insertSession({ ...row(account.id, `${what} from ${createdAt}`, null), ...times });
          }
        }
      });
      await transact(({ sessions }) => sessions.deleteExpiredSessions(100, 300));
      const listed = await reads.sessions.listSessions(account.id, 0);
      const kept = Object.keys(lifetimes).flatMap((what) => [`${what} from 1`, `${what} from 300`]);
      expect(listed.map(({ id }) => id as string).toSorted()).toEqual(
        ["until 100", "until 101", ...kept].toSorted(),
      );
    });
  });

  describe(`${name}: textures`, () => {
    test("are what a player shows: skin, model and cape", async () => {
      const { account, player } = await addMember("Alice");
      const { uuid } = account;
      const bare = { uuid, playerUuid: uuid, name: "Alice", skin: null, cape: null };
      expect(await reads.textures.findAppearance({ by: "uuid", value: uuid })).toEqual(bare);
      const row = { ...skinRow(account.id), model: "slim" as const };
      const { texture, cape } = await transact(async (stores) => {
        const texture = await insertTexture(stores, 1);
        const skin = await stores.textures.insertSkin({ ...row, textureHash: texture.hash });
        await stores.players.selectSkin(player!.id, skin);
        const cape = await insertCape(stores, 2, account.id);
        await stores.textures.updateSkin(skin, { capeId: cape.id });
        return { texture, cape };
      });
      const shown: Appearance = {
        ...bare,
        skin: { uuid: row.uuid, model: "slim", texture },
        cape: { uuid: cape.uuid, texture: cape.texture, wings: null },
      };
      expect(await reads.textures.findAppearance({ by: "uuid", value: uuid })).toEqual(shown);
      expect(await reads.textures.findAppearance({ by: "name", value: "alice" })).toEqual(shown);
      expect(await reads.textures.findAppearance({ by: "name", value: "bob" })).toBeNull();
      for (const sharesSkin of [true, false]) {
        await transact(({ players }) => players.shareSkin(player!.id, sharesSkin));
        expect((await reads.players.findLook({ by: "uuid", value: uuid }))?.player).toMatchObject({
          sharesSkin,
        });
      }
    });

    test("without a row have no skin: a skin of an unknown texture is a fault", async () => {
      const { account } = await addMember("alice");
      const failed = transact(({ textures }) =>
        textures.insertSkin({ ...skinRow(account.id), textureHash: textureRow(9).hash }),
      );
      expect(await failed.catch((error: unknown) => error)).toBeInstanceOf(Error);
      expect(await reads.textures.listSkins(account.id)).toEqual([]);
    });

    test("go when neither skin nor cape needs them", async () => {
      const { account } = await addMember("alice");
      const { hash, file, skin } = await transact(async (stores) => {
        const { hash, file } = await insertTexture(stores, 1);
        const skin = await stores.textures.insertSkin({ ...skinRow(account.id), textureHash: hash });
        return { hash, file, skin };
      });
      const release = () => transact(({ textures }) => textures.deleteTextureIfUnused(hash));
      expect(await release()).toBeNull();
      expect(await reads.textures.findTexture(hash)).not.toBeNull();
      await transact(({ textures }) => textures.deleteSkin(skin));
      expect(await release()).toBe(file);
      expect(await reads.textures.findTexture(hash)).toBeNull();
      expect(await release()).toBeNull();
    });

    test("of capes stay while the cape does", async () => {
      const cape = await transact((stores) => insertCape(stores, 1));
      const { hash } = cape.texture;
      expect(await transact(({ textures }) => textures.deleteTextureIfUnused(hash))).toBeNull();
    });

    test("name one file each, until it is replaced", async () => {
      const [one, two] = await transact(async (stores) => [
        await insertTexture(stores, 1),
        await insertTexture(stores, 2),
      ]);
      const { textures } = reads;
      const unknown = parseTextureHash("f".repeat(64))!;
      const files = await textures.listTextureFiles([two.hash, unknown, one.hash]);
      expect(files.toSorted()).toEqual([one.file, two.file]);
      expect(await textures.listTextureFiles([])).toEqual([]);
      expect(await textures.listTextures(null, 10)).toEqual([one, two]);
      expect(await textures.listTextures(null, 1)).toEqual([one]);
      expect(await textures.listTextures(one.hash, 10)).toEqual([two]);
      expect(await textures.listTextures(two.hash, 10)).toEqual([]);
      const file = newTextureFile(one.hash);
      await transact((stores) => stores.textures.setTextureFile(one.hash, file));
      expect(await textures.findTexture(one.hash)).toEqual({ ...one, file });
      expect(await textures.findTexture(two.hash)).toEqual(two);
    });

    test("leave the names of their files until these are deleted", async () => {
      const [a, b, c] = ["a", "b", "c"].map((digit) => newTextureFile(parseTextureHash(digit.repeat(64))!));
      await transact(async ({ textures }) => {
        await textures.insertDroppedFiles([c!], 300);
        await textures.insertDroppedFiles([b!, a!], 200);
        await textures.insertDroppedFiles([b!], 400);
        await textures.insertDroppedFiles([], 100);
      });
      const { textures } = reads;
      const list = (until: number, rows: number) => textures.listDroppedFiles(until, rows);
      expect(await list(199, 10)).toEqual([]);
      expect((await list(200, 10)).toSorted()).toEqual([a!, b!]);
      expect(await list(300, 1)).toHaveLength(1);
      expect((await list(400, 10)).at(-1)).toBe(c);
      await transact(({ textures }) => textures.deleteDroppedFiles([a!, b!]));
      await transact(({ textures }) => textures.deleteDroppedFiles([]));
      expect(await list(400, 10)).toEqual([c!]);
    });

    test("deleting the selected skin leaves none selected", async () => {
      const { account, player } = await addMember("alice");
      const skin = await transact(async (stores): Promise<SkinId> => {
        const { hash } = await insertTexture(stores, 1);
        const id = await stores.textures.insertSkin({ ...skinRow(account.id), textureHash: hash });
        await stores.players.selectSkin(player!.id, id);
        return id;
      });
      expect((await find("alice"))?.player?.selectedSkinId).toBe(skin);
      await transact(({ textures }) => textures.deleteSkin(skin));
      expect((await find("alice"))?.player?.selectedSkinId).toBeNull();
    });

    test("capes are found by uuid and number", async () => {
      const cape = await transact((stores) => insertCape(stores, 1));
      expect(await reads.textures.findCape({ by: "uuid", value: cape.uuid })).toEqual(cape);
      expect(await reads.textures.findCape({ by: "id", value: cape.id })).toEqual(cape);
    });
  });
}

async function messageOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => new Error("did not fail"),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}

export async function insertMember(
  { accounts, players }: Stores,
  name: string,
  { playerUuid }: { readonly playerUuid?: Uuid } = {},
): Promise<Member> {
  const account = await accounts.insertAccount(accountRow(name));
  const player = await players.insertPlayer({
    uuid: playerUuid ?? account.uuid,
    accountId: account.id,
    name,
    createdAt: 1,
  });
  return { account, player };
}

export function accountRow(name: string) {
  const mail = `${name}@example.org`;
  const fixed = {
    registration: "complete",
    mailVerified: true,
    passwordHash: "hash",
    permanentLevel: 1,
    language: "ru",
    createdAt: 1,
  } as const;
  return { uuid: newUuid(), mail, ...fixed };
}

export function sessionRow(accountId: AccountId, id: string): Session {
  const times = { createdAt: 1, expiresAt: 100, lastUsedAt: 1, provedAt: 1 };
  const client = { address: "192.0.2.1", userAgent: "A browser" };
  const proof = { kind: "web", playerId: null, methods: ["password", "social:discord"] } as const;
  const token = { tokenHash: null, clientToken: null, refreshOnly: false, idleSeconds: null };
  return { id: id as SessionId, accountId, ...times, ...client, ...proof, ...token };
}

function gameRow(accountId: AccountId, id: string, playerId: PlayerId | null): Session {
  const token = { tokenHash: `hash of ${id}`, clientToken: `of ${id}` };
  return { ...sessionRow(accountId, id), kind: "game", playerId, ...token };
}

export function skinRow(accountId: AccountId) {
  return { uuid: newUuid(), accountId, name: "skin", model: "classic", capeId: null, createdAt: 1 } as const;
}

function textureRow(number: number): Texture {
  const hash = parseTextureHash(number.toString(16).padStart(64, "0"))!;
  return { hash, file: newTextureFile(hash), digest: `digest ${number}`, width: 64, height: 64 };
}

export async function insertTexture({ textures }: Stores, number: number): Promise<Texture> {
  const texture = textureRow(number);
  await textures.insertTexture({ ...texture, createdAt: 1 });
  return texture;
}

export async function insertCape(
  stores: Stores,
  number: number,
  owner?: AccountId,
  name = "cape",
): Promise<Cape> {
  const texture = await insertTexture(stores, number);
  const row = { uuid: newUuid(), name, wingsHash: null, uploadedBy: "cli", createdAt: 1 };
  const id = await stores.textures.insertCape({ ...row, textureHash: texture.hash });
  const accounts = owner === undefined ? [] : [owner];
  await stores.textures.grantCapes({ accounts, capes: [id], grantedAt: 1, expiresAt: null });
  return { ...row, id, texture };
}
