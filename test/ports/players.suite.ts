/** What every store must do about accounts with several players: whatever is read, an account counts once. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Member, Player } from "../../src/domain/model/account.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import type { MemberKey } from "../../src/domain/ports/account-store.ts";
import type { Atomically, Reads, Stores } from "../../src/domain/ports/stores.ts";
import { newUuid, type SessionId, type TextureHash, type Uuid } from "../../src/kernel/ids.ts";
import {
  insertCape,
  insertMember,
  insertTexture,
  sessionRow,
  skinRow,
  type OpenStores,
} from "./stores.suite.ts";

/**
 * Two members, both with a skin that they wear, a cape, a temporary level, a session, an identity and a mail.
 */
type World = {
  readonly alice: Member;
  readonly bob: Member;
  readonly skin: Uuid;
  readonly hash: TextureHash;
};

async function fill(stores: Stores): Promise<World> {
  const [alice, bob] = [await insertMember(stores, "Alice"), await insertMember(stores, "Bob")];
  const { hash } = await insertTexture(stores, 1);
  const cape = await insertCape(stores, 2);
  const accounts = [alice.account.id, bob.account.id];
  await stores.textures.grantCapes({ accounts, capes: [cape.id], grantedAt: 1, expiresAt: 50 });
  const skins: Uuid[] = [];
  for (const [number, member] of [alice, bob].entries()) {
    const { id } = member.account;
    const row = { ...skinRow(id), capeId: cape.id, textureHash: hash };
    const skin = await stores.textures.insertSkin(row);
    skins.push(row.uuid);
    if (member.player !== null) await stores.players.selectSkin(member.player.id, skin);
    await stores.accounts.updateAccount(id, {
      permanentLevel: 3,
      temporaryLevel: { level: 2, expiresAt: 40 },
    });
    await stores.sessions.insertSession(sessionRow(id, `session ${number}`));
    const person = { provider: "discord", issuer: "https://discord.example", subject: `${number}` };
    await stores.identities.insertIdentity({
      ...person,
      accountId: id,
      username: "x",
      avatar: "",
      linkedAt: 7,
    });
  }
  const again = async ({ account }: Member) =>
    (await stores.accounts.findMember({ by: "id", value: account.id })) ?? alice;
  return { alice: await again(alice), bob: await again(bob), skin: skins[0]!, hash };
}

/** The second players' names stand before and behind those of the main ones. */
async function insertSecondPlayers(stores: Stores, { alice, bob }: World): Promise<readonly Player[]> {
  const players: Player[] = [];
  for (const [name, { account }] of [
    ["Aaron", alice],
    ["Zoe", bob],
  ] as const) {
    players.push(
      await stores.players.insertPlayer({ uuid: newUuid(), accountId: account.id, name, createdAt: 2 }),
    );
  }
  return players;
}

const all = { after: null, rows: 10, search: null };
const member = (key: MemberKey) => (reads: Reads) => reads.accounts.findMember(key);

