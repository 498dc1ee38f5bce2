import { refusals } from "../model/refusals.ts";
import type { ActorRecord } from "../model/actor.ts";
import type { RightReads } from "../ports/unit-of-work.ts";
import { digestOfToken, type CreatedToken, type ServiceToken } from "../model/service-token.ts";

/**
 * The service that shows this token, as it acts. Nothing is remembered between two calls, so a revoked token is worth nothing
 * at once. Every token is compared, each in constant time, so the time that the answer takes says nothing about them. Fails
 * with unauthenticated.
 */
export async function findService(
  { serviceTokens }: Pick<RightReads, "serviceTokens">,
  settingTokens: readonly ServiceToken[],
  token: string,
): Promise<ActorRecord> {
  const hash = digestOfToken(token);
  const created = await serviceTokens.listTokens();
  const tokens: readonly (ServiceToken | CreatedToken)[] = [...settingTokens, ...created];
  const known = tokens.find((one) => isSameHash(one.hash, hash));
  if (known === undefined) throw refusals.unknownService();
  const via = `token:${"id" in known ? known.id : known.name}`;
  return { name: `service:${known.name}`, accountId: null, via };
}

function isSameHash(kept: string, given: string): boolean {
  const [left, right] = [Buffer.from(kept), Buffer.from(given)];
  return left.length === right.length && crypto.timingSafeEqual(left, right);
}
