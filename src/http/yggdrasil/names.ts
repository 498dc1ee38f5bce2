import { Elysia, t } from "elysia";
import { reading } from "../routing/legacy.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { findPlayer, subjectsOfPlayer, type PlayerKey } from "../../domain/textures/delivery.ts";
import { lenientJsonReader } from "../body.ts";
import type { Asked } from "../answers.ts";
import { readUuid } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { parseNameKey } from "../player-keys.ts";
import { nameParams } from "../textures/segments.ts";
import { failureAnswer, failureResponse } from "./failures.ts";
import { atPlaces } from "./places.ts";
import { briefProfile, presentBrief } from "./profile.ts";
import { openJsonHeaders } from "../textures/answers.ts";

/** Who has which name and which id. Open to everybody. */
export function nameRoutes(parts: Parts) {
  return new Elysia().use(bulkRoutes(parts)).use(singleRoutes(parts));
}

/** More are refused, as the game's own service does. */
const namesMax = 10;

const names = t.Array(t.String({ rule: "must be a text" }), {
  rule: "must be a list of names",
  description: `${namesMax} at most`,
  examples: [[examples.name]],
});

const bulk = {
  summary: "The ids of players with these names",
  description: "Known ones, each once, in the spelling that they have. Case does not matter.",
  who: "everybody",
  answers: {
    200: { schema: t.Array(briefProfile, { component: "YggdrasilProfileList" }) },
    400: failureAnswer("It is no list of texts, or too long: then `error` is `CONSTRAINT_VIOLATION`"),
  },
} as const;

function bulkRoutes({ reads }: Parts) {
  const find = async ({ body }: { readonly body: readonly string[] }) => {
    if (body.length > namesMax)
      return failureResponse(400, "CONSTRAINT_VIOLATION", `There may be ${namesMax} names at most`);
    const keys = body.map(parseNameKey).filter((key) => key !== null);
    const found = await reads.players.listNamed(keys.map(({ value }) => value));
    return Response.json(found.map(presentBrief), { headers: { "cache-control": "no-store" } });
  };
  return new Elysia()
    .use(
      atPlaces(["/api", ""], (say) =>
        new Elysia().use(reading(lenientJsonReader())).post("/profiles/minecraft", find, {
          body: names,
          detail: say("/profiles/minecraft", { operationId: "findProfilesByName", ...bulk }),
        }),
      ),
    )
    .use(
      atPlaces(["/minecraftservices", "/api", ""], (say) =>
        new Elysia().use(reading(lenientJsonReader())).post("/minecraft/profile/lookup/bulk/byname", find, {
          body: names,
          detail: say("/minecraft/profile/lookup/bulk/byname", { operationId: "lookUpNames", ...bulk }),
        }),
      ),
    );
}

const idParams = t.Object({ id: t.String({ shape: "uuidText", examples: [examples.gameId] }) });
const unknown = failureAnswer("No player has it");

function singleRoutes(parts: Parts) {
  const byName = ({ params, request, set }: Asked & { readonly params: typeof nameParams.static }) =>
    answerName(parts, { request, set }, parseNameKey(params.name));
  const named = {
    summary: "The id of the player with this name",
    description: "Case does not matter.",
    who: "everybody",
    answers: { 200: { schema: briefProfile, headers: openJsonHeaders }, 404: unknown },
  } as const;
  return new Elysia()
    .use(
      atPlaces(["/api", ""], (say) =>
        new Elysia().get("/users/profiles/minecraft/:name", byName, {
          params: nameParams,
          detail: say("/users/profiles/minecraft/:name", { operationId: "findProfileByName", ...named }),
        }),
      ),
    )
    .use(
      atPlaces(["/minecraftservices", "/api", ""], (say) =>
        new Elysia()
          .get("/minecraft/profile/lookup/name/:name", byName, {
            params: nameParams,
            detail: say("/minecraft/profile/lookup/name/:name", { operationId: "lookUpName", ...named }),
          })
          .get(
            "/minecraft/profile/lookup/:id",
            ({ params, request, set }) =>
              answerName(parts, { request, set }, { by: "uuid", value: readUuid("id", params.id) }),
            {
              params: idParams,
              detail: say("/minecraft/profile/lookup/:id", {
                operationId: "lookUpId",
                summary: "The name of the player with this id",
                description: "Offline ids are taken as well; the answer has the id that was asked for.",
                who: "everybody",
                answers: {
                  200: { schema: briefProfile, headers: openJsonHeaders },
                  400: failureAnswer("It is no uuid"),
                  404: unknown,
                },
              }),
            },
          ),
      ),
    );
}

/** A key of null is a name that no player can have: it is unknown, whatever is wrong with it. */
function answerName({ answers, reads }: Parts, asked: Asked, key: PlayerKey | null) {
  return answers.json(asked, async () => {
    const shown = key === null ? null : await findPlayer(reads.textures, key);
    if (key === null || shown === null) throw refusals.unknownPlayer();
    return { body: presentBrief(shown), subjects: subjectsOfPlayer(key, shown) };
  });
}
