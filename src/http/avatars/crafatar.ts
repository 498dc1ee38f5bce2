import type { StandIn } from "../../domain/textures/stand-in.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import {
  avatarAnswers,
  capeFileOf,
  figureShown,
  idField,
  kindField,
  rowOf,
  skinFileShown,
  type Wanted,
} from "./wearer.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

const sizeUsual = 160;
const scaleUsual = 6;
const scaleMax = 10;

/** Height over width of the boxes that pictures in 3D are fitted into; both grow with `scale`. */
const renders = {
  head: { view: "head", heightOfScale: 18.5 },
  body: { view: "body", heightOfScale: 45.1 },
} as const;
const widthOfScale = 20;

// Texts here, because the framework's own coercion takes "1e2", "0x64" and " 100" for integers.
const size = t.Optional(
  t.String({
    description: "Pixels of the face's edge",
    documented: {
      type: "integer",
      minimum: limits.faceSizeMin,
      maximum: limits.pictureSizeMax,
      default: sizeUsual,
    },
  }),
);
const scale = t.Optional(
  t.String({
    description: "The picture is 20 pixels wide for each",
    documented: { type: "integer", minimum: 1, maximum: scaleMax, default: scaleUsual },
  }),
);
// Counted by presence, so whatever they hold, and however often they come, is let in.
const overlay = t.Optional(
  t.Any({
    description: "When it is there, whatever its value: with the second layer",
    documented: { type: "string" },
  }),
);
const standIn = t.Optional(
  t.Any({
    description:
      "Shown for a player without a skin: `steve`, `alex`, `MHF_Steve`, `MHF_Alex` or the UUID of another player." +
      " Everything else, addresses too, is ignored",
    documented: { type: "string", examples: ["alex"] },
  }),
);
const layers = { overlay, helm: overlay };

const params = t.Object({ id: idField });
const renderParams = t.Object({ kind: kindField(Object.keys(renders)), id: idField });
const faceQuery = t.Object({ size, ...layers, default: standIn });
const renderQuery = t.Object({ scale, ...layers, default: standIn });
const fileQuery = t.Object({ default: standIn });

/** `/crafatar`: the paths and parameters of Crafatar. */
export function crafatarRoutes(
  services: Pick<Services, "reads" | "textures">,
  http: Pick<Http, "answers" | "requests">,
) {
  const { answers } = http;
  const described = { protocol: true, answers: avatarAnswers("No such picture") } as const;
  return below("/crafatar", "Avatars", [
    route("GET", "/avatars/:id", {
      params,
      query: faceQuery,
      operationId: "getCrafatarAvatar",
      summary: "The face of a player",
      ...described,
      handle: ({ params, query, request }) =>
        answers.image(request, async () => figureShown(services, params.id, face(query))),
    }),
    route("GET", "/renders/:kind/:id", {
      params: renderParams,
      query: renderQuery,
      operationId: "getCrafatarRender",
      summary: "Head or body of a player, isometric",
      ...described,
      handle: ({ params, query, request }) =>
        answers.image(request, async () =>
          figureShown(services, params.id, render(rowOf(http, request, [renders, params.kind]), query)),
        ),
    }),
    ...fileRoutes(services, http),
  ]);
}

function fileRoutes(services: Pick<Services, "reads" | "textures">, http: Pick<Http, "answers">) {
  const { answers } = http;
  const described = { protocol: true } as const;
  return [
    route("GET", "/skins/:id", {
      params,
      query: fileQuery,
      operationId: "getCrafatarSkin",
      summary: "The file of a player's skin",
      ...described,
      answers: avatarAnswers("No such file"),
      handle: ({ params, query, request }) =>
        answers.image(request, () =>
          skinFileShown(services, params.id, { standIn: readStandIn(query.default) }),
        ),
    }),
    route("GET", "/capes/:id", {
      params,
      operationId: "getCrafatarCape",
      summary: "The file of the cape that a player wears",
      ...described,
      answers: avatarAnswers("The player wears no cape"),
      handle: ({ params, request }) => answers.image(request, () => capeFileOf(services, params.id)),
    }),
  ];
}

type WithStandIn = Wanted & { readonly standIn: StandIn | null };

function face(query: typeof faceQuery.static): WithStandIn {
  const size = readNumber("size", query.size ?? String(sizeUsual), limits.pictureSizeMax);
  return { view: "head", type: "skin", size, ...layersOf(query), standIn: readStandIn(query.default) };
}

function render(
  { view, heightOfScale }: (typeof renders)[keyof typeof renders],
  query: typeof renderQuery.static,
): WithStandIn {
  const scale = readNumber("scale", query.scale ?? String(scaleUsual), scaleMax);
  const box = { size: scale * widthOfScale, height: Math.floor(scale * heightOfScale) };
  return { view, type: "isometric", ...box, ...layersOf(query), standIn: readStandIn(query.default) };
}

function layersOf(query: object): Pick<Wanted, "layers"> {
  return "overlay" in query || "helm" in query ? {} : { layers: "first" };
}

/** From 1 to `most`. */
function readNumber(field: string, text: string, most: number): number {
  const number = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw new PlainError("invalid", `${field}: must be a whole number from 1 to ${most}`);
  return number;
}

const standIns: Readonly<Record<string, StandIn>> = {
  steve: "classic",
  mhf_steve: "classic",
  alex: "slim",
  mhf_alex: "slim",
};

/** Never an address: following one would lead visitors wherever a link says. */
function readStandIn(text: unknown): StandIn | null {
  if (typeof text !== "string") return null;
  const name = text.toLowerCase();
  if (Object.hasOwn(standIns, name)) return standIns[name] ?? null;
  const uuid = parseUuid(text);
  return uuid === null ? null : { by: "uuid", value: uuid };
}
