import { rules } from "../../rules.ts";
import { Elysia } from "elysia";
import { dressOwnPlayer } from "../../../domain/players/change-player.ts";
import { createOwnPlayer } from "../../../domain/players/create-player.ts";
import { listPlayers } from "../../../domain/players/list-players.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { jsonReader } from "../../body.ts";
import { done, ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { playerGuard } from "../../guards.ts";
import { describe, succeeded } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import type { Parts } from "../../parts.ts";
import { removeSocialBody as passwordOnly } from "../../resources/credentials.ts";
import {
  newPlayerBody,
  ownPlayerBody,
  playerEnvelope,
  playerParams,
  playersEnvelope,
  presentPlayer,
  presentPlayers,
  readDress,
} from "../../resources/player.ts";

const said = { players: "Players" } as const;
const actions = { creation: "Player creation", change: "Player change" } as const;

const address = (uuid: string) => `/api/home/players/${uuid}`;
const keyOf = (uuid: string) => ({ by: "uuid", value: readUuid("uuid", uuid) }) as const;

/** The account's players: our addition to the contract (docs/contract/home.md#players). */
export function playerRoutes(parts: Parts) {
  return new Elysia().use(listRoute(parts)).use(creationRoute(parts)).use(changeRoutes(parts));
}

function listRoute(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .get(
      "/players",
      async ({ member }) => ok(said.players, presentPlayers(await listPlayers(parts, member.account))),
      {
        response: { 200: playersEnvelope },
        detail: describe({
          operationId: "listPlayers",
          summary: "Your players, and how many you may have",
          who: "players",
          msg: said.players,
        }),
      },
    );
}

function creationRoute(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .post(
      "/players",
      async ({ actor, member, body, set }) => {
        const created = await createOwnPlayer(parts, actor, member, body);
        set.headers["location"] = address(created.player.uuid);
        return done(actions.creation, presentPlayer(created));
      },
      {
        body: newPlayerBody,
        response: { 200: playerEnvelope },
        detail: describe({
          operationId: "createPlayer",
          summary: "Make another player",
          description: "It shares your wardrobe, capes and password, and signs in by its name, too.",
          who: "players",
          msg: succeeded(actions.creation),
          errors: [refusals.enoughPlayers(1)],
          answers: {
            200: { headers: ["Location"], headerExamples: { Location: address(examples.user) } },
          },
        }),
      },
    );
}

function changeRoutes(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .patch(
      "/players/:uuid",
      async ({ actor, member, params, body, request }) => {
        const change = { player: keyOf(params.uuid), ...readDress(body) };
        const { name, password } = body;
        if (name === undefined)
          return done(actions.change, presentPlayer(await dressOwnPlayer(parts, actor, member, change)));
        if (password === undefined) throw rules.givenWithName();
        const attempt = parts.attemptBy(request, member.account.id);
        const renamed = await parts.players.renameOwn(actor, member, { ...change, name, password, attempt });
        return done(actions.change, presentPlayer(renamed));
      },
      {
        params: playerParams,
        body: ownPlayerBody,
        response: { 200: playerEnvelope },
        detail: describe({
          operationId: "changePlayer",
          summary: "Rename and dress one of your players",
          description:
            "A new name takes the current password, and is limited and held as in `PATCH /api/home/edit/username`.",
          who: "players",
          msg: succeeded(actions.change),
          errors: [refusals.noSuchPlayer(), refusals.nameTaken()],
        }),
      },
    )
    .delete(
      "/players/:uuid",
      async ({ actor, member, params, body, request, set }) => {
        const player = keyOf(params.uuid);
        const attempt = parts.attemptBy(request, member.account.id);
        await parts.players.deleteOwn(actor, member, { player, attempt, ...body });
        set.status = 204;
      },
      {
        params: playerParams,
        body: passwordOnly,
        detail: describe({
          operationId: "deletePlayer",
          summary: "Delete one of your players",
          description: "Not the main one. Its name is held for you for a while; skins and capes stay.",
          who: "players",
          errors: [refusals.noSuchPlayer(), refusals.mainPlayer()],
          answers: { 204: { description: "The player is gone" } },
        }),
      },
    );
}
