import { limits } from "../../kernel/limits.ts";
import type { Level, Member } from "./account.ts";
import type { Person } from "./identity.ts";
import { isStaff } from "./policy.ts";

/** `web`: opened by a sign-in here. `game`: opened by a launcher. */
export type SessionKind = "web" | "game";

/** How long a session of each kind lasts, in seconds. */
export const sessionSeconds: Readonly<Record<SessionKind, number>> = {
  web: limits.sessionSeconds,
  game: limits.gameSessionSeconds,
};

/** How many sessions of each kind an account keeps: those that were opened last. */
export const sessionsMax: Readonly<Record<SessionKind, number>> = {
  web: limits.webSessionsMax,
  game: limits.gameSessionsMax,
};

/** What decides when a session ends. Times are Unix seconds. */
export type Lifetime = {
  readonly createdAt: number;
  /** When it ends, however much it is used. */
  readonly expiresAt: number;
  readonly lastUsedAt: number;
  /** Of a session of the console: how many seconds it may go unused; null for others. */
  readonly idleSeconds: number | null;
};

/** What brings the token of a web session: `cookie` the console's, `header` a program's `Authorization`. */
export type Carrier = "cookie" | "header";

/**
 * What alone may bring a session's token. By plain http a browser sends its cookies to every port of a host,
 * so the token that one holds opens nothing for a program; and a program's token in a cookie signs no browser
 * in.
 */
export function carrierOf({ idleSeconds }: Pick<Lifetime, "idleSeconds">): Carrier {
  return idleSeconds === null ? "header" : "cookie";
}

/**
 * How long a session of the console lasts from a sign-in on at this level, in seconds. Staff do not stay
 * signed in.
 */
export function consoleLifetime({ stay, level }: { readonly stay: boolean; readonly level: Level }): {
  readonly seconds: number;
  readonly idleSeconds: number;
} {
  if (!stay || isStaff(level)) return { seconds: limits.sessionSeconds, idleSeconds: limits.sessionSeconds };
  return { seconds: limits.stayingSessionSeconds, idleSeconds: limits.stayingIdleSeconds };
}

/**
 * When a session ends unless it is used before (Unix seconds). While its member is staff at this level in
 * force, one of the console lasts for a day and for two idle hours, however it was opened.
 */
export function endOf({ createdAt, expiresAt, lastUsedAt, idleSeconds }: Lifetime, level: Level): number {
  if (idleSeconds === null) return expiresAt;
  if (!isStaff(level)) return Math.min(expiresAt, lastUsedAt + idleSeconds);
  return Math.min(expiresAt, createdAt + limits.sessionSeconds, lastUsedAt + limits.staffIdleSeconds);
}

/**
 * How a person proved who they are: with the account's password, by a code from their mailbox, or at the
 * social provider of this name.
 */
export type ProofMethod = "password" | "mail" | `social:${string}`;

/** What a sign-in has proven: that a person is this member. */
export type Proof = {
  readonly member: Member;
  /** All that the person proved, in this order. */
  readonly methods: readonly ProofMethod[];
  /** When, in Unix seconds; for several methods the latest. */
  readonly provedAt: number;
};

/**
 * What a sign-in asks for before it opens a session. `connection`: no account is linked to this person, who
 * is to link theirs or to create one. The number allows it, once, for ten minutes.
 */
export type Challenge = {
  readonly challenge: "connection";
  readonly person: Person;
  readonly connectionId: number;
};
