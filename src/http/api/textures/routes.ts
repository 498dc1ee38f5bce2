import { Elysia } from "elysia";
import type { DefaultSkins } from "../../../domain/textures/pictures.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Reads } from "../../../domain/ports/stores.ts";
import { describe } from "../../openapi/describe.ts";
import type { Answers } from "../../answers.ts";
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

export type TextureDeps = {
  readonly reads: Reads;
  readonly defaults: DefaultSkins;
  readonly answers: Answers;
  /** Base of texture addresses. */
  readonly publicUrl: () => string;
};

/** `/api/skin` and `/textures` (docs/contract/delivery.md). Open to everybody. */
export function textureRoutes({ reads, ...rest }: TextureDeps) {
  const deps = { ...rest, textures: reads.textures, players: reads.players };
  return new Elysia({ tags: ["Skin and cape delivery"] })
    .use(descriptorRoutes(deps))
    .use(pictureRoutes(deps))
    .use(capeRoutes(deps))
    .use(wingsRoute(deps))
    .use(fileRoutes(deps))
    .use(textureRoute(deps));
}

type Deps = Omit<TextureDeps, "reads"> & Pick<Reads, "textures" | "players">;

function descriptorRoutes({ answers, publicUrl, ...deps }: Deps) {
  return new Elysia({ prefix: "/api/skin/launcher" })
    .get(
      "/:uuid",
      ({ params, request, set }) =>
        answers.json({ request, set }, () => descriptorShown(deps, params.uuid, publicUrl())),
      {
        params: uuidParams,
        detail: describe({
          operationId: "getLauncherTextures",
          summary: "What a launcher needs to show a player",
          description: "Without the envelope. An unknown UUID is answered `{}`.",
          who: "everybody",
          answers: descriptorAnswer,
        }),
      },
    )
    .get(
      "/envelope/:uuid",
      ({ params, request, set }) =>
        answers.json({ request, set }, () => envelopeShown(deps, params.uuid, publicUrl())),
      {
        params: uuidParams,
        detail: describe({
          operationId: "getPlayerTextures",
          summary: "The same in the envelope",
          who: "everybody",
          msg: "Textures",
          errors: [refusals.unknownPlayer()],
          answers: descriptorEnvelopeAnswer,
        }),
      },
    );
}

function pictureRoutes({ answers, ...deps }: Deps) {
  const options = { params: playerOrSkinParams, query: playerPictureQuery };
  const described = {
    who: "everybody",
    errors: [refusals.unknownPlayerOrSkin(), refusals.picturesBusy()],
  } as const;

  return new Elysia({ prefix: "/api/skin" })
    .get(
      "/head/:uuid",
      ({ params, query, request, set }) =>
        answers.image({ request, set }, () => pictureShown(deps, "head", params.uuid, query)),
      {
        ...options,
        detail: describe({
          operationId: "getHeadPicture",
          summary: "The head of a player or a skin",
          description: "`size` wide and high.",
          ...described,
          answers: playersPictureAnswer("head"),
        }),
      },
    )
    .get(
      "/body/:uuid",
      ({ params, query, request, set }) =>
        answers.image({ request, set }, () => pictureShown(deps, "body", params.uuid, query)),
      {
        ...options,
        detail: describe({
          operationId: "getBodyPicture",
          summary: "The whole figure of a player or a skin",
          description: "`size` wide and twice as high.",
          ...described,
          answers: playersPictureAnswer("body"),
        }),
      },
    );
}

function capeRoutes({ answers, ...deps }: Deps) {
  const described = {
    who: "everybody",
    errors: [refusals.unknownCapeOrSkin(), refusals.picturesBusy()],
    answers: pictureAnswer,
  } as const;

  return new Elysia({ prefix: "/api/skin" })
    .get(
      "/cloak/:id",
      ({ params, query, request, set }) =>
        answers.image({ request, set }, () => capeOrSkinShown(deps, params.id, query)),
      {
        params: capeParams,
        query: pictureQuery,
        detail: describe({
          operationId: "getCapePicture",
          summary: "A cape, or a saved skin, by its id",
          description:
            "`skin` is the stored file, of a cape scaled to `size` when that is given; `player` wears it.",
          ...described,
        }),
      },
    )
    .get(
      "/standart/cape/:uuid",
      ({ params, query, request, set }) =>
        answers.image({ request, set }, () => wornCapeShown(deps, params.uuid, query)),
      {
        params: playerParams,
        query: playerCapeQuery,
        detail: describe({
          operationId: "getPlayerCape",
          summary: "The cape that a player wears",
          ...described,
          errors: [...described.errors, noCape()],
          answers: playersFileAnswer,
        }),
      },
    );
}

function wingsRoute({ answers, ...deps }: Deps) {
  return new Elysia().get(
    "/api/skin/elytra/:id",
    ({ params, query, request, set }) =>
      answers.image({ request, set }, () => wingsShown(deps, params.id, query)),
    {
      params: wingsParams,
      query: wingsQuery,
      detail: describe({
        operationId: "getElytraPicture",
        summary: "The elytra of a cape, or of the cape that a player wears",
        description:
          "`skin` is the cape's file with all but the wings transparent, scaled to `size` when that is given; `player`" +
          " wears it, seen from behind.",
        who: "everybody",
        errors: [refusals.unknownCapeOrPlayer(), refusals.noWings(), refusals.picturesBusy()],
        answers: wingsAnswer,
      }),
    },
  );
}

function fileRoutes({ answers, ...deps }: Deps) {
  const described = {
    who: "everybody",
    errors: [noSkin()],
    answers: pictureAnswer,
  } as const;

  return new Elysia()
    .get(
      "/api/skin/standart/:uuid",
      ({ params, query, request, set }) =>
        answers.image({ request, set }, () => wornSkinShown(deps, params.uuid, query)),
      {
        params: playerParams,
        query: playerFileQuery,
        detail: describe({
          operationId: "getPlayerSkin",
          summary: "The skin that a player wears",
          ...described,
          answers: playersFileAnswer,
        }),
      },
    )
    .get(
      "/api/skin/public/:uuid",
      ({ params, query, request, set }) =>
        answers.image({ request, set }, () => savedSkinShown(deps, params.uuid, query)),
      {
        params: savedSkinParams,
        query: skinFileQuery,
        detail: describe({ operationId: "getSkinFile", summary: "A saved skin's file", ...described }),
      },
    )
    .get(
      "/api/skin/public/cape/:uuid",
      ({ params, query, request, set }) =>
        answers.image({ request, set }, () => capeFileShown(deps, params.uuid, query)),
      {
        params: savedCapeParams,
        query: capeFileQuery,
        detail: describe({
          operationId: "getCapeFile",
          summary: "A cape's file",
          ...described,
          errors: [noCapeFile()],
        }),
      },
    );
}

function textureRoute({ answers, ...deps }: Deps) {
  return new Elysia().get(
    "/textures/:hash",
    ({ params, request, set }) => answers.image({ request, set }, () => textureShown(deps, params.hash)),
    {
      params: hashParams,
      detail: describe({
        operationId: "getTexture",
        summary: "A texture by the hash of its bitmap",
        description: "What launcher descriptors point to. It never changes.",
        who: "everybody",
        errors: [noTexture()],
        answers: textureAnswer,
      }),
    },
  );
}
