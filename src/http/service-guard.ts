import { AppError } from "../kernel/errors.ts";
import { findService } from "../domain/services/find-service.ts";
import type { ServiceToken } from "../domain/model/service-token.ts";
import { guard, type GuardDeps } from "./session.ts";

export type ServiceGuardDeps = Pick<GuardDeps, "reads" | "clock" | "noteUser"> & {
  /** The token that is a setting, if there is one. */
  readonly settingTokens: readonly ServiceToken[];
};

/**
 * Lets only services through, by the token in `Authorization: <token>` or `Authorization: Bearer <token>`, and gives handlers
 * the `actor`.
 */
export function serviceGuard(deps: ServiceGuardDeps) {
  return guard(deps, async (request) => {
    const token = tokenOf(request.headers.get("authorization"));
    return {
      find: (reads) => findService(reads, deps.settingTokens, token),
      note: (actor) => deps.noteUser(request, actor.name),
      admit: (actor) => ({ actor }),
    };
  });
}

function tokenOf(authorization: string | null): string {
  const token = (authorization ?? "").replace(/^Bearer +/i, "");
  if (token !== "") return token;
  throw new AppError("unauthenticated", "The Authorization header must hold a service token");
}
