/** What every store must do for an import: leases, look-ups of many keys at once, and many rows at once. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { NewAccount, PlannedAccount, PlannedPlayer } from "../../src/domain/model/import-plan.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import type { ImportRun } from "../../src/domain/ports/import-store.ts";
import type { Atomically, Reads } from "../../src/domain/ports/stores.ts";
import { newUuid, type AccountId, type SessionId, type TextureHash } from "../../src/kernel/ids.ts";
import { insertCape, insertMember, insertTexture, sessionRow, type OpenStores } from "./stores.suite.ts";

const source = "harbour";

const newAccount = (mail: string | null, more: Partial<NewAccount> = {}): NewAccount => ({
  uuid: newUuid(),
  mail,
  mailVerified: true,
  passwordHash: "$2a$10$x",
  level: 1,
  language: "ru",
  createdAt: 5,
  lastSeenAt: 9,
  playersMax: null,
  ...more,
});

const player = (name: string, more: Partial<PlannedPlayer> = {}): PlannedPlayer => ({
  key: `players:${name}`,
  id: null,
  name,
  uuid: newUuid(),
  createdAt: 6,
  skin: null,
  cape: null,
  ...more,
});

const planned = (key: string, more: Partial<PlannedAccount> = {}): PlannedAccount => ({
  key,
  id: null,
  account: newAccount(`${key}@Example.org`),
  aliases: [],
  players: [player(key)],
  skins: [],
  grants: [],
  identity: null,
  suspension: null,
  ...more,
});

const skin = (key: string, texture: TextureHash | null) =>
  ({ key, id: null, texture, name: `Skin ${key}`, model: "slim", createdAt: 7 }) as const;

export function importsSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let reads: Reads;
  let transact: Atomically;
  beforeEach(async () => {
    opened = await open();
    ({ reads, atomically: transact } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const put = (...rows: PlannedAccount[]) =>
    transact(({ imports }) => imports.putAccounts({ source, now: 100, rows }));
  const find = (name: string) => reads.accounts.findMember({ by: "name", value: name });
  const take = (holder: string, now: number, of = source) =>
    transact(({ imports }) => imports.takeRun({ source: of, holder, until: now + 30, now }));
  const move = (run: Partial<ImportRun>) =>
    transact(({ imports }) =>
      imports.moveRun({ source, holder: "one", until: 60, cursor: "", counts: {}, ...run }),
    );

  const digestsOf = async () => {
    const [accounts, players] = [
      await reads.imports.links(source, "account", ["Ada"]),
      await reads.imports.links(source, "player", ["players:Ada"]),
    ];
    return [accounts.get("Ada")?.digest, players.get("players:Ada")?.digest];
  };

  describe(`${name}: a run of an import`, () => {
    test("is one holder's until it ends or its time is over", async () => {
      expect(await reads.imports.findRun(source)).toBeNull();
      const begun = {
        source,
        state: "running",
        cursor: "",
        holder: "one",
        until: 40,
        beganAt: 10,
        endedAt: null,
        counts: {},
      } as const;
      expect(await take("one", 10)).toEqual(begun);
      expect(await reads.imports.findRun(source)).toEqual(begun);
      expect(await take("two", 39)).toBeNull();
      expect(await take("two", 39, "another source")).toMatchObject({ holder: "two" });
      expect(await move({ cursor: "users:7", counts: { player: 3 } })).toBe(true);
      expect(await move({ holder: "two" })).toBe(false);
      expect(await take("two", 59)).toBeNull();
      expect(await take("two", 60)).toMatchObject({ holder: "two", until: 90 });
      expect(await move({})).toBe(false);
    });

    test.each(["stopped", "done"] as const)("that is %s is free and counts from 0", async (state) => {
      await take("one", 10);
      await move({ counts: { player: 3 } });
      await transact(({ imports }) => imports.endRun({ source, holder: "two", state, now: 20 }));
      expect(await take("two", 20)).toBeNull();
      await transact(({ imports }) => imports.endRun({ source, holder: "one", state, now: 20 }));
      expect(await reads.imports.findRun(source)).toMatchObject({ state, holder: "", endedAt: 20 });
      expect(await take("two", 20)).toMatchObject({
        state: "running",
        counts: {},
        beganAt: 20,
        endedAt: null,
      });
    });

    test("that was killed goes on counting, from the beginning", async () => {
      await take("one", 10);
      await move({ cursor: "users:7", counts: { player: 3 } });
      expect(await take("two", 70)).toMatchObject({ cursor: "", counts: { player: 3 }, beganAt: 10 });
    });
  });

  describe(`${name}: an import finds`, () => {
    test("whose names, addresses, uuids and identities are, and the players themselves", async () => {
      const alice = await transact((stores) => insertMember(stores, "Alice"));
      const bob = await transact((stores) => insertMember(stores, "Bob"));
      const [a, b] = [alice.account.id, bob.account.id];
      await transact(async ({ players, accounts, identities }) => {
        await players.renamePlayer(bob.player!.id, "Robert");
        await players.holdName("bob", { accountId: b, heldUntil: 1000, playerId: bob.player!.id });
        await players.holdName("gone", { accountId: 999 as AccountId, heldUntil: 1000, playerId: null });
        await players.setUuid(bob.player!.id, newUuid());
        await accounts.updateAccount(b, { registration: "unconfirmed" });
        const person = { provider: "oidc", issuer: "https://id.example", subject: "7" };
        await identities.insertIdentity({ ...person, accountId: a, username: "x", avatar: "", linkedAt: 1 });
      });
      await put(planned("carol", { aliases: ["Old Carol"] }));
      const carol = await find("carol");
      const { imports } = reads;
      const names = await imports.takenNames(["alice", "bob", "robert", "gone", "old carol", "nobody", "\0"]);
      expect(Object.fromEntries(names.map(({ key, account }) => [key, account]))).toEqual({
        alice: a,
        bob: b,
        robert: b,
        gone: 0 as AccountId,
        "old carol": carol!.account.id,
      });
      const mails = await imports.takenMails(["alice@example.org", "bob@example.org", "x@example.org"]);
      expect(mails.toSorted((one, other) => one.account - other.account)).toEqual([
        { key: "alice@example.org", account: a, isOwned: true },
        { key: "bob@example.org", account: b, isOwned: false },
      ]);
      const uuids = await imports.takenUuids([alice.player!.uuid, bob.player!.uuid, newUuid()]);
      expect(new Set(uuids.map(({ account }) => account))).toEqual(new Set([a, b]));
      const people = ["7", "8"].map((subject) => ({ issuer: "https://id.example", subject }));
      expect(await imports.takenIdentities([...people, { issuer: "", subject: "7" }])).toEqual([
        { issuer: "https://id.example", subject: "7", account: a },
      ]);
      const players = await imports.players({ uuids: [alice.player!.uuid], nameKeys: ["alice", "robert"] });
      expect(players.toSorted((one, other) => one.account - other.account)).toEqual([
        { id: alice.player!.id, account: a, name: "Alice", uuid: alice.player!.uuid, showsSkin: false },
        expect.objectContaining({ account: b, name: "Robert" }),
      ]);
    });

    test("nothing where nothing is asked", async () => {
      const { imports } = reads;
      expect(await imports.takenNames([])).toEqual([]);
      expect(await imports.takenMails([])).toEqual([]);
      expect(await imports.takenUuids([])).toEqual([]);
      expect(await imports.takenIdentities([])).toEqual([]);
      expect(await imports.players({ uuids: [], nameKeys: [] })).toEqual([]);
      expect(await imports.textures([])).toEqual([]);
      expect([...(await imports.links(source, "account", []))]).toEqual([]);
      expect([...(await imports.bannedTextures([]))]).toEqual([]);
      expect(await put()).toEqual([]);
    });

    test("bitmaps that are here, and those that are banned", async () => {
      const one = await transact((stores) => insertTexture(stores, 1));
      const other = "e".repeat(64) as TextureHash;
      const ban = { hash: other, issuer: "cli", createdAt: 1, reason: "" };
      await transact(({ textures }) => textures.insertBan(ban));
      expect(await reads.imports.textures([one.hash, other])).toEqual([one]);
      expect([...(await reads.imports.bannedTextures([one.hash, other]))]).toEqual([other]);
    });
  });

  describe(`${name}: an import writes`, () => {
    test("bitmaps once", async () => {
      const one = await transact((stores) => insertTexture(stores, 1));
      const other = { ...one, hash: "d".repeat(64) as TextureHash };
      const added = await transact(({ imports }) => imports.putTextures([{ ...one, width: 1 }, other], 8));
      expect([...added]).toEqual([other.hash]);
      expect(await reads.imports.textures([one.hash, other.hash])).toEqual(
        expect.arrayContaining([one, other]),
      );
    });

    test("accounts with everything that comes with them", async () => {
      const { hash } = await transact((stores) => insertTexture(stores, 1));
      const capeTexture = await transact((stores) => insertTexture(stores, 2));
      await transact(({ imports }) =>
        imports.putCapes({
          source,
          now: 100,
          rows: [
            {
              key: "textures:2",
              also: ["textures:3"],
              texture: capeTexture.hash,
              wings: null,
              name: "Wave",
              createdAt: 4,
            },
          ],
        }),
      );
      const rows = [
        planned("Ada", {
          aliases: ["ada@old"],
          players: [
            player("Ada", { skin: "1/9", cape: "textures:3" }),
            player("Ada_2", { uuid: offlineUuid("Ada_2") }),
          ],
          skins: [skin("1/9", hash), skin("1/8", hash)],
          grants: ["textures:2", "textures:3", "textures:gone"],
          identity: { provider: "oidc", issuer: "https://id.example", subject: "1", username: "ada" },
          suspension: { until: 500, reason: "came over from drasl" },
        }),
        planned("Bert", { account: newAccount(null, { level: 2, playersMax: 4, mailVerified: false }) }),
        planned("Nobody", { players: [] }),
      ];

      const applied = await put(...rows);
      expect(applied.map(({ key }) => key)).toEqual(["Ada", "Bert", "Nobody"]);
      const ada = await find("ada");
      expect(ada).toMatchObject({
        account: {
          registration: "complete",
          mail: "Ada@Example.org",
          mailVerified: true,
          passwordHash: "$2a$10$x",
          permanentLevel: 1,
          language: "ru",
          createdAt: 5,
          wantsBulkMail: true,
        },
        player: { name: "Ada", createdAt: 6 },
      });
      const belongings = await reads.accounts.findBelongings(ada!.account.id, 100);
      expect(belongings).toMatchObject({
        skins: [
          { name: "Skin 1/9", model: "slim", createdAt: 7 },
          { name: "Skin 1/8", createdAt: 7 },
        ],
        capes: [{ name: "Wave", uploadedBy: `import:${source}` }],
        identity: { provider: "oidc", subject: "1", username: "ada", linkedAt: 100 },
      });
      const shown = await reads.textures.findAppearance({ by: "name", value: "ada" });
      expect(shown).toMatchObject({
        skin: { texture: { hash } },
        cape: { texture: { hash: capeTexture.hash } },
      });
      expect(await find("bert")).toMatchObject({
        account: { mail: null, mailVerified: false, permanentLevel: 2, playersMax: 4 },
      });
      const nobody = await reads.accounts.findMember({ by: "mail", value: "nobody@example.org" });
      expect(nobody).toMatchObject({ account: { registration: "unnamed" }, player: null });
      expect(await reads.accounts.countMembers(null)).toBe(3);
      expect(await reads.textures.countAllSkins(null)).toBe(2);
      expect(await reads.textures.countAllCapes(null)).toBe(1);
      expect(await reads.accounts.countUnconfirmed()).toBe(0);
      expect((await reads.accounts.listByLastSeen({ after: null, rows: 9 }))[0]).toMatchObject({
        lastSeenAt: 9,
      });
      expect(await reads.days.listDays(0)).toEqual([]);
      const links = await reads.imports.links(source, "player", [
        "players:Ada",
        "players:Ada_2",
        "players:x",
      ]);
      expect([...links.keys()].toSorted()).toEqual(["players:Ada", "players:Ada_2"]);
      const capes = await reads.imports.links(source, "cape", ["textures:2", "textures:3"]);
      expect(new Set([...capes.values()].map(({ id }) => id)).size).toBe(1);
      expect([...(await reads.imports.links(source, "skin", ["1/9", "1/8"])).values()]).toHaveLength(2);
    });

    test("what searches find, and no event", async () => {
      const { hash } = await transact((stores) => insertTexture(stores, 1));
      await put(planned("Adalbert", { skins: [skin("sunrise", hash)], players: [player("Adalbert")] }));
      for (const search of ["adalb", "adalbert@example"]) {
        const found = await reads.accounts.listMembers({ after: null, rows: 5, search });
        expect(found.map((one) => one.player?.name)).toEqual(["Adalbert"]);
      }
      const skins = await reads.textures.listAllSkins({ after: null, rows: 5, search: "sunrise" });
      expect(skins).toHaveLength(1);
      expect(await reads.events.listEvents(0, 10)).toEqual([]);
    });

    test("one event when it is announced", async () => {
      await transact(({ imports }) => imports.announceImported(7));
      expect(await reads.events.listEvents(0, 10)).toMatchObject([
        { type: "community.imported", players: 7 },
      ]);
    });

    test("more of an account that is here, which keeps what it has", async () => {
      const [first] = await put(planned("Nobody", { players: [] }));
      const { hash } = await transact((stores) => insertTexture(stores, 1));
      await transact((stores) => stores.sessions.insertSession(sessionRow(first!.id, "s")));
      const rows = [
        planned("Nobody", {
          id: first!.id,
          account: null,
          players: [player("Nora", { skin: "1/1" })],
          skins: [skin("1/1", hash)],
          suspension: { until: null, reason: "" },
        }),
        planned("Deleted", { id: 12_345 as AccountId, account: null }),
      ];
      expect(await put(...rows)).toEqual([{ key: "Nobody", id: first!.id }]);
      const nora = await find("nora");
      expect(nora).toMatchObject({ account: { id: first!.id, registration: "complete" } });
      expect(await reads.sessions.findSession("s" as SessionId)).toBeNull();
      const changed = player("Norah", { id: nora!.player!.id, uuid: nora!.player!.uuid });
      const account = newAccount("nora@example.org", { language: "de" });
      await put(planned("Nobody", { id: first!.id, account, players: [changed] }));
      expect(await find("norah")).toMatchObject({
        account: { mail: "nora@example.org", language: "de", createdAt: 5, uuid: nora!.account.uuid },
        player: { id: nora!.player!.id, selectedSkinId: nora!.player!.selectedSkinId },
      });
      const found = await reads.accounts.listMembers({ after: null, rows: 5, search: "norah" });
      expect(found).toHaveLength(1);
      expect(await reads.events.listEvents(0, 10)).toEqual([]);
    });

    test("and remembers what was deleted here", async () => {
      await put(planned("Ada"), planned("Bert"));
      const ada = await find("ada");
      await transact(({ accounts }) => accounts.deleteAccount(ada!.account.id));
      for (const kind of ["account", "player"] as const) {
        const keys = kind === "account" ? ["Ada", "Bert"] : ["players:Ada", "players:Bert"];
        const links = await reads.imports.links(source, kind, keys);
        expect(keys.map((key) => links.get(key)?.isGone)).toEqual([true, false]);
      }
      expect([...(await reads.imports.links("another", "account", ["Ada"]))]).toEqual([]);
    });

    test("what records were, for a later run", async () => {
      const [ada] = await put(
        planned("Ada", { digest: "a1", players: [player("Ada", { digest: "p1", key: "players:Ada" })] }),
      );
      expect(await digestsOf()).toEqual(["a1", "p1"]);
      await put(planned("Ada", { id: ada!.id, account: null, players: [] }));
      expect(await digestsOf()).toEqual(["a1", "p1"]);
      const { player: here } = (await find("ada"))!;
      const same = player("Ada", { id: here!.id, uuid: here!.uuid, digest: "p2" });
      await put(planned("Ada", { id: ada!.id, account: null, digest: "a2", players: [same] }));
      expect(await digestsOf()).toEqual(["a2", "p2"]);
    });

    test("and says what accounts and players have", async () => {
      const account = newAccount("Bo@example.org", { level: 2, playersMax: 3 });
      const [bo] = await put(planned("Bo", { account, suspension: { until: null, reason: "" } }));
      const { id, mail, mailVerified, passwordHash, level, language, lastSeenAt, playersMax } = {
        ...account,
        id: bo!.id,
      };
      const has = { id, mail, mailVerified, passwordHash, level, language, lastSeenAt, playersMax };
      expect(await reads.imports.accountsHere([bo!.id, 99_999 as AccountId])).toEqual([
        { ...has, isSuspended: true },
      ]);
      const { player: here } = (await find("bo"))!;
      expect(await reads.imports.playersById([here!.id])).toEqual([
        { id: here!.id, account: id, name: "Bo", uuid: here!.uuid, showsSkin: false },
      ]);
    });

    test("what a cloakroom kept, as it was", async () => {
      const cape = await transact((stores) => insertCape(stores, 1));
      const own = {
        registration: "unnamed",
        wantsBulkMail: false,
        temporaryLevel: { level: 2, expiresAt: 900 },
        deleteAt: 800,
        aliases: [{ name: "Old", createdAt: 3 }],
        suspension: { issuer: "Olga", at: 2 },
      } as const;
      const uuid = newUuid();
      const dressed = { nameDerived: true, sharesSkin: true, hidesCape: true, renamedAt: 12 };
      const row = planned("Ada", {
        account: newAccount("a@example.org", { own }),
        aliases: ["Old"],
        players: [player("Ada", { skin: "1", own: dressed })],
        skins: [{ ...skin("1", cape.texture.hash), own: { uuid, cape: null } }],
        suspension: { until: 5, reason: "x" },
      });
      await put(row);
      expect(await find("ada")).toMatchObject({
        account: {
          registration: "unnamed",
          wantsBulkMail: false,
          temporaryLevel: { level: 2, expiresAt: 900 },
        },
        player: { nameDerived: true, sharesSkin: true, ownCape: "none" },
      });
      expect(await reads.textures.findSkin(uuid)).toMatchObject({ name: "Skin 1" });
    });

    test("nothing for a name that is taken meanwhile", async () => {
      const alice = await transact((stores) => insertMember(stores, "Alice"));
      const failed = put(planned("Ada"), planned("other", { players: [player("ALICE")] }));
      expect(await failed.catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
      expect(await find("ada")).toBeNull();
      expect(await find("alice")).toMatchObject({ account: { id: alice.account.id } });
    });
  });
}
