import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SkinModel } from "../../domain/model/texture.ts";
import type { AccountId, PlayerId, TextureHash, Uuid } from "../../kernel/ids.ts";
import { rowsIn, spell } from "./dialect.ts";
import { capes, players, skins } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/** What a player shows, as far as events have it. */
export type ShownByPlayer = {
  readonly player: PlayerId;
  readonly skin: TextureHash | null;
  readonly model: SkinModel | null;
  readonly cape: TextureHash | null;
};

/**
 * The number of the cape that a player shows: none if it hides it, else its own, else that of its skin, which
 * is joined. Nothing else says which cape a player shows.
 */
export const shownCape =
  "CASE WHEN players.hides_cape THEN NULL ELSE coalesce(players.own_cape_id, skins.cape_id) END";

const worn = sql.raw(`
  LEFT JOIN skins ON skins.id = players.selected_skin_id
  LEFT JOIN capes ON capes.id = ${shownCape}`);

/** The condition for the players that wear a skin of the condition. */
export function wearersOfSkins(skins: SQL): SQL {
  return sql`players.selected_skin_id IN (SELECT id FROM skins WHERE ${skins})`;
}

/** The condition for the players that show a cape, as their own or by their skin. */
export function wearersOfCape(cape: SQL): SQL {
  return sql`players.id IN (SELECT id FROM players WHERE own_cape_id = ${cape}
    UNION SELECT players.id FROM skins JOIN players ON selected_skin_id = skins.id WHERE skins.cape_id = ${cape})`;
}

/** A row that a write changed. */
export type ChangedRow = { readonly id: number; readonly uuid: Uuid };

/** A write that may change what players show. Sends it and returns the rows that it changed. */
export type ChangeShown = (
  db: Sender,
  keep: (shown: readonly ShownByPlayer[]) => void,
  values?: Readonly<Record<string, unknown>>,
) => Promise<readonly ChangedRow[]>;

/**
 * A write, which returns the columns `id` and `uuid`, and before it what the players of the condition show.
 * Every write to skins, capes and what players wear is made by it, so that no event is missed. PostgreSQL
 * gets one statement, each part of which sees the rows as they were when it began ("Data-Modifying Statements
 * in WITH"). SQLite gets two: nothing else writes in between.
 */
export function changesShown(players: SQL, write: SQLWrapper): ChangeShown {
  const before = sql`
    SELECT players.id AS player, skins.texture_hash AS skin, skins.model AS model, capes.texture_hash AS cape
    FROM players ${worn} WHERE ${players}`;
  const look = statement(before, shownColumns);
  const change = statement(write, { id: Number, uuid: uuidOf });
  const both = statement(
    sql`
      WITH changed AS (${write.getSQL()}), shown AS (${before})
      SELECT (SELECT coalesce(json_agg(changed), '[]')::text FROM changed),
        (SELECT coalesce(json_agg(shown), '[]')::text FROM shown)`,
    {
      // The statement makes both texts.
      changed: (text: string) => JSON.parse(text) as readonly ChangedRow[],
      shown: (text: string) => JSON.parse(text) as readonly ShownByPlayer[],
    },
  );
  return async (db, keep, values) => {
    if (db.dialect === "sqlite") {
      keep(await look(db, values));
      return change(db, values);
    }
    const row = first(await both(db, values));
    if (row === null) throw new Error("The statement returned no row");
    keep(row.shown);
    return row.changed;
  };
}

const uuidOf = (text: string) => text as Uuid; // the column holds nothing else

const shownColumns = {
  player: players.id,
  skin: skins.textureHash,
  model: skins.model,
  cape: capes.textureHash,
};

/** Players that show something else than they did. */
const changedLooks = sql`
  FROM (
    SELECT CAST(value ->> 'player' AS bigint) AS player, value ->> 'skin' AS skin, value ->> 'model' AS model, value ->> 'cape' AS cape
    FROM ${rowsIn(sql.placeholder("before"))}) AS before
  ${spell({ postgres: sql`JOIN`, sqlite: sql`CROSS JOIN` })} players ON players.id = before.player ${worn}
  WHERE (skins.texture_hash, skins.model, capes.texture_hash) IS DISTINCT FROM (before.skin, before.model, before.cape)`;

const quotedName = spell({
  postgres: sql`to_json(players.name)::text`,
  sqlite: sql`json_quote(players.name)`,
});

/** The events of players that show something else than before, as rows of place, type and body. */
export const textureEvents = sql`
  SELECT players.id AS place, 'player.textures' AS type,
    '{"player":{"uuid":"' || players.uuid || '","name":' || ${quotedName} || '}'
      || ',"skin":' || coalesce('{"hash":"' || skins.texture_hash || '","model":"' || skins.model || '"}', 'null')
      || ',"cape":' || coalesce('{"hash":"' || capes.texture_hash || '"}', 'null') || '}' AS body
  ${changedLooks}`;

const accounts = statement(sql`SELECT players.account_id ${changedLooks}`, { account: players.accountId });

/** The account of each player that shows something else than before. */
export async function accountsOfChangedLooks(
  db: Sender,
  before: readonly ShownByPlayer[],
): Promise<readonly AccountId[]> {
  if (before.length === 0) return [];
  return (await accounts(db, { before })).map(({ account }) => account);
}
