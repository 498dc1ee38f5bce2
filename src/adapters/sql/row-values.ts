/**
 * What statements read of each table, and the value that a row becomes, once for all engines. Names are those of the schemas'
 * properties, which are equal; `pick` gives each engine its own columns.
 */
import type { Account, Member, Player, TemporaryLevel } from "../../domain/model/account.ts";
import type { ChainedEntry } from "../../domain/model/audit-chain.ts";
import type { Identity } from "../../domain/model/identity.ts";
import type { Cape, GrantedCape, OwnedSkin, Skin, SkinModel, Texture } from "../../domain/model/texture.ts";
import type { AuditPerson, RecordedEntry } from "../../domain/ports/audit-store.ts";
import type { MemberPlace } from "../../domain/ports/account-store.ts";
import type { PlayerLook } from "../../domain/ports/player-store.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import type { AccountId, Uuid } from "../../kernel/ids.ts";

/** The columns of a table that these names say. */
export function pick<Table extends object, const Picked extends Readonly<Record<string, keyof Table>>>(
  table: Table,
  names: Picked,
): { readonly [Name in keyof Picked]: Table[Picked[Name]] } {
  // Each name of the result is one of `names`, with the column that it stands for.
  return Object.fromEntries(Object.entries(names).map(([name, property]) => [name, table[property]])) as {
    readonly [Name in keyof Picked]: Table[Picked[Name]];
  };
}

/** Names that a row and the table share. */
function same<const Shared extends readonly string[]>(
  ...names: Shared
): { readonly [Name in Shared[number]]: Name } {
  // The entries are those that the type says.
  return Object.fromEntries(names.map((name) => [name, name])) as { readonly [Name in Shared[number]]: Name };
}

/** SQLite has no booleans: its raw statements return 0 and 1 for them. */
type Flag = boolean | 0 | 1;

/** The same columns, where a left join may have found no row. */
type Absent<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

export const accountNames = same(
  "id",
  "uuid",
  "registration",
  "mail",
  "mailVerified",
  "passwordHash",
  "permanentLevel",
  "roleLevel",
  "roleExpiresAt",
  "wantsBulkMail",
  "language",
  "playersMax",
  "createdAt",
) satisfies Record<keyof AccountRow, string>;

export type AccountRow = Omit<Account, "mailVerified" | "wantsBulkMail" | "temporaryLevel"> & {
  readonly mailVerified: Flag;
  readonly wantsBulkMail: Flag;
  readonly roleLevel: TemporaryLevel["level"] | null;
  readonly roleExpiresAt: TemporaryLevel["expiresAt"] | null;
};

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    uuid: row.uuid,
    registration: row.registration,
    mail: row.mail,
    mailVerified: Boolean(row.mailVerified),
    passwordHash: row.passwordHash,
    permanentLevel: row.permanentLevel,
    temporaryLevel: toTemporaryLevel(row),
    wantsBulkMail: Boolean(row.wantsBulkMail),
    language: row.language,
    playersMax: row.playersMax,
    createdAt: row.createdAt,
  };
}

function toTemporaryLevel({ roleLevel, roleExpiresAt }: AccountRow): TemporaryLevel | null {
  return roleLevel === null || roleExpiresAt === null ? null : { level: roleLevel, expiresAt: roleExpiresAt };
}

/** They differ from the names of an account, because a member's row has both. */
export const playerNames = {
  playerId: "id",
  playerUuid: "uuid",
  ...same("accountId", "name", "nameDerived", "selectedSkinId", "ownCapeId", "hidesCape", "sharesSkin"),
  playerCreatedAt: "createdAt",
} as const satisfies Record<keyof PlayerRow, string>;

export type PlayerRow = Pick<Player, "accountId" | "name" | "selectedSkinId"> & {
  readonly playerId: Player["id"];
  readonly playerUuid: Player["uuid"];
  readonly nameDerived: Flag;
  readonly ownCapeId: Cape["id"] | null;
  readonly hidesCape: Flag;
  readonly sharesSkin: Flag;
  readonly playerCreatedAt: Player["createdAt"];
};

export function toPlayer(row: PlayerRow): Player {
  return {
    id: row.playerId,
    uuid: row.playerUuid,
    accountId: row.accountId,
    name: row.name,
    nameDerived: Boolean(row.nameDerived),
    selectedSkinId: row.selectedSkinId,
    ownCape: row.ownCapeId ?? (row.hidesCape ? "none" : "as-skin"),
    sharesSkin: Boolean(row.sharesSkin),
    createdAt: row.playerCreatedAt,
  };
}

