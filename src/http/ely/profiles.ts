import { answerProfile, gameProfile } from "../game/profiles.ts";
import { parseNameKey } from "../player-keys.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { modFailure } from "../textures/mod-failures.ts";
import { nameParams } from "../textures/segments.ts";
import { openJsonHeaders, openNothing } from "../textures/answers.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/** Players as games know them, with or without signatures. An unknown player is an empty answer, 204. */
export function profileRoutes(
  services: Pick<Services, "reads" | "game">,
  http: Pick<Http, "answers" | "requests">,
) {
  const answer = (name: string | null, isSigned: boolean, request: Request) => {
    const key = parseNameKey(name);
    if (key === null) return http.answers.json(request, async () => null);
    return answerProfile(services, http, request, { key, isSigned });
  };
  return [
    route("GET", "/profile/:name", {
      params: nameParams,
      query: t.Object({
        unsigned: t.Optional(
          t.String({ description: "`false`: the profile is signed", examples: ["false"] }),
        ),
      }),
      ...describeProfile("getElyProfile", "A player as games know it"),
      handle: ({ params, query, request }) => answer(params.name, query.unsigned === "false", request),
    }),
    route("GET", "/textures/signed/:name", {
      params: nameParams,
      ...describeProfile("getElySignedTextures", "A player as games know it, with signatures"),
      handle: ({ params, request }) => answer(params.name, true, request),
    }),
  ];
}

function describeProfile(operationId: string, summary: string) {
  return {
    operationId,
    summary,
    protocol: true,
    answers: {
      200: { description: "The player", schema: gameProfile, headers: openJsonHeaders },
      204: { description: "No player has this name", ...openNothing },
      429: { ...modFailure("Too many signatures are waited for"), headers: ["Retry-After"] },
      500: modFailure("A fault of the server"),
      503: { ...modFailure("The database cannot be reached"), headers: ["Retry-After"] },
    },
  } as const;
}
