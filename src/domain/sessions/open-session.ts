import { newUuid, type SessionId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { levelInForce } from "../model/account.ts";
import { consoleLifetime, sessionSeconds, sessionsMax, type Proof } from "../model/session.ts";
import { refuseSuspended } from "./suspended.ts";
import type { Session } from "../ports/session-store.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/** A member who signed in just now: what they proved, and their fresh session. */
export type SignedIn = Proof & { readonly session: Session };

/** The client that opens a session. */
export type Client = {
  readonly address: string;
  /** What it calls itself, cut when it is stored. */
  readonly userAgent: string;
  /**
   * For the console, whose sessions have lifetimes of their own: whether the person wants to stay signed in.
   */
  readonly console?: { readonly stay: boolean };
};

/** What a game session has beside its member. */
type OfGame = { readonly kind: "game" } & Pick<Session, "playerId" | "tokenHash" | "clientToken">;

const ofWeb = { kind: "web", playerId: null, tokenHash: null, clientToken: null } as const;

/**
 * Opens a session for a member who has proven their identity: one of the website or the console, unless it is
 * of a game. The oldest of its kind beyond `sessionsMax` end. Fails as `refuseSuspended` does.
 */
export async function openSession<Proven extends Proof>(
  tx: Tx,
  proof: Proven,
  { address, userAgent, console }: Client,
  use: OfGame | typeof ofWeb = ofWeb,
): Promise<Proven & SignedIn> {
  const { sessions, now } = tx;
  const { member, methods, provedAt } = proof;
  await refuseSuspended(tx, member.account.id);
  const level = levelInForce(member.account, now);
  const { seconds, idleSeconds } =
    console === undefined
      ? { seconds: sessionSeconds[use.kind], idleSeconds: null }
      : consoleLifetime({ stay: console.stay, level });
  const session: Session = {
    id: newUuid() as string as SessionId, // a fresh name for what is created here
    accountId: member.account.id,
    createdAt: now,
    expiresAt: now + seconds,
    lastUsedAt: now,
    address,
    userAgent: userAgent.slice(0, limits.userAgentLengthMax),
    methods,
    provedAt,
    refreshOnly: false,
    idleSeconds,
    ...use,
  };
  await sessions.insertSession(session);
  await sessions.trimSessions(session.accountId, session.kind, sessionsMax[session.kind]);
  return { ...proof, session };
}
