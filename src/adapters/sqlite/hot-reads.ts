/**
 * The hottest reads once more for SQLite: one statement of its own each, whose rows go straight into what
 * they become. Every request that is signed in looks up its session, a profile lists what an account has, and
 * every answer about a player that is not remembered asks what it shows. The statements of `adapters/sql`
 * take some 2 µs more, of a request of 35 µs.
 */
import type { Database } from "bun:sqlite";
import { getTableName, type Column } from "drizzle-orm";
import type {
  FoundGamePlayer,
  GameSession,
  LiveSession,
  SessionReads,
} from "../../domain/ports/session-store.ts";
import type { AccountReads } from "../../domain/ports/account-store.ts";
import type { TextureReads } from "../../domain/ports/texture-store.ts";
import type { AccountId, PlayerId, SessionId } from "../../kernel/ids.ts";
import {
  type Absent,
  type MemberRow,
  type PlayerRow,
  memberColumns,
  playerColumns,
  toMember,
  toPlayer,
} from "../sql/rows.ts";
import { appearanceColumns, type AppearanceRow, toAppearance } from "../sql/texture-rows.ts";
import { sessions } from "../sql/schema/access.ts";
import { players } from "../sql/schema/member.ts";
import { belongingsOf, toBelongings, type BelongingRow } from "../sql/belongings.ts";
import { textIn } from "../sql/statement.ts";
import { numbered } from "./sender.ts";
import { shownCape } from "../sql/shown.ts";

type HotReads = {
  readonly accounts: Pick<AccountReads, "findBelongings">;
  readonly sessions: Pick<SessionReads, "findSession" | "findGameSession" | "findGamePlayer" | "hasSession">;
  readonly textures: Pick<TextureReads, "findAppearance">;
};

export function hotReads(client: Database): HotReads {
  return {
    accounts: { findBelongings: belongingsFinder(client) },
    sessions: sessionReads(client),
    textures: { findAppearance: appearanceFinder(client) },
  };
}

function sessionReads(client: Database): HotReads["sessions"] {
  const { expiresAt, lastUsedAt, idleSeconds, kind } = sessions;
  // Accounts have a column `created_at` as well.
  const live = { openedAt: sessions.createdAt, expiresAt, lastUsedAt, idleSeconds, kind };
  const find = prepared(() =>
    client.query<MemberRow & LiveRow, [SessionId]>(`
    SELECT ${textOf(memberColumns)}, ${textOf(live)}
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    LEFT JOIN players ON players.id = main_player_id
    WHERE sessions.id = ?`),
  );
  return {
    findSession: async (id) => {
      const row = find().get(id);
      if (row === null) return null;
      const { openedAt, expiresAt, lastUsedAt, idleSeconds, kind } = row;
      const session = {
        id,
        accountId: row.id,
        createdAt: openedAt,
        expiresAt,
        lastUsedAt,
        idleSeconds,
        kind,
      };
      return { session, member: toMember(row) };
    },
    findGameSession: gameSessionFinder(client),
    ...joinReads(client),
  };
}

/** Of each join and of each question of a game server: a third of what all of a session costs. */
function joinReads(client: Database): Pick<SessionReads, "findGamePlayer" | "hasSession"> {
  const { id, createdAt, expiresAt, lastUsedAt, refreshOnly } = sessions;
  const { uuid, name } = players;
  const columns = { id, createdAt, expiresAt, lastUsedAt, refreshOnly, uuid, name };
  const find = client.query<JoiningRow, [string]>(`
    SELECT ${textOf(columns)} FROM sessions
    LEFT JOIN players ON players.id = sessions.player_id
    WHERE token_hash = ? AND kind = 'game'`);
  const has = client.query<object, [SessionId]>("SELECT 1 FROM sessions WHERE id = ?");
  return {
    findGamePlayer: async (tokenHash) => {
      const row = find.get(tokenHash);
      if (row === null) return null;
      const { uuid, name, ...session } = row;
      const player = uuid === null || name === null ? null : { uuid, name };
      return { session: { ...session, refreshOnly: row.refreshOnly === 1 }, player };
    },
    hasSession: async (id) => has.get(id) !== null,
  };
}

type JoiningRow = Omit<FoundGamePlayer["session"], "refreshOnly"> &
  Absent<NonNullable<FoundGamePlayer["player"]>> & { readonly refreshOnly: 0 | 1 };

