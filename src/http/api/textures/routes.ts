import { refusals } from "../../../domain/model/refusals.ts";
import type { Reads } from "../../../domain/ports/stores.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http } from "../../http.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { httpRefusals } from "../../refusals.ts";
import { below, route } from "../../routing/route.ts";
import { rules } from "../../rules.ts";
import type { Site } from "../../site.ts";
import {
  capeParams,
  capeFileQuery,
  hashParams,
  pictureQuery,
  playerCapeQuery,
  playerFileQuery,
  playerOrSkinParams,
  playerParams,
  playerPictureQuery,
  savedCapeParams,
  savedSkinParams,
  skinFileQuery,
  uuidParams,
  wingsParams,
  wingsQuery,
} from "../../textures/params.ts";
import {
  capeFileShown,
  capeOrSkinShown,
  descriptorShown,
  envelopeShown,
  noCape,
  noCapeFile,
  noSkin,
  noTexture,
  pictureShown,
  savedSkinShown,
  textureShown,
  wingsShown,
  wornCapeShown,
  wornSkinShown,
} from "../../textures/shown.ts";
import {
  descriptorAnswer,
  descriptorEnvelopeAnswer,
  pictureAnswer,
  playersFileAnswer,
  playersPictureAnswer,
  textureAnswer,
  wingsAnswer,
} from "./described.ts";

/** What finds the textures, and answers with them. */
type Deps = Pick<Reads, "textures" | "players"> &
  Pick<Services["textures"], "defaults"> &
  Pick<Http, "answers"> &
  Pick<Site, "publicUrl">;

/** `/api/skin` and `/textures` (docs/contract/delivery.md). Open to everybody. */
export function textureRoutes({ reads, textures: { defaults } }: Services, { answers, site }: Http) {
  const { textures, players } = reads;
  const deps = { textures, players, defaults, answers, publicUrl: site.publicUrl };
  return below("", "Skin and cape delivery", [
    ...descriptorRoutes(deps),
    ...pictureRoutes(deps),
    ...capeRoutes(deps),
    wingsRoute(deps),
    ...fileRoutes(deps),
    textureRoute(deps),
  ]);
}

function descriptorRoutes({ answers, publicUrl, ...deps }: Deps) {
  return [
    route("GET", "/api/skin/launcher/:uuid", {
      params: uuidParams,
      operationId: "getLauncherTextures",
      refuses: [rules.uuidOrName, rules.uuidOrPlayer],
      summary: "What a launcher needs to show a player",
      description: "Without the envelope. An unknown UUID is answered `{}`.",
      answers: descriptorAnswer,
      handle: ({ params, request }) =>
        answers.json(request, () => descriptorShown(deps, params.uuid, publicUrl())),
    }),
    route("GET", "/api/skin/launcher/envelope/:uuid", {
      params: uuidParams,
      operationId: "getPlayerTextures",
      refuses: [rules.uuidOrName, rules.uuidOrPlayer],
      summary: "The same in the envelope",
      msg: "Textures",
      errors: [refusals.unknownPlayer()],
      answers: descriptorEnvelopeAnswer,
      handle: ({ params, request }) =>
        answers.json(request, () => envelopeShown(deps, params.uuid, publicUrl())),
    }),
  ];
}

function pictureRoutes({ answers, ...deps }: Deps) {
  const options = { params: playerOrSkinParams, query: playerPictureQuery };
  const described = {
    who: "everybody",
    errors: [refusals.unknownPlayerOrSkin(), refusals.picturesBusy()],
  } as const;

  return [
    route("GET", "/api/skin/head/:uuid", {
      ...options,
      operationId: "getHeadPicture",
      refuses: [httpRefusals.noOwnSkin, ...refusalsOf.pictures, rules.uuidOrName],
      summary: "The head of a player or a skin",
      description: "`size` wide and high.",
      ...described,
      answers: playersPictureAnswer("head"),
      handle: ({ params, query, request }) =>
        answers.image(request, () => pictureShown(deps, "head", params.uuid, query)),
    }),
    route("GET", "/api/skin/body/:uuid", {
      ...options,
      operationId: "getBodyPicture",
      refuses: [httpRefusals.noOwnSkin, ...refusalsOf.pictures, rules.uuidOrName],
      summary: "The whole figure of a player or a skin",
      description: "`size` wide and twice as high.",
      ...described,
      answers: playersPictureAnswer("body"),
      handle: ({ params, query, request }) =>
        answers.image(request, () => pictureShown(deps, "body", params.uuid, query)),
    }),
  ];
}

