import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { limits } from "../../../kernel/limits.ts";
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
export function tokenRoutes({ serviceTokens }: Services, { guards }: Http) {
  return [
    route("GET", "/tokens", {
      guard: guards.staff("administer"),
      envelope: tokensEnvelope,
      operationId: "listServiceTokens",
      summary: "The tokens of services, without their values",
      description: `First that of the setting SERVICE_API_TOKEN, then the others by age, ${limits.serviceTokensMax} at most.`,
      msg: "Service tokens",
      handle: async () => (await serviceTokens.list()).map(presentToken),
    }),
    route("POST", "/tokens", {
      guard: guards.staff("administer"),
      body: newTokenBody,
      envelope: newTokenEnvelope,
      operationId: "createServiceToken",
      summary: "Make a token for a service",
      description: "Its value is in this answer and nowhere else: only a hash of it is kept.",
      action: "Service token creation",
      errors: [refusals.takenTokenName(), refusals.enoughTokens(limits.serviceTokensMax)],
      refuses: [refusals.badTokenName, refusals.reservedTokenName],
      handle: async ({ actor, body: { name, rights } }) => {
        const { created, token } = await serviceTokens.create(actor, name, rights);
        return { ...presentToken(created), token };
      },
    }),
    route("DELETE", "/tokens/:name", {
      guard: guards.staff("administer"),
      params: tokenParams,
      operationId: "revokeServiceToken",
      summary: "Make the token of a service invalid, at once",
      errors: [refusals.unknownToken("web-shop"), refusals.tokenOfSettings()],
      empty: "The token is worth nothing any more",
      handle: ({ actor, params: { name } }) => serviceTokens.revoke(actor, name),
    }),
  ];
}
