/** What statements read of accounts, players, identities and the audit, and the value that a row becomes. */
import type { Account, Member, Player, TemporaryLevel } from "../../domain/model/account.ts";
import type { ChainedEntry } from "../../domain/model/audit-chain.ts";
import type { Identity } from "../../domain/model/identity.ts";
import type { Cape } from "../../domain/model/texture.ts";
import type { AuditPerson, RecordedEntry } from "../../domain/ports/audit-store.ts";
import type { MemberPlace } from "../../domain/ports/account-store.ts";
import type { PlayerLook } from "../../domain/ports/player-store.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { identities } from "./schema/access.ts";
import { accounts, players } from "./schema/member.ts";

/** The columns of a table that these names say. */
export function pick<Table extends object, const Names extends readonly (keyof Table)[]>(
  table: Table,
  ...names: Names
): { readonly [Name in Names[number]]: Table[Name] } {
  // Each name of the result is one of `names`.
  return Object.fromEntries(names.map((name) => [name, table[name]])) as {
    readonly [Name in Names[number]]: Table[Name];
  };
}

/** SQLite has no booleans: its own hot reads get 0 and 1 for them. */
type Flag = boolean | 0 | 1;

/** The same columns, where a left join may have found no row. */
export type Absent<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

export const accountColumns = pick(
  accounts,
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
  "deleteAt",
);

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
    deleteAt: row.deleteAt,
  };
}

export function toTemporaryLevel({
  roleLevel,
  roleExpiresAt,
}: Pick<AccountRow, "roleLevel" | "roleExpiresAt">): TemporaryLevel | null {
  return roleLevel === null || roleExpiresAt === null ? null : { level: roleLevel, expiresAt: roleExpiresAt };
}

/**
 * What statements read of players. The names differ from those of an account, because a member's row has
 * both.
 */
export function playerColumnsOf(table: typeof players) {
  return {
    playerId: table.id,
    playerUuid: table.uuid,
    ...pick(
      table,
      "accountId",
      "name",
      "nameDerived",
      "selectedSkinId",
      "ownCapeId",
      "hidesCape",
      "sharesSkin",
    ),
    playerCreatedAt: table.createdAt,
  };
}
export const playerColumns = playerColumnsOf(players);
export const memberColumns = { ...accountColumns, ...playerColumns };

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

/**
 * An account and its main player, joined by reference: one row for each account, however many players it has.
 */
export type MemberRow = AccountRow & Absent<PlayerRow>;

export function toMember(row: MemberRow): Member {
  return { account: toAccount(row), player: hasPlayer(row) ? toPlayer(row) : null };
}

function hasPlayer(row: MemberRow): row is AccountRow & PlayerRow {
  return row.playerId !== null;
}

export const identityColumns = pick(
  identities,
  "accountId",
  "provider",
  "issuer",
  "subject",
  "username",
  "avatar",
  "linkedAt",
);

export function toIdentity(row: Identity): Identity {
  const { accountId, provider, issuer, subject, username, avatar, linkedAt } = row;
  return { accountId, provider, issuer, subject, username, avatar, linkedAt };
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
 * The distance between places from 1 to the last id, of which there are at most as many as asked for. It is a
 * power of two, so the places stay where they are as rows are added, until there are twice as many.
 */
export function sampleStep(last: number, most: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(last / most)));
}
