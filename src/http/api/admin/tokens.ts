import { refusals } from "../../../domain/model/refusals.ts";
import { limits } from "../../../kernel/limits.ts";
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

/** Tokens of services (docs/contract/admin.md#service-tokens). */
export function tokenRoutes(services: Services, http: Http) {
  return [listRoute(services, http), createRoute(services, http), revokeRoute(services, http)];
}

function listRoute({ serviceTokens }: Services, { guards }: Http) {
  return route({
    method: "GET",
    path: "/tokens",
    guard: guards.staff("administer"),
    envelope: tokensEnvelope,
    operationId: "listServiceTokens",
    summary: "The tokens of services, without their values",
    description: `First that of the setting SERVICE_API_TOKEN, then the others by age, ${limits.serviceTokensMax} at most.`,
    msg: "Service tokens",
    handle: async () => (await serviceTokens.list()).map(presentToken),
  });
}

function createRoute({ serviceTokens }: Services, { guards }: Http) {
  return route({
    method: "POST",
    path: "/tokens",
    guard: guards.staff("administer"),
    body: newTokenBody,
    envelope: newTokenEnvelope,
    operationId: "createServiceToken",
    refuses: [refusals.badTokenName, refusals.reservedTokenName],
    summary: "Make a token for a service",
    description: "Its value is in this answer and nowhere else: only a hash of it is kept.",
    action: "Service token creation",
    errors: [refusals.takenTokenName(), refusals.enoughTokens(limits.serviceTokensMax)],
    handle: async ({ actor, body: { name, rights } }) => {
      const { created, token } = await serviceTokens.create(actor, name, rights);
      return { ...presentToken(created), token };
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
    empty: "The token is worth nothing any more",
    handle: ({ actor, params: { name } }) => serviceTokens.revoke(actor, name),
  });
}
