import { refusals } from "../../../domain/model/refusals.ts";
import { createToken, listTokens, revokeToken } from "../../../domain/services/tokens.ts";
import { limits } from "../../../kernel/limits.ts";
import { done, ok } from "../../envelope.ts";
import { staffGuard } from "../../guards.ts";
import type { Parts } from "../../parts.ts";
import {
  newTokenBody,
  newTokenEnvelope,
  presentToken,
  tokenParams,
  tokensEnvelope,
} from "../../resources/service-token.ts";
import { route } from "../../routing/route.ts";

const said = { tokens: "Service tokens" } as const;
const actions = { create: "Service token creation" } as const;

/** Tokens of services (docs/contract/admin.md#service-tokens). */
export function tokenRoutes(parts: Parts) {
  return [listRoute(parts), createRoute(parts), revokeRoute(parts)];
}

function listRoute(parts: Parts) {
  return route({
    method: "GET",
    path: "/tokens",
    guard: staffGuard(parts, "administer"),
    answer: tokensEnvelope,
    operationId: "listServiceTokens",
    summary: "The tokens of services, without their values",
    description: `First that of the setting SERVICE_API_TOKEN, then the others by age, ${limits.serviceTokensMax} at most.`,
    msg: said.tokens,
    handle: async () => ok(said.tokens, (await listTokens(parts)).map(presentToken)),
  });
}

function createRoute(parts: Parts) {
  return route({
    method: "POST",
    path: "/tokens",
    guard: staffGuard(parts, "administer"),
    body: newTokenBody,
    answer: newTokenEnvelope,
    operationId: "createServiceToken",
    summary: "Make a token for a service",
    description: "Its value is in this answer and nowhere else: only a hash of it is kept.",
    action: actions.create,
    errors: [refusals.takenTokenName(), refusals.enoughTokens(limits.serviceTokensMax)],
    handle: async ({ actor, body: { name, rights } }) => {
      const { created, token } = await createToken(parts, actor, name, rights);
      return done(actions.create, { ...presentToken(created), token });
    },
  });
}

function revokeRoute(parts: Parts) {
  return route({
    method: "DELETE",
    path: "/tokens/:name",
    guard: staffGuard(parts, "administer"),
    params: tokenParams,
    operationId: "revokeServiceToken",
    summary: "Make the token of a service invalid, at once",
    errors: [refusals.unknownToken("web-shop"), refusals.tokenOfSettings()],
    answers: { 204: { description: "The token is worth nothing any more" } },
    handle: async ({ actor, params: { name }, set }) => {
      await revokeToken(parts, actor, name);
      set.status = 204;
    },
  });
}
