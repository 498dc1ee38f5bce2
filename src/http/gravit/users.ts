import { Elysia, t } from "elysia";
import { readIdentifier } from "../../domain/accounts/identifier.ts";
import { levelInForce, usernameOf } from "../../domain/model/account.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { findPlayer } from "../../domain/textures/delivery.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { serviceToken } from "../authorization.ts";
import { describe } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { nameKeyOf } from "../player-keys.ts";
import { failed } from "./failure.ts";
import { launchUser, presentUser } from "./user.ts";

/**
 * `GET /api/gravit/auth/user/{name,login,uuid}/…`. LaunchServers send no token with these. Who sends one that has the right
 * `launcher` also learns roles, and may name a player by a mail address.
 */
export function userRoutes(parts: Parts) {
  const { reads, publicUrl, clock } = parts;
  const { textures, accounts, sessions, serviceTokens } = reads;

  const mayKnowMore = async (request: Request): Promise<boolean> => {
    const token = serviceToken(request);
    if (token === "") return false;
    const rights = { sessions, serviceTokens, now: clock.nowSeconds() };
    const { may, used } = await parts.serviceTokens.find(rights, token);
    parts.serviceTokens.noteUse(used, rights.now);
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

  return new Elysia({ prefix: "/user" })
    .get(
      "/name/:name",
      async ({ params, request }) => present(await findByName(params.name), await mayKnowMore(request)),
      { params: t.Object({ name: nameParam }), ...describedBy("getGravitUserByName", "name") },
    )
    .get(
      "/login/:login",
      async ({ params, request }) => {
        const isTrusted = await mayKnowMore(request);
        return present(await findByLogin(params.login, isTrusted), isTrusted);
      },
      {
        params: t.Object({ login: nameParam }),
        ...describedBy("getGravitUserByLogin", "name or mail address"),
      },
    )
    .get(
      "/uuid/:uuid",
      async ({ params, request }) => {
        const uuid = parseUuid(params.uuid);
        const shown = uuid === null ? null : await findPlayer(textures, { by: "uuid", value: uuid });
        return present(shown, await mayKnowMore(request));
      },
      { params: t.Object({ uuid: uuidParam }), ...describedBy("getGravitUserByUuid", "UUID") },
    );
}

/** What the routes have in common. */
const describedBy = (operationId: string, by: string) => ({
  response: { 200: launchUser },
  detail: describe({
    operationId,
    summary: `A player by ${by}`,
    description: "With a service token that has the right `launcher` also the player's roles.",
    who: "everybody",
    protocol: true,
    answers: {
      400: failed("The address is not well-formed"),
      401: failed("A service token was sent that is not valid"),
      404: failed("No player is known by this"),
    },
  }),
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
