import { asc, eq, gt, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { PlayerReads } from "../../domain/ports/player-store.ts";
import { playerColumns, toLook } from "./rows.ts";
import { namedByUuid } from "./named-by-uuid.ts";
import { accounts, capes, players, skins } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { shownCape } from "./shown.ts";
import { build, first, mayBeKept, statement } from "./statement.ts";

const ownCapes = alias(capes, "own_capes");
const columns = {
  ...playerColumns,
  mainPlayerId: accounts.mainPlayerId,
  skin: skins.uuid,
  cape: capes.uuid,
  ownCape: ownCapes.uuid,
};

const looks = (where: SQL) =>
  build
    .select(columns)
    .from(players)
    .innerJoin(accounts, eq(accounts.id, players.accountId))
    .leftJoin(skins, eq(skins.id, players.selectedSkinId))
    .leftJoin(capes, eq(capes.id, sql.raw(shownCape)))
    .leftJoin(ownCapes, eq(ownCapes.id, players.ownCapeId))
    .where(where)
    .orderBy(asc(players.id));

const value = sql`${sql.placeholder("value")}`;
const ofAccount = statement(looks(eq(players.accountId, value)), columns);
const find = {
  id: statement(looks(eq(players.id, value)), columns),
  uuid: statement(looks(sql`${players.id} = ${namedByUuid.player(value)}`), columns),
  name: statement(looks(eq(players.nameKey, value)), columns),
};
const page = statement(
  looks(gt(players.id, sql.placeholder("after"))).limit(sql.placeholder("rows")),
  columns,
);

export function lookReads(db: Sender): Pick<PlayerReads, "listLooks" | "listAll" | "findLook"> {
  return {
    listAll: async ({ after, rows }) => (await page(db, { after: after ?? 0, rows })).map(toLook),
    listLooks: async (account) => {
      const found = (await ofAccount(db, { value: account })).map(toLook);
      return found.toSorted((one, other) => Number(other.isMain) - Number(one.isMain));
    },
    findLook: async ({ by, value }) => {
      if (!mayBeKept(String(value))) return null;
      const row = first(await find[by](db, { value }));
      return row === null ? null : toLook(row);
    },
  };
}
