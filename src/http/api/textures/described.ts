import type { Answer } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { caching } from "./answer.ts";
import { descriptor, descriptorEnvelope } from "./schema.ts";

/** What delivery answers, for the API's document: these routes make their answers themselves. */

type Answers = Readonly<Record<number, Answer>>;

const shared = ["ETag", "Access-Control-Allow-Origin", "X-Content-Type-Options"] as const;

const picture = {
  description: "The picture",
  type: "image/png",
  headers: shared,
  headerExamples: { "Cache-Control": caching.follows, ETag: `"${examples.digest}"` },
} as const satisfies Answer;

/** A stored file, or what is drawn of it. */
export const pictureAnswer: Answers = { 200: picture };
/** What its address fixes for good. */
export const textureAnswer: Answers = {
  200: { ...picture, headerExamples: { ...picture.headerExamples, "Cache-Control": caching.fixed } },
};
/** Where a default skin may stand in for a player's own. */
export const playersFileAnswer: Answers = { 200: { ...picture, headers: [...shared, "X-Texture-Default"] } };
/** The same of what is always drawn. */
export function playersPictureAnswer(view: "head" | "body"): Answers {
  const ETag = `"${view}-skin-100-slim-${examples.digest.slice(0, 32)}--r1"`;
  const headerExamples = { "Cache-Control": caching.follows, ETag };
  return { 200: { ...picture, headers: [...shared, "X-Texture-Default"], headerExamples } };
}

const shown = {
  description: "What the player shows",
  headers: shared,
  headerExamples: { "Cache-Control": caching.asked, ETag: '"3ku4cvqnr8i90"' },
} as const satisfies Answer;

export const descriptorAnswer: Answers = { 200: { ...shown, schema: descriptor } };
export const descriptorEnvelopeAnswer: Answers = { 200: { ...shown, schema: descriptorEnvelope } };
