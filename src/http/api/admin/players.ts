import { Elysia } from "elysia";
import { guarding, reading, unread } from "../../routing/legacy.ts";
import { findMember } from "../../../domain/accounts/identifier.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { changePlayer } from "../../../domain/players/change-player.ts";
import { createPlayer } from "../../../domain/players/create-player.ts";
import { deletePlayer } from "../../../domain/players/delete-player.ts";
import { listPlayers } from "../../../domain/players/list-players.ts";
import { jsonReader, } from "../../body.ts";
import { done, ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { staffGuard } from "../../guards.ts";
import { describe, succeeded } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import type { Parts } from "../../parts.ts";
import { identifierParams } from "../../resources/account.ts";
import {
  addedPlayerBody,
  playerChangeBody,
  playerEnvelope,
  playerParams,
  playersEnvelope,
  presentPlayer,
  presentPlayers,
  readAddedPlayer,
  readPlayerChange,
} from "../../resources/player.ts";

const said = { players: "Players" } as const;
const actions = { creation: "Player creation", change: "Player change" } as const;

const keyOf = (uuid: string) => ({ by: "uuid", value: readUuid("uuid", uuid) }) as const;
const address = (uuid: string) => `/api/admin/players/${uuid}`;

/** Everybody's players (docs/contract/admin.md#players). */
export function staffPlayerRoutes(parts: Parts) {
  return new Elysia()
    .use(lookRoute(parts))
    .use(creationRoute(parts))
    .use(changeRoute(parts))
    .use(deletionRoute(parts));
}

function lookRoute(parts: Parts) {
  return new Elysia().use(guarding(staffGuard(parts, "inspect"))).get(
    "/user/:identifier/players",
    async ({ params }) => {
      const { account } = await findMember(parts.reads.accounts, params.identifier);
      return ok(said.players, presentPlayers(await listPlayers(parts, account)));
    },
    {
      params: identifierParams,
      response: { 200: playersEnvelope },
      detail: describe({
        operationId: "listUserPlayers",
        summary: "A user's players, and how many the user may make",
        who: "moderators",
        msg: said.players,
        errors: [refusals.unknownUser(examples.user)],
      }),
    },
  );
}

function creationRoute(parts: Parts) {
  return new Elysia()
    .use(guarding(staffGuard(parts, "administer")))
    .use(reading(jsonReader()))
    .post(
      "/user/:identifier/players",
      async ({ actor, params, body, set }) => {
        const input = { identifier: params.identifier, ...readAddedPlayer(body) };
        const created = await createPlayer(parts, actor, input);
        set.headers["location"] = address(created.player.uuid);
        return done(actions.creation, presentPlayer(created));
      },
      {
        params: identifierParams,
        body: addedPlayerBody,
        response: { 200: playerEnvelope },
        detail: describe({
          operationId: "createUserPlayer",
          summary: "Give a user another player",
          description:
            "The number of players that the user may make does not bind it. A `uuid` that another account's player had formerly is taken over; one that is in use is refused.",
          who: "administrators",
          msg: succeeded(actions.creation),
          errors: [refusals.unknownUser(examples.user), refusals.uuidTaken()],
          answers: {
            200: { headers: ["Location"], headerExamples: { Location: address(examples.user) } },
          },
        }),
      },
    );
}

function changeRoute(parts: Parts) {
  return new Elysia()
    .use(guarding(staffGuard(parts, "administer")))
    .use(reading(jsonReader()))
    .patch(
      "/players/:uuid",
      async ({ actor, params, body }) => {
        const changed = await changePlayer(parts, actor, keyOf(params.uuid), readPlayerChange(body));
        return done(actions.change, presentPlayer(changed));
      },
      {
        params: playerParams,
        body: playerChangeBody,
        response: { 200: playerEnvelope },
        detail: describe({
          operationId: "updatePlayer",
          summary: "Rename and dress any player, or give it another UUID",
          description:
            "Fields that are left out stay as they are; at least one must be there. A new name keeps the UUID, and the old name is held for its account. After a new name or UUID, launchers that play it have to refresh their access token once. A UUID that another account's player had formerly is taken over; one that is in use is refused.",
          who: "administrators",
          msg: succeeded(actions.change),
          errors: [refusals.unknownPlayer(), refusals.uuidTaken()],
        }),
      },
    );
}

function deletionRoute(parts: Parts) {
  return new Elysia().use(guarding(staffGuard(parts, "administer"))).delete(
    "/players/:uuid",
    async ({ actor, params, set }) => {
      await deletePlayer(parts, actor, keyOf(params.uuid));
      set.status = 204;
    },
    {
      ...unread,
      params: playerParams,
      detail: describe({
        operationId: "removePlayer",
        summary: "Delete any player that is not its account's main one",
        description:
          "The access tokens of launchers that play it end. Its name is held for its account; skins and capes stay.",
        who: "administrators",
        errors: [refusals.unknownPlayer(), refusals.mainPlayer()],
        answers: { 204: { description: "The player is gone" } },
      }),
    },
  );
}