type LiveRow = Pick<LiveSession, "expiresAt" | "lastUsedAt" | "idleSeconds" | "kind"> & {
  readonly openedAt: number;
};

/** SQLite has no booleans: raw statements return 0 and 1 for them. */
type GameRow = MemberRow &
  LiveRow &
  Pick<GameSession, "clientToken"> & {
    readonly sessionId: SessionId;
    readonly boundPlayerId: PlayerId | null;
    readonly refreshOnly: 0 | 1;
  };

const gameColumns = {
  sessionId: sessions.id,
  boundPlayerId: sessions.playerId,
  openedAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  lastUsedAt: sessions.lastUsedAt,
  idleSeconds: sessions.idleSeconds,
  kind: sessions.kind,
  clientToken: sessions.clientToken,
  refreshOnly: sessions.refreshOnly,
};

/**
 * Of every request with a game token, so it is raw as well. The bound player is mostly the main one, which is
 * read already.
 */
function gameSessionFinder(client: Database): SessionReads["findGameSession"] {
  const find = prepared(() =>
    client.query<GameRow, [string]>(`
    SELECT ${textOf(memberColumns)}, ${textOf(gameColumns)}
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    LEFT JOIN players ON players.id = main_player_id
    WHERE sessions.token_hash = ? AND sessions.kind = 'game'`),
  );
  const bound = prepared(() =>
    client.query<PlayerRow, [PlayerId]>(`SELECT ${textOf(playerColumns)} FROM players WHERE id = ?`),
  );
  const playerOf = (id: PlayerId) => {
    const row = bound().get(id);
    return row === null ? null : toPlayer(row);
  };

  return async (tokenHash) => {
    const row = find().get(tokenHash);
    if (row === null) return null;
    const { sessionId: id, expiresAt, lastUsedAt, idleSeconds, kind, clientToken, boundPlayerId } = row;
    const member = toMember(row);
    const session = {
      id,
      accountId: member.account.id,
      createdAt: row.openedAt,
      expiresAt,
      lastUsedAt,
      idleSeconds,
      kind,
      clientToken,
      refreshOnly: row.refreshOnly === 1,
    };
    if (boundPlayerId === null) return { session, member, player: null };
    const isMain = boundPlayerId === member.player?.id;
    return { session, member, player: isMain ? member.player : playerOf(boundPlayerId) };
  };
}

function appearanceFinder(client: Database): TextureReads["findAppearance"] {
  const finder = (where: string) =>
    prepared(() =>
      client.query<AppearanceRow, [string]>(`
      SELECT ${textOf(appearanceColumns)} FROM players
      LEFT JOIN skins ON skins.id = selected_skin_id
      LEFT JOIN textures AS skin_textures ON skin_textures.hash = skins.texture_hash
      LEFT JOIN capes ON capes.id = ${shownCape}
      LEFT JOIN textures AS cape_textures ON cape_textures.hash = capes.texture_hash
      LEFT JOIN textures AS wings_textures ON wings_textures.hash = capes.wings_hash
      WHERE players.${where}`),
    );
  const find = {
    // As in `named-by-uuid.ts`.
    uuid: finder(
      `id = coalesce((SELECT id FROM players WHERE uuid = ?1), (SELECT main_player_id FROM accounts WHERE uuid = ?1))`,
    ),
    name: finder("name_key = ?1"),
    offlineUuid: finder("offline_uuid = ?1"),
  };

  return async ({ by, value }) => {
    const row = find[by]().get(value);
    return row === null ? null : toAppearance(row);
  };
}

function belongingsFinder(client: Database): AccountReads["findBelongings"] {
  const rows = prepared(() =>
    client.query<BelongingRow, [AccountId, AccountId, number, AccountId]>(
      numbered(textIn("sqlite", belongingsOf)),
    ),
  );
  return async (account, now) => toBelongings(rows().all(account, account, now, account));
}

/** The statement, written and prepared when it is first sent: all of them took 3 ms of a start. */
function prepared<Sent>(prepare: () => Sent): () => Sent {
  let made: Sent | null = null;
  return () => (made ??= prepare());
}

/** The columns of a statement, each by its name. */
function textOf(columns: Readonly<Record<string, Column>>): string {
  const all = Object.entries(columns);
  return all
    .map(([name, { table, name: column }]) => `${getTableName(table)}.${column} AS ${name}`)
    .join(", ");
}
