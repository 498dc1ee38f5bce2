import type { Clock } from "../../kernel/clock.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { playerOf, type Player } from "../model/account.ts";
import { anonymous } from "../model/actor.ts";
import { refusals } from "../model/refusals.ts";
import { isInTime } from "../model/in-time.ts";
import { sessionSeconds } from "../model/session.ts";
import type { FoundGamePlayer, FoundGameSession, GameSession } from "../ports/session-store.ts";
import type { Reads } from "../ports/stores.ts";
import type { RightReads, Transact, Tx } from "../ports/unit-of-work.ts";
import type { SessionActivity } from "../sessions/activity.ts";
import type { Client } from "../sessions/open-session.ts";
import { refuseSuspended } from "../sessions/suspended.ts";
import type { GameSignedIn } from "./sign-in.ts";
import { hashOfGameToken, newGameToken } from "./tokens.ts";

/** The stores that game tokens are looked up in, at a time (Unix seconds). */
type GameReads = Pick<RightReads, "sessions" | "now">;

/** How a token's hash is looked up: with all of its session's member, or not. */
type Find<Found> = (tokenHash: string) => Promise<Found | null>;

/** What the use of a token asks for. It writes nothing: when the session was used is noted for later. */
export type GameUseDeps = {
  readonly reads: Pick<Reads, "sessions">;
  readonly clock: Clock;
  readonly activity: SessionActivity;
};

/**
 * The game session of a token, its member, and the player that it is bound to. Fails with unauthenticated for
 * a token that is unknown, was ended or has expired, and for one that can only be refreshed.
 */
export async function resumeGameSession(reads: GameReads, token: string): Promise<FoundGameSession> {
  const found = await findGameSession(reads, token);
  if (isStale(found.session, reads.now)) throw refusals.invalidGameToken();
  return found;
}

/**
 * Uses a token. `clientToken`: what the launcher calls itself, which must be what it called itself at the
 * sign-in; null: it does not say. Fails as `resumeGameSession` does.
 */
export async function useGameToken(
  { reads, clock, activity }: GameUseDeps,
  { token, clientToken = null }: { readonly token: string; readonly clientToken?: string | null },
): Promise<FoundGameSession> {
  const now = clock.nowSeconds();
  const found = await resumeGameSession({ sessions: reads.sessions, now }, token);
  checkClient(found.session, clientToken);
  activity.note(found.session, now);
  return found;
}

/**
 * A token to exchange for a new one, and the player to bind the session to; null: it stays bound as it is.
 */
export type GameRefresh = Client & {
  readonly token: string;
  readonly clientToken: string | null;
  readonly player: { readonly uuid: Uuid; readonly name: string | null } | null;
  /**
   * Whether a session without a player then gets the main one. An account without any is refused with
   * forbidden.
   */
  readonly entersAsMain?: true;
};

/**
 * Exchanges a token, also one that is good for nothing else, for a new one of the same session; the old one
 * ends. A session without a player can be bound to one of the account's. Fails with unauthenticated for a
 * token that is not valid, with invalid for a session that has a player already and for an unknown player or
 * one of another name, with forbidden for another account's player, and as `refuseSuspended` does. The token
 * then stays as it was.
 */
export async function refreshGameSession(
  { reads, clock, transact }: Pick<GameUseDeps, "reads" | "clock"> & { readonly transact: Transact },
  input: GameRefresh,
): Promise<GameSignedIn> {
  // Made-up tokens hold no writer up.
  await findGameSession({ sessions: reads.sessions, now: clock.nowSeconds() }, input.token);
  const { token, hash: tokenHash } = newGameToken();
  return transact(anonymous, async (tx) => {
    const { now } = tx;
    const found = await findGameSession(tx, input.token);
    checkClient(found.session, input.clientToken);
    // A node of the former release may have opened it.
    await refuseSuspended(tx, found.member.account.id);
    const player = await playerToBind(tx, found, input);
    await tx.sessions.renewGameSession(found.session.id, {
      tokenHash,
      playerId: player?.id ?? null,
      createdAt: now,
      expiresAt: now + sessionSeconds.game,
      lastUsedAt: now,
      address: input.address,
      userAgent: input.userAgent.slice(0, limits.userAgentLengthMax),
    });
    const { account } = found.member;
    const players = await tx.players.list(account.id);
    return { token, clientToken: found.session.clientToken ?? "", account, players, player };
  });
}

/** As `useGameToken`, where no more than the player is needed. */
export async function useGamePlayer(
  { reads, clock, activity }: GameUseDeps,
  token: string,
): Promise<FoundGamePlayer> {
  const now = clock.nowSeconds();
  const found = await findInTime((hash) => reads.sessions.findGamePlayer(hash), now, token);
  if (isStale(found.session, now)) throw refusals.invalidGameToken();
  activity.note(found.session, now);
  return found;
}

/** Ends the session of a token, if it has one. */
export async function endGameSession(
  { reads, transact }: { readonly reads: Reads; readonly transact: Transact },
  token: string,
): Promise<void> {
  const hash = hashOfGameToken(token);
  // Made-up tokens cause no writes.
  if (hash === null || (await reads.sessions.findGameSession(hash)) === null) return;
  await transact(anonymous, async ({ sessions }) => {
    const found = await sessions.findGameSession(hash);
    if (found !== null) await sessions.deleteSession(found.session.id);
  });
}

function findGameSession({ sessions, now }: GameReads, token: string): Promise<FoundGameSession> {
  return findInTime((hash) => sessions.findGameSession(hash), now, token);
}

async function findInTime<Found extends FoundGamePlayer>(
  find: Find<Found>,
  now: number,
  token: string,
): Promise<Found> {
  const hash = hashOfGameToken(token);
  const found = hash === null ? null : await find(hash);
  if (found === null || !isInTime(found.session, now)) throw refusals.invalidGameToken();
  return found;
}

/** Whether a token can only be refreshed: it is old, or its player was renamed. */
function isStale(session: Pick<GameSession, "refreshOnly" | "expiresAt">, now: number): boolean {
  return session.refreshOnly || freshSecondsOf(session, now) <= 0;
}

/** For how many seconds a token is good for more than to be refreshed. */
export function freshSecondsOf({ expiresAt }: Pick<GameSession, "expiresAt">, now: number): number {
  const openedAt = expiresAt - sessionSeconds.game;
  return openedAt + limits.gameSessionFreshSeconds - now;
}

function checkClient({ clientToken }: GameSession, given: string | null): void {
  if (given !== null && given !== clientToken) throw refusals.invalidGameToken();
}

async function playerToBind(
  { accounts, players }: Tx,
  { member, player }: FoundGameSession,
  { player: wanted, entersAsMain }: GameRefresh,
): Promise<Player | null> {
  if (wanted === null) return player ?? (entersAsMain ? playerOf(member) : null);
  if (player !== null) throw new PlainError("invalid", "Access token already has a profile assigned.");
  const owner = await accounts.findMember({ by: "uuid", value: wanted.uuid });
  const all = owner === null ? [] : await players.list(owner.account.id);
  const found = all.find(({ uuid }) => uuid === wanted.uuid);
  if (found === undefined || (wanted.name !== null && wanted.name !== found.name)) {
    throw new PlainError("invalid", "no player has this id and name", { field: "player" });
  }
  if (found.accountId !== member.account.id) {
    throw new PlainError("forbidden", "This player belongs to another account");
  }
  return found;
}
