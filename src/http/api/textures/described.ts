import type { Answer } from "../../openapi/describe.ts";
import { descriptor, descriptorEnvelope } from "./schema.ts";

/** What delivery answers, for the API's document: these routes make their answers themselves. */

type Answers = Readonly<Record<number, Answer>>;

const shared = ["ETag", "Access-Control-Allow-Origin", "X-Content-Type-Options"] as const;

export const pictureAnswer: Answers = {
  200: { description: "The picture", type: "image/png", headers: shared },
};
/** Where a default skin may stand in for a player's own. */
export const playersPictureAnswer: Answers = {
  200: { description: "The picture", type: "image/png", headers: [...shared, "X-Texture-Default"] },
};
export const descriptorAnswer: Answers = {
  200: { description: "What the player shows", headers: shared, schema: descriptor },
};
export const descriptorEnvelopeAnswer: Answers = {
  200: { description: "What the player shows", headers: shared, schema: descriptorEnvelope },
};
