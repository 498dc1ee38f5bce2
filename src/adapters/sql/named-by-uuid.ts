import { sql, type SQL } from "drizzle-orm";

/**
 * What a uuid names: an account, by its own uuid or that of one of its players; and a player, by its own uuid
 * or, for its main player, that of its account. The stores keep every uuid to one account.
 */
export const namedByUuid = {
  account: (uuid: SQL): SQL => sql`coalesce(
    (SELECT id FROM accounts WHERE uuid = ${uuid}), (SELECT account_id FROM players WHERE uuid = ${uuid}))`,
  player: (uuid: SQL): SQL => sql`coalesce(
    (SELECT id FROM players WHERE uuid = ${uuid}), (SELECT main_player_id FROM accounts WHERE uuid = ${uuid}))`,
};
