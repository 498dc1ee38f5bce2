import { and, asc, desc, eq, gt, isNull, lt, notInArray, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Player } from "../../domain/model/account.ts";
import { offlineUuid, uuidsOf } from "../../domain/model/player-uuid.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { nameKey } from "../../domain/model/username.ts";
import type { AccountId, PlayerId, Uuid } from "../../kernel/ids.ts";
import type { PlayerReads, PlayerStore, StoredOfflineUuid } from "../../domain/ports/player-store.ts";
import { toLook, toPlayer } from "../sql/row-values.ts";
import type { NoteChange } from "./change-feed.ts";
import type { Db } from "./open.ts";
import { playerColumns } from "./rows.ts";
import { accounts, capes, formerUuids, heldNames, players, skins } from "./schema.ts";

/**
 * What a uuid (`?1`) names: an account, by its own uuid or that of one of its players; and a player, by its own uuid or, for
 * its main player, that of its account. Triggers keep every uuid to one account.
 */
export const namedByUuid = {
  account:
    "coalesce((SELECT id FROM accounts WHERE uuid = ?1), (SELECT account_id FROM players WHERE uuid = ?1))",
  player:
    "coalesce((SELECT id FROM players WHERE uuid = ?1), (SELECT main_player_id FROM accounts WHERE uuid = ?1))",
};

/** The number of the cape that a player shows; its skin is joined. */
export const shownCape =
  "CASE WHEN players.hides_cape THEN NULL ELSE coalesce(players.own_cape_id, skins.cape_id) END";

export function playerReads(db: Db): PlayerReads {
  const ofAccount = db
    .select(playerColumns)
    .from(players)
    .where(eq(players.accountId, sql.placeholder("account")))
    .orderBy(asc(players.id))
    .prepare();
  const hold = db
    .select({
      accountId: heldNames.accountId,
      heldUntil: heldNames.heldUntil,
      playerId: heldNames.playerId,
    })
    .from(heldNames)
    .where(eq(heldNames.nameKey, sql.placeholder("key")))
    .prepare();

  const isUsed = db.$client.query<{ readonly used: 0 | 1 }, [Uuid, AccountId]>(`
    SELECT EXISTS (SELECT 1 FROM players WHERE uuid = ?1)
      OR EXISTS (SELECT 1 FROM accounts WHERE uuid = ?1 AND id <> ?2)
      OR EXISTS (SELECT 1 FROM former_uuids WHERE uuid = ?1 AND account_id <> ?2) AS used`);

  // In the order in which they were asked for: the list decides the order of the lookups.
  const named = db.$client.query<Pick<Player, "uuid" | "name">, [string]>(
    "SELECT uuid, name FROM json_each(?) CROSS JOIN players ON name_key = value",
  );

  const offlineUuids = db.$client.query<StoredOfflineUuid, [number, number]>(
    "SELECT id, name, offline_uuid AS offlineUuid FROM players WHERE id > ? ORDER BY id LIMIT ?",
  );

  return {
    ...lookReads(db),
    listOfflineUuids: async ({ after, rows }) => offlineUuids.all(after ?? 0, rows),
    listNamed: async (nameKeys) => named.all(JSON.stringify([...new Set(nameKeys)])),
    isUuidUsed: async (uuid, account) => isUsed.get(uuid, account)?.used === 1,
    count: async (account) => db.$count(players, eq(players.accountId, account)),
    list: async (account) => ofAccount.all({ account }).map(toPlayer),
    findNameHold: async (key) => hold.get({ key }) ?? null,
    lastRename: async (player) => {
      const row = db.select({ at: players.renamedAt }).from(players).where(eq(players.id, player)).get();
      return row?.at ?? 0;
    },
  };
}

const ownCapes = alias(capes, "own_capes");

function lookReads(db: Db): Pick<PlayerReads, "listLooks" | "listAll" | "findLook"> {
  const columns = {
    ...playerColumns,
    mainPlayerId: accounts.mainPlayerId,
    skin: skins.uuid,
    cape: capes.uuid,
    ownCape: ownCapes.uuid,
  };
  const build = (where: SQL) =>
    db
      .select(columns)
      .from(players)
      .innerJoin(accounts, eq(accounts.id, players.accountId))
      .leftJoin(skins, eq(skins.id, players.selectedSkinId))
      .leftJoin(capes, eq(capes.id, sql.raw(shownCape)))
      .leftJoin(ownCapes, eq(ownCapes.id, players.ownCapeId))
      .where(where)
      .orderBy(asc(players.id));
  const rows = (where: SQL) => build(where).prepare();
  const value = sql.placeholder("value");
  const ofAccount = rows(eq(players.accountId, value));
  // As in `namedByUuid`.
  const own = sql`(SELECT id FROM players WHERE uuid = ${value})`;
  const main = sql`(SELECT main_player_id FROM accounts WHERE uuid = ${value})`;
  const find = {
    id: rows(eq(players.id, value)),
    uuid: rows(sql`${players.id} = coalesce(${own}, ${main})`),
    name: rows(eq(players.nameKey, value)),
  };

  const all = build(gt(players.id, sql.placeholder("after")))
    .limit(sql.placeholder("rows"))
    .prepare();

  return {
    listAll: async ({ after, rows: most }) => all.all({ after: after ?? 0, rows: most }).map(toLook),
    listLooks: async (account) => {
      const looks = ofAccount.all({ value: account }).map(toLook);
      return looks.toSorted((one, other) => Number(other.isMain) - Number(one.isMain));
    },
    findLook: async ({ by, value }) => {
      const row = find[by].get({ value });
      return row === undefined ? null : toLook(row);
    },
  };
}

