import { and, asc, eq, getTableColumns, gt, not, sql, type SQL } from "drizzle-orm";
import type { TextureReads, TextureStore } from "../../domain/ports/texture-store.ts";
import type { AccountId, CapeId } from "../../kernel/ids.ts";
import { grantReads } from "./cape-grants.ts";
import { isIn, rowsIn } from "./dialect.ts";
import { listing } from "./listing.ts";
import type { Pages } from "./pages.ts";
import { capeColumns, toCape } from "./texture-rows.ts";
import { capes, textures } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { changesShown, wearersOfCape, wearersOfSkins, type ChangedRow } from "./shown.ts";
import { build, command, first, insertion, setsOf, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

type CapeReads = ReturnType<typeof grantReads> &
  Pick<TextureReads, "findCape" | "findCapes" | "listUnsearchedCapes" | "listAllCapes" | "countAllCapes">;
type CapeStore = Pick<
  TextureStore,
  "insertCape" | "setWings" | "deleteCape" | "grantCapes" | "deleteGrants" | "unlinkCapes"
>;

const id = sql.placeholder("id");
const value = sql.placeholder("value");
const most = sql.placeholder("most");

const capeRows = () =>
  build.select(capeColumns).from(capes).innerJoin(textures, eq(textures.hash, capes.textureHash)).$dynamic();
const findCape = {
  uuid: statement(capeRows().where(eq(capes.uuid, value)), capeColumns),
  id: statement(capeRows().where(eq(capes.id, value)), capeColumns),
};
// One list: SQLite would sort the rows of two alternatives.
const wanted = sql`(
  SELECT CAST(value AS bigint) FROM ${rowsIn(sql.placeholder("ids"), "texts")} UNION ALL
  SELECT id FROM capes WHERE ${isIn(sql`uuid`, sql.placeholder("uuids"), "text")})`;
const findCapes = statement(
  capeRows()
    .where(sql`${capes.id} IN ${wanted}`)
    .orderBy(asc(capes.id)),
  capeColumns,
);
const listCapes = listing(capeColumns, capes.id, (condition, order) =>
  capeRows().where(condition).orderBy(order),
);
const listUnsearched = statement(
  capeRows()
    .where(and(not(capes.wingsSought), gt(capes.id, sql.placeholder("after"))))
    .orderBy(asc(capes.id))
    .limit(most),
  capeColumns,
);

export function capeReads(db: Sender, pages: Pages): CapeReads {
  return {
    ...grantReads(db),
    listAllCapes: async (page) => (await listCapes(db, pages, page)).map(toCape),
    countAllCapes: (search, most) => pages.count(search, most),
    listUnsearchedCapes: async (after, most) =>
      (await listUnsearched(db, { after: after ?? 0, most })).map(toCape),
    findCape: async ({ by, value }) => {
      const row = first(await findCape[by](db, { value }));
      return row === null ? null : toCape(row);
    },
    findCapes: async (keys) => {
      const [ids, uuids] = (["id", "uuid"] as const).map((by) =>
        keys.filter((key) => key.by === by).map(({ value }) => value),
      );
      return (await findCapes(db, { ids, uuids })).map(toCape);
    },
  };
}

const { id: _, ...newCape } = getTableColumns(capes);
const insertCape = statement(sql`${insertion(capes, newCape)} RETURNING id`, { id: capes.id });
const changed = { id: capes.id, uuid: capes.uuid };
const { wingsHash } = newCape;
// No event has the wings.
const setWings = statement(
  build
    .update(capes)
    .set({ ...setsOf({ wingsHash }), wingsSought: true })
    .where(eq(capes.id, id))
    .returning(changed),
  changed,
);
// The schema's references delete its grants and take it off skins and players.
const deleteCape = changesShown(
  wearersOfCape(sql`${id}`),
  build.delete(capes).where(eq(capes.id, id)).returning(changed),
);
const pairs = sql.placeholder("pairs");
// Both engines read a list in its order.
const grantCapes = command(sql`
  INSERT INTO cape_grants (account_id, cape_id, granted_at, expires_at)
  SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS bigint),
    CAST(${sql.placeholder("grantedAt")} AS bigint), CAST(${sql.placeholder("expiresAt")} AS bigint)
  FROM ${rowsIn(pairs)} WHERE true
  ON CONFLICT (account_id, cape_id) DO UPDATE SET expires_at = excluded.expires_at
  WHERE cape_grants.expires_at IS DISTINCT FROM excluded.expires_at`);
// By account and cape: very many may have one cape.
const deleteGrants = command(sql`
  DELETE FROM cape_grants WHERE (account_id, cape_id) IN (
    SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS bigint) FROM ${rowsIn(pairs)})`);
const revoked = (cell: SQL) => isIn(cell, sql.placeholder("revoked"), "bigint");
// With a sign, so that rows are found by their account: very many may have one cape.
const among = (cell: SQL) => isIn(cell, sql.placeholder("accounts"), "bigint");
const linked = sql`${among(sql`account_id`)} AND ${revoked(sql`+cape_id`)}`;
const unlinkSkins = changesShown(
  wearersOfSkins(linked),
  sql`UPDATE skins SET cape_id = NULL WHERE ${linked} RETURNING id, uuid`,
);
const worn = sql`${among(sql`account_id`)} AND ${revoked(sql`+own_cape_id`)}`;
const takeOffPlayers = changesShown(
  sql`players.id IN (SELECT id FROM players WHERE ${worn})`,
  sql`UPDATE players SET own_cape_id = NULL WHERE ${worn} RETURNING id, uuid`,
);

const pairsOf = (accounts: readonly AccountId[], capes: readonly CapeId[]) =>
  accounts.flatMap((account) => capes.map((cape) => [account, cape]));

/** `touch` gets every subject of delivery that a write changes. */
export function capeStore(db: Sender, touch: Touch): CapeStore {
  const note = (kind: "skin" | "cape" | "player", rows: readonly Pick<ChangedRow, "uuid">[]): void => {
    for (const { uuid } of rows) touch.note(`${kind}:${uuid}`);
  };

  return {
    insertCape: async (cape) => {
      const row = first(await insertCape(db, { ...cape, wingsSought: true }));
      if (row === null) throw new Error("An inserted cape has no number");
      note("cape", [cape]);
      touch.count("capes", 1);
      touch.found("cape", row.id, [cape.name]);
      return row.id;
    },
    setWings: async (id, wingsHash) => {
      const rows = await setWings(db, { id, wingsHash });
      note("cape", rows);
      return rows.length > 0;
    },
    deleteCape: async (id) => {
      const rows = await deleteCape(db, touch.keep, { id });
      note("cape", rows);
      touch.count("capes", -rows.length);
      for (const row of rows) touch.found("cape", row.id, null);
    },
    grantCapes: ({ accounts, capes, ...grant }) =>
      grantCapes(db, { pairs: pairsOf(accounts, capes), ...grant }),
    deleteGrants: (accounts, revoked) => deleteGrants(db, { pairs: pairsOf(accounts, revoked) }),
    unlinkCapes: async (accounts, revoked) => {
      note("skin", await unlinkSkins(db, touch.keep, { accounts, revoked }));
      note("player", await takeOffPlayers(db, touch.keep, { accounts, revoked }));
    },
  };
}
