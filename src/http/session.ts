import { Elysia } from "elysia";
import type { Clock } from "../kernel/clock.ts";
import { resumeSession, type SignedInMember } from "../domain/sessions/session.ts";
import type { Reads } from "../domain/stores.ts";
import type { Tokens } from "./tokens.ts";

/**
 * Lets only signed-in members through and gives handlers the `member`. It runs before the body is read and before
 * anything is validated, so a stranger learns nothing but 401.
 */
export function sessionGuard(deps: {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly tokens: Tokens;
}) {
  const resumed = new WeakMap<Request, Promise<SignedInMember>>();
  const memberOf = (request: Request): Promise<SignedInMember> => {
    const known = resumed.get(request);
    if (known !== undefined) return known;
    const member = deps.tokens
      .read(request.headers.get("authorization"))
      .then((claims) => resumeSession(deps, claims));
    resumed.set(request, member);
    return member;
  };

  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => {
      await memberOf(request);
    })
    .derive({ as: "scoped" }, async ({ request }) => ({ member: await memberOf(request) }));
}
