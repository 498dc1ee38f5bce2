import { caching } from "../../answers.ts";
import type { Answer } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { descriptor, descriptorEnvelope } from "../../resources/launcher-textures.ts";
import { deliveryHeaders, fixedPngAnswer, pngAnswer } from "../../textures/answers.ts";

/** What the API's document says of the answers: these routes make their answers themselves. */
type Documented = Readonly<Record<number, Answer>>;

/** A stored file, or a picture of it. */
export const pictureAnswer: Documented = { 200: pngAnswer };
/** What never changes under its address. */
export const textureAnswer: Documented = { 200: fixedPngAnswer };
/** Where a default skin may stand in for a player's own. */
export const playersFileAnswer: Documented = {
  200: { ...pngAnswer, headers: [...deliveryHeaders, "X-Texture-Default"] },
};
/** The same for what is always drawn. */
export function playersPictureAnswer(view: "head" | "body"): Documented {
  const ETag = `"${view}-skin-100-slim-${examples.digest.slice(0, 32)}--r2"`;
  const headerExamples = { "Cache-Control": caching.follows, ETag };
  return { 200: { ...pngAnswer, headers: [...deliveryHeaders, "X-Texture-Default"], headerExamples } };
}

const digest = examples.digest.slice(0, 32);
/** Wings, mostly on the back of a player. */
export const wingsAnswer: Documented = {
  200: {
    ...pngAnswer,
    headerExamples: {
      "Cache-Control": caching.follows,
      ETag: `"elytra-player-100-classic-${digest}-${digest}-r2"`,
    },
  },
};

const shown = {
  description: "What the player shows",
  headers: deliveryHeaders,
  headerExamples: { "Cache-Control": caching.asked, ETag: '"3ku4cvqnr8i90"' },
} as const satisfies Answer;

export const descriptorAnswer: Documented = { 200: { ...shown, schema: descriptor } };
export const descriptorEnvelopeAnswer: Documented = { 200: { ...shown, schema: descriptorEnvelope } };
