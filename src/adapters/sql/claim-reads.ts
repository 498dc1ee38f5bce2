import { sql } from "drizzle-orm";
import type { ClaimReads } from "../../domain/ports/claim-store.ts";
import { limits } from "../../kernel/limits.ts";
import { isIn } from "./dialect.ts";
import { accounts, players } from "./schema/member.ts";
import { importLinks } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/** Written as in the index. */
const isBare = sql`accounts.password_hash IS NULL AND accounts.mail IS NULL`;
const isUnlinked = sql`NOT EXISTS (SELECT 1 FROM identities WHERE identities.account_id = accounts.id)`;

/** PostgreSQL plans a bound that stands in the statement, and no other. */
const bound = (rows: number) => sql.raw(String(rows));

const became = statement(
  sql`
    SELECT key, local_id FROM import_links
    WHERE source = ${sql.placeholder("source")} AND kind = 'account' AND key > ${sql.placeholder("after")}
    ORDER BY key LIMIT ${bound(limits.claimsAtOnce)}`,
  { key: importLinks.key, id: importLinks.localId },
);
/**
 * An account that several records of the source became counts once, at the first of them. The source is
 * compared as it is in no index: both engines would read all of its records for each account, as long as they
 * know nothing of the table.
 */
const claimable = statement(
  sql`
    SELECT accounts.id, coalesce(players.uuid, accounts.uuid), coalesce(players.name,
      (SELECT min(aliases.name) FROM aliases WHERE aliases.account_id = accounts.id), '')
    FROM accounts LEFT JOIN players ON players.id = accounts.main_player_id
    WHERE ${isIn(accounts.id, sql.placeholder("ids"), "bigint")} AND ${isBare} AND ${isUnlinked}
      AND NOT EXISTS (SELECT 1 FROM import_links WHERE import_links.kind = 'account' AND local_id = accounts.id
        AND source || '' = ${sql.placeholder("source")} AND key <= ${sql.placeholder("after")})
    ORDER BY accounts.id`,
  { id: accounts.id, uuid: accounts.uuid, name: players.name },
);

/** Rows of the index that one statement reads: some milliseconds on the event loop. */
const countedAtOnce = 2000;
const count = statement(
  sql`
    SELECT count(*), max(id), coalesce(sum(bare), 0) FROM (
      SELECT accounts.id, CASE WHEN ${isUnlinked} THEN 1 ELSE 0 END AS bare FROM accounts
      WHERE ${isBare} AND accounts.id > ${sql.placeholder("after")} ORDER BY accounts.id LIMIT ${bound(countedAtOnce)}) AS counted`,
  { seen: Number, last: Number, accounts: Number },
);

export function claimReads(db: Sender): ClaimReads {
  return {
    listClaimable: async (source, after) => {
      const rows = await became(db, { source, after });
      const isFull = rows.length === limits.claimsAtOnce;
      const ids = rows.map(({ id }) => id);
      return {
        accounts: ids.length === 0 ? [] : await claimable(db, { source, after, ids }),
        last: isFull ? (rows.at(-1)?.key ?? null) : null,
      };
    },
    countClaimable: async (after) => {
      const { seen = 0, last = null, accounts = 0 } = first(await count(db, { after })) ?? {};
      return { accounts, last: seen === countedAtOnce ? last : null };
    },
  };
}
