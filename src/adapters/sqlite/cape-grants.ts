import { and, asc, eq, inArray, lte, sql, type SQL } from "drizzle-orm";
import type { EndedGrant, TextureReads, TextureStore } from "../../domain/textures/store.ts";
import type { AccountId, CapeId, Uuid } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { capeGrants, capes, skins } from "./schema/texture.ts";

type GrantReads = Pick<TextureReads, "listEndedGrants">;
type GrantStore = Pick<TextureStore, "grantCapes" | "deleteGrants" | "unlinkCapes">;

export function grantReads(db: Db): GrantReads {
  const ended = db
    .select({
      accountId: capeGrants.accountId,
      cape: { id: capes.id, uuid: capes.uuid, name: capes.name },
      expiresAt: capeGrants.expiresAt,
    })
    .from(capeGrants)
    .innerJoin(capes, eq(capes.id, capeGrants.capeId))
    .where(lte(capeGrants.expiresAt, sql.placeholder("now")))
    .orderBy(asc(capeGrants.expiresAt))
    .limit(sql.placeholder("rows"))
    .prepare();
  type Row = ReturnType<typeof ended.all>[number];

  // Rows hold only what these stores wrote, so their ids are what the types say.
  const toEndedGrant = ({ accountId, cape, expiresAt }: Row): EndedGrant => ({
    accountId: accountId as AccountId,
    cape: { ...cape, id: cape.id as CapeId, uuid: cape.uuid as Uuid },
    expiresAt: expiresAt ?? 0,
  });

  return { listEndedGrants: async (now, rows) => ended.all({ now, rows }).map(toEndedGrant) };
}

/** `touch` is called by every write that may change what delivery answers. */
export function grantStore(db: Db, touch: () => void): GrantStore {
  return {
    grantCapes: async ({ accounts, capes: granted, grantedAt, expiresAt }) => {
      const account = sql`json_each(${JSON.stringify(accounts)}) AS account`;
      const cape = sql`json_each(${JSON.stringify(granted)}) AS cape`;
      const grants = sql`SELECT account.value, cape.value, ${grantedAt}, ${expiresAt} FROM ${account}, ${cape}`;
      const { accountId, capeId } = capeGrants;
      const end = sql`excluded.expires_at`;
      db.insert(capeGrants)
        // Without a condition SQLite would take the conflict's ON for that of a join.
        .select(sql`${grants} WHERE true`)
        .onConflictDoUpdate({
          target: [accountId, capeId],
          set: { expiresAt: end },
          setWhere: sql`${capeGrants.expiresAt} IS NOT ${end}`,
        })
        .run();
    },
    deleteGrants: async (account, revoked) => {
      const { accountId, capeId } = capeGrants;
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

/** Values that are handed over as one, however many there are: SQLite takes 32,766 parameters, and longer to read them. */
export function listed(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
