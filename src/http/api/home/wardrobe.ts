import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { checkWardrobe } from "../../../domain/textures/wardrobe.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { AccountId } from "../../../kernel/ids.ts";
import { formReader } from "../../form-body.ts";
import { readUuid } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { editSkinBody, readSkinEdit, sharedSkinBody, skinBody, uploadBody } from "../../resources/skin.ts";
import { route } from "../../routing/route.ts";

/** Upload, change, selection and deletion of skins (docs/contract/home.md). */
export function wardrobeRoutes(services: Services, http: Http) {
  return [...additionRoutes(services, http), copyRoute(services, http), ...skinRoutes(services, http)];
}

const skinAddress = (uuid: string) => `/api/skin/public/${uuid}`;

function additionRoutes({ textures, reads, rules, limits }: Services, { requests, guards }: Http) {
  const admit = async (account: AccountId) => {
    await limits.upload.take({ account });
    await checkWardrobe(reads.textures, account, rules.textures.wardrobeMax);
  };
  return [
    route("POST", "/edit/upload", {
      guard: guards.player,
      before: requests.uploadGuard(admit),
      read: formReader(rules.textures.bytesMax),
      body: uploadBody,
      action: "Skin upload",
      operationId: "uploadSkin",
      summary: "Upload a skin into your wardrobe",
      description: "A PNG of 64x64 or 64x32 pixels, or of a whole multiple. The first one is worn at once.",
      errors: [refusals.tooMany("uploads", 30)],
      answers: {
        200: { headers: ["Location"], headerExamples: { Location: skinAddress(examples.skin) } },
      },
      refuses: [...refusalsOf.upload, refusals.skinSize, refusals.noSlimFile, refusals.wardrobeFull],
      handle: async ({ actor, player, body, set }) => {
        const model = body.slim === undefined ? null : body.slim === "true" ? "slim" : "classic";
        const file = await body.skin.bytes();
        const input = { file, model, name: body.name ?? null, select: false } as const;
        const skin = await textures.uploadSkin(actor, player, input);
        set.headers["location"] = skinAddress(skin.uuid);
      },
    }),
  ];
}

function copyRoute({ players, limits }: Services, { guards }: Http) {
  return route("POST", "/edit/skin/copy", {
    guard: guards.player,
    body: sharedSkinBody,
    action: "Skin copy",
    operationId: "copySkin",
    summary: "Wear the skin that another player shares",
    description:
      "It joins your wardrobe, unless the same picture is there, and your main player wears it. The other player's owner has to" +
      " share it: `shares_skin`.",
    errors: [refusals.unknownPlayer(), refusals.tooMany("uploads", 30)],
    answers: {
      200: { headers: ["Location"], headerExamples: { Location: skinAddress(examples.skin) } },
    },
    refuses: [
      refusals.skinTooWide,
      refusals.ownPlayersSkin,
      refusals.skinNotShared,
      refusals.defaultSkinShared,
      refusals.sharedSkinBanned,
      refusals.wardrobeFull,
    ],
    handle: async ({ actor, player, body, set }) => {
      // It fills the wardrobe as an upload does.
      await limits.upload.take({ account: player.accountId });
      const from = { by: "uuid", value: readUuid("player", body.player) } as const;
      const skin = await players.wearShared(actor, player, from);
      set.headers["location"] = skinAddress(skin.uuid);
    },
  });
}

function skinRoutes({ textures }: Services, { guards }: Http) {
  return [
    route("PUT", "/edit/skin", {
      guard: guards.player,
      body: editSkinBody,
      action: "Skin change",
      operationId: "updateSkin",
      summary: "Change a skin of your wardrobe",
      description: "Fields that are left out stay as they are.",
      refuses: [...refusalsOf.skinEdit, refusals.notInYourWardrobe],
      handle: async ({ actor, player, body }) => {
        const uuid = readUuid("skinid", body.skinid);
        await textures.editSkin(actor, player, { uuid, edit: readSkinEdit(body) });
      },
    }),
    route("POST", "/edit/skin/select", {
      guard: guards.player,
      body: skinBody,
      action: "Skin selection",
      operationId: "selectSkin",
      summary: "Wear a skin of your wardrobe",
      refuses: [refusals.notInWardrobe],
      handle: ({ actor, player, body }) =>
        textures.selectSkin(actor, player, readUuid("skinid", body.skinid)),
    }),
    route("DELETE", "/edit/skin", {
      guard: guards.player,
      body: skinBody,
      action: "Skin deletion",
      operationId: "deleteSkin",
      summary: "Delete a skin of your wardrobe",
      description: "A player that wore it wears no skin afterwards.",
      empty: "The skin is gone",
      refuses: [refusals.notInYourWardrobe],
      handle: ({ actor, player, body }) =>
        textures.deleteSkin(actor, player, readUuid("skinid", body.skinid)),
    }),
  ];
}
