import { Elysia, t } from "elysia";
import { describe, describeAlias } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";
import {
  avatarAnswers,
  capeFileOf,
  figureShown,
  idField,
  kindField,
  readClampedWidth,
  rowOf,
  skinFileShown,
  withoutExtension,
  type Wanted,
} from "./wearer.ts";
import type { Asked, Shown } from "../answers.ts";

type Find = (parts: Parts, id: string, width: () => number) => Promise<Shown>;

function picture(wanted: Omit<Wanted, "size">): Find {
  return async (parts, id, width) => figureShown(parts, id, { ...wanted, size: width() });
}

/** What each path shows. `armor` is Minotar's word for the second layer. */
const kinds: Readonly<Record<string, Find>> = {
  avatar: picture({ view: "head", type: "skin", layers: "first" }),
  helm: picture({ view: "head", type: "skin" }),
  cube: picture({ view: "head", type: "isometric", layers: "first" }),
  cubehelm: picture({ view: "head", type: "isometric" }),
  bust: picture({ view: "bust", type: "skin", layers: "first" }),
  body: picture({ view: "body", type: "skin", layers: "first" }),
  skin: (parts, id) => skinFileShown(parts, id),
  download: (parts, id) => skinFileShown(parts, id, { isSaved: true }),
  cape: capeFileOf,
};
const armoured: Readonly<Record<string, Find>> = {
  bust: picture({ view: "bust", type: "skin" }),
  body: picture({ view: "body", type: "skin" }),
};

const width = t.String({
  description: "Pixels of the picture's width, brought within 8 to 1024. A file extension is ignored",
  rule: "must be a whole number",
  documented: { type: "integer", minimum: 8, maximum: 1024, default: 180 },
});
const params = t.Object({ kind: kindField(Object.keys(kinds)), id: idField });
const sizedParams = t.Object({ kind: kindField(Object.keys(kinds)), id: idField, width });
const armourParams = t.Object({ kind: kindField(Object.keys(armoured)), id: idField });
const sizedArmourParams = t.Object({ kind: kindField(Object.keys(armoured)), id: idField, width });

/** `/minotar`: the paths of Minotar. */
export function minotarRoutes(parts: Parts) {
  const answer = answerOf(parts, kinds);
  return new Elysia({ prefix: "/minotar" })
    .use(
      armourRoutes(parts, "armor", [
        describe({
          operationId: "getMinotarArmor",
          summary: "The front of a player with the second layer, 180 pixels wide",
          ...described,
        }),
        describe({ operationId: "getSizedMinotarArmor", summary: "The same in another width", ...described }),
      ]),
    )
    .use(
      armourRoutes(parts, "armour", [
        describeAlias("/minotar/armor/:kind/:id"),
        describeAlias("/minotar/armor/:kind/:id/:width"),
      ]),
    )
    .get("/:kind/:id", answer, {
      params,
      detail: describe({
        operationId: "getMinotarPicture",
        summary: "A picture of a player, 180 pixels wide, or a file",
        ...described,
      }),
    })
    .get("/:kind/:id/:width", answer, {
      params: sizedParams,
      detail: describe({
        operationId: "getSizedMinotarPicture",
        summary: "The same in another width",
        ...described,
      }),
    });
}

type Detail = ReturnType<typeof describe> | ReturnType<typeof describeAlias>;

/** Both spellings are in use. */
function armourRoutes(parts: Parts, word: "armor" | "armour", [detail, sized]: readonly [Detail, Detail]) {
  const answer = answerOf(parts, armoured);
  return new Elysia({ prefix: `/${word}` })
    .get("/:kind/:id", answer, { params: armourParams, detail })
    .get("/:kind/:id/:width", answer, { params: sizedArmourParams, detail: sized });
}

type AskedKind = Asked & {
  readonly params: { readonly kind: string; readonly id: string; readonly width?: string };
};

function answerOf(parts: Parts, table: Readonly<Record<string, Find>>) {
  return ({ params: { kind, id, width }, request, set }: AskedKind) => {
    const find = rowOf(parts, request, [table, kind]);
    const size = () => readClampedWidth("width", width && withoutExtension(width));
    return parts.answers.image({ request, set }, () => find(parts, id, size));
  };
}

const described = {
  who: "everybody",
  protocol: true,
  answers: avatarAnswers("There is no such picture, or the player wears no cape"),
} as const;