/** Every read in which an account and its players meet. */
const readings: Readonly<Record<string, (reads: Reads, world: World) => Promise<unknown>>> = {
  "a member by id": (reads, { alice }) => member({ by: "id", value: alice.account.id })(reads),
  "a member by uuid": (reads, { bob }) => member({ by: "uuid", value: bob.account.uuid })(reads),
  "a member by mail address": member({ by: "mail", value: "alice@example.org" }),
  "a member by name": member({ by: "name", value: "bob" }),
  "credentials by mail address": ({ accounts }) =>
    accounts.findCredentials({ by: "mail", value: "bob@example.org" }),
  "credentials by name": ({ accounts }) => accounts.findCredentials({ by: "name", value: "bob" }),
  "the list of users": ({ accounts }) => accounts.listMembers(all),
  "its first page": ({ accounts }) => accounts.listMembers({ ...all, rows: 1 }),
  "its second page": ({ accounts }, { alice }) =>
    accounts.listMembers({ ...all, rows: 1, after: alice.account.id }),
  "their count": ({ accounts }) => accounts.countMembers(null),
  "a search by name": ({ accounts }) => accounts.listMembers({ ...all, search: "ali" }),
  "a search by mail address": ({ accounts }) => accounts.listMembers({ ...all, search: "example.org" }),
  "the count of a search": ({ accounts }) => accounts.countMembers("example.org"),
  "the count of a search by name": ({ accounts }) => accounts.countMembers("alice"),
  "whether another administrator lasts": ({ accounts }, { alice }) =>
    accounts.hasLastingAdministrator({ than: alice.account.id, now: 60 }),
  "levels that ended": ({ accounts }) => accounts.listEndedLevels(60, 10),
  "a page of levels that ended": ({ accounts }) => accounts.listEndedLevels(60, 1),
  "accounts that are unconfirmed": ({ accounts }) =>
    accounts.listUnconfirmed({ createdUntil: 60, after: null, rows: 10 }),
  "a session": ({ sessions }) => sessions.findSession("session 1" as SessionId),
  "the sessions of an account": ({ sessions }, { bob }) => sessions.listSessions(bob.account.id, 1),
  "the list of all skins": ({ textures }) => textures.listAllSkins(all),
  "a page of all skins": ({ textures }) => textures.listAllSkins({ ...all, rows: 1 }),
  "a search among all skins": ({ textures }) => textures.listAllSkins({ ...all, search: "skin" }),
  "the count of all skins": ({ textures }) => textures.countAllSkins(null),
  "the count of a search among skins": ({ textures }) => textures.countAllSkins("skin"),
  "a skin with its owner": ({ textures }, { skin }) => textures.findOwnedSkin(skin),
  "a user's skins, for staff": ({ textures }, { alice }) => textures.listSkinsOf(alice.account.id),
  "what an account has": ({ accounts }, { bob }) => accounts.findBelongings(bob.account.id, 1),
  "a wardrobe": ({ textures }, { bob }) => textures.listSkins(bob.account.id),
  "the count of a wardrobe": ({ textures }, { bob }) => textures.countSkins(bob.account.id),
  "capes that an account may wear": ({ textures }, { bob }) => textures.listGrantedCapes(bob.account.id, 1),
  "a cape's owners": async ({ textures }) => {
    const [cape] = await textures.listAllCapes(all);
    return [await textures.listGrants(cape!.id, 10), await textures.countOwners(cape!.id)];
  },
  "grants that ended": ({ textures }) => textures.listEndedGrants(60, 10),
  "others that show a skin's bitmap": async ({ textures }, { skin }) => {
    const found = await textures.findOwnedSkin(skin);
    return found === null ? null : textures.listOthersShowing(found, 10);
  },
  "the uses of a texture": ({ textures }, { hash }) => textures.countUses(hash),
  "what a player shows": ({ textures }) => textures.findAppearance({ by: "name", value: "alice" }),
  "what a uuid shows": ({ textures }, { alice }) =>
    textures.findAppearance({ by: "uuid", value: alice.account.uuid }),
  "the list of users by name": ({ accounts }) => accounts.listByName({ after: null, rows: 10 }),
  "the list of users by last use": ({ accounts }) => accounts.listByLastSeen({ after: null, rows: 10 }),
};

