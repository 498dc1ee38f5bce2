import { refusals } from "../../../domain/model/refusals.ts";
import { limits } from "../../../kernel/limits.ts";
import { done, ok } from "../../envelope.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http } from "../../http.ts";
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
export function tokenRoutes(services: Services, http: Http) {
  return [listRoute(services, http), createRoute(services, http), revokeRoute(services, http)];
}

function listRoute({ serviceTokens }: Services, { guards }: Http) {
  return route({
    method: "GET",
    path: "/tokens",
    guard: guards.staff("administer"),
    answer: tokensEnvelope,
    operationId: "listServiceTokens",
    summary: "The tokens of services, without their values",
    description: `First that of the setting SERVICE_API_TOKEN, then the others by age, ${limits.serviceTokensMax} at most.`,
    msg: said.tokens,
    handle: async () => ok(said.tokens, (await serviceTokens.list()).map(presentToken)),
  });
}

function createRoute({ serviceTokens }: Services, { guards }: Http) {
  return route({
    method: "POST",
    path: "/tokens",
    guard: guards.staff("administer"),
    body: newTokenBody,
    answer: newTokenEnvelope,
    operationId: "createServiceToken",
    refuses: [refusals.badTokenName, refusals.reservedTokenName],
    summary: "Make a token for a service",
    description: "Its value is in this answer and nowhere else: only a hash of it is kept.",
    action: actions.create,
    errors: [refusals.takenTokenName(), refusals.enoughTokens(limits.serviceTokensMax)],
    handle: async ({ actor, body: { name, rights } }) => {
      const { created, token } = await serviceTokens.create(actor, name, rights);
      return done(actions.create, { ...presentToken(created), token });
    },
  });
}

function revokeRoute({ serviceTokens }: Services, { guards }: Http) {
  return route({
    method: "DELETE",
    path: "/tokens/:name",
    guard: guards.staff("administer"),
    params: tokenParams,
    operationId: "revokeServiceToken",
    summary: "Make the token of a service invalid, at once",
    errors: [refusals.unknownToken("web-shop"), refusals.tokenOfSettings()],
    answers: { 204: { description: "The token is worth nothing any more" } },
    handle: async ({ actor, params: { name }, set }) => {
      await serviceTokens.revoke(actor, name);
      set.status = 204;
    },
  });
}
