import { Elysia } from "elysia";
import { removeIdentity } from "../../../domain/social/remove.ts";
import { jsonReader } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { describe } from "../../openapi/describe.ts";
import { playerGuard } from "../../session.ts";
import { attemptOf, type AccountDeps } from "./account-routes.ts";
import { removeSocialBody } from "./schema.ts";

/** The member's social account (contract, Home). */
export function identityRoutes(deps: AccountDeps) {
  return new Elysia()
    .use(playerGuard(deps))
    .use(jsonReader())
    .post(
      "/edit/removesocial",
      async ({ actor, member, body, request }) => {
        await removeIdentity({ ...deps, attempt: attemptOf(deps, request, member) }, actor, member, body);
        return ok("Social link removal successfully", {});
      },
      {
        body: removeSocialBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "unlinkSocialAccount",
          summary: "Unlink your social account",
          description: "The password stays to sign in with, so an account that never had one cannot.",
          who: "players",
          msg: "Social link removal successfully",
        }),
      },
    );
}
