import { PlainError } from "../../kernel/errors.ts";
import type { Shown } from "../answers.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
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
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/** What the segments after the player ask for. */
type Options = Pick<Wanted, "size" | "layers" | "side">;
type Find = (
  services: Pick<Services, "reads" | "textures">,
  id: string,
  options: () => Options,
) => Promise<Shown>;

function picture(wanted: Pick<Wanted, "view" | "type">): Find {
  return async (services, id, options) => figureShown(services, id, { ...wanted, ...options() });
}

const kinds: Readonly<Record<string, Find>> = {
  avatar: picture({ view: "head", type: "skin" }),
  head: picture({ view: "head", type: "isometric" }),
  body: picture({ view: "body", type: "isometric" }),
  player: picture({ view: "body", type: "skin" }),
  combo: picture({ view: "combo", type: "skin" }),
  skin: (services, id) => skinFileShown(services, id),
  download: (services, id) => skinFileShown(services, id, { isSaved: true }),
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

type AskedKind = {
  readonly request: Request;
  readonly params: typeof params.static & Partial<Omit<typeof threeMore.static, keyof typeof who>>;
};

/** `/mc-heads`: the paths of MCHeads. */
export function mcHeadsRoutes(services: Services, http: Pick<Http, "answers" | "requests">) {
  const answer = ({ params: { kind, id, ...more }, request }: AskedKind) => {
    const find = rowOf(http, request, [kinds, kind]);
    const options = () => readOptions([more.first, more.second, more.third]);
    return http.answers.image(request, () => find(services, id, options));
  };
  const described = {
    protocol: true,
    answers: avatarAnswers("There is no such picture"),
  } as const;
  return [
    route("GET", "/mc-heads/:kind/:id", {
      params,
      operationId: "getMcHeadsPicture",
      summary: "A picture of a player, 180 pixels wide, or a file",
      ...described,
      handle: answer,
    }),
    route("GET", "/mc-heads/:kind/:id/:first", {
      params: oneMore,
      operationId: "getMcHeadsPictureWithOption",
      summary: "The same with an option",
      ...described,
      handle: answer,
    }),
    route("GET", "/mc-heads/:kind/:id/:first/:second", {
      params: twoMore,
      operationId: "getMcHeadsPictureWithTwoOptions",
      summary: "The same with two options",
      ...described,
      handle: answer,
    }),
    route("GET", "/mc-heads/:kind/:id/:first/:second/:third", {
      params: threeMore,
      operationId: "getMcHeadsPictureWithThreeOptions",
      summary: "The same with three options",
      ...described,
      handle: answer,
    }),
  ];
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
