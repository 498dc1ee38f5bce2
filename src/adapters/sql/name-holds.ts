import { eq, lt, sql } from "drizzle-orm";
import type { PlayerReads, PlayerStore } from "../../domain/ports/player-store.ts";
import { orderOf } from "./dialect.ts";
import { heldNames } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, mayBeKept, overwritten, statement } from "./statement.ts";

const { nameKey, accountId, heldUntil, playerId } = heldNames;
const ofName = eq(nameKey, sql.placeholder("nameKey"));

const find = statement(build.select({ accountId, heldUntil, playerId }).from(heldNames).where(ofName), {
  accountId,
  heldUntil,
  playerId,
});
const hold = command(sql`
  ${insertion(heldNames, { nameKey, accountId, heldUntil, playerId })}
  ON CONFLICT (name_key) DO UPDATE SET ${overwritten({ accountId, heldUntil, playerId })}`);
// Of holds that end together the newest stays.
const drop = command(sql`
  DELETE FROM held_names WHERE account_id = ${sql.placeholder("owner")} AND name_key NOT IN (
    SELECT name_key FROM held_names AS longest WHERE longest.account_id = ${sql.placeholder("owner")}
    ORDER BY longest.held_until DESC, ${orderOf("longest")} DESC LIMIT ${sql.placeholder("kept")})`);
const release = command(build.delete(heldNames).where(ofName));
const deleteExpired = command(build.delete(heldNames).where(lt(heldUntil, sql.placeholder("before"))));

export function nameHoldReads(db: Sender): Pick<PlayerReads, "findNameHold"> {
  return {
    findNameHold: async (nameKey) => (mayBeKept(nameKey) ? first(await find(db, { nameKey })) : null),
  };
}

export function nameHolds(
  db: Sender,
): Pick<PlayerStore, "holdName" | "dropHolds" | "releaseName" | "deleteExpiredHolds"> {
  return {
    holdName: (nameKey, { accountId, heldUntil, playerId }) =>
      hold(db, { nameKey, accountId, heldUntil, playerId }),
    dropHolds: (owner, kept) => drop(db, { owner, kept }),
    releaseName: (nameKey) => release(db, { nameKey }),
    deleteExpiredHolds: (before) => deleteExpired(db, { before }),
  };
}