/** A player, and the UUIDs of what it shows, joined by reference. */
type LookRow = PlayerRow &
  Pick<PlayerLook, "skin" | "cape" | "ownCape"> & { readonly mainPlayerId: Player["id"] | null };

export function toLook(row: LookRow): PlayerLook {
  const { mainPlayerId, skin, cape, ownCape } = row;
  return { player: toPlayer(row), isMain: mainPlayerId === row.playerId, skin, cape, ownCape };
}

/** An account and its main player, joined by reference: one row for each account, however many players it has. */
export type MemberRow = AccountRow & Absent<PlayerRow>;

export function toMember(row: MemberRow): Member {
  return { account: toAccount(row), player: hasPlayer(row) ? toPlayer(row) : null };
}

function hasPlayer(row: MemberRow): row is AccountRow & PlayerRow {
  return row.playerId !== null;
}

export const textureNames = same("hash", "file", "digest", "width", "height") satisfies Record<
  keyof Texture,
  string
>;

export function toTexture({ hash, file, digest, width, height }: Texture): Texture {
  return { hash, file, digest, width, height };
}

export const skinNames = same("id", "uuid", "accountId", "name", "model", "capeId", "createdAt");

/** A skin and its texture. */
export type SkinRow = Omit<Skin, "texture"> & Texture;

export function toSkin(row: SkinRow): Skin {
  const { id, uuid, accountId, name, model, capeId, createdAt } = row;
  return { id, uuid, accountId, name, model, capeId, texture: toTexture(row), createdAt };
}

/** What the row of a skin has of its owner's main player, and of its cape. */
export const skinOwnerNames = { ownerName: "name", selectedSkinId: "selectedSkinId" } as const;
export const skinCapeNames = { capeUuid: "uuid" } as const;

/** A skin with its owner's main player and its cape. */
export type OwnedSkinRow = SkinRow &
  Absent<Pick<OwnedSkin, "ownerName" | "capeUuid"> & Pick<Player, "selectedSkinId">>;

export function toOwnedSkin(row: OwnedSkinRow): OwnedSkin {
  const { ownerName, selectedSkinId, capeUuid } = row;
  return { ...toSkin(row), ownerName: ownerName ?? "", capeUuid, isSelected: selectedSkinId === row.id };
}

export const capeNames = same("id", "uuid", "name", "uploadedBy", "wingsHash", "createdAt");

/** A cape and its texture. */
export type CapeRow = Omit<Cape, "texture"> & Texture;

export function toCape(row: CapeRow): Cape {
  const { id, uuid, name, wingsHash, uploadedBy, createdAt } = row;
  return { id, uuid, name, texture: toTexture(row), wingsHash, uploadedBy, createdAt };
}

/** What the row of a granted cape has of the grant. */
export const grantNames = { grantExpiresAt: "expiresAt" } as const;

/** A cape, and when its grant to an account ends. */
export type GrantedCapeRow = CapeRow & Pick<GrantedCape, "grantExpiresAt">;

export function toGrantedCape(row: GrantedCapeRow): GrantedCape {
  return { ...toCape(row), grantExpiresAt: row.grantExpiresAt };
}

export const identityNames = same(
  "accountId",
  "provider",
  "issuer",
  "subject",
  "username",
  "avatar",
  "linkedAt",
) satisfies Record<keyof Identity, string>;

export function toIdentity(row: Identity): Identity {
  const { accountId, provider, issuer, subject, username, avatar, linkedAt } = row;
  return { accountId, provider, issuer, subject, username, avatar, linkedAt };
}

/** What a player shows, by what each table has of it. Textures are joined three times. */
export const appearanceNames = {
  players: same("uuid", "name"),
  skins: { skinUuid: "uuid", model: "model" },
  skinTextures: {
    skinHash: "hash",
    skinFile: "file",
    skinDigest: "digest",
    skinWidth: "width",
    skinHeight: "height",
  },
  capes: { capeUuid: "uuid" },
  capeTextures: {
    capeHash: "hash",
    capeFile: "file",
    capeDigest: "digest",
    capeWidth: "width",
    capeHeight: "height",
  },
  wingsTextures: {
    wingsHash: "hash",
    wingsFile: "file",
    wingsDigest: "digest",
    wingsWidth: "width",
    wingsHeight: "height",
  },
} as const;

