import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
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
import type { Shown } from "../answers.ts";
import { below, route, type Route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

type Find = (
  services: Pick<Services, "reads" | "textures">,
  id: string,
  width: () => number,
) => Promise<Shown>;

function picture(wanted: Omit<Wanted, "size">): Find {
  return async (services, id, width) => figureShown(services, id, { ...wanted, size: width() });
}

/** What each path shows. `armor` is Minotar's word for the second layer. */
const kinds: Readonly<Record<string, Find>> = {
  avatar: picture({ view: "head", type: "skin", layers: "first" }),
  helm: picture({ view: "head", type: "skin" }),
  cube: picture({ view: "head", type: "isometric", layers: "first" }),
  cubehelm: picture({ view: "head", type: "isometric" }),
  bust: picture({ view: "bust", type: "skin", layers: "first" }),
  body: picture({ view: "body", type: "skin", layers: "first" }),
  skin: (services, id) => skinFileShown(services, id),
  download: (services, id) => skinFileShown(services, id, { isSaved: true }),
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
export function minotarRoutes(services: Services, http: Pick<Http, "answers" | "requests">) {
  const answer = answerOf(services, http, kinds);
  return below("/minotar", "Avatars", [
    ...armourRoutes(services, http, "armor", [
      {
        operationId: "getMinotarArmor",
        summary: "The front of a player with the second layer, 180 pixels wide",
        ...described,
      },
      { operationId: "getSizedMinotarArmor", summary: "The same in another width", ...described },
    ]),
    ...armourRoutes(services, http, "armour", [
      { alias: "/minotar/armor/:kind/:id" },
      { alias: "/minotar/armor/:kind/:id/:width" },
    ]),
    route("GET", "/:kind/:id", {
      params,
      operationId: "getMinotarPicture",
      summary: "A picture of a player, 180 pixels wide, or a file",
      ...described,
      handle: answer,
    }),
    route("GET", "/:kind/:id/:width", {
      params: sizedParams,
      operationId: "getSizedMinotarPicture",
      summary: "The same in another width",
      ...described,
      handle: answer,
    }),
  ]);
}

type Detail = Pick<Route, "operationId" | "summary" | "answers" | "alias">;

/** Both spellings are in use. */
function armourRoutes(
  services: Services,
  http: Pick<Http, "answers" | "requests">,
  word: "armor" | "armour",
  [detail, sized]: readonly [Detail, Detail],
) {
  const answer = answerOf(services, http, armoured);
  return below(`/${word}`, "Avatars", [
    route("GET", "/:kind/:id", { params: armourParams, ...detail, handle: answer }),
    route("GET", "/:kind/:id/:width", { params: sizedArmourParams, ...sized, handle: answer }),
  ]);
}

type AskedKind = {
  readonly request: Request;
  readonly params: { readonly kind: string; readonly id: string; readonly width?: string };
};

function answerOf(
  services: Services,
  http: Pick<Http, "answers" | "requests">,
  table: Readonly<Record<string, Find>>,
) {
  return ({ params: { kind, id, width }, request }: AskedKind) => {
    const find = rowOf(http, request, [table, kind]);
    const size = () => readClampedWidth("width", width && withoutExtension(width));
    return http.answers.image(request, () => find(services, id, size));
  };
}

const described = {
  protocol: true,
  answers: avatarAnswers("There is no such picture, or the player wears no cape"),
} as const;
