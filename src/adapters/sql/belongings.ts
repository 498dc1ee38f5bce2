import { sql, type Column, type SQL } from "drizzle-orm";
import type { Belongings } from "../../domain/ports/account-store.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { Identity } from "../../domain/model/identity.ts";
import type { GrantedCape, Skin } from "../../domain/model/texture.ts";
import { identityColumns, toIdentity } from "./rows.ts";
import {
  type GrantedCapeRow,
  type SkinRow,
  grantedCapeColumns,
  skinColumns,
  toGrantedCape,
  toSkin,
} from "./texture-rows.ts";
import type { Sender } from "./sender.ts";
import { statement } from "./statement.ts";

export type BelongingRow =
  | ({ readonly kind: "skin" } & SkinRow)
  | ({ readonly kind: "cape" } & GrantedCapeRow)
  | ({ readonly kind: "identity" } & Identity);

/** The columns of all three kinds. Those that two kinds share are read by the same name. */
const columns: Readonly<Record<string, Column>> = {
  ...skinColumns,
  ...grantedCapeColumns,
  ...identityColumns,
};

/** The cells of a row of one kind; null for those of other kinds. */
function cells(kind: BelongingRow["kind"], own: Readonly<Record<string, Column>>): SQL {
  const all = Object.entries<Column>(columns).map(([name, column]) => {
    const cell = own[name];
    const value = cell === undefined ? sql.raw(`CAST(NULL AS ${typeOf(column)})`) : sql`${cell}`;
    return sql`${value} AS ${sql.identifier(name)}`;
  });
  return sql.join([sql.raw(`'${kind}' AS kind`), ...all], sql`, `);
}

/** Its type without the order of its texts. */
function typeOf(column: Column): string {
  return column.getSQLType().replace(/ .*/, "");
}

/**
 * Every profile asks for all of this: one statement for three kinds of rows. Its columns have the names of
 * `BelongingRow`.
 */
export const belongingsOf = sql`
    SELECT ${cells("skin", skinColumns)} FROM skins JOIN textures ON hash = texture_hash
    WHERE account_id = ${sql.placeholder("account")}
    UNION ALL SELECT ${cells("cape", grantedCapeColumns)} FROM cape_grants
    JOIN capes ON capes.id = cape_id JOIN textures ON hash = texture_hash
    WHERE cape_grants.account_id = ${sql.placeholder("account")}
      AND (expires_at IS NULL OR expires_at > ${sql.placeholder("now")})
    UNION ALL SELECT ${cells("identity", identityColumns)} FROM identities
    WHERE account_id = ${sql.placeholder("account")}`;
const rows = statement(belongingsOf, { kind: String, ...columns });

export async function findBelongings(db: Sender, account: AccountId, now: number): Promise<Belongings> {
  // Each row has the columns of its kind.
  return toBelongings((await rows(db, { account, now })) as readonly BelongingRow[]);
}

export function toBelongings(rows: readonly BelongingRow[]): Belongings {
  const skins: Skin[] = [];
  const capes: GrantedCape[] = [];
  let identity: Identity | null = null;
  for (const row of rows) {
    if (row.kind === "skin") skins.push(toSkin(row));
    else if (row.kind === "cape") capes.push(toGrantedCape(row));
    else identity = toIdentity(row);
  }
  return { skins: skins.toSorted(byId), capes: capes.toSorted(byId), identity };
}

function byId(one: Skin | GrantedCape, other: Skin | GrantedCape): number {
  return one.id - other.id;
}
