import { refusals } from "../../domain/model/refusals.ts";
import { findPlayer, subjectsOfPlayer, type PlayerKey } from "../../domain/textures/delivery.ts";
import { lenientJsonReader } from "../body.ts";
import { readUuid } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { parseNameKey } from "../player-keys.ts";
import { nameParams } from "../textures/segments.ts";
import { failureAnswer, failureResponse } from "./failures.ts";
import { atPlaces } from "./places.ts";
import { briefProfile, presentBrief } from "./profile.ts";
import { openJsonHeaders } from "../textures/answers.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/** Who has which name and which id. Open to everybody. */
export function nameRoutes(services: Pick<Services, "reads">, http: Pick<Http, "answers">) {
  return [...bulkRoutes(services.reads), ...singleRoutes(services.reads, http)];
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
  answers: {
    200: { schema: t.Array(briefProfile, { component: "YggdrasilProfileList" }) },
    400: failureAnswer("It is no list of texts, or too long: then `error` is `CONSTRAINT_VIOLATION`"),
  },
} as const;

function bulkRoutes({ players }: Services["reads"]) {
  const find = async ({ body }: { readonly body: readonly string[] }) => {
    if (body.length > namesMax)
      return failureResponse(400, "CONSTRAINT_VIOLATION", `There may be ${namesMax} names at most`);
    const keys = body.map(parseNameKey).filter((key) => key !== null);
    const found = await players.listNamed(keys.map(({ value }) => value));
    return Response.json(found.map(presentBrief), { headers: { "cache-control": "no-store" } });
  };
  return [
    ...atPlaces(
      ["/api", ""],
      [
        route("POST", "/profiles/minecraft", {
          read: lenientJsonReader(),
          body: names,
          operationId: "findProfilesByName",
          ...bulk,
          handle: find,
        }),
      ],
    ),
    ...atPlaces(
      ["/minecraftservices", "/api", ""],
      [
        route("POST", "/minecraft/profile/lookup/bulk/byname", {
          read: lenientJsonReader(),
          body: names,
          operationId: "lookUpNames",
          ...bulk,
          handle: find,
        }),
      ],
    ),
  ];
}

const idParams = t.Object({ id: t.String({ shape: "uuidText", examples: [examples.gameId] }) });
const unknown = failureAnswer("No player has it");

function singleRoutes({ textures }: Services["reads"], { answers }: Pick<Http, "answers">) {
  /** A key of null is a name that no player can have: it is unknown, whatever is wrong with it. */
  const answerName = (request: Request, key: PlayerKey | null) =>
    answers.json(request, async () => {
      const shown = key === null ? null : await findPlayer(textures, key);
      if (key === null || shown === null) throw refusals.unknownPlayer();
      return { body: presentBrief(shown), subjects: subjectsOfPlayer(key, shown) };
    });
  const byName = ({
    params,
    request,
  }: {
    readonly request: Request;
    readonly params: typeof nameParams.static;
  }) => answerName(request, parseNameKey(params.name));
  const named = {
    summary: "The id of the player with this name",
    description: "Case does not matter.",
    answers: { 200: { schema: briefProfile, headers: openJsonHeaders }, 404: unknown },
  } as const;
  return [
    ...atPlaces(
      ["/api", ""],
      [
        route("GET", "/users/profiles/minecraft/:name", {
          params: nameParams,
          operationId: "findProfileByName",
          ...named,
          handle: byName,
        }),
      ],
    ),
    ...atPlaces(
      ["/minecraftservices", "/api", ""],
      [
        route("GET", "/minecraft/profile/lookup/name/:name", {
          params: nameParams,
          operationId: "lookUpName",
          ...named,
          handle: byName,
        }),
        route("GET", "/minecraft/profile/lookup/:id", {
          params: idParams,
          operationId: "lookUpId",
          summary: "The name of the player with this id",
          description: "Offline ids are taken as well; the answer has the id that was asked for.",
          answers: {
            200: { schema: briefProfile, headers: openJsonHeaders },
            400: failureAnswer("It is no uuid"),
            404: unknown,
          },
          handle: ({ params, request }) =>
            answerName(request, { by: "uuid", value: readUuid("id", params.id) }),
        }),
      ],
    ),
  ];
}