/**
 * Remembers the UUIDs of an account's players, all or one of them. One that players of two accounts had belongs to neither:
 * no account has the number 0.
 */
export function rememberUuids(
  db: Db,
  whose: { readonly account: AccountId } | { readonly player: PlayerId },
): void {
  const some = "account" in whose ? sql`account_id = ${whose.account}` : sql`id = ${whose.player}`;
  db.run(sql`INSERT INTO ${formerUuids} (uuid, account_id) SELECT uuid, account_id FROM ${players} WHERE ${some}
    ON CONFLICT (uuid) DO UPDATE SET account_id = iif(account_id = excluded.account_id, account_id, 0)`);
}

/** Writes of one row, which note the subjects that they change. */
function rowWrites(db: Db, note: NoteChange) {
  const { uuid, name } = players;
  const update = (id: PlayerId, change: Partial<typeof players.$inferInsert>): void => {
    const changed = db.update(players).set(change).where(eq(players.id, id)).returning({ uuid });
    for (const player of changed.all()) note(`player:${player.uuid}`);
  };
  const noteAll = (all: readonly Pick<Player, "uuid" | "name">[]): void => {
    for (const one of all.flatMap(uuidsOf)) note(`player:${one}`);
  };
  return {
    update,
    noteAll,
    noteAsItIs: (id: PlayerId): void =>
      noteAll(db.select({ uuid, name }).from(players).where(eq(players.id, id)).all()),
  };
}

/** `note` is called for every subject of delivery that a write changes. */
export function playerStore(db: Db, note: NoteChange): PlayerStore {
  const { uuid, name } = players;
  const { update, noteAll, noteAsItIs } = rowWrites(db, note);

  return {
    ...playerReads(db),
    insertPlayer: async (player) => {
      noteAll([player]);
      // SQLite looks at the key of the name first, PostgreSQL at this one.
      const taken = db.select({ uuid }).from(players).where(eq(uuid, player.uuid)).get();
      if (taken !== undefined) throw refusals.uuidTaken();
      const row = db
        .insert(players)
        .values({ ...player, ...namedAs(player.name) })
        .returning(playerColumns)
        .get();
      // An account's first player becomes its main player, which the account's uuid names, too.
      const named = db
        .update(accounts)
        .set({ mainPlayerId: row.playerId })
        .where(and(eq(accounts.id, player.accountId), isNull(accounts.mainPlayerId)))
        .returning({ uuid: accounts.uuid });
      for (const account of named.all()) note(`player:${account.uuid}`);
      return toPlayer(row);
    },
    renamePlayer: async (id, newName) => {
      noteAsItIs(id);
      update(id, { ...namedAs(newName), nameDerived: false });
      noteAsItIs(id);
    },
    writeOfflineUuids: async (all) => {
      for (const player of all) {
        db.update(players)
          .set({ offlineUuid: offlineUuid(player.name) })
          .where(and(eq(players.id, player.id), eq(name, player.name)))
          .run();
        noteAsItIs(player.id);
      }
    },
    noteRename: async (id, renamedAt) => {
      db.update(players).set({ renamedAt }).where(eq(players.id, id)).run();
    },
    setUuid: async (id, newUuid) => {
      rememberUuids(db, { player: id });
      noteAsItIs(id);
      update(id, { uuid: newUuid });
    },
    deletePlayer: async (id) => {
      rememberUuids(db, { player: id });
      // The schema's references delete its sessions with it.
      noteAll(db.delete(players).where(eq(players.id, id)).returning({ uuid, name }).all());
    },
    selectSkin: async (player, skin) => update(player, { selectedSkinId: skin }),
    wearCape: async (player, cape) => {
      const isOwn = typeof cape === "number";
      update(player, { ownCapeId: isOwn ? cape : null, hidesCape: cape === "none" });
    },
    shareSkin: async (player, sharesSkin) => update(player, { sharesSkin }),
    ...nameHolds(db),
  };
}

/** What a row has of a name. */
function namedAs(name: string) {
  return { name, nameKey: nameKey(name), offlineUuid: offlineUuid(name) };
}

function nameHolds(
  db: Db,
): Pick<PlayerStore, "holdName" | "dropHolds" | "releaseName" | "deleteExpiredHolds"> {
  return {
    holdName: async (key, { accountId, heldUntil, playerId }) => {
      const hold = { accountId, heldUntil, playerId };
      db.insert(heldNames)
        .values({ nameKey: key, ...hold })
        .onConflictDoUpdate({ target: heldNames.nameKey, set: hold })
        .run();
    },
    dropHolds: async (owner, kept) => {
      const longest = db
        .select({ key: heldNames.nameKey })
        .from(heldNames)
        .where(eq(heldNames.accountId, owner))
        // Of holds that end together the newest stays.
        .orderBy(desc(heldNames.heldUntil), sql`rowid DESC`)
        .limit(kept);
      db.delete(heldNames)
        .where(and(eq(heldNames.accountId, owner), notInArray(heldNames.nameKey, longest)))
        .run();
    },
    releaseName: async (key) => {
      db.delete(heldNames).where(eq(heldNames.nameKey, key)).run();
    },
    deleteExpiredHolds: async (before) => {
      db.delete(heldNames).where(lt(heldNames.heldUntil, before)).run();
    },
  };
}
