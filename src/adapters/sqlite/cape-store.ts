import { and, asc, eq, gt, inArray, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { EndedGrant, TextureReads, TextureStore } from "../../domain/ports/texture-store.ts";
import type { AccountId, CapeId, Uuid } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { capeGrants, capes, skins, textures } from "./schema/member.ts";
import { toCape } from "./texture-rows.ts";

type CapeReads = Pick<TextureReads, "findCape" | "findCapes" | "listGrantedCapes" | "listEndedGrants">;
type CapeStore = Pick<
  TextureStore,
  "insertCape" | "deleteCape" | "grantCapes" | "deleteGrants" | "unlinkCapes"
>;

export function capeReads(db: Db): CapeReads {
  const value = sql.placeholder("value");
  const rows = () =>
    db.select().from(capes).innerJoin(textures, eq(textures.hash, capes.textureHash)).$dynamic();
  const cape = {
    uuid: rows().where(eq(capes.uuid, value)).prepare(),
    id: rows().where(eq(capes.id, value)).prepare(),
  };

  return {
    ...grantReads(db),
    findCape: async ({ by, value }) => {
      const row = cape[by].get({ value });
      return row === undefined ? null : toCape(row);
    },
    findCapes: async (keys) => {
      const [ids, uuids] = (["id", "uuid"] as const).map((by) =>
        listed(keys.filter((key) => key.by === by).map(({ value }) => value)),
      );
      // One list: with two alternatives SQLite would sort what it finds.
      const wanted = sql`(SELECT value FROM ${ids} UNION ALL SELECT id FROM ${capes} WHERE uuid IN ${uuids})`;
      return rows().where(inArray(capes.id, wanted)).orderBy(asc(capes.id)).all().map(toCape);
    },
  };
}

function grantReads(db: Db): Pick<CapeReads, "listGrantedCapes" | "listEndedGrants"> {
  const now = sql.placeholder("now");
  const holds = or(isNull(capeGrants.expiresAt), gt(capeGrants.expiresAt, now));
  const granted = db
    .select({ capes, textures, grantExpiresAt: capeGrants.expiresAt })
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
      expiresAt: capeGrants.expiresAt,
    })
    .from(capeGrants)
    .innerJoin(capes, eq(capes.id, capeGrants.capeId))
    .where(lte(capeGrants.expiresAt, now))
    .orderBy(asc(capeGrants.expiresAt))
    .limit(sql.placeholder("rows"))
    .prepare();
  type EndedRow = ReturnType<typeof ended.all>[number];

  // Rows hold only what these stores wrote, so their ids are what the types say; what has ended has an end.
  const toEndedGrant = ({ accountId, cape, expiresAt }: EndedRow): EndedGrant => ({
    accountId: accountId as AccountId,
    cape: { ...cape, id: cape.id as CapeId, uuid: cape.uuid as Uuid },
    expiresAt: expiresAt ?? 0,
  });

  return {
    listGrantedCapes: async (account, now) =>
      granted.all({ account, now }).map((row) => ({ ...toCape(row), grantExpiresAt: row.grantExpiresAt })),
    listEndedGrants: async (now, rows) => ended.all({ now, rows }).map(toEndedGrant),
  };
}

/** `touch` is called by every write that may change what delivery answers. */
export function capeStore(db: Db, touch: () => void): CapeStore {
  const { accountId, capeId, expiresAt: end } = capeGrants;

  return {
    insertCape: async (cape) => db.insert(capes).values(cape).returning({ id: capes.id }).get().id as CapeId,
    deleteCape: async (id) => {
      touch();
      // Grants go with it, and skins lose it, by the schema's references.
      db.delete(capes).where(eq(capes.id, id)).run();
    },
    grantCapes: async ({ accounts, capes: granted, grantedAt, expiresAt }) => {
      const account = sql`json_each(${JSON.stringify(accounts)}) AS account`;
      const cape = sql`json_each(${JSON.stringify(granted)}) AS cape`;
      const grants = sql`SELECT account.value, cape.value, ${grantedAt}, ${expiresAt} FROM ${account}, ${cape}`;
      const next = sql`excluded.expires_at`;
      db.insert(capeGrants)
        // Without a condition SQLite would take the conflict's ON for that of a join.
        .select(sql`${grants} WHERE true`)
        .onConflictDoUpdate({
          target: [accountId, capeId],
          set: { expiresAt: next },
          setWhere: sql`${end} IS NOT ${next}`,
        })
        .run();
    },
    deleteGrants: async (account, revoked) => {
      db.delete(capeGrants)
        .where(and(eq(accountId, account), inArray(capeId, listed(revoked))))
        .run();
    },
    unlinkCapes: async (account, revoked) => {
      touch();
      db.update(skins)
        .set({ capeId: null })
        .where(and(eq(skins.accountId, account), inArray(skins.capeId, listed(revoked))))
        .run();
    },
  };
}

/** Values that are handed over as one, however many there are: SQLite takes 32,766 parameters, and long to read them. */
function listed(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
