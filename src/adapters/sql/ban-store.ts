import { and, asc, desc, eq, getTableColumns, gt, lt, sql, type SQL } from "drizzle-orm";
import type { ListPage } from "../../domain/model/list-page.ts";
import type { BanReads, BanStore } from "../../domain/ports/ban-store.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import { textureBans } from "./schema/member.ts";
import { build, command, first, insertion, listed, statement } from "./statement.ts";
import type { Sender } from "./sender.ts";

const columns = getTableColumns(textureBans);
const { id: _, ...newColumns } = columns;
const { id } = textureBans;
const value = sql.placeholder("value");
const rows = sql.placeholder("rows");
const after = sql.placeholder("after");

/**
 * The bans whose hash begins with the text, up to what comes after every hexadecimal digit, and the ban with
 * the number. One list: SQLite would sort the rows of two alternatives.
 */
const isFound = sql`${id} IN (
  SELECT CAST(${sql.placeholder("number")} AS bigint) UNION ALL
  SELECT id FROM texture_bans WHERE hash >= ${sql.placeholder("from")} AND hash < ${sql.placeholder("to")})`;

const listedBy = (where: SQL | undefined, order: SQL) =>
  statement(build.select(columns).from(textureBans).where(where).orderBy(order).limit(rows), columns);
const list = {
  oldest: listedBy(gt(id, after), asc(id)),
  newest: listedBy(lt(id, after), desc(id)),
};
const search = {
  oldest: listedBy(and(gt(id, after), isFound), asc(id)),
  newest: listedBy(and(lt(id, after), isFound), desc(id)),
};
const counted = (where: SQL | undefined) =>
  statement(
    build
      .select({ bans: sql`count(*)` })
      .from(textureBans)
      .where(where),
    { bans: Number },
  );
const countAll = counted(undefined);
const countFound = counted(isFound);

const findBan = statement(
  build.select(columns).from(textureBans).where(eq(textureBans.hash, value)),
  columns,
);
const listUnfinished = statement(
  sql`SELECT hash FROM texture_bans
    WHERE id > (SELECT max(id) FROM texture_bans) - CAST(${rows} AS bigint)
      AND EXISTS (SELECT 1 FROM skins WHERE texture_hash = hash)`,
  { hash: textureBans.hash },
);
const insertBan = statement(sql`${insertion(textureBans, newColumns)} RETURNING ${listed(columns)}`, columns);
const deleteBan = command(build.delete(textureBans).where(eq(textureBans.hash, value)));

export function banReads(db: Sender): BanReads {
  return {
    findBan: async (hash) => first(await findBan(db, { value: hash })),
    listBans: ({ search: text, isNewestFirst = false, rows, ...page }) => {
      const order = isNewestFirst ? "newest" : "oldest";
      const after = page.after ?? (isNewestFirst ? Number.MAX_SAFE_INTEGER : 0);
      if (text === null) return list[order](db, { after, rows });
      return search[order](db, { after, rows, ...found(text) });
    },
    countBans: async (text) => {
      const counted = text === null ? await countAll(db) : await countFound(db, found(text));
      return first(counted)?.bans ?? 0;
    },
    listUnfinishedBans: async (rows) => (await listUnfinished(db, { rows })).map(({ hash }) => hash),
  };
}

function found(text: NonNullable<ListPage["search"]>) {
  const from = text.toLowerCase();
  return { from, to: `${from}g`, number: parseRowNumber(text) };
}

export function banStore(db: Sender): BanStore {
  return {
    ...banReads(db),
    insertBan: async (ban) => {
      const row = first(await insertBan(db, ban));
      if (row === null) throw new Error("An inserted ban returned no row");
      return row;
    },
    deleteBan: (hash) => deleteBan(db, { value: hash }),
  };
}
