import { readIdentifier } from "../../domain/accounts/identifier.ts";
import { levelInForce, usernameOf } from "../../domain/model/account.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { findPlayer } from "../../domain/textures/delivery.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { serviceToken } from "../authorization.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { nameKeyOf } from "../player-keys.ts";
import { failed } from "./failure.ts";
import { launchUser, presentUser } from "./user.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/**
 * `GET /api/gravit/auth/user/{name,login,uuid}/…`. LaunchServers send no token with these. Who sends one that
 * has the right `launcher` also learns roles, and may name a player by a mail address.
 */
export function userRoutes(
  services: Pick<Services, "reads" | "serviceTokens" | "clock">,
  { site: { publicUrl } }: Pick<Http, "site">,
) {
  const { reads, clock } = services;
  const { textures, accounts, sessions, serviceTokens } = reads;

  const mayKnowMore = async (request: Request): Promise<boolean> => {
    const token = serviceToken(request);
    if (token === "") return false;
    const rights = { sessions, serviceTokens, now: clock.nowSeconds() };
    const { may, used } = await services.serviceTokens.find(rights, token);
    services.serviceTokens.noteUse(used, rights.now);
    return may.includes("launcher");
  };
  const present = async (shown: Appearance | null, isTrusted: boolean) => {
    if (shown === null) throw unknownUser();
    if (!isTrusted) return presentUser(shown, publicUrl(), null);
    const member = await accounts.findMember({ by: "uuid", value: shown.uuid });
    const level = member === null ? null : levelInForce(member.account, clock.nowSeconds());
    return presentUser(shown, publicUrl(), level);
  };
  const findByName = (name: string) => textures.findAppearance(nameKeyOf(name));
  const findByLogin = async (login: string, isTrusted: boolean) => {
    const key = isTrusted ? readIdentifier(login) : null;
    const member = key?.by === "mail" ? await accounts.findMember(key) : null;
    return findByName(member === null ? login : usernameOf(member));
  };

  return [
    route("GET", "/user/name/:name", {
      ...describedBy("getGravitUserByName", "name"),
      params: t.Object({ name: nameParam }),
      handle: async ({ params, request }) =>
        present(await findByName(params.name), await mayKnowMore(request)),
    }),
    route("GET", "/user/login/:login", {
      ...describedBy("getGravitUserByLogin", "name or mail address"),
      params: t.Object({ login: nameParam }),
      handle: async ({ params, request }) => {
        const isTrusted = await mayKnowMore(request);
        return present(await findByLogin(params.login, isTrusted), isTrusted);
      },
    }),
    route("GET", "/user/uuid/:uuid", {
      ...describedBy("getGravitUserByUuid", "UUID"),
      params: t.Object({ uuid: uuidParam }),
      handle: async ({ params, request }) => {
        const uuid = parseUuid(params.uuid);
        const shown = uuid === null ? null : await findPlayer(textures, { by: "uuid", value: uuid });
        return present(shown, await mayKnowMore(request));
      },
    }),
  ];
}

/** What the routes have in common. */
const describedBy = (operationId: string, by: string) => ({
  answer: launchUser,
  operationId,
  summary: `A player by ${by}`,
  description: "With a service token that has the right `launcher` also the player's roles.",
  protocol: true as const,
  answers: {
    400: failed("The address is not well-formed"),
    401: failed("A service token was sent that is not valid"),
    404: failed("No player is known by this"),
  },
});

const nameParam = t.String({
  description: "A player's name, UUID or login",
  documented: { type: "string", examples: [examples.name] },
});

const uuidParam = t.String({
  description: "A player's UUID",
  documented: { type: "string", shape: "uuidText", examples: [examples.user] },
});

const unknownUser = () => new PlainError("not_found", "auth.usernotfound");
