import { and, asc, eq, gt, inArray, sql, type SQL } from "drizzle-orm";
import type { TextureLists } from "../../domain/ports/texture-store.ts";
import { parseRowNumber, parseUuid, type AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Db } from "./open.ts";
import { players, capeGrants, capes, skins, textures } from "./schema/member.ts";
import { rowCounter, rowsHolding } from "./search.ts";
import { toCape, toOwnedSkin } from "./texture-rows.ts";

export function textureLists(db: Db): TextureLists {
  return { ...skinLists(db), ...capeLists(db) };
}

type SkinLists = Pick<TextureLists, "findOwnedSkin" | "listSkinsOf" | "listAllSkins" | "countAllSkins">;

function skinLists(db: Db): SkinLists {
  const ownedRows = () =>
    db
      .select({
        skins,
        textures,
        ownerName: players.name,
        selectedSkinId: players.selectedSkinId,
        capeUuid: capes.uuid,
      })
      .from(skins)
      .innerJoin(textures, eq(textures.hash, skins.textureHash))
      .leftJoin(players, eq(players.accountId, skins.accountId))
      .leftJoin(capes, eq(capes.id, skins.capeId))
      .orderBy(asc(skins.id))
      .$dynamic();
  const value = sql.placeholder("value");
  const one = ownedRows().where(eq(skins.uuid, value)).prepare();
  const wardrobe = ownedRows().where(eq(skins.accountId, value)).prepare();
  const count = rowCounter(db);

  return {
    findOwnedSkin: async (uuid) => {
      const row = one.get({ value: uuid });
      return row === undefined ? null : toOwnedSkin(row);
    },
    listSkinsOf: async (account) => wardrobe.all({ value: account }).map(toOwnedSkin),
    listAllSkins: async ({ after, rows, search }) => {
      const wanted = found(skins, search, { after: after ?? 0, rows });
      return ownedRows().where(wanted).limit(rows).all().map(toOwnedSkin);
    },
    countAllSkins: async (search) => {
      if (search === null) return count("skins");
      return db.$count(skins, found(skins, search, { after: 0, rows: limits.countedMax }));
    },
  };
}

function capeLists(db: Db): Omit<TextureLists, keyof SkinLists> {
  const count = rowCounter(db);
  const grants = db
    .select({ accountId: capeGrants.accountId, expiresAt: capeGrants.expiresAt })
    .from(capeGrants)
    .where(eq(capeGrants.capeId, sql.placeholder("cape")))
    // The index of a cape's grants has them in this order.
    .orderBy(sql`${capeGrants}.rowid`)
    .limit(sql.placeholder("rows"))
    .prepare();

  return {
    listAllCapes: async ({ after, rows, search }) =>
      db
        .select()
        .from(capes)
        .innerJoin(textures, eq(textures.hash, capes.textureHash))
        .where(found(capes, search, { after: after ?? 0, rows }))
        .orderBy(asc(capes.id))
        .limit(rows)
        .all()
        .map(toCape),
    countAllCapes: async (search) => {
      if (search === null) return count("capes");
      return db.$count(capes, found(capes, search, { after: 0, rows: limits.countedMax }));
    },
    listGrants: async (cape, rows) =>
      grants
        .all({ cape, rows })
        .map(({ accountId, expiresAt }) => ({ accountId: accountId as AccountId, expiresAt })), // as granted
    countOwners: async (cape) => db.$count(capeGrants, eq(capeGrants.capeId, cape)),
  };
}

/** The rows after this number that a search comes to: the one that it names, and those in whose name it stands. */
function found(
  table: typeof skins | typeof capes,
  search: string | null,
  { after, rows }: { readonly after: number; readonly rows: number },
): SQL | undefined {
  const isAfter = gt(table.id, after);
  if (search === null) return isAfter;
  const page = { from: sql`rowid > ${after}`, order: sql`rowid`, rows };
  const held = rowsHolding(table === skins ? "skins_search" : "capes_search", search, page);
  const uuid = parseUuid(search);
  const alternatives = [
    uuid === null ? sql`SELECT ${parseRowNumber(search)}` : sql`SELECT id FROM ${table} WHERE uuid = ${uuid}`,
    ...(held === null ? [] : [sql`SELECT rowid FROM ${held}`]),
  ];
  // One list: with two alternatives SQLite would sort what it finds.
  return and(isAfter, inArray(table.id, sql`(${sql.join(alternatives, sql` UNION ALL `)})`));
}
