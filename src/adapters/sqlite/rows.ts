/** The columns that statements read of each table. Drizzle's statements and raw ones share them. */
import { getTableName, type Column } from "drizzle-orm";
import {
  accountNames,
  capeNames,
  grantNames,
  identityNames,
  pick,
  playerNames,
  skinCapeNames,
  skinNames,
  skinOwnerNames,
  textureNames,
} from "../sql/row-values.ts";
import { identities } from "./schema.ts";
import { accounts, capeGrants, capes, players, skins, textures } from "./schema.ts";

/**
 * The columns for a raw statement. Where a statement runs with every request, Drizzle's own rows would take twice as long. Names
 * that are no columns of it are null, as a union needs them.
 */
export function textOf(
  columns: Readonly<Record<string, Column>>,
  names: readonly string[] = Object.keys(columns),
): string {
  return names.map((name) => `${cellOf(columns[name])} AS ${name}`).join(", ");
}

function cellOf(column: Column | undefined): string {
  return column === undefined ? "NULL" : `${getTableName(column.table)}.${column.name}`;
}

export const accountColumns = pick(accounts, accountNames);
export const playerColumns = pick(players, playerNames);
export const memberColumns = { ...accountColumns, ...playerColumns };
export const textureColumns = pick(textures, textureNames);
export const skinColumns = { ...pick(skins, skinNames), ...textureColumns };
export const ownedSkinColumns = {
  ...skinColumns,
  ...pick(players, skinOwnerNames),
  ...pick(capes, skinCapeNames),
};
export const capeColumns = { ...pick(capes, capeNames), ...textureColumns };
export const grantedCapeColumns = { ...capeColumns, ...pick(capeGrants, grantNames) };
export const identityColumns = pick(identities, identityNames);
