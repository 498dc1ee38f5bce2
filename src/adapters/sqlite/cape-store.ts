import { and, asc, eq, gt, inArray, isNull, lte, not, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { TextureReads, TextureStore } from "../../domain/ports/texture-store.ts";
import type { AccountId, CapeId } from "../../kernel/ids.ts";
import { toCape, toGrantedCape } from "../sql/row-values.ts";
import type { NoteChange } from "./change-feed.ts";
import type { Db } from "./open.ts";
import { capeColumns, grantedCapeColumns } from "./rows.ts";
import { accounts, capeGrants, capes, players, skins, textures } from "./schema.ts";
import { idFinder, pagesOf } from "./search.ts";

type OwnerReads = Pick<TextureReads, "listOwners" | "listOwnersAmong" | "listNonOwners">;
type GrantReads = OwnerReads &
  Pick<TextureReads, "listGrantedCapes" | "listEndedGrants" | "listGrants" | "countOwners">;
type CapeReads = GrantReads &
  Pick<TextureReads, "findCape" | "findCapes" | "listUnsearchedCapes" | "listAllCapes" | "countAllCapes">;
type CapeStore = Pick<
  TextureStore,
  "insertCape" | "setWings" | "deleteCape" | "grantCapes" | "deleteGrants" | "unlinkCapes"
>;

export function capeReads(db: Db): CapeReads {
  const value = sql.placeholder("value");
  const rows = () =>
    db.select(capeColumns).from(capes).innerJoin(textures, eq(textures.hash, capes.textureHash)).$dynamic();
  const cape = {
    uuid: rows().where(eq(capes.uuid, value)).prepare(),
    id: rows().where(eq(capes.id, value)).prepare(),
  };
  const unsearched = rows()
    .where(and(not(capes.wingsSought), gt(capes.id, sql.placeholder("after"))))
    .orderBy(asc(capes.id))
    .limit(sql.placeholder("most"))
    .prepare();
  const pages = pagesOf(db, ["capes", "capes_search"], idFinder(db, "capes"));

  return {
    ...grantReads(db),
    listAllCapes: async (page) =>
      rows().where(pages.condition(page)).orderBy(pages.order(page)).limit(page.rows).all().map(toCape),
    countAllCapes: async (search, most) => pages.count(search, most),
    listUnsearchedCapes: async (after, most) => unsearched.all({ after: after ?? 0, most }).map(toCape),
    findCape: async ({ by, value }) => {
      const row = cape[by].get({ value });
      return row === undefined ? null : toCape(row);
    },
    findCapes: async (keys) => {
      const [ids, uuids] = (["id", "uuid"] as const).map((by) =>
        listed(keys.filter((key) => key.by === by).map(({ value }) => value)),
      );
      // One list: SQLite would sort the rows of two alternatives.
      const wanted = sql`(SELECT value FROM ${ids} UNION ALL SELECT id FROM ${capes} WHERE uuid IN ${uuids})`;
      return rows().where(inArray(capes.id, wanted)).orderBy(asc(capes.id)).all().map(toCape);
    },
  };
}

function grantReads(db: Db): GrantReads {
  const now = sql.placeholder("now");
  const holds = or(isNull(capeGrants.expiresAt), gt(capeGrants.expiresAt, now));
  const granted = db
    .select(grantedCapeColumns)
    .from(capeGrants)
    .innerJoin(capes, eq(capes.id, capeGrants.capeId))
    .innerJoin(textures, eq(textures.hash, capes.textureHash))
    .where(and(eq(capeGrants.accountId, sql.placeholder("account")), holds))
    .orderBy(asc(capeGrants.capeId))
    .prepare();
  const ended = db
    .select({
      accountId: capeGrants.accountId,
      cape: { id: capes.id, uuid: capes.uuid, name: capes.name },
      // The condition leaves no null.
      expiresAt: sql<number>`${capeGrants.expiresAt}`,
    })
    .from(capeGrants)
    .innerJoin(capes, eq(capes.id, capeGrants.capeId))
    .where(lte(capeGrants.expiresAt, now))
    .orderBy(asc(capeGrants.expiresAt))
    .limit(sql.placeholder("rows"))
    .prepare();
  const ofCape = db
    .select({
      accountId: capeGrants.accountId,
      name: sql<string>`coalesce(${players.name}, '')`,
      expiresAt: capeGrants.expiresAt,
    })
    .from(capeGrants)
    .innerJoin(accounts, eq(accounts.id, capeGrants.accountId))
    .leftJoin(players, eq(players.id, accounts.mainPlayerId))
    .where(eq(capeGrants.capeId, sql.placeholder("cape")))
    // The index of a cape's grants has them in this order.
    .orderBy(sql`${capeGrants}.rowid`)
    .limit(sql.placeholder("rows"))
    .prepare();

  return {
    listGrantedCapes: async (account, now) => granted.all({ account, now }).map(toGrantedCape),
    listEndedGrants: async (now, rows) => ended.all({ now, rows }),
    listGrants: async (cape, rows) => ofCape.all({ cape, rows }),
    countOwners: async (cape) => db.$count(capeGrants, eq(capeGrants.capeId, cape)),
    ...ownerReads(db),
  };
}

function holds(account: SQLWrapper, cape: CapeId): SQL {
  return sql`EXISTS (SELECT 1 FROM ${capeGrants} AS held WHERE held.account_id = ${account} AND held.cape_id = ${cape})`;
}

/** Lists of accounts with and without a cape, which staff read and change a part at a time. */
function ownerReads(db: Db): OwnerReads {
  // The index of a cape's grants has them in this order.
  const place = sql<number>`${capeGrants}.rowid`;

  return {
    listOwners: async (cape, sharing, { after, rows }) =>
      db
        .select({
          accountId: capeGrants.accountId,
          name: sql<string>`coalesce(${players.name}, '')`,
          expiresAt: capeGrants.expiresAt,
          place,
        })
        .from(capeGrants)
        .innerJoin(accounts, eq(accounts.id, capeGrants.accountId))
        .leftJoin(players, eq(players.id, accounts.mainPlayerId))
        .where(
          and(
            eq(capeGrants.capeId, cape),
            gt(place, after ?? 0),
            sharing === null ? undefined : holds(capeGrants.accountId, sharing),
          ),
        )
        .orderBy(place)
        .limit(rows)
        .all(),
    listOwnersAmong: async (cape, accounts) =>
      db
        .select({ accountId: capeGrants.accountId, expiresAt: capeGrants.expiresAt })
        .from(capeGrants)
        .where(and(eq(capeGrants.capeId, cape), inArray(capeGrants.accountId, listed(accounts))))
        .all(),
    listNonOwners: async (cape, of, { after, rows }) => {
      if (of === null)
        return db
          .select({ accountId: accounts.id, place: sql<number>`${accounts.id}` })
          .from(accounts)
          .where(and(gt(accounts.id, (after ?? 0) as AccountId), not(holds(accounts.id, cape)))) // a bound of ids
          .orderBy(asc(accounts.id))
          .limit(rows)
          .all();
      return db
        .select({ accountId: capeGrants.accountId, place })
        .from(capeGrants)
        .where(
          and(
            eq(capeGrants.capeId, of.cape),
            gt(place, after ?? 0),
            or(isNull(capeGrants.expiresAt), gt(capeGrants.expiresAt, of.now)),
            not(holds(capeGrants.accountId, cape)),
          ),
        )
        .orderBy(place)
        .limit(rows)
        .all();
    },
  };
}

/** `note` is called for every subject of delivery that a write changes. */
export function capeStore(db: Db, note: NoteChange): CapeStore {
  const { accountId, capeId, expiresAt: end } = capeGrants;

  return {
    insertCape: async (cape) => {
      note(`cape:${cape.uuid}`);
      const row = { ...cape, wingsSought: true };
      return db.insert(capes).values(row).returning({ id: capes.id }).get().id;
    },
    setWings: async (id, wingsHash) => {
      const found = db.update(capes).set({ wingsHash, wingsSought: true }).where(eq(capes.id, id));
      const changed = found.returning({ uuid: capes.uuid }).all();
      for (const { uuid } of changed) note(`cape:${uuid}`);
      return changed.length > 0;
    },
    deleteCape: async (id) => {
      // The schema's references delete its grants and take it off skins and players.
      const deleted = db.delete(capes).where(eq(capes.id, id)).returning({ uuid: capes.uuid });
      for (const { uuid } of deleted.all()) note(`cape:${uuid}`);
    },
    grantCapes: async ({ accounts, capes: granted, grantedAt, expiresAt }) => {
      const account = sql`json_each(${JSON.stringify(accounts)}) AS account`;
      const cape = sql`json_each(${JSON.stringify(granted)}) AS cape`;
      const grants = sql`SELECT account.value, cape.value, ${grantedAt}, ${expiresAt} FROM ${account}, ${cape}`;
      const next = sql`excluded.expires_at`;
      db.insert(capeGrants)
        // Without a condition SQLite would parse the ON of the conflict as that of a join.
        .select(sql`${grants} WHERE true`)
        .onConflictDoUpdate({
          target: [accountId, capeId],
          set: { expiresAt: next },
          setWhere: sql`${end} IS NOT ${next}`,
        })
        .run();
    },
    deleteGrants: async (accounts, revoked) => {
      db.delete(capeGrants)
        .where(and(inArray(accountId, listed(accounts)), inArray(capeId, listed(revoked))))
        .run();
    },
    unlinkCapes: async (accounts, revoked) => {
      // Rows are found by their account, because very many may have one cape.
      const unlinked = db
        .update(skins)
        .set({ capeId: null })
        .where(and(inArray(skins.accountId, listed(accounts)), sql`+${skins.capeId} IN ${listed(revoked)}`));
      for (const { uuid } of unlinked.returning({ uuid: skins.uuid }).all()) note(`skin:${uuid}`);
      const takenOff = db
        .update(players)
        .set({ ownCapeId: null })
        .where(
          and(inArray(players.accountId, listed(accounts)), sql`+${players.ownCapeId} IN ${listed(revoked)}`),
        );
      for (const { uuid } of takenOff.returning({ uuid: players.uuid }).all()) note(`player:${uuid}`);
    },
  };
}

/** Any number of values as one parameter: SQLite takes 32,766 parameters at most, and is slow to read them. */
function listed(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
