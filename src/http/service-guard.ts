import { Elysia } from "elysia";
import { AppError } from "../kernel/errors.ts";
import { findService } from "../domain/services/find-service.ts";
import type { ServiceToken } from "../domain/services/token.ts";
import type { Reads } from "../domain/stores.ts";
import { oncePerRequest } from "./session.ts";

export type ServiceGuardDeps = {
  readonly reads: Reads;
  /** The token that is a setting, if there is one. */
  readonly settingTokens: readonly ServiceToken[];
};

/**
 * Lets only services through, by the token in `Authorization: <token>` or `Authorization: Bearer <token>`, and gives handlers
 * the `issuer`, the audit's word for who acts. Like every guard it runs before the body is read.
 */
export function serviceGuard(deps: ServiceGuardDeps) {
  const found = oncePerRequest(async (request) => ({
    issuer: await findService(deps, tokenOf(request.headers.get("authorization"))),
  }));
  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => void (await found(request)))
    .derive({ as: "scoped" }, async ({ request }) => ({ ...(await found(request)) }));
}

function tokenOf(authorization: string | null): string {
  const token = (authorization ?? "").replace(/^Bearer +/i, "");
  if (token !== "") return token;
  throw new AppError("unauthenticated", "The Authorization header must hold a service token");
}
