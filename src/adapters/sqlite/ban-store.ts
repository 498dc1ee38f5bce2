import { and, eq, exists, gt, inArray, sql, type SQL } from "drizzle-orm";
import type { BanReads, BanStore } from "../../domain/ports/ban-store.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import type { ListPage } from "../../domain/model/list-page.ts";
import type { Db } from "./open.ts";
import { skins, textureBans } from "./schema.ts";
import { inOrder, isAfter } from "./search.ts";

export function banReads(db: Db): BanReads {
  const { id, hash } = textureBans;
  const ban = db
    .select()
    .from(textureBans)
    .where(eq(hash, sql.placeholder("value")))
    .prepare();
  const found = (page: ListPage) =>
    and(isAfter(sql`${id}`, page), page.search === null ? undefined : inArray(id, numbersOf(page.search)));

  return {
    findBan: async (value) => ban.get({ value }) ?? null,
    listBans: async (page) =>
      db
        .select()
        .from(textureBans)
        .where(found(page))
        .orderBy(inOrder(sql`${id}`, page))
        .limit(page.rows)
        .all(),
    countBans: async (search) => db.$count(textureBans, found({ search, after: null, rows: 0 })),
    listUnfinishedBans: async (rows) => {
      const isNew = gt(id, sql`(SELECT max(id) FROM ${textureBans}) - ${rows}`);
      const held = exists(
        db
          .select({ one: sql`1` })
          .from(skins)
          .where(eq(skins.textureHash, hash)),
      );
      return db
        .select({ hash })
        .from(textureBans)
        .where(and(isNew, held))
        .all()
        .map((row) => row.hash);
    },
  };
}

/** The bans whose hash begins with the text, and the ban with that number. */
function numbersOf(search: string): SQL {
  const beginning = search.toLowerCase();
  // "g" comes after every hexadecimal digit.
  const begun = sql`SELECT id FROM ${textureBans} WHERE hash >= ${beginning} AND hash < ${`${beginning}g`}`;
  // One list: SQLite would sort the rows of two alternatives.
  return sql`(SELECT ${parseRowNumber(search)} UNION ALL ${begun})`;
}

export function banStore(db: Db): BanStore {
  return {
    ...banReads(db),
    insertBan: async (ban) => db.insert(textureBans).values(ban).returning().get(),
    deleteBan: async (hash) => {
      db.delete(textureBans).where(eq(textureBans.hash, hash)).run();
    },
  };
}
