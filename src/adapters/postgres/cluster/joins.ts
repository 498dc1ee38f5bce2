import { and, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { WholeSeconds } from "../../../domain/limits/counters.ts";
import type { Join, JoinStore } from "../../../domain/ports/join-store.ts";
import { limits } from "../../../kernel/limits.ts";
import { joins } from "../schema/own.ts";
import type { Sender } from "../../sql/sender.ts";
import { build, command, first, insertion, overwritten, statement } from "../../sql/statement.ts";

const columns = getTableColumns(joins);
const { playerUuid, ...written } = columns;

const keep = command(sql`
  ${insertion(joins, columns)} ON CONFLICT (player_uuid) DO UPDATE SET ${overwritten(written)}`);
const find = statement(
  build
    .select(written)
    .from(joins)
    .where(and(eq(playerUuid, sql.placeholder("playerUuid")), gt(joins.endsAt, sql.placeholder("now")))),
  written,
);

/** Keeps joins in the database, where every node finds them at once. */
export function shareJoins({ db, now }: { readonly db: Sender; readonly now: WholeSeconds }): JoinStore {
  return {
    keep: ({ player, session, serverId, ...join }) => {
      const endsAt = now() + limits.joinSeconds;
      // As JSON: a game may call a connection anything, also what a text of PostgreSQL cannot hold.
      const values = { ...join, serverId: JSON.stringify(serverId), playerUuid: player };
      return keep(db, { ...values, sessionId: session, endsAt });
    },
    find: async (player): Promise<Join | null> => {
      const row = first(await find(db, { playerUuid: player, now: now() }));
      if (row === null) return null;
      const { sessionId, serverId, endsAt: _, ...join } = row;
      // The boundary: written by `keep` alone.
      return { ...join, player, session: sessionId, serverId: JSON.parse(serverId) as string };
    },
  };
}
