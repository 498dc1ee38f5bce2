import { AppError } from "../../kernel/errors.ts";
import type { Issuer } from "../audit/audit.ts";
import type { RightReads } from "../rights.ts";
import { digestOfToken, type ServiceToken } from "./token.ts";

/**
 * Who the service is that shows this token, in the audit's words. Nothing is remembered between two calls, so a revoked token
 * is worth nothing at once. Every token is compared, each in constant time: what the answer takes tells nothing of them. Fails
 * with unauthenticated.
 */
export async function findService(
  deps: { readonly reads: RightReads; readonly settingTokens: readonly ServiceToken[] },
  token: string,
): Promise<Issuer> {
  const hash = digestOfToken(token);
  const tokens = [...deps.settingTokens, ...(await deps.reads.serviceTokens.listTokens())];
  const known = tokens.find((one) => isSameHash(one.hash, hash));
  if (known === undefined) throw new AppError("unauthenticated", "This service token is not valid");
  return `service:${known.name}`;
}

function isSameHash(kept: string, given: string): boolean {
  const [left, right] = [Buffer.from(kept), Buffer.from(given)];
  return left.length === right.length && crypto.timingSafeEqual(left, right);
}
