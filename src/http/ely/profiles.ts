import { Elysia, t } from "elysia";
import type { Asked } from "../answers.ts";
import { answerProfile, gameProfile } from "../game/profiles.ts";
import { parseNameKey } from "../player-keys.ts";
import { describe } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";
import { modFailure } from "../textures/mod-failures.ts";
import { nameParams } from "../textures/segments.ts";
import { openJsonHeaders, openNothing } from "../textures/answers.ts";

/** Players as games know them, with or without signatures. An unknown player is an empty answer, 204. */
export function profileRoutes(parts: Parts) {
  const answer = (name: string | null, isSigned: boolean, asked: Asked) => {
    const key = parseNameKey(name);
    if (key === null) return parts.answers.json(asked, async () => null);
    return answerProfile(parts, asked, key, isSigned);
  };
  return new Elysia()
    .get(
      "/profile/:name",
      ({ params, query, request, set }) => answer(params.name, query.unsigned === "false", { request, set }),
      {
        params: nameParams,
        query: t.Object({
          unsigned: t.Optional(
            t.String({ description: "`false`: the profile is signed", examples: ["false"] }),
          ),
        }),
        detail: describeProfile("getElyProfile", "A player as games know it"),
      },
    )
    .get(
      "/textures/signed/:name",
      ({ params, request, set }) => answer(params.name, true, { request, set }),
      {
        params: nameParams,
        detail: describeProfile("getElySignedTextures", "A player as games know it, with signatures"),
      },
    );
}

function describeProfile(operationId: string, summary: string) {
  return describe({
    operationId,
    summary,
    who: "everybody",
    protocol: true,
    answers: {
      200: { description: "The player", schema: gameProfile, headers: openJsonHeaders },
      204: { description: "No player has this name", ...openNothing },
      429: { ...modFailure("Too many signatures are waited for"), headers: ["Retry-After"] },
      500: modFailure("A fault of the server"),
      503: { ...modFailure("The database cannot be reached"), headers: ["Retry-After"] },
    },
  });
}
