import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SkinModel } from "../../domain/model/texture.ts";
import type { PlayerId, TextureHash, Uuid } from "../../kernel/ids.ts";
import type { Sender } from "../sql/sender.ts";
import { statement } from "../sql/statement.ts";

/** What a player shows, as far as events have it. */
export type Shown = {
  readonly player: PlayerId;
  readonly skin: TextureHash | null;
  readonly model: SkinModel | null;
  readonly cape: TextureHash | null;
};

/** The number of the cape that a player shows; its skin is joined. */
export const shownCape =
  "CASE WHEN players.hides_cape THEN NULL ELSE coalesce(players.own_cape_id, skins.cape_id) END";

const worn = `
  LEFT JOIN skins ON skins.id = players.selected_skin_id
  LEFT JOIN capes ON capes.id = ${shownCape}`;

/** The condition for the players that wear a skin of the condition. */
export function wearersOfSkins(skins: SQL): SQL {
  return sql`players.selected_skin_id IN (SELECT id FROM skins WHERE ${skins})`;
}

/** The condition for the players that show a cape, as their own or by their skin. */
export function wearersOfCape(cape: SQL): SQL {
  return sql`players.id IN (SELECT id FROM players WHERE own_cape_id = ${cape}
    UNION SELECT players.id FROM skins JOIN players ON selected_skin_id = skins.id WHERE skins.cape_id = ${cape})`;
}

/** A write that may change what players show. Sends it and returns the uuids of the rows that it changed. */
export type ChangeShown = (
  db: Sender,
  keep: (shown: readonly Shown[]) => void,
  values?: Readonly<Record<string, unknown>>,
) => Promise<readonly Uuid[]>;

/**
 * One statement of a write, which returns the columns `id` and `uuid`, and of what the players of the condition show before it: every part
 * of a statement sees the rows as they were when it began (PostgreSQL, "Data-Modifying Statements in WITH"). What players show
 * follows the rule of `findAppearance` in `texture-store.ts`: the selected skin, and a cape of their own, or else the skin's, or
 * none. Every write to skins, capes and what players wear is made by it, so that no event is missed. `along` are further writes,
 * which may read `changed`.
 */
export function changesShown(
  players: SQL,
  write: SQLWrapper,
  along: Readonly<Record<string, SQL>> = {},
): ChangeShown {
  const lists = Object.entries(along).map(([name, list]) => sql`${sql.raw(name)} AS (${list}), `);
  const query = sql`
    WITH changed AS (${write.getSQL()}), ${sql.join(lists)} shown AS (
      SELECT players.id AS player, skins.texture_hash AS skin, skins.model AS model, capes.texture_hash AS cape
      FROM players ${sql.raw(worn)} WHERE ${players})
    SELECT (SELECT coalesce(json_agg(uuid), '[]')::text FROM changed),
      (SELECT coalesce(json_agg(shown), '[]')::text FROM shown)`;
  const send = statement(query, {
    // The statement makes both texts.
    uuids: (text: string) => JSON.parse(text) as readonly Uuid[],
    shown: (text: string) => JSON.parse(text) as readonly Shown[],
  });
  return async (db, keep, values) => {
    const [row] = await send(db, values);
    if (row === undefined) throw new Error("The statement returned no row");
    keep(row.shown);
    return row.uuids;
  };
}

/**
 * The events of players that show something else than at the beginning of the transaction, as rows of place, type and body, with
 * the body that SQLite's `json_object` makes. `before` is the parameter with a JSON list of `Shown`.
 */
export function textureEvents(before: string): string {
  const player = `'{"player":{"uuid":"' || players.uuid || '","name":' || to_json(players.name)::text || '}'`;
  const skin = `coalesce('{"hash":"' || skins.texture_hash || '","model":"' || skins.model || '"}', 'null')`;
  const cape = `coalesce('{"hash":"' || capes.texture_hash || '"}', 'null')`;
  return `
    SELECT players.id AS place, 'player.textures' AS type,
      ${player} || ',"skin":' || ${skin} || ',"cape":' || ${cape} || '}' AS body
    ${changedLooks(before)}`;
}

/** The account of each player that shows something else than at the beginning of the transaction. `before` as of `textureEvents`. */
export function accountsOfChangedLooks(before: string): string {
  return `SELECT players.account_id ${changedLooks(before)}`;
}

function changedLooks(before: string): string {
  return `
    FROM json_to_recordset((${before}::text)::json) AS before (player bigint, skin text, model text, cape text)
    JOIN players ON players.id = before.player ${worn}
    WHERE (skins.texture_hash, skins.model, capes.texture_hash) IS DISTINCT FROM (before.skin, before.model, before.cape)`;
}
