import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http } from "../../http.ts";
import { aliasesEnvelope, aliasParams, presentAlias } from "../../resources/alias.ts";
import { route } from "../../routing/route.ts";

/** The member's old names for signing in: our addition to the contract (docs/contract/home.md#aliases). */
export function aliasRoutes({ accounts }: Services, { guards }: Http) {
  return [
    route("GET", "/aliases", {
      guard: guards.member,
      envelope: aliasesEnvelope,
      operationId: "listAliases",
      summary: "Old names that sign you in",
      msg: "Aliases",
      handle: async ({ member }) => (await accounts.listAliases(member)).map(presentAlias),
    }),
    route("DELETE", "/aliases/:name", {
      guard: guards.member,
      params: aliasParams,
      operationId: "removeAlias",
      summary: "Give up an old name for signing in",
      description: "It signs you in no longer, and others may take it as a username.",
      errors: [refusals.unknownAlias(), refusals.onlyLogin()],
      empty: "The name is given up",
      handle: ({ actor, member, params }) => accounts.removeAlias(actor, member, params.name),
    }),
  ];
}
