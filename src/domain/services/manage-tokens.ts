import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { commandLine } from "../model/actor.ts";
import type { Transact } from "../ports/stores.ts";
import { digestOfToken, newToken, parseTokenName, type CreatedToken } from "../model/service-token.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/**
 * Makes a token for the service of this name and tells it, the only time that anybody sees it. Only operators do this. Writes
 * audit. Fails with invalid for a name that breaks the rules, with conflict for one that a token has, or for one token too
 * many.
 */
export async function createToken(
  { transact, clock }: Deps,
  name: string,
): Promise<{ readonly created: CreatedToken; readonly token: string }> {
  const known = parseTokenName(name);
  const token = newToken();
  const created = await transact(async (stores) => {
    if ((await stores.serviceTokens.listTokens()).length >= limits.serviceTokensMax) {
      throw new AppError(
        "conflict",
        `There are ${limits.serviceTokensMax} service tokens, which is the most: revoke one first`,
      );
    }
    const at = clock.nowSeconds();
    const hash = digestOfToken(token);
    const created = await stores.serviceTokens.insertToken({ name: known, hash, createdAt: at });
    const detail = { new: { id: created.id, name: known } };
    const entry = { actor: commandLine, action: "token.create", forAccountId: null, at, detail };
    await stores.audit.append(entry);
    return created;
  });
  return { created, token };
}

/**
 * Makes the token of this name worthless, from the next request on. Only operators do this. Writes audit. Fails with not_found
 * when there is none.
 */
export async function revokeToken({ transact, clock }: Deps, name: string): Promise<CreatedToken> {
  return transact(async (stores) => {
    const token = await stores.serviceTokens.deleteToken(name);
    if (token === null) throw new AppError("not_found", `There is no service token named ${name}`);
    const at = clock.nowSeconds();
    const detail = { old: { id: token.id, name } };
    const entry = { actor: commandLine, action: "token.revoke", forAccountId: null, at, detail };
    await stores.audit.append(entry);
    return token;
  });
}
