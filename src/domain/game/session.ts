import { limits } from "../../kernel/limits.ts";
import { refusals } from "../model/refusals.ts";
import { isInTime } from "../model/session.ts";
import type { FoundGameSession, GameSession } from "../ports/session-store.ts";
import type { RightReads } from "../ports/unit-of-work.ts";
import { hashOfGameToken } from "./tokens.ts";

/** What game tokens are looked up in, at a time (Unix seconds). */
export type GameReads = Pick<RightReads, "sessions" | "now">;

/**
 * The game session of a token, its member, and the player that it is bound to. Fails with unauthenticated for a token that is
 * unknown, was ended or has expired, and for one that can only be refreshed.
 */
export async function resumeGameSession(reads: GameReads, token: string): Promise<FoundGameSession> {
  const found = await findGameSession(reads, token);
  if (isStale(found.session, reads.now)) throw refusals.invalidGameToken();
  return found;
}

/** The same for a refresh, which also takes a token that is good for nothing else. */
export async function findGameSession(
  { sessions, now }: GameReads,
  token: string,
): Promise<FoundGameSession> {
  const hash = hashOfGameToken(token);
  const found = hash === null ? null : await sessions.findGameSession(hash);
  if (found === null || !isInTime(found.session, now)) throw refusals.invalidGameToken();
  return found;
}

/** Whether a token can only be refreshed: it is old, or its player was renamed. */
function isStale({ refreshOnly, expiresAt }: GameSession, now: number): boolean {
  const openedAt = expiresAt - limits.gameSessionSeconds;
  return refreshOnly || now >= openedAt + limits.gameSessionFreshSeconds;
}
