import { Elysia, t } from "elysia";
import { parseTextureHash } from "../../kernel/ids.ts";
import { givenText } from "../fields.ts";
import { describe } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { dated, fixedPngAnswer } from "./answers.ts";
import { modFailure } from "./mod-failures.ts";
import { noTexture, textureShown } from "./shown.ts";

const params = t.Object({
  id: t.Union([t.String(), t.Null()], {
    description: "From the player's document; a suffix like `.png` may follow",
    documented: { type: "string", examples: [examples.texture] },
  }),
});

/** The id of a texture in a document of a mod. */
export function modTextureId(what: string) {
  return t.Optional(givenText(`The id of the ${what}`, examples.texture, "hash"));
}

/** `<root>/textures/:id`, where mods find the textures that a document of theirs names. Whatever suffix they append is ignored. */
export function modTextureRoutes({ reads: { textures }, answers }: Parts, root: string, operationId: string) {
  return new Elysia({ prefix: root }).get(
    "/textures/:id",
    ({ params: { id }, request, set }) =>
      answers.image({ request, set }, async () => {
        const hash = parseTextureHash(id?.replace(/\..*$/, "") ?? "");
        if (hash === null) throw noTexture();
        return { ...(await textureShown({ textures }, hash)), isDated: true };
      }),
    {
      params,
      detail: describe({
        operationId,
        summary: "A texture by its id",
        description: "The same file as at `/textures/{hash}`. It never changes.",
        who: "everybody",
        protocol: true,
        answers: { 200: dated(fixedPngAnswer), 404: modFailure("No texture has this id") },
      }),
    },
  );
}
