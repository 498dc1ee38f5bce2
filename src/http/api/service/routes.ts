import { Elysia } from "elysia";
import type { Clock } from "../../../kernel/clock.ts";
import { setRole } from "../../../domain/members/roles.ts";
import { findAccount, type AccountClues } from "../../../domain/services/find-account.ts";
import type { SocialProviders } from "../../../domain/social/provider.ts";
import { jsonReader } from "../../body.ts";
import { ok } from "../../envelope.ts";
import { readExpiry, readSocialId, readUserId } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import type { Transact } from "../../../domain/ports/unit-of-work.ts";
import { serviceGuard, type ServiceGuardDeps } from "../../service-guard.ts";
import { lastAdministrator, temporaryLevel } from "../admin/described.ts";
import { presentRole } from "../admin/present-user.ts";
import { roleEnvelope } from "../admin/schema-user.ts";
import { presentFound } from "./present.ts";
import { findBody, foundUser, permissionBody } from "./schema.ts";

export type ServiceDeps = ServiceGuardDeps & {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly providers: SocialProviders;
};

/** `/api/service` (contract, Service endpoints): what other services ask for, with a service token. */
export function serviceRoutes(deps: ServiceDeps) {
  return new Elysia({ prefix: "/api/service", tags: ["Service endpoints"] })
    .headers({ "cache-control": "no-store" })
    .use(serviceGuard(deps))
    .use(jsonReader({ exactIn: ["Social_id"] }))
    .post("/user", async ({ body }) => presentFound(await findAccount(deps, cluesOf(body))), {
      body: findBody,
      response: { 200: foundUser },
      detail: describe({
        operationId: "findUser",
        summary: "Find an account by its id at the social provider, or by username",
        description:
          "Both together must mean the same account. Where several providers are on, an id is looked for at the first one first. The answer comes without the envelope.",
        who: "services",
        errors: {
          not_found: "No account is known by this",
          conflict: "Social_id: people of several social providers have this id",
        },
        answers: { 200: { description: "The account, and who it is at the social provider" } },
      }),
    })
    .post(
      "/permission",
      async ({ actor, body }) => {
        const now = deps.clock.nowSeconds();
        const account = readUserId("userid", String(body.userid));
        const expiresAt = readExpiry(body.expired_at, now);
        const member = await setRole(deps, actor, {
          account,
          level: body.permission,
          expiresAt,
        });
        return ok("Permission change successfully", presentRole(member, expiresAt, now));
      },
      {
        body: permissionBody,
        response: { 200: roleEnvelope },
        detail: describe({
          operationId: "setPermission",
          summary: "Give a user a level, for good or for a time",
          description: temporaryLevel,
          who: "services",
          msg: "Permission change successfully",
          errors: { not_found: "No user is known as 17", conflict: lastAdministrator },
        }),
      },
    );
}

/** Typed clients send 0, "" or null for what they do not ask by. */
function cluesOf({ Social_id: id, Playername: name }: typeof findBody.static): AccountClues {
  return { socialId: id ? readSocialId(id) : null, username: name ? name : null };
}
