import { Elysia } from "elysia";
import { readProfile } from "../../../domain/members/profile.ts";
import { ok } from "../../envelope.ts";
import { describe } from "../../openapi/describe.ts";
import { memberGuard, type GuardDeps } from "../../session.ts";
import { accountRoutes, type AccountDeps } from "./account-routes.ts";
import { identityRoutes } from "./identity-routes.ts";
import { presentProfile } from "./present.ts";
import { profileEnvelope } from "./schema.ts";
import { sessionRoutes } from "./session-routes.ts";
import { wardrobeRoutes, type WardrobeDeps } from "./wardrobe-routes.ts";

export type HomeDeps = AccountDeps & WardrobeDeps;

/** What a failed edit's message begins with (contract, Errors: "message names the failed action"). */
export const editActions: Readonly<Record<string, string>> = {
  "PATCH /api/home/edit/username": "Username change",
  "PATCH /api/home/edit/password": "Password change",
  "POST /api/home/mail/request": "Mail change request",
  "POST /api/home/mail/validate": "Mail change",
  "POST /api/home/edit/removesocial": "Social link removal",
  "POST /api/home/edit/upload": "Skin upload",
  "PUT /api/home/edit/skin": "Skin change",
  "POST /api/home/edit/skin/select": "Skin selection",
  "DELETE /api/home/edit/skin": "Skin deletion",
};

/** `/api/home` (contract, Home). Everything asks for a session; all edits for a finished registration. */
export function homeRoutes(deps: HomeDeps) {
  return new Elysia({ prefix: "/api/home", tags: ["Home"] })
    .headers({ "cache-control": "no-store" })
    .use(profileRoute(deps))
    .use(sessionRoutes(deps))
    .use(accountRoutes(deps))
    .use(identityRoutes(deps))
    .use(wardrobeRoutes(deps));
}

function profileRoute(deps: GuardDeps) {
  return new Elysia()
    .use(memberGuard(deps))
    .get(
      "",
      async ({ member }) =>
        ok("Home profile", presentProfile(await readProfile(deps.reads, member, deps.clock.nowSeconds()))),
      {
        response: { 200: profileEnvelope },
        detail: describe({
          operationId: "getHomeProfile",
          summary: "Your profile, skins and capes",
          who: "members",
          msg: "Home profile",
        }),
      },
    );
}
