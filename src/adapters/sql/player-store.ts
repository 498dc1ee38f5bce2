import { asc, eq, sql } from "drizzle-orm";
import { offlineUuid, uuidsOf } from "../../domain/model/player-uuid.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { nameKey } from "../../domain/model/username.ts";
import type { PlayerReads, PlayerStore } from "../../domain/ports/player-store.ts";
import type { PlayerId, Uuid } from "../../kernel/ids.ts";
import { orderedRowsIn, rowsIn, spell } from "./dialect.ts";
import { nameHoldReads, nameHolds } from "./name-holds.ts";
import { lookReads } from "./player-looks.ts";
import { playerColumns, toPlayer } from "./rows.ts";
import { accounts, players } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { endSessionsOfPlayer } from "./session-store.ts";
import { changesShown, type ChangedRow } from "./shown.ts";
import { build, command, first, listed, mayBeKept, setsOf, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

const player = sql.placeholder("player");
const account = sql.placeholder("account");
const uuid = sql.placeholder("uuid");
const ofPlayer = eq(players.id, player);

const list = statement(
  build.select(playerColumns).from(players).where(eq(players.accountId, account)).orderBy(asc(players.id)),
  playerColumns,
);
const countOf = statement(sql`SELECT count(*) FROM players WHERE account_id = ${account}`, { rows: Number });
const uuidUsed = statement(
  sql`
    SELECT EXISTS (SELECT 1 FROM players WHERE uuid = ${uuid})
      OR EXISTS (SELECT 1 FROM accounts WHERE uuid = ${uuid} AND id <> ${account})
      OR EXISTS (SELECT 1 FROM former_uuids WHERE uuid = ${uuid} AND account_id <> ${account})`,
  { isUsed: Boolean },
);
/** In the order in which they were asked for: the list decides the order of the lookups. */
const named = statement(
  sql`
    SELECT players.uuid, players.name FROM ${orderedRowsIn(sql.placeholder("keys"), "texts")}
    CROSS JOIN players WHERE players.name_key = given.value ${spell({ postgres: sql`ORDER BY given.place`, sqlite: sql`` })}`,
  { uuid: players.uuid, name: players.name },
);
const listOffline = statement(
  sql`SELECT id, name, offline_uuid FROM players WHERE id > ${sql.placeholder("after")}
    ORDER BY id LIMIT ${sql.placeholder("rows")}`,
  { id: players.id, name: players.name, offlineUuid: players.offlineUuid },
);
const renamedAt = statement(build.select({ at: players.renamedAt }).from(players).where(ofPlayer), {
  at: players.renamedAt,
});

export function playerReads(db: Sender): PlayerReads {
  return {
    ...lookReads(db),
    ...nameHoldReads(db),
    listOfflineUuids: ({ after, rows }) => listOffline(db, { after: after ?? 0, rows }),
    listNamed: (nameKeys) => named(db, { keys: [...new Set(nameKeys)].filter(mayBeKept) }),
    isUuidUsed: async (uuid, account) => first(await uuidUsed(db, { uuid, account }))?.isUsed === true,
    count: async (account) => first(await countOf(db, { account }))?.rows ?? 0,
    list: async (account) => (await list(db, { account })).map(toPlayer),
    lastRename: async (player) => first(await renamedAt(db, { player }))?.at ?? 0,
  };
}

/** Adds a player whose uuid is no other player's and no other account's. */
const insert = statement(
  sql`
    INSERT INTO players (uuid, account_id, name, name_key, offline_uuid, name_derived, created_at)
    SELECT CAST(${uuid} AS text), CAST(${account} AS bigint), CAST(${sql.placeholder("name")} AS text),
      CAST(${sql.placeholder("nameKey")} AS text), CAST(${sql.placeholder("offlineUuid")} AS text),
      CAST(${sql.placeholder("nameDerived")} AS boolean), CAST(${sql.placeholder("createdAt")} AS bigint)
    WHERE NOT EXISTS (SELECT 1 FROM players WHERE uuid = ${uuid})
      AND NOT EXISTS (SELECT 1 FROM accounts WHERE uuid = ${uuid} AND id <> ${account})
    RETURNING ${listed(playerColumns)}`,
  playerColumns,
);
/** An account's first player becomes its main player, which the account's uuid names, too. */
const makeMain = statement(
  sql`UPDATE accounts SET main_player_id = ${player} WHERE id = ${account} AND main_player_id IS NULL RETURNING uuid`,
  { uuid: accounts.uuid },
);
const identified = { uuid: players.uuid, name: players.name, accountId: players.accountId };
const find = statement(build.select(identified).from(players).where(ofPlayer), identified);
const { name, nameKey: key, offlineUuid: offline } = players;
const rename = command(
  build
    .update(players)
    .set({ ...setsOf({ name, nameKey: key, offlineUuid: offline }), nameDerived: false })
    .where(ofPlayer),
);
const writeOffline = statement(
  sql`
    UPDATE players SET offline_uuid = new.offline_uuid FROM (
      SELECT CAST(value ->> 0 AS bigint) AS id, value ->> 1 AS name, value ->> 2 AS offline_uuid
      FROM ${rowsIn(sql.placeholder("players"))}) AS new
    WHERE players.id = new.id AND players.name = new.name RETURNING players.uuid, players.name`,
  { uuid: players.uuid, name: players.name },
);
const noteRename = command(
  build
    .update(players)
    .set(setsOf({ renamedAt: players.renamedAt }))
    .where(ofPlayer),
);

/**
 * Remembers UUIDs of players. One that players of two accounts had belongs to neither: no account has the
 * number 0.
 */
const rememberUuids = (which: "id" | "account_id") =>
  command(sql`
    INSERT INTO former_uuids (uuid, account_id) SELECT uuid, account_id FROM players
    WHERE ${sql.identifier(which)} = ${sql.placeholder("whose")}
    ON CONFLICT (uuid) DO UPDATE SET account_id =
      CASE WHEN former_uuids.account_id = excluded.account_id THEN excluded.account_id ELSE 0 END`);
const rememberUuid = rememberUuids("id");
export const rememberUuidsOfAccount = rememberUuids("account_id");
const setUuid = statement(
  sql`
    UPDATE players SET uuid = ${uuid} WHERE ${ofPlayer}
      AND NOT EXISTS (SELECT 1 FROM accounts WHERE uuid = ${uuid} AND id <> ${account}) RETURNING id`,
  { id: players.id },
);
const remove = command(build.delete(players).where(ofPlayer));

const { selectedSkinId, ownCapeId, hidesCape } = players;
const changed = { id: players.id, uuid: players.uuid };
const selectSkin = changesShown(
  ofPlayer,
  build.update(players).set(setsOf({ selectedSkinId })).where(ofPlayer).returning(changed),
);
const wearCape = changesShown(
  ofPlayer,
  build.update(players).set(setsOf({ ownCapeId, hidesCape })).where(ofPlayer).returning(changed),
);
const shareSkin = statement(
  build
    .update(players)
    .set(setsOf({ sharesSkin: players.sharesSkin }))
    .where(ofPlayer)
    .returning({ uuid: players.uuid }),
  { uuid: players.uuid },
);

/** Notes players as changed. */
const noting = (touch: Touch) => (uuids: readonly Uuid[]) => {
  for (const uuid of uuids) touch.note(`player:${uuid}`);
};

export function playerStore(db: Sender, touch: Touch): PlayerStore {
  const noteAll = noting(touch);
  const before = async (player: PlayerId) => first(await find(db, { player }));

  return {
    ...playerReads(db),
    ...nameHolds(db),
    ...playerDress(db, touch),
    insertPlayer: async ({ uuid, accountId: account, name, createdAt, nameDerived = false }) => {
      const given = { uuid, account, nameDerived, createdAt, ...namedAs(name) };
      const row = first(await insert(db, given));
      if (row === null) throw refusals.uuidTaken();
      const player = toPlayer(row);
      touch.showsAnew(player.id);
      touch.event("player.created", { player: { uuid, name } });
      touch.foundAnew(account);
      const named = await makeMain(db, { player: player.id, account });
      noteAll([...uuidsOf(player), ...named.map((one) => one.uuid)]);
      return player;
    },
    renamePlayer: async (player, name) => {
      const old = await before(player);
      if (old === null) return;
      await rename(db, { player, ...namedAs(name) });
      const { uuid, name: previous } = old;
      noteAll([...uuidsOf(old), offlineUuid(name)]);
      touch.foundAnew(old.accountId);
      if (previous !== name) touch.event("player.renamed", { player: { uuid, name }, previous });
    },
    writeOfflineUuids: async (all) => {
      const rows = all.map(({ id, name }) => [id, name, offlineUuid(name)]);
      noteAll((await writeOffline(db, { players: rows })).flatMap(uuidsOf));
    },
    noteRename: (player, at) => noteRename(db, { player, renamedAt: at }),
    setUuid: async (player, uuid) => {
      const old = await before(player);
      if (old === null) return;
      await rememberUuid(db, { whose: player });
      const changed = await setUuid(db, { player, uuid, account: old.accountId });
      if (changed.length === 0) throw refusals.uuidTaken();
      noteAll([...uuidsOf(old), uuid]);
      if (old.uuid === uuid) return;
      const { name } = old;
      touch.event("player.deleted", { player: { uuid: old.uuid, name } });
      touch.event("player.created", { player: { uuid, name } });
      touch.showsAnew(player);
    },
    deletePlayer: async (player) => {
      const old = await before(player);
      if (old === null) return;
      await endSessionsOfPlayer(db, player);
      await rememberUuid(db, { whose: player });
      await remove(db, { player });
      const { uuid, name } = old;
      noteAll(uuidsOf(old));
      touch.foundAnew(old.accountId);
      touch.event("player.deleted", { player: { uuid, name } });
    },
  };
}

/** What a player wears, and whether others may wear its skin. */
function playerDress(db: Sender, touch: Touch): Pick<PlayerStore, "selectSkin" | "wearCape" | "shareSkin"> {
  const noteAll = noting(touch);
  const noteChanged = (rows: readonly Pick<ChangedRow, "uuid">[]) => noteAll(rows.map(({ uuid }) => uuid));

  return {
    selectSkin: async (player, skin) =>
      noteChanged(await selectSkin(db, touch.keep, { player, selectedSkinId: skin })),
    wearCape: async (player, cape) => {
      const worn = { ownCapeId: typeof cape === "number" ? cape : null, hidesCape: cape === "none" };
      noteChanged(await wearCape(db, touch.keep, { player, ...worn }));
    },
    shareSkin: async (player, sharesSkin) => noteChanged(await shareSkin(db, { player, sharesSkin })),
  };
}

/** What a row has of a name. */
function namedAs(name: string) {
  return { name, nameKey: nameKey(name), offlineUuid: offlineUuid(name) };
}
