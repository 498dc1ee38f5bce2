/** What statements read of each table, and the value that a row becomes. Drizzle's statements and raw ones share both. */
import { getTableName, type Column, type GetColumnData } from "drizzle-orm";
import type { Account, Member, Player, TemporaryRole } from "../../domain/model/account.ts";
import type { Identity } from "../../domain/model/identity.ts";
import type { Cape, GrantedCape, OwnedSkin, Skin, Texture } from "../../domain/model/texture.ts";
import { identities } from "./schema/access.ts";
import { accounts, capeGrants, capes, players, skins, textures } from "./schema/member.ts";

type Columns = Readonly<Record<string, Column>>;

/** SQLite has no booleans: raw statements return 0 and 1 for them. */
type Cell<Value> = boolean extends Value ? Value | 0 | 1 : Value;

/** A row of these columns, read by Drizzle or by a raw statement with `textOf` them. */
type RowOf<Read extends Columns> = { readonly [Name in keyof Read]: Cell<GetColumnData<Read[Name]>> };

/** A row of a table that a left join found no row in. */
type Absent<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/**
 * The columns for a raw statement. Where a statement runs with every request, Drizzle's own rows would take twice as long. Names
 * that are no columns of it are null, as a union needs them.
 */
export function textOf(columns: Columns, names: readonly string[] = Object.keys(columns)): string {
  return names.map((name) => `${cellOf(columns[name])} AS ${name}`).join(", ");
}

function cellOf(column: Column | undefined): string {
  return column === undefined ? "NULL" : `${getTableName(column.table)}.${column.name}`;
}

export const accountColumns = {
  id: accounts.id,
  uuid: accounts.uuid,
  registration: accounts.registration,
  mail: accounts.mail,
  mailVerified: accounts.mailVerified,
  passwordHash: accounts.passwordHash,
  permanentLevel: accounts.permanentLevel,
  roleLevel: accounts.roleLevel,
  roleExpiresAt: accounts.roleExpiresAt,
  wantsBulkMail: accounts.wantsBulkMail,
  language: accounts.language,
  playersMax: accounts.playersMax,
  createdAt: accounts.createdAt,
};
type AccountRow = RowOf<typeof accountColumns>;

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    uuid: row.uuid,
    registration: row.registration,
    mail: row.mail,
    mailVerified: Boolean(row.mailVerified),
    passwordHash: row.passwordHash,
    permanentLevel: row.permanentLevel,
    role: toRole(row),
    wantsBulkMail: Boolean(row.wantsBulkMail),
    language: row.language,
    playersMax: row.playersMax,
    createdAt: row.createdAt,
  };
}

function toRole({ roleLevel, roleExpiresAt }: AccountRow): TemporaryRole | null {
  return roleLevel === null || roleExpiresAt === null ? null : { level: roleLevel, expiresAt: roleExpiresAt };
}

export const playerColumns = {
  playerId: players.id,
  playerUuid: players.uuid,
  accountId: players.accountId,
  name: players.name,
  nameDerived: players.nameDerived,
  selectedSkinId: players.selectedSkinId,
  ownCapeId: players.ownCapeId,
  hidesCape: players.hidesCape,
  playerCreatedAt: players.createdAt,
};
type PlayerRow = RowOf<typeof playerColumns>;

export function toPlayer(row: PlayerRow): Player {
  return {
    id: row.playerId,
    uuid: row.playerUuid,
    accountId: row.accountId,
    name: row.name,
    nameDerived: Boolean(row.nameDerived),
    selectedSkinId: row.selectedSkinId,
    ownCape: row.ownCapeId ?? (row.hidesCape ? "none" : "as-skin"),
    createdAt: row.playerCreatedAt,
  };
}

/** An account and its main player, joined by reference: one row for each account, however many players it has. */
export const memberColumns = { ...accountColumns, ...playerColumns };
export type MemberRow = AccountRow & Absent<PlayerRow>;

export function toMember(row: MemberRow): Member {
  return { account: toAccount(row), player: hasPlayer(row) ? toPlayer(row) : null };
}

function hasPlayer(row: MemberRow): row is AccountRow & PlayerRow {
  return row.playerId !== null;
}

export const textureColumns = {
  hash: textures.hash,
  file: textures.file,
  digest: textures.digest,
  width: textures.width,
  height: textures.height,
};
type TextureRow = RowOf<typeof textureColumns>;

export function toTexture({ hash, file, digest, width, height }: TextureRow): Texture {
  return { hash, file, digest, width, height };
}

/** A skin and its texture. */
export const skinColumns = {
  id: skins.id,
  uuid: skins.uuid,
  accountId: skins.accountId,
  name: skins.name,
  model: skins.model,
  capeId: skins.capeId,
  createdAt: skins.createdAt,
  ...textureColumns,
};
export type SkinRow = RowOf<typeof skinColumns>;

export function toSkin(row: SkinRow): Skin {
  const { id, uuid, accountId, name, model, capeId, createdAt } = row;
  return { id, uuid, accountId, name, model, capeId, texture: toTexture(row), createdAt };
}

/** A skin with its owner's main player and its cape. */
export const ownedSkinColumns = {
  ...skinColumns,
  ownerName: players.name,
  selectedSkinId: players.selectedSkinId,
  capeUuid: capes.uuid,
};
type Joined = Omit<typeof ownedSkinColumns, keyof typeof skinColumns>;

export function toOwnedSkin(row: SkinRow & Absent<RowOf<Joined>>): OwnedSkin {
  const { ownerName, selectedSkinId, capeUuid } = row;
  return { ...toSkin(row), ownerName: ownerName ?? "", capeUuid, isSelected: selectedSkinId === row.id };
}

/** A cape and its texture. */
export const capeColumns = {
  id: capes.id,
  uuid: capes.uuid,
  name: capes.name,
  uploadedBy: capes.uploadedBy,
  wingsHash: capes.wingsHash,
  createdAt: capes.createdAt,
  ...textureColumns,
};

export function toCape(row: RowOf<typeof capeColumns>): Cape {
  const { id, uuid, name, wingsHash, uploadedBy, createdAt } = row;
  return { id, uuid, name, texture: toTexture(row), wingsHash, uploadedBy, createdAt };
}

/** A cape, and when its grant to an account ends. */
export const grantedCapeColumns = { ...capeColumns, grantExpiresAt: capeGrants.expiresAt };
export type GrantedCapeRow = RowOf<typeof grantedCapeColumns>;

export function toGrantedCape(row: GrantedCapeRow): GrantedCape {
  return { ...toCape(row), grantExpiresAt: row.grantExpiresAt };
}

export const identityColumns = {
  accountId: identities.accountId,
  provider: identities.provider,
  issuer: identities.issuer,
  subject: identities.subject,
  username: identities.username,
  avatar: identities.avatar,
  linkedAt: identities.linkedAt,
};
export type IdentityRow = RowOf<typeof identityColumns>;

export function toIdentity(row: IdentityRow): Identity {
  const { accountId, provider, issuer, subject, username, avatar, linkedAt } = row;
  return { accountId, provider, issuer, subject, username, avatar, linkedAt };
}
