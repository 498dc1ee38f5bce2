import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { readUuid } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { currentPasswordBody } from "../../resources/credentials.ts";
import {
  readDress,
  newPlayerBody,
  ownPlayerBody,
  playerEnvelope,
  playerParams,
  playersEnvelope,
  presentPlayer,
  presentPlayers,
} from "../../resources/player.ts";
import { route } from "../../routing/route.ts";
import { rules } from "../../rules.ts";

const address = (uuid: string) => `/api/home/players/${uuid}`;
const keyOf = (uuid: string) => ({ by: "uuid", value: readUuid("uuid", uuid) }) as const;

/** The account's players: our addition to the contract (docs/contract/home.md#players). */
export function playerRoutes(services: Services, http: Http) {
  return [...lookRoutes(services, http), ...changeRoutes(services, http)];
}

function lookRoutes({ players }: Services, { guards }: Http) {
  return [
    route("GET", "/players", {
      guard: guards.player,
      envelope: playersEnvelope,
      operationId: "listPlayers",
      summary: "Your players, and how many you may have",
      msg: "Players",
      handle: async ({ member }) => presentPlayers(await players.list(member.account)),
    }),
    route("POST", "/players", {
      guard: guards.player,
      body: newPlayerBody,
      envelope: playerEnvelope,
      operationId: "createPlayer",
      summary: "Make another player",
      description: "It shares your wardrobe, capes and password, and signs in by its name, too.",
      action: "Player creation",
      errors: [refusals.enoughPlayers(1)],
      answers: {
        200: { headers: ["Location"], headerExamples: { Location: address(examples.user) } },
      },
      refuses: [rules.givenWithName, ...refusalsOf.newName, ...refusalsOf.ownPassword],
      handle: async ({ actor, member, body, set }) => {
        const created = await players.createOwn(actor, member, body);
        set.headers["location"] = address(created.player.uuid);
        return presentPlayer(created);
      },
    }),
  ];
}

function changeRoutes({ players }: Services, { requests, guards }: Http) {
  return [
    route("PATCH", "/players/:uuid", {
      guard: guards.player,
      params: playerParams,
      body: ownPlayerBody,
      envelope: playerEnvelope,
      operationId: "changePlayer",
      summary: "Rename and dress one of your players",
      description:
        "A new name takes the current password, and is limited and held as in `PATCH /api/home/edit/username`.",
      action: "Player change",
      errors: [refusals.noSuchPlayer(), refusals.nameTaken()],
      refuses: [
        rules.givenWithName,
        rules.uuid,
        ...refusalsOf.newName,
        ...refusalsOf.ownPassword,
        refusals.renamedTooOften,
        refusals.capeNotGranted,
        refusals.notInWardrobe,
        rules.someField,
      ],
      handle: async ({ actor, member, params, body, request }) => {
        const change = { player: keyOf(params.uuid), ...readDress(body) };
        const { name, password } = body;
        if (name === undefined) return presentPlayer(await players.dressOwn(actor, member, change));
        if (password === undefined) throw rules.givenWithName();
        const attempt = requests.attemptBy(request, member.account.id);
        const renamed = await players.renameOwn(actor, member, { ...change, name, password, attempt });
        return presentPlayer(renamed);
      },
    }),
    route("DELETE", "/players/:uuid", {
      guard: guards.player,
      params: playerParams,
      body: currentPasswordBody,
      operationId: "deletePlayer",
      summary: "Delete one of your players",
      description: "Not the main one. Its name is held for you for a while; skins and capes stay.",
      errors: [refusals.noSuchPlayer(), refusals.mainPlayer()],
      empty: "The player is gone",
      refuses: [...refusalsOf.ownPassword],
      handle: async ({ actor, member, params, body, request }) => {
        const player = keyOf(params.uuid);
        const attempt = requests.attemptBy(request, member.account.id);
        await players.deleteOwn(actor, member, { player, attempt, ...body });
      },
    }),
  ];
}
