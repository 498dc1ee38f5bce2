import { asc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { AccountReads } from "../../domain/ports/account-store.ts";
import { readIdentifier } from "../../domain/accounts/identifier.ts";
import { findBelongings } from "./belongings.ts";
import { isIn } from "./dialect.ts";
import { hashReads } from "./hash-reads.ts";
import { levelReads } from "./level-reads.ts";
import { memberLists } from "./member-lists.ts";
import { members } from "./members.ts";
import { namedByUuid } from "./named-by-uuid.ts";
import { pagesOf } from "./pages.ts";
import { countRows } from "./row-counts.ts";
import { memberColumns, pick, toMember } from "./rows.ts";
import { accounts } from "./schema/member.ts";
import type { Searches } from "./search.ts";
import type { Sender } from "./sender.ts";
import { build, first, mayBeKept, statement } from "./statement.ts";

const account = sql.placeholder("account");

/** The account that a key names. The name or uuid of any of its players names it, too. */
const value = sql`${sql.placeholder("value")}`;
const namedBy = {
  id: eq(accounts.id, value),
  uuid: sql`${accounts.id} = ${namedByUuid.account(value)}`,
  mail: eq(accounts.mailKey, value),
  name: sql`${accounts.id} = (SELECT account_id FROM players WHERE name_key = ${value})`,
};
const find = {
  id: statement(members().where(namedBy.id), memberColumns),
  uuid: statement(members().where(namedBy.uuid), memberColumns),
  mail: statement(members().where(namedBy.mail), memberColumns),
  name: statement(members().where(namedBy.name), memberColumns),
};
// Every sign-in begins here, so these read nothing else.
const { id, createdAt } = accounts;
const credentialColumns = pick(accounts, "id", "passwordHash", "registration");
const credentials = (where: SQL) =>
  statement(build.select(credentialColumns).from(accounts).where(where), credentialColumns);
const byPlayer = sql`(SELECT account_id FROM players WHERE name_key = ${value})`;
const byAlias = sql`(SELECT account_id FROM aliases WHERE name_key = ${value})`;
const findCredentials = {
  mail: credentials(namedBy.mail),
  // No player has the name of another account's alias.
  name: credentials(sql`${accounts.id} = coalesce(${byPlayer}, ${byAlias})`),
};

const known = statement(
  build
    .select({ id })
    .from(accounts)
    .where(isIn(id, sql.placeholder("ids"), "bigint")),
  { id },
);
const unconfirmed = statement(
  build
    .select({ id, createdAt })
    .from(accounts)
    .where(
      // Written as in the index, which SQLite uses for nothing else.
      sql`${accounts.registration} = 'unconfirmed' AND ${lte(createdAt, sql.placeholder("until"))}
        AND (${createdAt}, ${id}) > (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(sql.placeholder("rows")),
  { id, createdAt },
);
const leaving = statement(
  build
    .select({ id })
    .from(accounts)
    // Written as in the index.
    .where(sql`${accounts.deleteAt} IS NOT NULL AND ${lte(accounts.deleteAt, sql.placeholder("now"))}`)
    .orderBy(asc(accounts.deleteAt), asc(id))
    .limit(sql.placeholder("rows")),
  { id },
);
const lastSeen = statement(
  sql`
    SELECT max(at) FROM (
      SELECT last_seen_at AS at FROM accounts WHERE id = ${account}
      UNION ALL SELECT last_used_at FROM sessions WHERE account_id = ${account}) AS seen`,
  { at: accounts.lastSeenAt },
);
export function accountReads(db: Sender, searches: Searches): AccountReads {
  const pages = pagesOf(db, "accounts", searches.of("user"), async (search) => {
    const key = readIdentifier(search);
    return key === null ? null : (first(await find[key.by](db, { value: key.value }))?.id ?? null);
  });

  return {
    ...levelReads(db),
    findBelongings: (account, now) => findBelongings(db, account, now),
    ...memberLists(db, pages),
    listUnconfirmed: ({ createdUntil: until, after, rows }) =>
      unconfirmed(db, { until, at: after?.createdAt ?? -1, id: after?.id ?? 0, rows }),
    listLeaving: async (now, rows) => (await leaving(db, { now, rows })).map((row) => row.id),
    findMember: async ({ by, value }) => {
      if (!mayBeKept(String(value))) return null;
      const row = first(await find[by](db, { value }));
      return row === null ? null : toMember(row);
    },
    findCredentials: async ({ by, value }) =>
      mayBeKept(value) ? first(await findCredentials[by](db, { value })) : null,
    ...hashReads(db),
    listUnknown: async (ids) => {
      const found = new Set((await known(db, { ids })).map((row) => row.id));
      return ids.filter((one) => !found.has(one));
    },
    countUnconfirmed: () => countRows(db, "accounts_unconfirmed"),
    findLastSeen: async (account) => first(await lastSeen(db, { account }))?.at ?? null,
  };
}
