/** The columns that statements read of each table. */
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
} from "./row-values.ts";
import { identities } from "./schema/access.ts";
import { accounts, capeGrants, capes, players, skins, textures } from "./schema/member.ts";

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
