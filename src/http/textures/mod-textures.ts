import { parseTextureHash } from "../../kernel/ids.ts";
import { givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Reads } from "../../domain/ports/stores.ts";
import type { Http } from "../http.ts";
import { dated, fixedPngAnswer } from "./answers.ts";
import { modFailure } from "./mod-failures.ts";
import { noTexture, textureShown } from "./shown.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

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

/**
 * `<root>/textures/:id`, where mods find the textures that a document of theirs names. Whatever suffix they
 * append is ignored.
 */
export function modTextureRoutes(
  { textures }: Pick<Reads, "textures">,
  { answers }: Pick<Http, "answers">,
  root: string,
  operationId: string,
) {
  return [
    route("GET", `${root}/textures/:id`, {
      params,
      operationId,
      summary: "A texture by its id",
      description: "The same file as at `/textures/{hash}`. It never changes.",
      protocol: true,
      answers: { 200: dated(fixedPngAnswer), 404: modFailure("No texture has this id") },
      handle: ({ params: { id }, request }) =>
        answers.image(request, async () => {
          const hash = parseTextureHash(id?.replace(/\..*$/, "") ?? "");
          if (hash === null) throw noTexture();
          return { ...(await textureShown({ textures }, hash)), isDated: true };
        }),
    }),
  ];
}