function capeRoutes({ answers, ...deps }: Deps) {
  const described = {
    who: "everybody",
    errors: [refusals.unknownCapeOrSkin(), refusals.picturesBusy()],
    answers: pictureAnswer,
  } as const;

  return [
    route("GET", "/api/skin/cloak/:id", {
      params: capeParams,
      query: pictureQuery,
      operationId: "getCapePicture",
      refuses: [...refusalsOf.pictures, rules.uuidOrNumber],
      summary: "A cape, or a saved skin, by its id",
      description:
        "`skin` is the stored file, of a cape scaled to `size` when that is given; `player` wears it.",
      ...described,
      handle: ({ params, query, request }) =>
        answers.image(request, () => capeOrSkinShown(deps, params.id, query)),
    }),
    route("GET", "/api/skin/standart/cape/:uuid", {
      params: playerParams,
      query: playerCapeQuery,
      operationId: "getPlayerCape",
      refuses: [...refusalsOf.pictures, rules.uuidOrName, refusals.unknownPlayer, httpRefusals.noCape],
      summary: "The cape that a player wears",
      ...described,
      errors: [...described.errors, noCape()],
      answers: playersFileAnswer,
      handle: ({ params, query, request }) =>
        answers.image(request, () => wornCapeShown(deps, params.uuid, query)),
    }),
  ];
}

function wingsRoute({ answers, ...deps }: Deps) {
  return route("GET", "/api/skin/elytra/:id", {
    params: wingsParams,
    query: wingsQuery,
    operationId: "getElytraPicture",
    refuses: [...refusalsOf.pictures, rules.uuidNumberOrName],
    summary: "The elytra of a cape, or of the cape that a player wears",
    description:
      "`skin` is the cape's file with all but the wings transparent, scaled to `size` when that is given; `player`" +
      " wears it, seen from behind.",
    errors: [refusals.unknownCapeOrPlayer(), refusals.noWings(), refusals.picturesBusy()],
    answers: wingsAnswer,
    handle: ({ params, query, request }) => answers.image(request, () => wingsShown(deps, params.id, query)),
  });
}

function fileRoutes({ answers, ...deps }: Deps) {
  const described = {
    who: "everybody",
    errors: [noSkin()],
    answers: pictureAnswer,
  } as const;

  return [
    route("GET", "/api/skin/standart/:uuid", {
      params: playerParams,
      query: playerFileQuery,
      operationId: "getPlayerSkin",
      refuses: [...refusalsOf.pictures, rules.uuidOrName, refusals.unknownPlayer, httpRefusals.noOwnSkin],
      summary: "The skin that a player wears",
      ...described,
      answers: playersFileAnswer,
      handle: ({ params, query, request }) =>
        answers.image(request, () => wornSkinShown(deps, params.uuid, query)),
    }),
    route("GET", "/api/skin/public/:uuid", {
      params: savedSkinParams,
      query: skinFileQuery,
      operationId: "getSkinFile",
      refuses: [rules.uuid, refusals.picturesAway],
      summary: "A saved skin's file",
      ...described,
      handle: ({ params, query, request }) =>
        answers.image(request, () => savedSkinShown(deps, params.uuid, query)),
    }),
    route("GET", "/api/skin/public/cape/:uuid", {
      params: savedCapeParams,
      query: capeFileQuery,
      operationId: "getCapeFile",
      refuses: [rules.uuid, refusals.picturesAway],
      summary: "A cape's file",
      ...described,
      errors: [noCapeFile()],
      handle: ({ params, query, request }) =>
        answers.image(request, () => capeFileShown(deps, params.uuid, query)),
    }),
  ];
}

function textureRoute({ answers, ...deps }: Deps) {
  return route("GET", "/textures/:hash", {
    params: hashParams,
    operationId: "getTexture",
    refuses: [rules.hash, refusals.picturesAway],
    summary: "A texture by the hash of its bitmap",
    description: "What launcher descriptors point to. It never changes.",
    errors: [noTexture()],
    answers: textureAnswer,
    handle: ({ params, request }) => answers.image(request, () => textureShown(deps, params.hash)),
  });
}
