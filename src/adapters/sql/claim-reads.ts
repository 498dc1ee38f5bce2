import { sql } from "drizzle-orm";
import type { Claimable, ClaimReads } from "../../domain/ports/claim-store.ts";
import { limits } from "../../kernel/limits.ts";
import { accounts, players } from "./schema/member.ts";
import { importLinks } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/** Written as in the index. */
const isBare = sql`accounts.password_hash IS NULL AND accounts.mail IS NULL`;
const isUnlinked = sql`NOT EXISTS (SELECT 1 FROM identities WHERE identities.account_id = accounts.id)`;

/** PostgreSQL plans a bound that stands in the statement, and no other. */
const bound = (rows: number) => sql.raw(String(rows));

/**
 * A page of what a source became. An account that several records of the source became counts once, at the
 * first of them.
 */
const list = statement(
  sql`
    SELECT page.key, accounts.id, coalesce(players.uuid, accounts.uuid), coalesce(players.name,
      (SELECT min(aliases.name) FROM aliases WHERE aliases.account_id = accounts.id), '')
    FROM (SELECT key, local_id FROM import_links
      WHERE source = ${sql.placeholder("source")} AND kind = 'account' AND key > ${sql.placeholder("after")}
      ORDER BY key LIMIT ${bound(limits.claimsAtOnce)}) AS page
    LEFT JOIN accounts ON accounts.id = page.local_id AND ${isBare} AND ${isUnlinked}
      AND NOT EXISTS (SELECT 1 FROM import_links AS earlier WHERE earlier.kind = 'account'
        AND earlier.local_id = page.local_id AND earlier.source = ${sql.placeholder("source")} AND earlier.key < page.key)
    LEFT JOIN players ON players.id = accounts.main_player_id
    ORDER BY page.key`,
  { key: importLinks.key, id: accounts.id, uuid: accounts.uuid, name: players.name },
);

/** Rows of the index that one statement reads: some milliseconds on the event loop. */
const countedAtOnce = 2000;
const count = statement(
  sql`
    SELECT count(*), max(id), coalesce(sum(bare), 0) FROM (
      SELECT accounts.id, CASE WHEN ${isUnlinked} THEN 1 ELSE 0 END AS bare FROM accounts
      WHERE ${isBare} AND accounts.id > ${sql.placeholder("after")} ORDER BY accounts.id LIMIT ${bound(countedAtOnce)}) AS page`,
  { seen: Number, last: Number, accounts: Number },
);

export function claimReads(db: Sender): ClaimReads {
  return {
    listClaimable: async (source, after) => {
      const rows = await list(db, { source, after });
      const isFull = rows.length === limits.claimsAtOnce;
      return { accounts: rows.flatMap(toClaimable), last: isFull ? (rows.at(-1)?.key ?? null) : null };
    },
    countClaimable: async (after) => {
      const { seen = 0, last = null, accounts = 0 } = first(await count(db, { after })) ?? {};
      return { accounts, last: seen === countedAtOnce ? last : null };
    },
  };
}

/** An outer join has nulls for records whose account cannot be claimed, or is gone. */
function toClaimable({
  id,
  uuid,
  name,
}: Claimable | { readonly [Name in keyof Claimable]: null }): readonly Claimable[] {
  return id === null ? [] : [{ id, uuid, name }];
}
