/** What statements read of each table, and the value that a row becomes. Drizzle's statements and raw ones share both. */
import { getTableColumns, getTableName, type Column, type GetColumnData } from "drizzle-orm";
import type { Account, Member, Player, TemporaryRole } from "../../domain/model/account.ts";
import type { Cape, OwnedSkin, Skin, Texture } from "../../domain/model/texture.ts";
import { accounts, capes, players, skins, textures } from "./schema/member.ts";

type Columns = Readonly<Record<string, Column>>;

/** SQLite has no booleans: raw statements return 0 and 1 for them. */
type Cell<Value> = boolean extends Value ? Value | 0 | 1 : Value;

/** A row of these columns, read by Drizzle or by a raw statement with `textOf` them. */
type RowOf<Read extends Columns> = { readonly [Name in keyof Read]: Cell<GetColumnData<Read[Name]>> };

/** A row of a table that a left join found no row in. */
type Absent<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/** The columns for a raw statement. Where a statement runs with every request, Drizzle's own rows would take twice as long. */
export function textOf(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, column]) => `${getTableName(column.table)}.${column.name} AS ${name}`)
    .join(", ");
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
  digest: textures.digest,
  width: textures.width,
  height: textures.height,
};
type TextureRow = RowOf<typeof textureColumns>;

export function toTexture({ hash, digest, width, height }: TextureRow): Texture {
  return { hash, digest, width, height };
}

const { textureHash: _, ...ownSkinColumns } = getTableColumns(skins);
/** A skin and its texture. A column of the same name and type as the field of `Skin` needs no line here. */
export const skinColumns = { ...ownSkinColumns, ...textureColumns };
export type SkinRow = RowOf<typeof skinColumns>;

export function toSkin({ hash, digest, width, height, ...own }: SkinRow): Skin {
  return { ...own, texture: { hash, digest, width, height } };
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
  const { ownerName, selectedSkinId, capeUuid, ...skin } = row;
  return { ...toSkin(skin), ownerName: ownerName ?? "", capeUuid, isSelected: selectedSkinId === row.id };
}

/** A cape and its texture. */
export const capeColumns = {
  id: capes.id,
  uuid: capes.uuid,
  name: capes.name,
  uploadedBy: capes.uploadedBy,
  createdAt: capes.createdAt,
  ...textureColumns,
};

export function toCape(row: RowOf<typeof capeColumns>): Cape {
  const { id, uuid, name, uploadedBy, createdAt } = row;
  return { id, uuid, name, texture: toTexture(row), uploadedBy, createdAt };
}
