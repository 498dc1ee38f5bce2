/** Who may wear which cape. */
import { and, asc, eq, gt, isNull, lte, not, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Part, TextureReads } from "../../domain/ports/texture-store.ts";
import { isIn, orderOf } from "./dialect.ts";
import { grantedCapeColumns, toGrantedCape } from "./texture-rows.ts";
import { accounts, capeGrants, capes, players, textures } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, first, statement } from "./statement.ts";

type OwnerReads = Pick<TextureReads, "listOwners" | "listOwnersAmong" | "listNonOwners">;
type GrantReads = OwnerReads &
  Pick<TextureReads, "listGrantedCapes" | "listEndedGrants" | "listGrants" | "countOwners">;

const id = sql.placeholder("id");
const most = sql.placeholder("most");
const now = sql.placeholder("now");
const account = sql.placeholder("account");

const listGranted = statement(
  build
    .select(grantedCapeColumns)
    .from(capeGrants)
    .innerJoin(capes, eq(capes.id, capeGrants.capeId))
    .innerJoin(textures, eq(textures.hash, capes.textureHash))
    .where(
      and(eq(capeGrants.accountId, account), or(isNull(capeGrants.expiresAt), gt(capeGrants.expiresAt, now))),
    )
    .orderBy(asc(capeGrants.capeId)),
  grantedCapeColumns,
);
const endedColumns = {
  accountId: capeGrants.accountId,
  id: capes.id,
  uuid: capes.uuid,
  name: capes.name,
  expiresAt: capeGrants.expiresAt,
};
const listEnded = statement(
  build
    .select(endedColumns)
    .from(capeGrants)
    .innerJoin(capes, eq(capes.id, capeGrants.capeId))
    .where(lte(capeGrants.expiresAt, now))
    .orderBy(asc(capeGrants.expiresAt))
    .limit(most),
  endedColumns,
);
const countOwners = statement(sql`SELECT count(*) FROM cape_grants WHERE cape_id = ${id}`, {
  owners: Number,
});

export function grantReads(db: Sender): GrantReads {
  return {
    listGrantedCapes: async (account, now) => (await listGranted(db, { account, now })).map(toGrantedCape),
    listEndedGrants: async (now, most) =>
      (await listEnded(db, { now, most })).map(({ accountId, expiresAt, ...cape }) => {
        // The condition leaves no null.
        return { accountId, cape, expiresAt: Number(expiresAt) };
      }),
    listGrants: async (cape, most) => {
      const grants = await listOwners.all(db, { id: cape, after: 0, most });
      return grants.map(({ accountId, name, expiresAt }) => ({ accountId, name: nameOf(name), expiresAt }));
    },
    countOwners: async (cape) => first(await countOwners(db, { id: cape }))?.owners ?? 0,
    ...ownerReads(db),
  };
}

const after = sql.placeholder("after");
const other = sql.placeholder("other");
const holds = (account: SQLWrapper, cape: SQLWrapper) =>
  sql`EXISTS (SELECT 1 FROM cape_grants AS held WHERE held.account_id = ${account} AND held.cape_id = ${cape})`;
const { accountId, expiresAt } = capeGrants;
const ownerColumns = { accountId, name: players.name, expiresAt, place: Number };
const place = orderOf("cape_grants");
/**
 * The part is chosen before names are looked up: of a cape that everybody has, each part would look up all
 * that follow.
 */
const ownersAfter = (condition: SQL) =>
  statement(
    sql`
      SELECT part.account_id, players.name, part.expires_at, part.place FROM (
        SELECT account_id, expires_at, ${place} AS place FROM cape_grants
        WHERE cape_id = ${id} AND ${place} > ${after} AND ${condition} ORDER BY ${place} LIMIT ${most}) AS part
      JOIN accounts ON accounts.id = part.account_id
      LEFT JOIN players ON players.id = accounts.main_player_id ORDER BY part.place`,
    ownerColumns,
  );
const listOwners = { all: ownersAfter(sql`true`), sharing: ownersAfter(holds(accountId, other)) };
const among = (cell: SQLWrapper) => isIn(cell, sql.placeholder("accounts"), "bigint");
const listOwnersAmong = statement(
  build
    .select({ accountId, expiresAt })
    .from(capeGrants)
    .where(and(eq(capeGrants.capeId, id), among(accountId))),
  { accountId, expiresAt },
);
const listNonOwners = {
  all: statement(
    build
      .select({ accountId: accounts.id, place: sql`${accounts.id}` })
      .from(accounts)
      .where(and(gt(accounts.id, after), not(holds(accounts.id, id))))
      .orderBy(asc(accounts.id))
      .limit(most),
    { accountId: accounts.id, place: Number },
  ),
  owners: statement(
    build
      .select({ accountId: capeGrants.accountId, place: sql`${place}` })
      .from(capeGrants)
      .where(
        and(
          eq(capeGrants.capeId, other),
          gt(place, after),
          or(isNull(capeGrants.expiresAt), gt(capeGrants.expiresAt, now)),
          not(holds(capeGrants.accountId, id)),
        ),
      )
      .orderBy(asc(place))
      .limit(most),
    { accountId: capeGrants.accountId, place: Number },
  ),
};

const valuesOfPart = ({ after, rows }: Part) => ({ after: after ?? 0, most: rows });

/** Lists of accounts with and without a cape, which staff read and change a part at a time. */
function ownerReads(db: Sender): OwnerReads {
  return {
    listOwners: async (cape, sharing, part) => {
      const values = { id: cape, ...valuesOfPart(part) };
      const found =
        sharing === null
          ? await listOwners.all(db, values)
          : await listOwners.sharing(db, { ...values, other: sharing });
      return found.map(({ name, ...grant }) => ({ ...grant, name: nameOf(name) }));
    },
    listOwnersAmong: (cape, accounts) => listOwnersAmong(db, { id: cape, accounts }),
    listNonOwners: (cape, of, part) => {
      const values = { id: cape, ...valuesOfPart(part) };
      return of === null
        ? listNonOwners.all(db, values)
        : listNonOwners.owners(db, { ...values, other: of.cape, now: of.now });
    },
  };
}

/** An account may have no player, which the types of an outer join leave out. */
function nameOf(name: string | null): string {
  return name ?? "";
}
