import { refusals } from "./refusals.ts";

/**
 * What a service token may allow: finding accounts, setting levels, reading events, serving launch servers,
 * granting capes.
 */
export const serviceRights = ["find", "permission", "events", "launcher", "cape"] as const;
/** One of them. */
export type ServiceRight = (typeof serviceRights)[number];
/**
 * What a new token may do unless its maker says otherwise: what every token could do before there were
 * rights.
 */
export const usualRights: readonly ServiceRight[] = ["find", "permission"];

/** What is known of a service's token. The token itself is shown once, when it is made, and kept nowhere. */
export type ServiceToken = {
  /** What the audit calls the service: `service:<name>`. */
  readonly name: string;
  /** The token's `digestOfToken`. */
  readonly hash: string;
  /** What it may do, in the order of `serviceRights`. */
  readonly may: readonly ServiceRight[];
};

/** A token that was made by an operator. */
export type CreatedToken = ServiceToken & {
  readonly id: number;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds, to the minute; null: never, or not since this is recorded. */
  readonly lastUsedAt: number | null;
};

/** The name of the service whose token is a setting. */
const settingTokenName = "default";
/** The service that a launch server is which signs its own tokens (`LaunchKey`). */
export const launchServerName = "launchserver";

/**
 * Names that mean a service without a token of its own: under one of them the audit would show what another
 * one did.
 */
const reservedTokenNames: ReadonlyMap<string, string> = new Map([
  [settingTokenName, "the token that is a setting"],
  [launchServerName, "the launch server that signs its own tokens (GRAVIT_KEY_FILE)"],
]);

/** The names of services. */
export const tokenNamePattern = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** A name that a new token may have. Fails with invalid. */
export function parseTokenName(text: string): string {
  if (!tokenNamePattern.test(text)) {
    throw refusals.badTokenName();
  }
  const owner = reservedTokenNames.get(text);
  if (owner !== undefined) throw refusals.reservedTokenName(text, owner);
  return text;
}

/**
 * The tokens that settings give: one or none. It may do everything, because the operator who sets it can make
 * any other token.
 */
export function tokensOfSettings(token: string | null): readonly ServiceToken[] {
  return token === null ? [] : [{ name: settingTokenName, hash: digestOfToken(token), may: serviceRights }];
}

/** A new token: 256 random bits, and a beginning that scanners for lost secrets can look for. */
export function newToken(): string {
  return `crs_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;
}

/**
 * The hex SHA-256 under which a token is kept. Tokens cannot be guessed, so it needs neither salt nor
 * slowness.
 */
export function digestOfToken(token: string): string {
  return new Bun.CryptoHasher("sha256").update(token).digest("hex");
}