type TextureCells<Kind extends string> = {
  readonly [Name in keyof Texture as `${Kind}${Capitalize<Name>}`]: Texture[Name];
};

/** Where a join found no row, all cells of that table are null. */
export type AppearanceRow = Pick<PlayerRow, "name"> & {
  readonly uuid: Uuid;
} & (
    | { readonly skinUuid: null }
    | ({ readonly skinUuid: Uuid; readonly model: SkinModel } & TextureCells<"skin">)
  ) &
  (
    | { readonly capeUuid: null }
    | ({ readonly capeUuid: Uuid } & TextureCells<"cape"> &
        ({ readonly wingsHash: null } | TextureCells<"wings">))
  );

export function toAppearance(row: AppearanceRow): Appearance {
  const skin =
    row.skinUuid === null ? null : { uuid: row.skinUuid, model: row.model, texture: toSkinTexture(row) };
  const cape =
    row.capeUuid === null
      ? null
      : {
          uuid: row.capeUuid,
          texture: toCapeTexture(row),
          wings: toWingsTexture(row),
        };
  const { uuid, name } = row;
  return { uuid, playerUuid: uuid, name, skin, cape };
}

function toSkinTexture(row: TextureCells<"skin">): Texture {
  const { skinHash: hash, skinFile: file, skinDigest: digest, skinWidth: width, skinHeight: height } = row;
  return { hash, file, digest, width, height };
}

function toCapeTexture(row: TextureCells<"cape">): Texture {
  const { capeHash: hash, capeFile: file, capeDigest: digest, capeWidth: width, capeHeight: height } = row;
  return { hash, file, digest, width, height };
}

function toWingsTexture(row: { readonly wingsHash: null } | TextureCells<"wings">): Texture | null {
  if (row.wingsHash === null) return null;
  const { wingsHash: hash, wingsFile: file, wingsDigest: digest, wingsWidth: width } = row;
  return { hash, file, digest, width, height: row.wingsHeight };
}

/** An entry of the audit, whose numbers are those of accounts. */
type EntryRow = Omit<ChainedEntry, "actorAccountId" | "forAccountId"> & {
  readonly actorAccountId: AccountId | null;
  readonly forAccountId: AccountId | 0;
};

export function toRecordedEntry(row: EntryRow): RecordedEntry {
  const { id, actorName, actorAccountId, actorVia, action, at } = row;
  const actor = { name: actorName, accountId: actorAccountId, via: actorVia };
  const forAccountId = row.forAccountId === 0 ? null : row.forAccountId;
  return { id, actor, action, forAccountId, at, detail: readDetail(row.detail) };
}

/** An account that entries name, and its deletion's entry if it does not exist. */
export type AuditPersonRow = {
  readonly id: number;
  /** The account's number again; null if it does not exist. */
  readonly found: number | null;
  readonly playerName: string | null;
  readonly mail: string | null;
  /** The detail of the entry of its deletion. */
  readonly deletion: string | null;
};

export function toAuditPerson({ id, found, playerName, mail, deletion }: AuditPersonRow): AuditPerson {
  if (found !== null) return { id, name: playerName ?? mail ?? "", isDeleted: false };
  const { old } = deletion === null ? {} : readDetail(deletion);
  return { id, name: nameBefore(old), isDeleted: true };
}

function nameBefore(old: unknown): string {
  if (typeof old !== "object" || old === null) return "";
  const { username, mail } = old as { readonly username?: unknown; readonly mail?: unknown };
  return [username, mail].find((name) => typeof name === "string" && name !== "")?.toString() ?? "";
}

/** A forged entry must not hide the others; `audit verify` reports it. */
function readDetail(text: string): RecordedEntry["detail"] {
  try {
    const detail: unknown = JSON.parse(text);
    if (typeof detail === "object" && detail !== null) return { ...detail };
  } catch {
    // Returned below, like every other text that is no detail.
  }
  return { unreadable: text };
}

/** The place before every member that was ever seen. */
export const endOfTime = { id: Number.MAX_SAFE_INTEGER, key: String(Number.MAX_SAFE_INTEGER) } as const;

/** Whether a place is among the members without a key. */
export function isKeyless(place: MemberPlace | null): place is MemberPlace & { readonly key: null } {
  return place !== null && place.key === null;
}

/**
 * The distance between places from 1 to the last id, of which there are at most as many as asked for. It is a power of two, so the
 * places stay where they are as rows are added, until there are twice as many.
 */
export function sampleStep(last: number, most: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(last / most)));
}
