import { asc, eq, sql, type SQL } from "drizzle-orm";
import { offlineUuid, uuidsOf } from "../../domain/model/player-uuid.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { nameKey } from "../../domain/model/username.ts";
import type { PlayerReads, PlayerStore } from "../../domain/ports/player-store.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { toPlayer } from "../sql/row-values.ts";
import { nameHoldReads, nameHolds } from "./name-holds.ts";
import { lookReads } from "./player-looks.ts";
import { playerColumns } from "../sql/rows.ts";
import { accounts, players } from "../sql/schema/member.ts";
import { putSearchText, searchText } from "./search.ts";
import type { Sender } from "../sql/sender.ts";
import { endSessionsOfPlayer } from "../sql/session-store.ts";
import { changesShown } from "./shown.ts";
import { build, command, first, listed, mayBeKept, setsOf, statement, type RowOf } from "../sql/statement.ts";
import type { Touch } from "./touch.ts";

const ofPlayer = eq(players.id, sql.placeholder("player"));

const list = statement(
  build
    .select(playerColumns)
    .from(players)
    .where(eq(players.accountId, sql.placeholder("account")))
    .orderBy(asc(players.id)),
  playerColumns,
);
const countOf = statement(
  sql`SELECT count(*) FROM players WHERE account_id = ${sql.placeholder("account")}`,
  {
    rows: Number,
  },
);
const uuidUsed = statement(
  sql`
    SELECT EXISTS (SELECT 1 FROM players WHERE uuid = ${sql.placeholder("uuid")})
      OR EXISTS (SELECT 1 FROM accounts WHERE uuid = ${sql.placeholder("uuid")} AND id <> ${sql.placeholder("account")})
      OR EXISTS (
        SELECT 1 FROM former_uuids WHERE uuid = ${sql.placeholder("uuid")} AND account_id <> ${sql.placeholder("account")})`,
  { isUsed: Boolean },
);
const named = statement(
  sql`
    SELECT players.uuid, players.name
    FROM unnest(${sql.placeholder("keys")}::text[]) WITH ORDINALITY AS asked (key, place)
    JOIN players ON players.name_key = asked.key ORDER BY asked.place`,
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

/**
 * Adds a player whose uuid is no other account's. An account's first one becomes its main player, which the account's uuid names,
 * too. Searches find the account by its name as well.
 */
const insert = statement(
  sql`
    WITH added AS (
      INSERT INTO players (uuid, account_id, name, name_key, offline_uuid, name_derived, created_at)
      SELECT ${sql.placeholder("uuid")}::text, ${sql.placeholder("account")}::bigint, ${sql.placeholder("name")}::text,
        ${sql.placeholder("nameKey")}::text, ${sql.placeholder("offlineUuid")}::text, ${sql.placeholder("nameDerived")}::boolean, ${sql.placeholder("createdAt")}::bigint
      WHERE NOT EXISTS (
        SELECT 1 FROM accounts WHERE uuid = ${sql.placeholder("uuid")} AND id <> ${sql.placeholder("account")})
      RETURNING ${listed(playerColumns)}),
    main AS (
      UPDATE accounts SET main_player_id = added.id FROM added
      WHERE accounts.id = added.account_id AND accounts.main_player_id IS NULL RETURNING accounts.uuid),
    found AS (
      INSERT INTO search_texts (kind, id, text) SELECT 'user', account_id, ${sql.placeholder("text")}::text FROM added
      ON CONFLICT (kind, id) DO UPDATE SET text = search_texts.text || E'\n' || excluded.text)
    SELECT added.*, (SELECT uuid FROM main) FROM added`,
  { player: playerColumns, main: { uuid: accounts.uuid } },
);

/** The account of a player that changes, and what it is found by beside this player's name. */
const accountOfBefore = {
  uuid: players.uuid,
  name: players.name,
  accountId: players.accountId,
  mail: accounts.mail,
  otherNames: (text: string) => JSON.parse(text) as readonly string[], // the statement makes it
};
const otherNames = sql`(
  SELECT coalesce(json_agg(name), '[]')::text FROM players WHERE account_id = before.account_id AND id <> before.id)`;
const rename = statement(
  sql`
    WITH before AS (SELECT id, uuid, name, account_id FROM players WHERE ${ofPlayer}),
    renamed AS (
      UPDATE players SET name = ${sql.placeholder("name")}, name_key = ${sql.placeholder("nameKey")},
        offline_uuid = ${sql.placeholder("offlineUuid")}, name_derived = false
      WHERE ${ofPlayer})
    SELECT before.uuid, before.name, before.account_id, accounts.mail, ${otherNames}
    FROM before JOIN accounts ON accounts.id = before.account_id`,
  accountOfBefore,
);
const writeOffline = statement(
  sql`
    UPDATE players SET offline_uuid = given.offline_uuid
    FROM unnest(${sql.placeholder("ids")}::bigint[], ${sql.placeholder("names")}::text[], ${sql.placeholder("uuids")}::text[])
      AS given (id, name, offline_uuid)
    WHERE players.id = given.id AND players.name = given.name RETURNING players.uuid, players.name`,
  { uuid: players.uuid, name: players.name },
);
const noteRename = command(
  build
    .update(players)
    .set(setsOf({ renamedAt: players.renamedAt }))
    .where(ofPlayer),
);

/** Remembers the UUIDs of players. One that players of two accounts had belongs to neither: no account has the number 0. */
export const rememberUuids = (from: SQL): SQL => sql`
  INSERT INTO former_uuids (uuid, account_id) SELECT uuid, account_id FROM ${from}
  ON CONFLICT (uuid) DO UPDATE SET account_id =
    CASE WHEN former_uuids.account_id = excluded.account_id THEN excluded.account_id ELSE 0 END`;
const setUuid = statement(
  sql`
    WITH before AS (SELECT id, uuid, name, account_id FROM players WHERE ${ofPlayer}),
    remembered AS (${rememberUuids(sql`before`)}),
    changed AS (
      UPDATE players SET uuid = ${sql.placeholder("uuid")} FROM before WHERE players.id = before.id AND NOT EXISTS (
        SELECT 1 FROM accounts WHERE uuid = ${sql.placeholder("uuid")} AND id <> before.account_id)
      RETURNING players.id)
    SELECT before.uuid, before.name, EXISTS (SELECT 1 FROM changed) FROM before`,
  { uuid: players.uuid, name: players.name, isChanged: Boolean },
);
const remove = statement(
  sql`
    WITH before AS (DELETE FROM players WHERE ${ofPlayer} RETURNING id, uuid, name, account_id),
    remembered AS (${rememberUuids(sql`before`)})
    SELECT before.uuid, before.name, before.account_id, accounts.mail, ${otherNames}
    FROM before JOIN accounts ON accounts.id = before.account_id`,
  accountOfBefore,
);

const { selectedSkinId, ownCapeId, hidesCape } = players;
const identified = { id: players.id, uuid: players.uuid };
const selectSkin = changesShown(
  ofPlayer,
  build.update(players).set(setsOf({ selectedSkinId })).where(ofPlayer).returning(identified),
);
const wearCape = changesShown(
  ofPlayer,
  build.update(players).set(setsOf({ ownCapeId, hidesCape })).where(ofPlayer).returning(identified),
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
function noter(touch: Touch): (uuids: readonly Uuid[]) => void {
  return (uuids) => {
    for (const uuid of uuids) touch.note(`player:${uuid}`);
  };
}

export function playerStore(db: Sender, touch: Touch): PlayerStore {
  const noteAll = noter(touch);

  return {
    ...playerReads(db),
    ...nameHolds(db),
    insertPlayer: async ({ uuid, accountId: account, name, createdAt, nameDerived = false }) => {
      const given = { uuid, account, name, nameDerived, createdAt };
      const row = first(await insert(db, { ...given, ...namedAs(name), text: searchText([name]) }));
      if (row === null) throw refusals.uuidTaken();
      const player = toPlayer(row.player);
      touch.showsAnew(player.id);
      touch.event("player.created", { player: { uuid, name } });
      // Null where the account had a main player before.
      const main: Uuid | null = row.main.uuid;
      noteAll([...uuidsOf(player), ...(main === null ? [] : [main])]);
      return player;
    },
    renamePlayer: async (player, name) => {
      const before = first(await rename(db, { player, ...namedAs(name) }));
      if (before === null) return;
      const { uuid, name: previous } = before;
      noteAll([...uuidsOf(before), offlineUuid(name)]);
      if (previous !== name) touch.event("player.renamed", { player: { uuid, name }, previous });
      await putFound(db, before, [name]);
    },
    writeOfflineUuids: async (all) => {
      const names = all.map(({ name }) => name);
      const rows = { ids: all.map(({ id }) => id), names, uuids: names.map(offlineUuid) };
      noteAll((await writeOffline(db, rows)).flatMap(uuidsOf));
    },
    noteRename: (player, at) => noteRename(db, { player, renamedAt: at }),
    setUuid: async (player, uuid) => {
      const before = first(await setUuid(db, { player, uuid }));
      if (before === null) return;
      if (!before.isChanged) throw refusals.uuidTaken();
      noteAll([uuid, ...uuidsOf(before)]);
      if (before.uuid === uuid) return;
      const { name } = before;
      touch.event("player.deleted", { player: { uuid: before.uuid, name } });
      touch.event("player.created", { player: { uuid, name } });
      touch.showsAnew(player);
    },
    deletePlayer: async (player) => {
      await endSessionsOfPlayer(db, player);
      const before = first(await remove(db, { player }));
      if (before === null) return;
      const { uuid, name } = before;
      noteAll(uuidsOf(before));
      touch.event("player.deleted", { player: { uuid, name } });
      await putFound(db, before, []);
    },
    ...playerDress(db, touch),
  };
}

/** What a player wears, and whether others may wear its skin. */
function playerDress(db: Sender, touch: Touch): Pick<PlayerStore, "selectSkin" | "wearCape" | "shareSkin"> {
  const noteAll = noter(touch);

  return {
    selectSkin: async (player, skin) =>
      noteAll(await selectSkin(db, touch.keep, { player, selectedSkinId: skin })),
    wearCape: async (player, cape) => {
      const worn = { ownCapeId: typeof cape === "number" ? cape : null, hidesCape: cape === "none" };
      noteAll(await wearCape(db, touch.keep, { player, ...worn }));
    },
    shareSkin: async (player, sharesSkin) => {
      const changed = await shareSkin(db, { player, sharesSkin });
      noteAll(changed.map(({ uuid }) => uuid));
    },
  };
}

/** What a row has of a name. */
function namedAs(name: string) {
  return { name, nameKey: nameKey(name), offlineUuid: offlineUuid(name) };
}

/** Keeps what searches find an account by: its mail address and the names of its players. */
async function putFound(
  db: Sender,
  account: Pick<RowOf<typeof accountOfBefore>, "accountId" | "mail" | "otherNames">,
  names: readonly string[],
): Promise<void> {
  const lines = [account.mail, ...account.otherNames, ...names];
  await putSearchText(db, { kind: "user", id: account.accountId, lines });
}
