import { sql, type SQL } from "drizzle-orm";
import type { SkinModel } from "../../domain/model/texture.ts";
import type { PlayerId, TextureHash } from "../../kernel/ids.ts";

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

const tables = `players LEFT JOIN skins ON skins.id = players.selected_skin_id LEFT JOIN capes ON capes.id = ${shownCape}`;
const columns = "skins.texture_hash AS skin, skins.model AS model, capes.texture_hash AS cape";

/**
 * What the players of a condition show, by the rule of `findAppearance` in `texture-store.ts`: the selected skin, and a cape of
 * their own, or else the skin's, or none. As a list before a write in the same statement it is what they showed before it:
 * `WITH shown AS (…), changed AS (UPDATE … RETURNING …)`, where every list sees the rows as they were when the statement began.
 */
export function shownBefore(players: SQL): SQL {
  return sql`SELECT players.id AS player, ${sql.raw(columns)} FROM ${sql.raw(tables)} WHERE ${players}`;
}

/** The same as one value, a JSON text, for statements that return one row whatever they wrote: `Touch.keepAll` reads it. */
export const shownAsText = sql`(SELECT coalesce(json_agg(shown), '[]')::text FROM shown)`;

/** The condition for the players that wear a skin of the condition. */
export function wearersOfSkins(skins: SQL): SQL {
  return sql`players.selected_skin_id IN (SELECT skins.id FROM skins WHERE ${skins})`;
}

/** The condition for the players that show a cape, as their own or by their skin. */
export function wearersOfCape(cape: SQL): SQL {
  return sql`players.id IN (SELECT id FROM players WHERE own_cape_id = ${cape}
    UNION SELECT players.id FROM skins JOIN players ON selected_skin_id = skins.id WHERE skins.cape_id = ${cape})`;
}

/**
 * The events of players that show something else than at the beginning of the transaction, as rows of type and body in the order
 * of the players. `$n` is a JSON list of `Shown`. The bodies are the texts that SQLite's `json_object` makes.
 */
export function textureEvents(before: string): string {
  const player = `'{"player":{"uuid":"' || players.uuid || '","name":' || to_json(players.name)::text || '}'`;
  const skin = `coalesce('{"hash":"' || skins.texture_hash || '","model":"' || skins.model || '"}', 'null')`;
  const cape = `coalesce('{"hash":"' || capes.texture_hash || '"}', 'null')`;
  const body = `${player} || ',"skin":' || ${skin} || ',"cape":' || ${cape} || '}'`;
  return `
    SELECT players.id AS place, 'player.textures' AS type, ${body} AS body
    FROM json_to_recordset((${before}::text)::json) AS before (player bigint, skin text, model text, cape text)
    CROSS JOIN LATERAL (SELECT * FROM players WHERE players.id = before.player) AS players
    LEFT JOIN skins ON skins.id = players.selected_skin_id LEFT JOIN capes ON capes.id = ${shownCape}
    WHERE (skins.texture_hash, skins.model, capes.texture_hash) IS DISTINCT FROM (before.skin, before.model, before.cape)`;
}
