import { asc, desc, eq, gt, lt, lte, sql, type SQL } from "drizzle-orm";
import { readIdentifier } from "../../domain/accounts/identifier.ts";
import type { AccountReads, AccountStore } from "../../domain/ports/account-store.ts";
import { sampleStep, toMember } from "../sql/row-values.ts";
import { findBelongings } from "./belongings.ts";
import { countRows } from "./counts.ts";
import { levelReads } from "./level-reads.ts";
import { members } from "../sql/members.ts";
import { namedByUuid } from "../sql/named-by-uuid.ts";
import { placeOf } from "../sql/pages.ts";
import { pagesOf } from "./pages.ts";
import { sortedReads } from "./sorted-reads.ts";
import { memberColumns } from "../sql/rows.ts";
import { accounts } from "../sql/schema/member.ts";
import type { Sender } from "../sql/sender.ts";
import { build, first, mayBeKept, statement } from "../sql/statement.ts";
import { accountWrites } from "../sql/account-writes.ts";
import type { Touch } from "../sql/touch.ts";

const ofAccount = eq(accounts.id, sql.placeholder("account"));

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
const { id, passwordHash, createdAt } = accounts;
const credentials = (where: SQL) =>
  statement(build.select({ id, passwordHash }).from(accounts).where(where), { id, passwordHash });
const findCredentials = { mail: credentials(namedBy.mail), name: credentials(namedBy.name) };

const pages = {
  oldest: statement(
    members()
      .where(gt(id, sql.placeholder("after")))
      .orderBy(asc(id))
      .limit(sql.placeholder("rows")),
    memberColumns,
  ),
  newest: statement(
    members()
      .where(lt(id, sql.placeholder("after")))
      .orderBy(desc(id))
      .limit(sql.placeholder("rows")),
    memberColumns,
  ),
};
const withIds = statement(
  members().where(sql`${id} = ANY(${sql.placeholder("ids")}::bigint[])`),
  memberColumns,
);
const unknown = statement(
  sql`
    SELECT asked.id FROM unnest(${sql.placeholder("ids")}::bigint[]) WITH ORDINALITY AS asked (id, place)
    WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = asked.id) ORDER BY asked.place`,
  { id },
);
const unconfirmed = statement(
  build
    .select({ id, createdAt })
    .from(accounts)
    .where(
      sql`${accounts.registration} = 'unconfirmed' AND ${lte(createdAt, sql.placeholder("until"))}
        AND (${createdAt}, ${id}) > (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(sql.placeholder("rows")),
  { id, createdAt },
);
const lastSeen = statement(
  sql`
    SELECT greatest((SELECT last_seen_at FROM accounts WHERE ${ofAccount}),
      (SELECT max(last_used_at) FROM sessions WHERE account_id = ${sql.placeholder("account")}))`,
  { at: accounts.lastSeenAt },
);

const lastId = statement(sql`SELECT coalesce(max(id), 0) FROM accounts WHERE id > 0`, { id: Number });
const sample = statement(
  sql`
    SELECT (SELECT password_hash FROM accounts WHERE id >= place ORDER BY id LIMIT 1)
    FROM generate_series(1::bigint, ${sql.placeholder("last")}::bigint, ${sql.placeholder("step")}::bigint) AS place`,
  { hash: accounts.passwordHash },
);

export function accountReads(db: Sender): AccountReads {
  const listing = pagesOf(db, "accounts", async (search) => {
    const key = readIdentifier(search);
    return key === null ? null : (first(await find[key.by](db, { value: key.value }))?.id ?? null);
  });

  return {
    ...levelReads(db),
    findBelongings: (account, now) => findBelongings(db, account, now),
    ...sortedReads(db),
    listUnconfirmed: ({ createdUntil: until, after, rows }) =>
      unconfirmed(db, { until, at: after?.createdAt ?? -1, id: after?.id ?? 0, rows }),
    findMember: async ({ by, value }) => {
      if (!mayBeKept(String(value))) return null;
      const row = first(await find[by](db, { value }));
      return row === null ? null : toMember(row);
    },
    findCredentials: async ({ by, value }) =>
      mayBeKept(value) ? first(await findCredentials[by](db, { value })) : null,
    sampleHashes: async (most) => {
      const last = first(await lastId(db))?.id ?? 0;
      return (await sample(db, { last, step: sampleStep(last, most) })).flatMap(({ hash }) => hash ?? []);
    },
    listUnknown: async (ids) => (await unknown(db, { ids })).map((row) => row.id),
    listMembers: async (page) => {
      const direction = page.isNewestFirst === true ? "newest" : "oldest";
      const ids = await listing.find(page);
      if (ids === null)
        return (await pages[direction](db, { after: placeOf(page), rows: page.rows })).map(toMember);
      if (ids.length === 0) return [];
      const found = new Map((await withIds(db, { ids })).map((row) => [Number(row.id), toMember(row)]));
      return ids.flatMap((number) => found.get(number) ?? []);
    },
    countMembers: listing.count,
    countUnconfirmed: () => countRows(db, "accounts_unconfirmed"),
    findLastSeen: async (account) => first(await lastSeen(db, { account }))?.at ?? null,
  };
}

export function accountStore(db: Sender, touch: Touch): AccountStore {
  return { ...accountReads(db), ...accountWrites(db, touch) };
}
