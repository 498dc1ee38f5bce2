import { Elysia } from "elysia";
import { AppError } from "../../../kernel/errors.ts";
import type { DefaultSkins } from "../../../domain/textures/default-skin.ts";
import {
  findCapeOrSkin,
  findShown,
  findSkinToShow,
  savedSkin,
  shownSkin,
  type ShownSkin,
} from "../../../domain/textures/delivery.ts";
import type { WornSkin } from "../../../domain/textures/pictures.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Reads } from "../../../domain/ports/stores.ts";
import { ok } from "../../envelope.ts";
import { readTextureHash, readUuid } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import type { Answers, Shown } from "./answer.ts";
import { capeShown, noCape, noCapeShown } from "./cape-pictures.ts";
import { presentDescriptor } from "./present.ts";
import { readCapeKey, readSize, readSubject } from "./params.ts";
import {
  descriptorAnswer,
  descriptorEnvelopeAnswer,
  pictureAnswer,
  playersFileAnswer,
  playersPictureAnswer,
  textureAnswer,
} from "./described.ts";
import {
  capeParams,
  fileQuery,
  hashParams,
  pictureQuery,
  playerCapeQuery,
  playerOrSkinParams,
  playerParams,
  playerPictureQuery,
  savedCapeParams,
  savedSkinParams,
  uuidParams,
} from "./schema.ts";

const picturesBusy = new AppError(
  "limited",
  "Too many pictures are being made right now: try again in a few seconds",
);
const noSkin = () => new AppError("not_found", "No skin has this uuid");
const noCapeFile = () => new AppError("not_found", "No cape has this uuid");
const noTexture = () => new AppError("not_found", "No texture has this hash");

export type TextureDeps = {
  readonly reads: Reads;
  readonly defaults: DefaultSkins;
  readonly answers: Answers;
  /** Base of texture addresses. */
  readonly publicUrl: () => string;
};

/** `/api/skin` and `/textures` (contract, Skin and cape delivery). Open to everybody. */
export function textureRoutes(deps: TextureDeps) {
  return new Elysia({ tags: ["Skin and cape delivery"] })
    .use(descriptorRoutes(deps))
    .use(pictureRoutes(deps))
    .use(capeRoutes(deps))
    .use(fileRoutes(deps))
    .use(textureRoute(deps));
}

