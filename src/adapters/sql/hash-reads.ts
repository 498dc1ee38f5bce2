import { sql, type SQLWrapper } from "drizzle-orm";
import type { AccountReads } from "../../domain/ports/account-store.ts";
import type { HashReads } from "../../domain/ports/hash-reads.ts";
import { isIn, spell } from "./dialect.ts";
import { sampleStep } from "./rows.ts";
import { accounts } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, first, statement } from "./statement.ts";

const { id, passwordHash } = accounts;
const step = sql`CAST(${sql.placeholder("step")} AS bigint)`;

const ofIds = statement(
  build
    .select({ id, passwordHash })
    .from(accounts)
    .where(isIn(id, sql.placeholder("ids"), "bigint")),
  { id, passwordHash },
);
const lastId = statement(sql`SELECT coalesce(max(id), 0) FROM accounts WHERE id > 0`, { id: Number });
const sample = statement(
  sql`
    WITH RECURSIVE place (id) AS (
      SELECT CAST(1 AS bigint)
      UNION ALL SELECT id + ${step} FROM place WHERE id + ${step} <= ${sql.placeholder("last")})
    SELECT (SELECT password_hash FROM accounts WHERE accounts.id >= place.id ORDER BY accounts.id LIMIT 1) FROM place`,
  { hash: passwordHash },
);

/** Written as in the index `accounts_other_hashes`, which SQLite uses for nothing else. */
const isOther = sql`substr(${passwordHash}, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$'`;

const page = sql`
  SELECT ${id} AS id, ${passwordHash} AS hash FROM accounts
  WHERE ${isOther} AND ${id} > ${sql.placeholder("after")} ORDER BY ${id} LIMIT ${sql.placeholder("rows")}`;
const listed = statement(page, { id, passwordHash });
const counted = statement(
  sql`SELECT head, count(*), max(id) FROM (SELECT id, ${headOf(sql`hash`)} AS head FROM (${page}) AS page) AS heads GROUP BY head`,
  { head: String, hashes: Number, last: id },
);

const ends = statement(
  sql`
    SELECT (SELECT ${id} FROM accounts WHERE ${isOther} ORDER BY ${id} LIMIT 1),
      (SELECT ${id} FROM accounts WHERE ${isOther} ORDER BY ${id} DESC LIMIT 1)`,
  { first: id, last: id },
);
const sampleOfOthers = statement(
  sql`
    WITH RECURSIVE place (id) AS (
      SELECT CAST(${sql.placeholder("first")} AS bigint)
      UNION ALL SELECT id + ${step} FROM place WHERE id + ${step} <= ${sql.placeholder("last")})
    SELECT (
      SELECT password_hash FROM accounts WHERE ${isOther} AND accounts.id >= place.id ORDER BY accounts.id LIMIT 1)
    FROM place`,
  { hash: passwordHash },
);

/** `$md5$` of `$md5$…`, `$wrapped$md5$` of `$wrapped$md5$…`. */
function headOf(hash: SQLWrapper) {
  const part = (text: SQLWrapper, number: number) =>
    spell({
      postgres: sql`split_part(${hash}, '$', ${sql.raw(String(number))}) || '$'`,
      sqlite: sql`substr(${text}, 1, instr(${text}, '$'))`,
    });
  return sql`
    CASE WHEN substr(${hash}, 1, 9) = '$wrapped$' THEN '$wrapped$' || ${part(sql`substr(${hash}, 10)`, 3)}
      ELSE '$' || ${part(sql`substr(${hash}, 2)`, 2)} END`;
}

type Reads = HashReads & Pick<AccountReads, "sampleHashes">;

export function hashReads(db: Sender): Reads {
  return {
    listHashes: async (ids) => {
      const found = new Map((await ofIds(db, { ids })).map((row) => [row.id, row.passwordHash]));
      return ids.map((one) => found.get(one) ?? null);
    },
    sampleHashes: async (most) => {
      const last = first(await lastId(db))?.id ?? 0;
      if (last === 0) return [];
      return (await sample(db, { last, step: sampleStep(last, most) })).map(({ hash }) => hash);
    },
    listOtherHashes: async ({ after, rows }) =>
      (await listed(db, { after: after ?? 0, rows })).flatMap(({ id, passwordHash }) =>
        passwordHash === null ? [] : [{ id, passwordHash }],
      ),
    countOtherHashes: ({ after, rows }) => counted(db, { after: after ?? 0, rows }),
    sampleOtherHashes: async (most) => {
      const found = first(await ends(db));
      // The database is asked for a number that may be missing, which the type of the column does not say.
      const [from, last] = [Number(found?.first ?? 0), Number(found?.last ?? 0)];
      if (last === 0) return [];
      const places = { first: from, last, step: sampleStep(last - from + 1, most) };
      return (await sampleOfOthers(db, places)).flatMap(({ hash }) => hash ?? []);
    },
  };
}