export function playersSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let reads: Reads;
  let transact: Atomically;
  let world: World;
  beforeEach(async () => {
    opened = await open();
    ({ reads, atomically: transact } = opened);
    world = await transact(fill);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const insertSecond = () => transact((stores) => insertSecondPlayers(stores, world));

  describe(`${name}: a text that no row can hold`, () => {
    test.each(["\0", "alice\0"])("names nothing: %j", async (value) => {
      const { accounts, textures, players, identities } = reads;
      expect(await accounts.findMember({ by: "name", value })).toBeNull();
      expect(await accounts.findMember({ by: "mail", value })).toBeNull();
      expect(await accounts.findCredentials({ by: "name", value })).toBeNull();
      expect(await textures.findAppearance({ by: "name", value })).toBeNull();
      expect(await players.listNamed([value])).toEqual([]);
      expect(await identities.findIdentitiesById(value)).toEqual([]);
    });
  });

  describe(`${name}: a second player`, () => {
    test("changes nothing that is read of its account", async () => {
      const readAll = async () => {
        const read = Object.entries(readings).map(async ([reading, ask]) => [
          reading,
          await ask(reads, world),
        ]);
        return Object.fromEntries(await Promise.all(read)) as Record<string, unknown>;
      };
      const before = await readAll();
      expect(Object.entries(before).filter(([, found]) => found === null)).toEqual([]);
      await insertSecond();
      const after = await readAll();
      const isChanged = (reading: string) => !Bun.deepEquals(after[reading], before[reading]);
      expect(Object.keys(readings).filter(isChanged)).toEqual([]);
    });

    test("is listed beside the main one", async () => {
      const { alice } = world;
      expect(await reads.players.list(alice.account.id)).toEqual([alice.player!]);
      const [aaron] = await insertSecond();
      expect(await reads.players.list(alice.account.id)).toEqual([alice.player!, aaron!]);
    });

    test("names its account by its name and uuid, where the main player stands for it", async () => {
      const { alice } = world;
      const [aaron] = await insertSecond();
      const found = [
        await reads.accounts.findMember({ by: "name", value: "aaron" }),
        await reads.accounts.findMember({ by: "uuid", value: aaron!.uuid }),
        ...(await reads.accounts.listMembers({ ...all, search: "Aaron" })),
        ...(await reads.accounts.listMembers({ ...all, search: "aro" })),
        ...(await reads.accounts.listMembers({ ...all, search: aaron!.uuid })),
      ];
      expect(found.map((one) => [one?.account.id, one?.player?.uuid])).toEqual(
        Array.from({ length: 5 }, () => [alice.account.id, alice.player!.uuid]),
      );
      for (const search of ["Aaron", "aro", aaron!.uuid])
        expect(await reads.accounts.countMembers(search)).toBe(1);
      const credentials = await reads.accounts.findCredentials({ by: "name", value: "aaron" });
      expect(credentials?.id).toBe(alice.account.id);
    });

    test("shows what it wears itself", async () => {
      const [aaron] = await insertSecond();
      const { uuid } = aaron!;
      const shown = { uuid, playerUuid: uuid, name: "Aaron", skin: null, cape: null };
      expect(await reads.textures.findAppearance({ by: "uuid", value: aaron!.uuid })).toEqual(shown);
      expect(await reads.textures.findAppearance({ by: "name", value: "aaron" })).toEqual(shown);
    });

    test("is found by the uuid of its name, to the letter, as long as it has the name", async () => {
      const { textures, players } = reads;
      const shows = async (name: string) =>
        (await textures.findAppearance({ by: "offlineUuid", value: offlineUuid(name) }))?.name ?? null;
      expect(await shows("Aaron")).toBeNull();
      const [aaron] = await insertSecond();
      expect([await shows("Aaron"), await shows("aaron"), await shows("Alice")]).toEqual([
        "Aaron",
        null,
        "Alice",
      ]);
      await transact(({ players: store }) => store.renamePlayer(aaron!.id, "Abel"));
      expect([await shows("Aaron"), await shows("Abel")]).toEqual([null, "Abel"]);
      const all = await players.listOfflineUuids({ after: null, rows: 9 });
      expect(all).toHaveLength(4);
      expect(all).toContainEqual({ id: aaron!.id, name: "Abel", offlineUuid: offlineUuid("Abel") });
      expect(await players.listOfflineUuids({ after: all[1]!.id, rows: 1 })).toEqual([all[2]!]);
      const { id } = world.alice.player!;
      await transact(({ players: store }) =>
        store.writeOfflineUuids([
          { id: aaron!.id, name: "Not its name" },
          { id, name: "Alice" },
        ]),
      );
      expect(await players.listOfflineUuids({ after: null, rows: 9 })).toEqual(all);
      await transact(({ players: store }) => store.deletePlayer(aaron!.id));
      expect(await shows("Abel")).toBeNull();
    });

    test("gets no copy of its own of a mail to everybody, which calls the account by its main player", async () => {
      await insertSecond();
      const post = { subject: "x", message: "y", issuer: "cli", at: 5 };
      expect(await transact(({ outbox }) => outbox.insertBulkMail(post))).toMatchObject({ copies: 2 });
      const mails = await transact(async ({ outbox }) => [
        await outbox.claimDue(["bulk"], 6, 7),
        await outbox.claimDue(["bulk"], 6, 7),
        await outbox.claimDue(["bulk"], 6, 7),
      ]);
      expect(mails.map((mail) => mail?.mail)).toEqual([
        expect.objectContaining({ username: "Alice" }),
        expect.objectContaining({ username: "Bob" }),
        undefined,
      ]);
    });

    test("goes with its account, and its name with it", async () => {
      const { alice } = world;
      await insertSecond();
      await transact(({ accounts }) => accounts.deleteAccount(alice.account.id));
      expect(await reads.players.list(alice.account.id)).toEqual([]);
      expect(await reads.accounts.findMember({ by: "name", value: "aaron" })).toBeNull();
      expect(await reads.accounts.listMembers({ ...all, search: "aaron" })).toEqual([]);
      expect(await reads.accounts.countMembers(null)).toBe(1);
    });

    test("wears a cape of its own, none, or the one that its skin says", async () => {
      const { alice, skin } = world;
      const [aaron] = await insertSecond();
      const own = await transact((stores) => insertCape(stores, 3));
      const looks = async () => {
        const look = await reads.players.findLook({ by: "name", value: "aaron" });
        const shown = await reads.textures.findAppearance({ by: "name", value: "aaron" });
        expect(shown?.cape?.uuid ?? null).toBe(look!.cape);
        return [look!.skin, look!.cape, look!.ownCape, look!.player.ownCape];
      };
      const { textures } = reads;
      const [linked] = await textures.listGrantedCapes(alice.account.id, 1);
      const worn = (await textures.findSkin(skin))!;
      expect(await looks()).toEqual([null, null, null, "as-skin"]);
      await transact(({ players }) => players.wearCape(aaron!.id, own.id));
      expect(await looks()).toEqual([null, own.uuid, own.uuid, own.id]);
      await transact(({ players }) => players.selectSkin(aaron!.id, worn.id));
      expect(await looks()).toEqual([skin, own.uuid, own.uuid, own.id]);
      await transact(({ players }) => players.wearCape(aaron!.id, "none"));
      expect(await looks()).toEqual([skin, null, null, "none"]);
      await transact(({ players }) => players.wearCape(aaron!.id, "as-skin"));
      expect(await looks()).toEqual([skin, linked!.uuid, null, "as-skin"]);
    });

    test.each(["revoked", "deleted"] as const)("wears no own cape that was %s", async (end) => {
      const { alice } = world;
      const [aaron, zoe] = await insertSecond();
      const own = await transact((stores) => insertCape(stores, 3));
      await transact(async ({ players, textures }) => {
        await players.wearCape(aaron!.id, own.id);
        await players.wearCape(zoe!.id, own.id);
        if (end === "revoked") await textures.unlinkCapes([alice.account.id], [own.id]);
        else await textures.deleteCape(own.id);
      });
      expect(await reads.players.listAll({ after: zoe!.id, rows: 9 })).toEqual([]);
      expect(await reads.players.listAll({ after: null, rows: 3 })).toHaveLength(3);
      const [, ofAaron] = await reads.players.listLooks(alice.account.id);
      const [, ofZoe] = await reads.players.listLooks(world.bob.account.id);
      expect(ofAaron?.player.ownCape).toBe("as-skin");
      expect(ofZoe?.player.ownCape).toBe(end === "revoked" ? own.id : "as-skin");
    });

    test("is found by its key with what it is to its account", async () => {
      const { alice } = world;
      const [aaron] = await insertSecond();
      const { players } = reads;
      const nothing = { skin: null, cape: null, ownCape: null };
      const look = { player: aaron!, isMain: false, ...nothing };
      expect(await players.findLook({ by: "id", value: aaron!.id })).toEqual(look);
      expect(await players.findLook({ by: "uuid", value: aaron!.uuid })).toEqual(look);
      expect(await players.findLook({ by: "uuid", value: newUuid() })).toBeNull();
      expect(await players.listNamed(["nobody", "aaron", "aaron"])).toEqual([
        { uuid: aaron!.uuid, name: aaron!.name },
      ]);
      expect(await players.listNamed([])).toEqual([]);
      const main = await players.findLook({ by: "uuid", value: alice.account.uuid });
      expect(main).toMatchObject({ player: alice.player!, isMain: true });
      expect(await players.listLooks(alice.account.id)).toEqual([main!, look]);
      expect(await players.count(alice.account.id)).toBe(2);
    });

    test("is removed with its name and uuid, which is remembered", async () => {
      const { alice, bob } = world;
      const [aaron] = await insertSecond();
      const used = (uuid: Uuid, { account }: Member) => reads.players.isUuidUsed(uuid, account.id);
      expect([await used(aaron!.uuid, alice), await used(aaron!.uuid, bob)]).toEqual([true, true]);
      await transact(({ players }) => players.deletePlayer(aaron!.id));
      expect(await reads.players.findLook({ by: "name", value: "aaron" })).toBeNull();
      expect(await reads.accounts.findMember({ by: "uuid", value: aaron!.uuid })).toBeNull();
      expect([await used(aaron!.uuid, alice), await used(aaron!.uuid, bob)]).toEqual([false, true]);
      expect(await used(alice.account.uuid, bob)).toBe(true);
      expect(await used(newUuid(), bob)).toBe(false);
    });

    test("gives its uuid up for another one, also with its account", async () => {
      const { alice, bob } = world;
      const [aaron] = await insertSecond();
      const next = newUuid();
      await transact(({ players }) => players.setUuid(aaron!.id, next));
      const found = await reads.players.findLook({ by: "name", value: "aaron" });
      expect(found?.player.uuid).toBe(next);
      await transact(({ accounts }) => accounts.deleteAccount(alice.account.id));
      for (const uuid of [aaron!.uuid, next]) {
        expect(await reads.players.isUuidUsed(uuid, alice.account.id)).toBe(false);
        expect(await reads.players.isUuidUsed(uuid, bob.account.id)).toBe(true);
      }
    });

    test("leaves a uuid that players of two accounts had to neither", async () => {
      const { alice, bob } = world;
      const [aaron, zoe] = await insertSecond();
      await transact(async ({ players }) => {
        await players.deletePlayer(aaron!.id);
        await players.setUuid(zoe!.id, aaron!.uuid);
        await players.deletePlayer(zoe!.id);
      });
      for (const { account } of [alice, bob])
        expect(await reads.players.isUuidUsed(aaron!.uuid, account.id)).toBe(true);
    });

    test("does not change its uuid to that of another account or player", async () => {
      const { bob } = world;
      const [aaron, zoe] = await insertSecond();
      for (const uuid of [bob.account.uuid, zoe!.uuid]) {
        const failed = transact(({ players }) => players.setUuid(aaron!.id, uuid));
        expect(failed).rejects.toMatchObject({ kind: "conflict", field: "uuid" });
        await failed.catch(() => undefined);
      }
    });

    test("is refused by its uuid when its name is taken as well", async () => {
      const { alice, bob } = world;
      const [aaron] = await insertSecond();
      for (const uuid of [bob.account.uuid, aaron!.uuid]) {
        const row = { uuid, accountId: alice.account.id, name: aaron!.name, createdAt: 3 };
        const failed = transact(({ players }) => players.insertPlayer(row));
        expect(failed).rejects.toMatchObject({ kind: "conflict", field: "uuid" });
        await failed.catch(() => undefined);
      }
    });

    test("has neither the uuid of another account nor that of another player", async () => {
      const { alice, bob } = world;
      const [aaron] = await insertSecond();
      for (const uuid of [bob.account.uuid, aaron!.uuid]) {
        const row = { uuid, accountId: alice.account.id, name: "Carol", createdAt: 3 };
        const failed = await transact(({ players }) => players.insertPlayer(row)).catch(() => "refused");
        expect(failed).toBe("refused");
      }
    });
  });

  describe(`${name}: the uuid of an account`, () => {
    test("shows its main player where that has a uuid of its own", async () => {
      const { account } = await transact((stores) =>
        insertMember(stores, "Carol", { playerUuid: newUuid() }),
      );
      const shown = await reads.textures.findAppearance({ by: "uuid", value: account.uuid });
      expect(shown).toMatchObject({ name: "Carol" });
      expect(shown?.uuid).not.toBe(account.uuid);
      const found = await reads.accounts.findMember({ by: "uuid", value: shown!.uuid });
      expect(found?.account).toEqual(account);
    });
  });
}
