import { findMember } from "../../../domain/accounts/identifier.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { readUuid } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { identifierParams } from "../../resources/user-params.ts";
import {
  readAddedPlayer,
  addedPlayerBody,
  playerChangeBody,
  playerEnvelope,
  playerParams,
  playersEnvelope,
  presentPlayer,
  presentPlayers,
  readPlayerChange,
} from "../../resources/player.ts";
import { route } from "../../routing/route.ts";
import { rules } from "../../rules.ts";

const keyOf = (uuid: string) => ({ by: "uuid", value: readUuid("uuid", uuid) }) as const;
const address = (uuid: string) => `/api/admin/players/${uuid}`;

/** Everybody's players (docs/contract/admin.md#players). */
export function staffPlayerRoutes(services: Services, http: Http) {
  return [...userPlayerRoutes(services, http), ...changeRoutes(services, http)];
}

function userPlayerRoutes({ players, reads }: Services, { guards }: Http) {
  return [
    route("GET", "/user/:identifier/players", {
      guard: guards.staff("inspect"),
      params: identifierParams,
      envelope: playersEnvelope,
      operationId: "listUserPlayers",
      summary: "A user's players, and how many the user may make",
      msg: "Players",
      errors: [refusals.unknownUser(examples.user)],
      refuses: [...refusalsOf.identifier],
      handle: async ({ params }) => {
        const { account } = await findMember(reads.accounts, params.identifier);
        return presentPlayers(await players.list(account));
      },
    }),
    route("POST", "/user/:identifier/players", {
      guard: guards.staff("administer"),
      params: identifierParams,
      body: addedPlayerBody,
      envelope: playerEnvelope,
      operationId: "createUserPlayer",
      summary: "Give a user another player",
      description:
        "The number of players that the user may make does not bind it. A `uuid` that another account's player had formerly is taken over; one that is in use is refused.",
      action: "Player creation",
      errors: [refusals.unknownUser(examples.user), refusals.uuidTaken()],
      answers: {
        200: { headers: ["Location"], headerExamples: { Location: address(examples.user) } },
      },
      refuses: [
        rules.uuid,
        ...refusalsOf.identifier,
        ...refusalsOf.newName,
        refusals.badPlayerUuid,
        refusals.noMainPlayer,
        refusals.uuidTaken,
      ],
      handle: async ({ actor, params, body, set }) => {
        const input = { identifier: params.identifier, ...readAddedPlayer(body) };
        const created = await players.create(actor, input);
        set.headers["location"] = address(created.player.uuid);
        return presentPlayer(created);
      },
    }),
  ];
}

function changeRoutes({ players }: Services, { guards }: Http) {
  return [
    route("PATCH", "/players/:uuid", {
      guard: guards.staff("administer"),
      params: playerParams,
      body: playerChangeBody,
      envelope: playerEnvelope,
      operationId: "updatePlayer",
      summary: "Rename and dress any player, or give it another UUID",
      description:
        "Fields that are left out stay as they are; at least one must be there. A new name keeps the UUID, and the old name is held for its account. After a new name or UUID, launchers that play it have to refresh their access token once. A UUID that another account's player had formerly is taken over; one that is in use is refused.",
      action: "Player change",
      errors: [refusals.unknownPlayer(), refusals.uuidTaken()],
      refuses: [
        rules.uuid,
        ...refusalsOf.newName,
        refusals.capeNotGranted,
        refusals.notInWardrobe,
        rules.someField,
      ],
      handle: async ({ actor, params, body }) => {
        const changed = await players.change(actor, keyOf(params.uuid), readPlayerChange(body));
        return presentPlayer(changed);
      },
    }),
    route("DELETE", "/players/:uuid", {
      guard: guards.staff("administer"),
      params: playerParams,
      operationId: "removePlayer",
      summary: "Delete any player that is not its account's main one",
      description:
        "The access tokens of launchers that play it end. Its name is held for its account; skins and capes stay.",
      errors: [refusals.unknownPlayer(), refusals.mainPlayer()],
      empty: "The player is gone",
      handle: ({ actor, params }) => players.delete(actor, keyOf(params.uuid)),
    }),
  ];
}
