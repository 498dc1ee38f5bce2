import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { commandLine, type ActorRecord } from "../model/actor.ts";
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
import type { RightReads, Transact } from "../ports/unit-of-work.ts";

/** A service that showed its token: as it acts, and what it may do. */
export type Service = { readonly actor: ActorRecord; readonly may: readonly ServiceRight[] };

/**
 * The service that shows this token. Nothing is remembered between two calls, so a revoked token is worth nothing at
 * once. Every token is compared, each in constant time, so the time that the answer takes says nothing about them. Fails
 * with unauthenticated.
 */
export async function findService(
  { serviceTokens }: Pick<RightReads, "serviceTokens">,
  settingTokens: readonly ServiceToken[],
  token: string,
): Promise<Service> {
  const hash = digestOfToken(token);
  const created = await serviceTokens.listTokens();
  const tokens: readonly (ServiceToken | CreatedToken)[] = [...settingTokens, ...created];
  const known = tokens.find((one) => isSameHash(one.hash, hash));
  if (known === undefined) throw refusals.unknownService();
  const via = `token:${"id" in known ? known.id : known.name}`;
  return { actor: { name: `service:${known.name}`, accountId: null, via }, may: known.may };
}

function isSameHash(kept: string, given: string): boolean {
  const [left, right] = [Buffer.from(kept), Buffer.from(given)];
  return left.length === right.length && crypto.timingSafeEqual(left, right);
}

type Deps = { readonly transact: Transact };

/**
 * Makes a token with these rights for the service of this name and returns it; it is shown only this once. Only operators do
 * this. Writes audit. Fails with invalid for a name that breaks the rules, with conflict for a name that a token has, or for
 * one token too many.
 */
export async function createToken(
  { transact }: Deps,
  text: string,
  rights = usualRights,
): Promise<{ readonly created: CreatedToken; readonly token: string }> {
  const name = parseTokenName(text);
  const may = serviceRights.filter((right) => rights.includes(right));
  const token = newToken();
  const created = await transact(commandLine, async ({ serviceTokens, audit, now }) => {
    if ((await serviceTokens.listTokens()).length >= limits.serviceTokensMax) {
      const message = `There are ${limits.serviceTokensMax} service tokens, which is the most: revoke one first`;
      throw new AppError("conflict", message);
    }
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
 * Makes the token of this name worthless, from the next request on. Only operators do this. Writes audit. Fails with not_found
 * when there is none.
 */
export async function revokeToken({ transact }: Deps, name: string): Promise<CreatedToken> {
  return transact(commandLine, async ({ serviceTokens, audit }) => {
    const token = await serviceTokens.deleteToken(name);
    if (token === null) throw new AppError("not_found", `There is no service token named ${name}`);
    audit("token.revoke", null, { old: { id: token.id, name } });
    return token;
  });
}
