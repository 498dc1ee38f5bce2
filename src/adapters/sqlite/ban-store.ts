import { and, asc, eq, exists, gt, inArray, sql, type SQL } from "drizzle-orm";
import type { BanReads, BanStore, TextureBan } from "../../domain/ports/ban-store.ts";
import { parseRowNumber, type TextureHash } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { skins, textureBans } from "./schema/member.ts";

// Rows hold only what this store wrote, so their hashes are what the types say.
function toBan(row: typeof textureBans.$inferSelect): TextureBan {
  return { ...row, hash: row.hash as TextureHash };
}

export function banReads(db: Db): BanReads {
  const { id, hash } = textureBans;
  const ban = db
    .select()
    .from(textureBans)
    .where(eq(hash, sql.placeholder("value")))
    .prepare();
  const found = (search: string | null, after: number) =>
    and(gt(id, after), search === null ? undefined : inArray(id, numbersOf(search)));

  return {
    findBan: async (value) => {
      const row = ban.get({ value });
      return row === undefined ? null : toBan(row);
    },
    listBans: async ({ after, rows, search }) =>
      db
        .select()
        .from(textureBans)
        .where(found(search, after ?? 0))
        .orderBy(asc(id))
        .limit(rows)
        .all()
        .map(toBan),
    countBans: async (search) => db.$count(textureBans, found(search, 0)),
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
        .map((row) => row.hash as TextureHash);
    },
  };
}

/** The bans whose hash begins so, and the one that has the number. */
function numbersOf(search: string): SQL {
  const beginning = search.toLowerCase();
  // What begins so lies between it and what comes after every hexadecimal digit.
  const begun = sql`SELECT id FROM ${textureBans} WHERE hash >= ${beginning} AND hash < ${`${beginning}g`}`;
  // One list: with two alternatives SQLite would sort what it finds.
  return sql`(SELECT ${parseRowNumber(search)} UNION ALL ${begun})`;
}

export function banStore(db: Db): BanStore {
  return {
    ...banReads(db),
    insertBan: async (ban) => toBan(db.insert(textureBans).values(ban).returning().get()),
    deleteBan: async (hash) => {
      db.delete(textureBans).where(eq(textureBans.hash, hash)).run();
    },
  };
}
