/**
 * What every texture store must do about capes, grants and lists of everybody's textures, whatever it keeps
 * them in.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Member } from "../../src/domain/model/account.ts";
import type { Reads, Atomically } from "../../src/domain/ports/stores.ts";
import type { CapeGrants } from "../../src/domain/ports/texture-store.ts";
import type { Cape } from "../../src/domain/model/texture.ts";
import {
  newUuid,
  parseTextureHash,
  type AccountId,
  type CapeId,
  type SkinId,
  type TextureHash,
  newTextureFile,
} from "../../src/kernel/ids.ts";
import { insertCape, insertMember, insertTexture, skinRow, type OpenStores } from "./stores.suite.ts";

export function texturesSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let reads: Reads;
  let transact: Atomically;
  beforeEach(async () => {
    opened = await open();
    ({ reads, atomically: transact } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const addMember = (name: string) => transact((stores) => insertMember(stores, name));
  const addCape = (number: number) => transact((stores) => insertCape(stores, number));
  const place = (hash: TextureHash) => transact(({ textures }) => textures.insertBan(ban(hash)));
  const grant = (grants: CapeGrants) => transact(({ textures }) => textures.grantCapes(grants));

  const ends = async ({ account }: Member, now: number) =>
    (await reads.textures.listGrantedCapes(account.id, now)).map((cape) => [cape.id, cape.grantExpiresAt]);

  describe(`${name}: capes`, () => {
    test("many capes are found at once, each once, by id", async () => {
      const [one, two, three] = [await addCape(1), await addCape(2), await addCape(3)];
      const keys = [
        { by: "uuid", value: three.uuid },
        { by: "id", value: three.id },
        { by: "id", value: one.id },
        { by: "id", value: 99 as CapeId },
        { by: "uuid", value: newUuid() },
        { by: "id", value: one.id },
      ] as const;
      expect(await reads.textures.findCapes(keys)).toEqual([one, three]);
      expect(await reads.textures.findCapes([{ by: "uuid", value: two.uuid }])).toEqual([two]);
      expect(await reads.textures.findCapes([])).toEqual([]);
    });
  });

  describe(`${name}: grants`, () => {
    test("are of each cape to each account, and the last one says when they end", async () => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      const [one, two] = [await addCape(1), await addCape(2)];
      const accounts = [alice.account.id, bob.account.id];
      await grant({ accounts, capes: [one.id, two.id], grantedAt: 1, expiresAt: 50 });
      await grant({ accounts: accounts.slice(0, 1), capes: [two.id], grantedAt: 2, expiresAt: null });
      expect([await ends(alice, 49), await ends(bob, 49)]).toEqual([
        [
          [one.id, 50],
          [two.id, null],
        ],
        [
          [one.id, 50],
          [two.id, 50],
        ],
      ]);
      expect([await ends(alice, 50), await ends(bob, 50)]).toEqual([[[two.id, null]], []]);
    });

    test("that have ended are listed until they are deleted, the longest ended first", async () => {
      const { account } = await addMember("alice");
      const capes = [await addCape(1), await addCape(2), await addCape(3), await addCape(4)];
      const ends = [100, 99, 101, null];
      for (const [i, expiresAt] of ends.entries()) {
        await grant({ accounts: [account.id], capes: [capes[i]!.id], grantedAt: 1, expiresAt });
      }
      const ended = await reads.textures.listEndedGrants(100, 10);
      expect(ended).toEqual([
        { accountId: account.id, cape: facts(capes[1]!), expiresAt: 99 },
        { accountId: account.id, cape: facts(capes[0]!), expiresAt: 100 },
      ]);
      expect(await reads.textures.listEndedGrants(100, 1)).toEqual(ended.slice(0, 1));
      await transact(({ textures }) => textures.deleteGrants([account.id], [capes[1]!.id]));
      expect(await reads.textures.listEndedGrants(100, 10)).toEqual(ended.slice(1));
    });

    test("and links of one account are not another's", async () => {
      const [alice, bob] = [await addMember("alice"), await addMember("bob")];
      const [one, two] = [await addCape(1), await addCape(2)];
      const ids = [one.id, two.id];
      await grant({
        accounts: [alice.account.id, bob.account.id],
        capes: ids,
        grantedAt: 1,
        expiresAt: null,
      });
      const skins = await transact(async (stores) => {
        const { hash } = await insertTexture(stores, 9);
        const rows = [
          { ...skinRow(alice.account.id), capeId: one.id },
          { ...skinRow(alice.account.id), capeId: two.id },
          { ...skinRow(bob.account.id), capeId: one.id },
        ];
        for (const row of rows) await stores.textures.insertSkin({ ...row, textureHash: hash });
        await stores.textures.deleteGrants([alice.account.id], [one.id]);
        await stores.textures.unlinkCapes([alice.account.id], [one.id]);
        return rows;
      });
      const worn = await Promise.all(skins.map(async ({ uuid }) => await reads.textures.findSkin(uuid)));
      expect(worn.map((skin) => skin?.capeId ?? null)).toEqual([null, two.id, one.id]);
      const grants = await Promise.all(ids.map((id) => reads.textures.listGrants(id, 10)));
      const owners = grants.map((list) => list.map(({ accountId }) => accountId));
      expect(owners).toEqual([[bob.account.id], [alice.account.id, bob.account.id]]);
      const people = [alice.account.id, bob.account.id];
      expect(await reads.textures.listOwnersAmong(one.id, people)).toEqual([
        { accountId: bob.account.id, expiresAt: null },
      ]);
      await transact(async ({ textures }) => {
        await textures.deleteGrants(people, [two.id]);
        await textures.unlinkCapes(people, [one.id, two.id]);
      });
      const left = await Promise.all(
        skins.map(async ({ uuid }) => (await reads.textures.findSkin(uuid))?.capeId),
      );
      expect(left).toEqual([null, null, null]);
      expect(await reads.textures.listOwnersAmong(two.id, people)).toEqual([]);
    });

    test("list a cape's owners and until when, counted however few are listed", async () => {
      const members = [await addMember("alice"), await addMember("bob"), await addMember("carol")];
      const ids = members.map(({ account }) => account.id).toReversed();
      const cape = await addCape(1);
      await grant({ accounts: ids.slice(0, 1), capes: [cape.id], grantedAt: 1, expiresAt: 50 });
      await grant({ accounts: ids.slice(1), capes: [cape.id], grantedAt: 1, expiresAt: null });
      expect(await reads.textures.listGrants(cape.id, 2)).toEqual([
        { accountId: ids[0]!, name: "carol", expiresAt: 50 },
        { accountId: ids[1]!, name: "bob", expiresAt: null },
      ]);
      expect(await reads.textures.countOwners(cape.id)).toBe(3);
    });

    test("list owners and the others a part at a time, of all accounts or of another cape's owners", async () => {
      const members = [];
      for (const name of ["alice", "bob", "carol", "dave"]) members.push(await addMember(name));
      const [alice, bob, carol, dave] = members.map(({ account }) => account.id);
      const [one, two] = [await addCape(1), await addCape(2)];
      await grant({ accounts: [carol!, alice!], capes: [one.id], grantedAt: 1, expiresAt: 50 });
      await grant({ accounts: [bob!], capes: [one.id], grantedAt: 2, expiresAt: null });
      await grant({ accounts: [bob!], capes: [two.id], grantedAt: 2, expiresAt: null });
      const owners = await reads.textures.listOwners(one.id, null, { after: null, rows: 10 });
      expect(owners).toMatchObject([
        { accountId: carol!, name: "carol", expiresAt: 50 },
        { accountId: alice!, name: "alice", expiresAt: 50 },
        { accountId: bob!, name: "bob", expiresAt: null },
      ]);
      const [first] = await reads.textures.listOwners(one.id, null, { after: null, rows: 1 });
      expect(first).toEqual(owners[0]);
      const rest = { after: first!.place, rows: 10 };
      expect(await reads.textures.listOwners(one.id, null, rest)).toEqual(owners.slice(1));
      expect(await reads.textures.listOwners(one.id, two.id, rest)).toEqual(owners.slice(2));

      const part = { after: null, rows: 10 };
      const others = await reads.textures.listNonOwners(two.id, null, part);
      expect(idsOf(others)).toEqual([alice!, carol!, dave!]);
      const next = { after: others[0]!.place, rows: 1 };
      expect(idsOf(await reads.textures.listNonOwners(two.id, null, next))).toEqual([carol!]);
      const of = { cape: one.id, now: 49 };
      const holders = await reads.textures.listNonOwners(two.id, of, part);
      expect(idsOf(holders)).toEqual([carol!, alice!]);
      const after = { after: holders[0]!.place, rows: 10 };
      expect(idsOf(await reads.textures.listNonOwners(two.id, of, after))).toEqual([alice!]);
      expect(await reads.textures.listNonOwners(two.id, { cape: one.id, now: 50 }, part)).toEqual([]);
    });

    test("go with their cape, which leaves the skins that it was linked to", async () => {
      const { account } = await addMember("alice");
      const [gone, left] = [await addCape(1), await addCape(2)];
      await grant({
        accounts: [account.id],
        capes: [gone.id, left.id],
        grantedAt: 1,
        expiresAt: null,
      });
      const row = { ...skinRow(account.id), capeId: gone.id, textureHash: gone.texture.hash };
      await transact(async ({ textures }) => {
        await textures.insertSkin(row);
        await textures.deleteCape(gone.id);
      });
      expect(await reads.textures.findCape({ by: "id", value: gone.id })).toBeNull();
      expect(await reads.textures.findSkin(row.uuid)).toMatchObject({ capeId: null });
      expect(await reads.textures.listGrantedCapes(account.id, 1)).toMatchObject([{ id: left.id }]);
    });
  });

  describe(`${name}: bans`, () => {
    const hashes = ["1a", "1b", "2c"].map((beginning) => parseTextureHash(beginning.padEnd(64, "0"))!);
    const [one, two, three] = hashes as [TextureHash, TextureHash, TextureHash];
    const page = { after: null, rows: 10, search: null };

    test("are found by their hash until they are lifted", async () => {
      const placed = await place(one);
      expect(placed).toEqual({ id: 1, ...ban(one) });
      expect(await reads.textures.findBan(one)).toEqual(placed);
      expect(await reads.textures.findBan(two)).toBeNull();
      await transact(({ textures }) => textures.deleteBan(one));
      expect(await reads.textures.findBan(one)).toBeNull();
      expect(await place(one)).toMatchObject({ id: 2 });
    });

    test.each<[string | null, number[]]>([
      [null, [1, 2, 3]],
      ["1", [1, 2]],
      ["1A", [1]],
      ["1b", [2]],
      [three, [3]],
      ["3", [3]],
      ["%", []],
    ])(
      "are listed by id, and searched for by id and by the beginning of the hash: %p",
      async (search, ids) => {
        for (const hash of hashes) await place(hash);
        const { listBans, countBans } = reads.textures;
        expect((await listBans({ ...page, search })).map(({ id }) => id)).toEqual(ids);
        expect(await countBans(search)).toBe(ids.length);
        const rest = ids.filter((id) => id > 1).slice(0, 1);
        expect((await listBans({ after: 1, rows: 1, search })).map(({ id }) => id)).toEqual(rest);
      },
    );

    test("are not finished while a wardrobe holds the bitmap, of which as many go as are asked for", async () => {
      const { account, player } = await addMember("alice");
      const hash = await transact(async ({ textures, players }) => {
        for (const texture of [one, two])
          await textures.insertTexture({
            ...facts64,
            hash: texture,
            file: newTextureFile(texture),
            digest: texture,
          });
        for (let i = 0; i < 3; i++) await textures.insertSkin({ ...skinRow(account.id), textureHash: one });
        await textures.insertSkin({ ...skinRow(account.id), textureHash: two });
        await players.selectSkin(player!.id, 1 as SkinId);
        return one;
      });
      for (const banned of [one, three]) await place(banned);
      const remove = (rows: number) => transact(({ textures }) => textures.deleteSkinsShowing(hash, rows));
      expect(await reads.textures.countUses(hash)).toEqual({ skins: 3, capes: 0 });
      expect(await reads.textures.listUnfinishedBans(10)).toEqual([hash]);
      expect(await reads.textures.listUnfinishedBans(1)).toEqual([]);
      expect(await remove(2)).toBe(2);
      expect(await reads.textures.findAppearance({ by: "name", value: "alice" })).toMatchObject({
        skin: null,
      });
      expect(await reads.textures.listUnfinishedBans(10)).toEqual([hash]);
      expect([await remove(2), await remove(2)]).toEqual([1, 0]);
      expect(await reads.textures.listUnfinishedBans(10)).toEqual([]);
      expect(await reads.textures.countSkins(account.id)).toBe(1);
    });
  });

  describe(`${name}: lists of everybody's textures`, () => {
    const names = ["Red", "Green", "Blue red", "BRED"];
    const page = { after: null, rows: 10, search: null };
    const addSkins = async ({ account }: Member) =>
      transact(async (stores) => {
        const { hash } = await insertTexture(stores, 77);
        const skins = names.map((name) => ({ ...skinRow(account.id), name, textureHash: hash }));
        for (const skin of skins) await stores.textures.insertSkin(skin);
        return skins;
      });

    test("skins come with whose they are, the cape they wear and whether they are shown", async () => {
      const { account, player } = await addMember("Alice");
      await addSkins({ account, player });
      const cape = await addCape(1);
      await transact(async ({ textures, players }) => {
        await textures.updateSkin(2 as SkinId, { capeId: cape.id });
        await players.selectSkin(player!.id, 3 as SkinId);
      });
      const all = await reads.textures.listAllSkins(page);
      expect(
        all.map(({ name, ownerName, capeUuid, isSelected }) => [name, ownerName, capeUuid, isSelected]),
      ).toEqual([
        ["Red", "Alice", null, false],
        ["Green", "Alice", cape.uuid, false],
        ["Blue red", "Alice", null, true],
        ["BRED", "Alice", null, false],
      ]);
      expect(await reads.textures.listSkinsOf(account.id)).toEqual(all);
      expect(await reads.textures.findOwnedSkin(all[1]!.uuid)).toEqual(all[1]!);
      const apart = await Promise.all(all.map(({ uuid }) => reads.textures.findSkin(uuid)));
      expect(apart).toEqual([...(await reads.textures.listSkins(account.id))]);
      expect(await reads.textures.findOwnedSkin(newUuid())).toBeNull();
    });

    test("what an account has is what each of its lists says, at any time", async () => {
      const alice = await addMember("Alice");
      await addSkins(alice);
      const { account } = await addMember("Carol");
      const capes = [await addCape(1), await addCape(2), await addCape(3)];
      const person = {
        provider: "oidc",
        issuer: "https://id.example",
        subject: "7",
        username: "carol",
        avatar: "",
      };
      await transact(async ({ textures, identities }) => {
        const grantTo = { accounts: [account.id], grantedAt: 1 };
        // In another order than their ids.
        await textures.grantCapes({ ...grantTo, capes: [capes[2]!.id], expiresAt: null });
        await textures.grantCapes({ ...grantTo, capes: [capes[0]!.id, capes[1]!.id], expiresAt: 50 });
        await identities.insertIdentity({ ...person, accountId: account.id, linkedAt: 3 });
      });
      for (const id of [account.id, alice.account.id, 99 as AccountId]) {
        for (const now of [49, 50]) {
          expect(await reads.accounts.findBelongings(id, now)).toEqual({
            skins: await reads.textures.listSkins(id),
            capes: await reads.textures.listGrantedCapes(id, now),
            identity: await reads.identities.findIdentityOf(id),
          });
        }
      }
      expect((await reads.accounts.findBelongings(account.id, 49)).capes).toHaveLength(3);
    });

    const searches: readonly (readonly [string, number[]])[] = [
      ["red", [1, 3, 4]],
      ["BLUE R", [3]],
      ["re", []],
      ["2", [2]],
      ["9", []],
      ["pink", []],
      ["%", []],
    ];
    test.each(searches)("skins and capes are searched for by name and number: %s", async (search, ids) => {
      const member = await addMember("alice");
      await addSkins(member);
      for (const [i, name] of names.entries()) {
        await transact((stores) => insertCape(stores, i, undefined, name));
      }
      const { listAllSkins, countAllSkins, listAllCapes, countAllCapes } = reads.textures;
      const asked = { ...page, search };
      expect((await listAllSkins(asked)).map(({ id }): number => id)).toEqual(ids);
      expect((await listAllCapes(asked)).map(({ id }): number => id)).toEqual(ids);
      expect([await countAllSkins(search), await countAllCapes(search)]).toEqual([ids.length, ids.length]);
      const rest = { after: 1, rows: 1, search };
      const second = ids.filter((id) => id > 1).slice(0, 1);
      expect((await listAllSkins(rest)).map(({ id }): number => id)).toEqual(second);
      expect((await listAllCapes(rest)).map(({ id }): number => id)).toEqual(second);
    });

    test("skins and capes are searched for by uuid", async () => {
      const skins = await addSkins(await addMember("alice"));
      const cape = await addCape(1);
      const { listAllSkins, listAllCapes, countAllCapes } = reads.textures;
      expect(await listAllSkins({ ...page, search: skins[2]!.uuid })).toMatchObject([{ name: "Blue red" }]);
      expect(await listAllCapes({ ...page, search: cape.uuid })).toEqual([cape]);
      expect(await countAllCapes(cape.uuid)).toBe(1);
      expect(await listAllCapes({ ...page, search: newUuid() })).toEqual([]);
    });

    test("are counted, and come in pages that together are the list", async () => {
      await addSkins(await addMember("alice"));
      const { listAllSkins, countAllSkins, countAllCapes } = reads.textures;
      const pages = [null, 2 as number, 4].map((after) => listAllSkins({ after, rows: 2, search: null }));
      expect((await Promise.all(pages)).map((rows) => rows.map(({ id }): number => id))).toEqual([
        [1, 2],
        [3, 4],
        [],
      ]);
      expect([await countAllSkins(null), await countAllCapes(null)]).toEqual([4, 0]);
    });
  });
}

const facts64 = { width: 64, height: 64, createdAt: 1 };

function ban(hash: TextureHash) {
  return { hash, issuer: "cli", createdAt: 7, reason: "Rude" };
}

function facts({ id, uuid, name }: Cape) {
  return { id, uuid, name };
}

function idsOf(list: readonly { readonly accountId: AccountId }[]): readonly AccountId[] {
  return list.map(({ accountId }) => accountId);
}
