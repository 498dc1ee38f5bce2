import { Elysia, t } from "elysia";
import { PlainError } from "../../kernel/errors.ts";
import { describe } from "../openapi/describe.ts";
import type { Asked, Shown } from "../answers.ts";
import type { Parts } from "../parts.ts";
import {
  avatarAnswers,
  figureShown,
  idField,
  kindField,
  readClampedWidth,
  rowOf,
  skinFileShown,
  withoutExtension,
  type Wanted,
} from "./wearer.ts";

/** What the segments after the player ask for. */
type Options = Pick<Wanted, "size" | "layers" | "side">;
type Find = (parts: Parts, id: string, options: () => Options) => Promise<Shown>;

function picture(wanted: Pick<Wanted, "view" | "type">): Find {
  return async (parts, id, options) => figureShown(parts, id, { ...wanted, ...options() });
}

const kinds: Readonly<Record<string, Find>> = {
  avatar: picture({ view: "head", type: "skin" }),
  head: picture({ view: "head", type: "isometric" }),
  body: picture({ view: "body", type: "isometric" }),
  player: picture({ view: "body", type: "skin" }),
  combo: picture({ view: "combo", type: "skin" }),
  skin: (parts, id) => skinFileShown(parts, id),
  download: (parts, id) => skinFileShown(parts, id, { isSaved: true }),
};

const option = t.String({
  description:
    "The width in pixels, brought within 8 to 1024; `nohelm`: without the second layer; `left`: from the other side",
  rule: "must be a whole number, nohelm, left or right",
  examples: ["64"],
});
const who = { kind: kindField(Object.keys(kinds)), id: idField };
const params = t.Object(who);
const oneMore = t.Object({ ...who, first: option });
const twoMore = t.Object({ ...who, first: option, second: option });
const threeMore = t.Object({ ...who, first: option, second: option, third: option });

type AskedKind = Asked & {
  readonly params: typeof params.static & Partial<Omit<typeof threeMore.static, keyof typeof who>>;
};

/** `/mc-heads`: the paths of MCHeads. */
export function mcHeadsRoutes(parts: Parts) {
  const answer = ({ params: { kind, id, ...more }, request, set }: AskedKind) => {
    const find = rowOf(parts, request, [kinds, kind]);
    const options = () => readOptions([more.first, more.second, more.third]);
    return parts.answers.image({ request, set }, () => find(parts, id, options));
  };
  const described = {
    who: "everybody",
    protocol: true,
    answers: avatarAnswers("There is no such picture"),
  } as const;
  return new Elysia({ prefix: "/mc-heads" })
    .get("/:kind/:id", answer, {
      params,
      detail: describe({
        operationId: "getMcHeadsPicture",
        summary: "A picture of a player, 180 pixels wide, or a file",
        ...described,
      }),
    })
    .get("/:kind/:id/:first", answer, {
      params: oneMore,
      detail: describe({
        operationId: "getMcHeadsPictureWithOption",
        summary: "The same with an option",
        ...described,
      }),
    })
    .get("/:kind/:id/:first/:second", answer, {
      params: twoMore,
      detail: describe({
        operationId: "getMcHeadsPictureWithTwoOptions",
        summary: "The same with two options",
        ...described,
      }),
    })
    .get("/:kind/:id/:first/:second/:third", answer, {
      params: threeMore,
      detail: describe({
        operationId: "getMcHeadsPictureWithThreeOptions",
        summary: "The same with three options",
        ...described,
      }),
    });
}

/** Options in any order; of two widths the last one counts. */
function readOptions(segments: readonly (string | undefined)[]): Options {
  const words = segments.flatMap((segment) =>
    segment === undefined ? [] : [withoutExtension(segment).toLowerCase()],
  );
  if (!words.every((word) => known.test(word)))
    throw new PlainError(
      "invalid",
      "size: must be a whole number; beside it there are nohelm, left and right",
    );
  return {
    size: readClampedWidth(
      "size",
      words.findLast((word) => /^[0-9]/.test(word)),
    ),
    ...(words.includes("nohelm") && { layers: "first" }),
    ...(words.includes("left") && { side: "left" }),
  };
}

const known = /^(?:[0-9]+|nohelm|left|right)$/;
