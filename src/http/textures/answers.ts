import { caching } from "../answers.ts";
import { failedEnvelope } from "../envelope.ts";
import { failureJson } from "../failures.ts";
import { givenText } from "../fields.ts";
import type { Answer } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Failure } from "../surface.ts";
import { t } from "../routing/schema.ts";

/** What the API's document says of answers that protocols share with delivery. */

/** The headers of every answer of delivery. */
export const deliveryHeaders = ["ETag", "Access-Control-Allow-Origin", "X-Content-Type-Options"] as const;

function kept(cacheControl: string) {
  return {
    headers: deliveryHeaders,
    headerExamples: { "Cache-Control": cacheControl, ETag: `"${examples.digest}"` },
  } as const;
}

/** A file or picture of a player. */
export const pngAnswer: Answer = {
  description: "The picture",
  type: "image/png",
  ...kept(caching.follows),
};

/** An answer that says when it was made. */
export function dated({ headers: own = [], ...answer }: Answer): Answer {
  return { ...answer, headers: [...own, "Last-Modified"] };
}

/** A file that never changes under its address. */
export const fixedPngAnswer: Answer = { ...pngAnswer, ...kept(caching.fixed) };

/** The headers of JSON that a web page may read, as `answers.json` makes it. */
export const openJsonHeaders = ["ETag", "Access-Control-Allow-Origin"] as const;
/** The same where it is an empty answer, for what is unknown. */
export const openNothing = { headers: ["Access-Control-Allow-Origin"] } as const;

/** JSON that may be kept for a minute. */
export const keptJson = kept(caching.follows);

/** A failure in delivery's form, for protocols whose pictures fail as delivery's do. */
export function presentPictureFailure({ status, message, headers: own }: Failure): Response {
  return failureJson({ status, headers: own }, failedEnvelope(message));
}

const failureSchema = t.Object(
  {
    error: t.Literal(true),
    msg: givenText("What is wrong, for people to read", "No player has this name"),
    url: t.Null(),
    data: t.Object({}),
  },
  { component: "PictureFailure" },
);

/** Such a failure in the API's document. */
export function pictureFailure(description: string): Answer {
  return { description, schema: failureSchema };
}
