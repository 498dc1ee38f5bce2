import { asc, lte, sql } from "drizzle-orm";
import type { AccountReads } from "../../domain/ports/account-store.ts";
import { memberColumns, toMember } from "./rows.ts";
import { members } from "./members.ts";
import { accounts } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";
import { isNotSuspended } from "./suspension-store.ts";

const lasting = statement(
  sql`
    SELECT EXISTS (
      SELECT 1 FROM accounts
      WHERE level > 1 AND level = 3 AND main_player_id IS NOT NULL AND id <> ${sql.placeholder("than")}
        AND (role_level IS NULL OR role_level = 3 OR role_expires_at <= ${sql.placeholder("now")})
        AND ${isNotSuspended(sql.placeholder("now"))})`,
  { exists: Boolean },
);
const any = statement(
  sql`
    SELECT EXISTS (SELECT 1 FROM accounts WHERE level > 1 AND level = 3)
      OR EXISTS (SELECT 1 FROM accounts WHERE role_expires_at > ${sql.placeholder("now")} AND role_level = 3)`,
  { exists: Boolean },
);
const endedRoles = statement(
  members()
    .where(lte(accounts.roleExpiresAt, sql.placeholder("now")))
    .orderBy(asc(accounts.roleExpiresAt), asc(accounts.id))
    .limit(sql.placeholder("rows")),
  memberColumns,
);

/**
 * The few accounts above level 1 have an index of their own, which is used where its condition is written
 * out.
 */
export function levelReads(
  db: Sender,
): Pick<AccountReads, "hasLastingAdministrator" | "hasAdministrator" | "listEndedLevels"> {
  return {
    hasLastingAdministrator: async ({ than, now }) =>
      first(await lasting(db, { than, now }))?.exists === true,
    hasAdministrator: async (now) => first(await any(db, { now }))?.exists === true,
    listEndedLevels: async (now, rows) => (await endedRoles(db, { now, rows })).map(toMember),
  };
}
