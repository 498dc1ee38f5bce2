import type { Account, Level, Member, Player } from "../../domain/model/account.ts";
import type { LiveSession, SessionReads } from "../../domain/ports/session-store.ts";
import type { PlayerId, SessionId } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";

/** SQLite has no booleans. */
type Flag = 0 | 1;

/** Rows hold only what the stores wrote, so ids and levels are what the types say. What a player adds is null without one. */
type Row = Omit<LiveSession, "id"> &
  Omit<Account, "id" | "mailVerified" | "wantsBulkMail" | "permanentLevel" | "role"> &
  Pick<Player, "name" | "selectedSkinId"> & {
    readonly mailVerified: Flag;
    readonly wantsBulkMail: Flag;
    readonly level: Level;
    readonly roleLevel: Level | null;
    readonly roleExpiresAt: number | null;
    readonly playerId: PlayerId | null;
    readonly playerUuid: Player["uuid"];
    readonly nameDerived: Flag;
  };

/**
 * The query of every request that is signed in, so it reads only what those look at, and asks the driver itself: with its rows
 * made by drizzle it takes twice as long.
 */
export function sessionFinder(db: Db): SessionReads["findSession"] {
  const find = db.$client.query<Row, [SessionId]>(`
    SELECT sessions.account_id AS accountId, expires_at AS expiresAt, last_used_at AS lastUsedAt,
           accounts.uuid, mail, mail_verified AS mailVerified, password_hash AS passwordHash, level,
           role_level AS roleLevel, role_expires_at AS roleExpiresAt, wants_bulk_mail AS wantsBulkMail,
           language, accounts.created_at AS createdAt, players.id AS playerId, players.uuid AS playerUuid,
           name, name_derived AS nameDerived, selected_skin_id AS selectedSkinId
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    LEFT JOIN players ON players.account_id = accounts.id
    WHERE sessions.id = ?`);

  return async (id) => {
    const row = find.get(id);
    if (row === null) return null;
    const { accountId, expiresAt, lastUsedAt } = row;
    return { session: { id, accountId, expiresAt, lastUsedAt }, member: toMember(row) };
  };
}

function toMember(row: Row): Member {
  const { accountId, roleLevel, roleExpiresAt, playerId } = row;
  const account = {
    id: accountId,
    uuid: row.uuid,
    mail: row.mail,
    mailVerified: row.mailVerified === 1,
    passwordHash: row.passwordHash,
    permanentLevel: row.level,
    role:
      roleLevel === null || roleExpiresAt === null ? null : { level: roleLevel, expiresAt: roleExpiresAt },
    wantsBulkMail: row.wantsBulkMail === 1,
    language: row.language,
    createdAt: row.createdAt,
  };
  if (playerId === null) return { account, player: null };
  const { playerUuid: uuid, name, selectedSkinId } = row;
  const nameDerived = row.nameDerived === 1;
  return { account, player: { id: playerId, uuid, accountId, name, nameDerived, selectedSkinId } };
}
