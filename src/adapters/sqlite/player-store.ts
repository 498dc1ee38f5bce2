import { and, asc, desc, eq, isNull, lt, notInArray, sql } from "drizzle-orm";
import { nameKey } from "../../domain/model/username.ts";
import type { PlayerId } from "../../kernel/ids.ts";
import type { PlayerReads, PlayerStore } from "../../domain/ports/player-store.ts";
import type { NoteChange } from "./change-feed.ts";
import type { Db } from "./open.ts";
import { playerColumns, toPlayer } from "./rows.ts";
import { accounts, heldNames, players } from "./schema/member.ts";

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

export function playerReads(db: Db): PlayerReads {
  const ofAccount = db
    .select(playerColumns)
    .from(players)
    .where(eq(players.accountId, sql.placeholder("account")))
    .orderBy(asc(players.id))
    .prepare();
  const hold = db
    .select({ accountId: heldNames.accountId, heldUntil: heldNames.heldUntil })
    .from(heldNames)
    .where(eq(heldNames.nameKey, sql.placeholder("key")))
    .prepare();

  return {
    list: async (account) => ofAccount.all({ account }).map(toPlayer),
    findNameHold: async (key) => hold.get({ key }) ?? null,
    lastRename: async (player) => {
      const row = db.select({ at: players.renamedAt }).from(players).where(eq(players.id, player)).get();
      return row?.at ?? 0;
    },
  };
}

/** `note` is called for every subject of delivery that a write changes. */
export function playerStore(db: Db, note: NoteChange): PlayerStore {
  const update = (id: PlayerId, change: Partial<typeof players.$inferInsert>): void => {
    const changed = db
      .update(players)
      .set(change)
      .where(eq(players.id, id))
      .returning({ uuid: players.uuid });
    for (const { uuid } of changed.all()) note(`player:${uuid}`);
  };

  return {
    ...playerReads(db),
    insertPlayer: async (player) => {
      note(`player:${player.uuid}`);
      const row = db
        .insert(players)
        .values({ ...player, nameKey: nameKey(player.name) })
        .returning(playerColumns)
        .get();
      // An account's first player becomes its main player, which the account's uuid names, too.
      const named = db
        .update(accounts)
        .set({ mainPlayerId: row.playerId })
        .where(and(eq(accounts.id, player.accountId), isNull(accounts.mainPlayerId)))
        .returning({ uuid: accounts.uuid });
      for (const { uuid } of named.all()) note(`player:${uuid}`);
      return toPlayer(row);
    },
    renamePlayer: async (id, name) => update(id, { name, nameKey: nameKey(name), nameDerived: false }),
    noteRename: async (id, renamedAt) => {
      db.update(players).set({ renamedAt }).where(eq(players.id, id)).run();
    },
    selectSkin: async (player, skin) => update(player, { selectedSkinId: skin }),
    ...nameHolds(db),
  };
}

function nameHolds(
  db: Db,
): Pick<PlayerStore, "holdName" | "dropHolds" | "releaseName" | "deleteExpiredHolds"> {
  return {
    holdName: async (key, accountId, heldUntil) => {
      const hold = { accountId, heldUntil };
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
