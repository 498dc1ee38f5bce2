import { limits } from "../../kernel/limits.ts";
import type { Member } from "./account.ts";
import type { Person } from "./identity.ts";

/** `web`: opened by a sign-in here. `game`: opened by a launcher. */
export type SessionKind = "web" | "game";

/** How long a session of each kind lasts, in seconds. */
export const sessionSeconds: Readonly<Record<SessionKind, number>> = {
  web: limits.sessionSeconds,
  game: limits.gameSessionSeconds,
};

/** When a session ends (Unix seconds), and its kind, from which it follows when it was opened. */
type Lifetime = { readonly kind: SessionKind; readonly expiresAt: number };

/** Neither expired, nor opened in the future, before the clock was set back: such a session would last too long. */
export function isInTime({ kind, expiresAt }: Lifetime, now: number): boolean {
  const openedAt = expiresAt - sessionSeconds[kind];
  return expiresAt > now && openedAt <= now + limits.clockStepSeconds;
}

/** How a person proved who they are: with the account's password, or by signing in at the social provider of this name. */
export type ProofMethod = "password" | `social:${string}`;

/** What a sign-in has proven: that a person is this member. */
export type Proof = {
  readonly member: Member;
  /** All that the person proved, in this order. */
  readonly methods: readonly ProofMethod[];
  /** When, in Unix seconds; for several methods the latest. */
  readonly provedAt: number;
};

/**
 * What a sign-in asks for before it opens a session. `connection`: no account is linked to this person, who is to link theirs
 * or to create one. The number allows it, once, for ten minutes.
 */
export type Challenge = {
  readonly challenge: "connection";
  readonly person: Person;
  readonly connectionId: number;
};