function descriptorRoutes({ reads, answers, publicUrl }: TextureDeps) {
  const { textures } = reads;
  return new Elysia({ prefix: "/api/skin/launcher" })
    .get(
      "/:uuid",
      ({ params, request }) =>
        answers.json(request, async () => {
          const uuid = readUuid("uuid", params.uuid);
          // Launchers take 404 and null for a fault, so a uuid that nobody has shows nothing.
          return presentDescriptor(await textures.findAppearance({ by: "uuid", value: uuid }), publicUrl());
        }),
      {
        params: uuidParams,
        detail: describe({
          operationId: "getLauncherTextures",
          summary: "What a launcher needs to show a player",
          description: "Without the envelope. A UUID that nobody has is answered `{}`.",
          who: "everybody",
          answers: descriptorAnswer,
        }),
      },
    )
    .get(
      "/envelope/:uuid",
      ({ params, request }) =>
        answers.json(request, async () => {
          const shown = await findShown(textures, { by: "uuid", value: readUuid("uuid", params.uuid) });
          const { name, uuid } = shown;
          return ok("Textures", { username: name, uuid, ...presentDescriptor(shown, publicUrl()) });
        }),
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

function pictureRoutes({ reads, defaults, answers }: TextureDeps) {
  const options = { params: playerOrSkinParams, query: playerPictureQuery };
  const described = {
    who: "everybody",
    errors: [refusals.unknownPlayerOrSkin(), picturesBusy],
  } as const;
  type Query = typeof playerPictureQuery.static;
  const picture = async (view: "head" | "body", text: string, query: Query): Promise<Shown> => {
    const size = readSize(query.size);
    const skin = await findSkinToShow(reads.textures, readSubject(text), defaults);
    refuseDefault(skin, query);
    return {
      what: { picture: { view, type: query.type ?? "skin", size, skin } },
      caching: "follows",
      byDefault: skin.byDefault,
    };
  };

  return new Elysia({ prefix: "/api/skin" })
    .get(
      "/head/:uuid",
      ({ params, query, request }) => answers.image(request, () => picture("head", params.uuid, query)),
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
      ({ params, query, request }) => answers.image(request, () => picture("body", params.uuid, query)),
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

function capeRoutes({ reads, defaults, answers }: TextureDeps) {
  const { textures } = reads;
  type Query = typeof pictureQuery.static;
  const described = {
    who: "everybody",
    errors: [refusals.unknownCapeOrSkin(), picturesBusy],
    answers: pictureAnswer,
  } as const;

  const cloak = async (id: string, query: Query): Promise<Shown> => {
    const size = readSize(query.size);
    const found = await findCapeOrSkin(textures, readCapeKey(id));
    // A cape by itself has no wearer: the classic default skin shows it.
    const wearer: WornSkin = { file: defaults.classic, model: "classic" };
    if ("cape" in found) return capeShown(found.cape.texture, query, { size, skin: wearer });
    const skin = savedSkin(found.skin);
    if (query.type !== "player") return { what: { file: skin.file }, caching: "follows" };
    return { what: { picture: { view: "body", type: "player", size, skin } }, caching: "follows" };
  };
  const current = async (text: string, query: typeof playerCapeQuery.static): Promise<Shown> => {
    const shown = await findShown(textures, readSubject(text));
    if (shown.cape === null) return noCapeShown(query);
    const size = readSize(query.size);
    return capeShown(shown.cape.texture, query, { size, skin: shownSkin(shown, defaults) });
  };

  return new Elysia({ prefix: "/api/skin" })
    .get(
      "/cloak/:id",
      ({ params, query, request }) => answers.image(request, () => cloak(params.id, query)),
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
      ({ params, query, request }) => answers.image(request, () => current(params.uuid, query)),
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

function fileRoutes({ reads, defaults, answers }: TextureDeps) {
  const { textures } = reads;
  const described = {
    who: "everybody",
    errors: [noSkin()],
    answers: pictureAnswer,
  } as const;

  const standart = async (text: string, query: typeof fileQuery.static): Promise<Shown> => {
    const skin = shownSkin(await findShown(textures, readSubject(text)), defaults);
    refuseDefault(skin, query);
    return { what: { file: skin.file }, caching: "follows", byDefault: skin.byDefault };
  };
  const savedFile = async (text: string): Promise<Shown> => {
    const skin = await textures.findSkin(readUuid("uuid", text));
    if (skin === null) throw noSkin();
    return { what: { file: skin.texture }, caching: "follows" };
  };
  const capeFile = async (text: string): Promise<Shown> => {
    const cape = await textures.findCape({ by: "uuid", value: readUuid("uuid", text) });
    if (cape === null) throw noCapeFile();
    return { what: { file: cape.texture }, caching: "follows" };
  };
  return new Elysia()
    .get(
      "/api/skin/standart/:uuid",
      ({ params, query, request }) => answers.image(request, () => standart(params.uuid, query)),
      {
        params: playerParams,
        query: fileQuery,
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
      ({ params, request }) => answers.image(request, () => savedFile(params.uuid)),
      {
        params: savedSkinParams,
        detail: describe({ operationId: "getSkinFile", summary: "A saved skin's file", ...described }),
      },
    )
    .get(
      "/api/skin/public/cape/:uuid",
      ({ params, request }) => answers.image(request, () => capeFile(params.uuid)),
      {
        params: savedCapeParams,
        detail: describe({
          operationId: "getCapeFile",
          summary: "A cape's file",
          ...described,
          errors: [noCapeFile()],
        }),
      },
    );
}

function textureRoute({ reads, answers }: TextureDeps) {
  const textureFile = async (text: string): Promise<Shown> => {
    const texture = await reads.textures.findTexture(readTextureHash(text));
    if (texture === null) throw noTexture();
    return { what: { file: texture }, caching: "fixed" };
  };

  return new Elysia().get(
    "/textures/:hash",
    ({ params, request }) => answers.image(request, () => textureFile(params.hash)),
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

function refuseDefault(skin: ShownSkin, query: { readonly default?: string }): void {
  if (query.default === "none" && skin.byDefault !== null) {
    throw new AppError("not_found", "This player has chosen no skin");
  }
}
