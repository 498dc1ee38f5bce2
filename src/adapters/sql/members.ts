import { eq } from "drizzle-orm";
import { memberColumns } from "./rows.ts";
import { accounts, players } from "./schema/member.ts";
import { build } from "./statement.ts";

/** Accounts with their main players. */
export function members() {
  return build
    .select(memberColumns)
    .from(accounts)
    .leftJoin(players, eq(players.id, accounts.mainPlayerId))
    .$dynamic();
}
