import { findMember } from "../../../domain/accounts/identifier.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { changePlayer } from "../../../domain/players/change-player.ts";
import { createPlayer } from "../../../domain/players/create-player.ts";
import { deletePlayer } from "../../../domain/players/delete-player.ts";
import { listPlayers } from "../../../domain/players/list-players.ts";
import { done, ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { staffGuard } from "../../guards.ts";
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
import { route } from "../../routing/route.ts";

const said = { players: "Players" } as const;
const actions = { creation: "Player creation", change: "Player change" } as const;

const keyOf = (uuid: string) => ({ by: "uuid", value: readUuid("uuid", uuid) }) as const;
const address = (uuid: string) => `/api/admin/players/${uuid}`;

/** Everybody's players (docs/contract/admin.md#players). */
export function staffPlayerRoutes(parts: Parts) {
  return [lookRoute(parts), creationRoute(parts), changeRoute(parts), deletionRoute(parts)];
}

function lookRoute(parts: Parts) {
  return route({
    method: "GET",
    path: "/user/:identifier/players",
    guard: staffGuard(parts, "inspect"),
    params: identifierParams,
    answer: playersEnvelope,
    operationId: "listUserPlayers",
    summary: "A user's players, and how many the user may make",
    msg: said.players,
    errors: [refusals.unknownUser(examples.user)],
    handle: async ({ params }) => {
      const { account } = await findMember(parts.reads.accounts, params.identifier);
      return ok(said.players, presentPlayers(await listPlayers(parts, account)));
    },
  });
}

function creationRoute(parts: Parts) {
  return route({
    method: "POST",
    path: "/user/:identifier/players",
    guard: staffGuard(parts, "administer"),
    params: identifierParams,
    body: addedPlayerBody,
    answer: playerEnvelope,
    operationId: "createUserPlayer",
    summary: "Give a user another player",
    description:
      "The number of players that the user may make does not bind it. A `uuid` that another account's player had formerly is taken over; one that is in use is refused.",
    action: actions.creation,
    errors: [refusals.unknownUser(examples.user), refusals.uuidTaken()],
    answers: {
      200: { headers: ["Location"], headerExamples: { Location: address(examples.user) } },
    },
    handle: async ({ actor, params, body, set }) => {
      const input = { identifier: params.identifier, ...readAddedPlayer(body) };
      const created = await createPlayer(parts, actor, input);
      set.headers["location"] = address(created.player.uuid);
      return done(actions.creation, presentPlayer(created));
    },
  });
}

function changeRoute(parts: Parts) {
  return route({
    method: "PATCH",
    path: "/players/:uuid",
    guard: staffGuard(parts, "administer"),
    params: playerParams,
    body: playerChangeBody,
    answer: playerEnvelope,
    operationId: "updatePlayer",
    summary: "Rename and dress any player, or give it another UUID",
    description:
      "Fields that are left out stay as they are; at least one must be there. A new name keeps the UUID, and the old name is held for its account. After a new name or UUID, launchers that play it have to refresh their access token once. A UUID that another account's player had formerly is taken over; one that is in use is refused.",
    action: actions.change,
    errors: [refusals.unknownPlayer(), refusals.uuidTaken()],
    handle: async ({ actor, params, body }) => {
      const changed = await changePlayer(parts, actor, keyOf(params.uuid), readPlayerChange(body));
      return done(actions.change, presentPlayer(changed));
    },
  });
}

function deletionRoute(parts: Parts) {
  return route({
    method: "DELETE",
    path: "/players/:uuid",
    guard: staffGuard(parts, "administer"),
    params: playerParams,
    operationId: "removePlayer",
    summary: "Delete any player that is not its account's main one",
    description:
      "The access tokens of launchers that play it end. Its name is held for its account; skins and capes stay.",
    errors: [refusals.unknownPlayer(), refusals.mainPlayer()],
    answers: { 204: { description: "The player is gone" } },
    handle: async ({ actor, params, set }) => {
      await deletePlayer(parts, actor, keyOf(params.uuid));
      set.status = 204;
    },
  });
}
