import { isSameSecret } from "../../kernel/constant-time.ts";
import { limits } from "../../kernel/limits.ts";
import type { ActorRecord } from "../model/actor.ts";
import { refusals } from "../model/refusals.ts";
import {
  digestOfToken,
  newToken,
  parseTokenName,
  serviceRights,
  usualRights,
  type CreatedToken,
  type ServiceRight,
  type ServiceToken,
} from "../model/service-token.ts";
import type { Actor, RightReads, Transact } from "../ports/unit-of-work.ts";
import type { Reads } from "../ports/stores.ts";
import type { Used } from "../../kernel/use-times.ts";
import type { TokenActivity } from "./token-activity.ts";

/** A service that showed its token: as it acts, and what it may do. */
export type Service = {
  readonly actor: ActorRecord;
  readonly may: readonly ServiceRight[];
  /** The token, for `TokenActivity`. */
  readonly used: Used<number | string>;
};

/**
 * The service that shows this token. Nothing is remembered between two calls, so a revoked token is worth
 * nothing at once. Every token is compared, each in constant time, so the time that the answer takes says
 * nothing about them. Fails with unauthenticated.
 */
export async function findService(
  { settingTokens }: { readonly settingTokens: readonly ServiceToken[] },
  { serviceTokens }: Pick<RightReads, "serviceTokens">,
  token: string,
): Promise<Service> {
  const hash = digestOfToken(token);
  const created = await serviceTokens.listTokens();
  const tokens: readonly (ServiceToken | CreatedToken)[] = [...settingTokens, ...created];
  const known = tokens.find((one) => isSameSecret(one.hash, hash));
  if (known === undefined) throw refusals.unknownService();
  const used = usedToken(known);
  const actor = { name: `service:${known.name}`, accountId: null, via: `token:${used.id}` };
  return { actor, may: known.may, used };
}

function usedToken(token: ServiceToken | CreatedToken): Used<number | string> {
  return "id" in token ? token : { id: token.name, lastUsedAt: null };
}

/** A token as staff see it. */
export type ListedToken = Pick<ServiceToken, "name" | "may"> & {
  /** Unix seconds; null for the token that is a setting. */
  readonly createdAt: number | null;
  /** Unix seconds, to the minute; null: never, as far as is known. */
  readonly lastUsedAt: number | null;
};

/**
 * Every service token, first the one that is a setting, then the others by age. Administrators and operators
 * see them.
 */
export async function listTokens({
  reads,
  tokenActivity,
  settingTokens,
}: {
  readonly reads: Pick<Reads, "serviceTokens">;
  readonly tokenActivity: TokenActivity;
  readonly settingTokens: readonly ServiceToken[];
}): Promise<readonly ListedToken[]> {
  const listed = (token: ServiceToken | CreatedToken): ListedToken => ({
    name: token.name,
    may: token.may,
    createdAt: "id" in token ? token.createdAt : null,
    lastUsedAt: tokenActivity.lastUsedAt(usedToken(token)),
  });
  return [...settingTokens.map(listed), ...(await reads.serviceTokens.listTokens()).map(listed)];
}

type Deps = { readonly transact: Transact };

/**
 * Makes a token with these rights for the service of this name and returns it; it is shown only this once.
 * Only operators do this. Writes audit. Fails with invalid for a name that breaks the rules, with conflict
 * for a name that a token has, or for one token too many.
 */
export async function createToken(
  { transact }: Deps,
  actor: Actor,
  text: string,
  rights = usualRights,
): Promise<{ readonly created: CreatedToken; readonly token: string }> {
  const name = parseTokenName(text);
  const may = serviceRights.filter((right) => rights.includes(right));
  const token = newToken();
  const created = await transact(actor, async ({ serviceTokens, audit, now }) => {
    const tokens = await serviceTokens.listTokens();
    if (tokens.length >= limits.serviceTokensMax) throw refusals.enoughTokens(limits.serviceTokensMax);
    const created = await serviceTokens.insertToken({
      name,
      hash: digestOfToken(token),
      may,
      createdAt: now,
    });
    audit("token.create", null, { new: { id: created.id, name, may } });
    return created;
  });
  return { created, token };
}

/**
 * Makes the token of this name worthless, from the next request on. Operators and administrators do this.
 * Writes audit. Fails with not_found when there is none, with conflict for the token that is a setting.
 */
export async function revokeToken(
  { transact, settingTokens = [] }: Deps & { readonly settingTokens?: readonly ServiceToken[] },
  actor: Actor,
  name: string,
): Promise<CreatedToken> {
  if (settingTokens.some((token) => token.name === name)) throw refusals.tokenOfSettings();
  return transact(actor, async ({ serviceTokens, audit }) => {
    const token = await serviceTokens.deleteToken(name);
    if (token === null) throw refusals.unknownToken(name);
    audit("token.revoke", null, { old: { id: token.id, name } });
    return token;
  });
}
