import { Elysia } from "elysia";
import { guarding, reading, unread } from "../../routing/legacy.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { createToken, listTokens, revokeToken } from "../../../domain/services/tokens.ts";
import { limits } from "../../../kernel/limits.ts";
import { jsonReader, } from "../../body.ts";
import { done, ok } from "../../envelope.ts";
import { staffGuard } from "../../guards.ts";
import { describe, succeeded } from "../../openapi/describe.ts";
import type { Parts } from "../../parts.ts";
import {
  newTokenBody,
  newTokenEnvelope,
  presentToken,
  tokenParams,
  tokensEnvelope,
} from "../../resources/service-token.ts";

const said = { tokens: "Service tokens" } as const;
const actions = { create: "Service token creation" } as const;

/** Tokens of services (docs/contract/admin.md#service-tokens). */
export function tokenRoutes(parts: Parts) {
  return new Elysia().use(listRoute(parts)).use(createRoute(parts)).use(revokeRoute(parts));
}

function listRoute(parts: Parts) {
  return new Elysia()
    .use(guarding(staffGuard(parts, "administer")))
    .get("/tokens", async () => ok(said.tokens, (await listTokens(parts)).map(presentToken)), {
      response: { 200: tokensEnvelope },
      detail: describe({
        operationId: "listServiceTokens",
        summary: "The tokens of services, without their values",
        description: `First that of the setting SERVICE_API_TOKEN, then the others by age, ${limits.serviceTokensMax} at most.`,
        who: "administrators",
        msg: said.tokens,
      }),
    });
}

function createRoute(parts: Parts) {
  return new Elysia()
    .use(guarding(staffGuard(parts, "administer")))
    .use(reading(jsonReader()))
    .post(
      "/tokens",
      async ({ actor, body: { name, rights } }) => {
        const { created, token } = await createToken(parts, actor, name, rights);
        return done(actions.create, { ...presentToken(created), token });
      },
      {
        body: newTokenBody,
        response: { 200: newTokenEnvelope },
        detail: describe({
          operationId: "createServiceToken",
          summary: "Make a token for a service",
          description: "Its value is in this answer and nowhere else: only a hash of it is kept.",
          who: "administrators",
          msg: succeeded(actions.create),
          errors: [refusals.takenTokenName(), refusals.enoughTokens(limits.serviceTokensMax)],
        }),
      },
    );
}

function revokeRoute(parts: Parts) {
  return new Elysia().use(guarding(staffGuard(parts, "administer"))).delete(
    "/tokens/:name",
    async ({ actor, params: { name }, set }) => {
      await revokeToken(parts, actor, name);
      set.status = 204;
    },
    {
      ...unread,
      params: tokenParams,
      detail: describe({
        operationId: "revokeServiceToken",
        summary: "Make the token of a service invalid, at once",
        who: "administrators",
        errors: [refusals.unknownToken("web-shop"), refusals.tokenOfSettings()],
        answers: { 204: { description: "The token is worth nothing any more" } },
      }),
    },
  );
}
