import { refusals } from "../../../domain/model/refusals.ts";
import { lookAtSkin } from "../../../domain/textures/look-at-skin.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { optionalJsonReader } from "../../body.ts";
import { readTextureHash, readUuid, refuseEmptyChange } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { listQuery, pageAnswer, readRows } from "../../paging.ts";
import { userParams } from "../../resources/user-params.ts";
import { banParams, bansEnvelope, presentBan } from "../../resources/ban.ts";
import {
  readSkinEdit,
  presentListedSkin,
  presentSkin,
  presentSkinLook,
  skinChangeBody,
  skinEnvelope,
  skinLookEnvelope,
  skinParams,
  skinRemovalBody,
  skinsEnvelope,
  wardrobeEnvelope,
} from "../../resources/skin.ts";
import { route } from "../../routing/route.ts";
import { rules } from "../../rules.ts";

/**
 * Everybody's skins, and bitmaps that no texture may have (docs/contract/admin.md#skins,
 * docs/contract/admin.md#bans).
 */
export function skinRoutes(services: Services, http: Http) {
  return [...lookRoutes(services, http), ...changeRoutes(services, http), ...banRoutes(services, http)];
}

function lookRoutes({ reads }: Services, { guards }: Http) {
  const { accounts, textures } = reads;
  const list = { rows: textures.listAllSkins, count: textures.countAllSkins };
  return [
    route("GET", "/skins", {
      guard: guards.staff("inspect"),
      query: listQuery,
      envelope: skinsEnvelope,
      operationId: "listSkins",
      summary: "All skins, by id",
      description: "`q` is searched in the skins' names; it may also be an id or a UUID.",
      msg: "Skins",
      answers: pageAnswer,
      refuses: [...refusalsOf.page, ...refusalsOf.search],
      handle: async (context) => (await readRows(list, context)).map(presentListedSkin),
    }),
    route("GET", "/users/skin/:uuid", {
      guard: guards.staff("inspect"),
      params: userParams,
      envelope: wardrobeEnvelope,
      operationId: "listUserSkins",
      summary: "The skins of a user",
      msg: "Skins",
      errors: [refusals.unknownUuid(examples.user)],
      handle: async ({ params }) => {
        const uuid = readUuid("uuid", params.uuid);
        const member = await accounts.findMember({ by: "uuid", value: uuid });
        if (member === null) throw refusals.unknownUuid(uuid);
        return (await textures.listSkinsOf(member.account.id)).map(presentSkin);
      },
    }),
    route("GET", "/skin/:uuid", {
      guard: guards.staff("inspect"),
      params: skinParams,
      envelope: skinLookEnvelope,
      operationId: "lookAtSkin",
      summary: "A skin, others that have its bitmap, and what staff removed of its owner",
      msg: "Skin",
      errors: [refusals.unknownSkin(examples.skin)],
      handle: async ({ params }) => presentSkinLook(await lookAtSkin(reads, readUuid("uuid", params.uuid))),
    }),
  ];
}

function changeRoutes({ textures }: Services, { guards }: Http) {
  return [
    route("PATCH", "/skin/:uuid", {
      guard: guards.staff("moderate"),
      params: skinParams,
      body: skinChangeBody,
      envelope: skinEnvelope,
      operationId: "moderateSkin",
      summary: "Change anybody's skin",
      description: "Fields that are left out stay as they are; at least one must be there.",
      action: "Skin change",
      errors: [refusals.unknownSkin(examples.skin)],
      refuses: [...refusalsOf.skinEdit, refusals.hdDiffers, rules.someField],
      handle: async ({ actor, params, body }) => {
        const uuid = readUuid("uuid", params.uuid);
        refuseEmptyChange(skinChangeBody, body);
        const change = { ...readSkinEdit(body), ...(body.hd === undefined ? {} : { hd: body.hd }) };
        const skin = await textures.moderateSkin(actor, uuid, change);
        return presentSkin(skin);
      },
    }),
    route("DELETE", "/skin/:uuid", {
      guard: guards.staff("moderate"),
      read: optionalJsonReader(),
      params: skinParams,
      body: skinRemovalBody,
      operationId: "removeSkin",
      summary: "Remove anybody's skin",
      description:
        "A player that wore it wears no skin afterwards. With `ban` the bitmap is removed from every wardrobe, which takes some seconds where it is in thousands of them.",
      optionalBody: true,
      errors: [refusals.unknownSkin(examples.skin), refusals.shownByCape(examples.texture)],
      empty: "The skin is gone",
      refuses: [refusals.badLine, refusals.shownByCape],
      handle: async ({ actor, params, body }) => {
        const { reason = "", ban = false } = body;
        await textures.removeSkin(actor, readUuid("uuid", params.uuid), { reason, ban });
      },
    }),
  ];
}

function banRoutes({ reads, textures }: Services, { guards }: Http) {
  const list = { rows: reads.textures.listBans, count: reads.textures.countBans };
  return [
    route("GET", "/bans", {
      guard: guards.staff("inspect"),
      query: listQuery,
      envelope: bansEnvelope,
      operationId: "listBans",
      summary: "All banned bitmaps, by id",
      description: "`q` is the beginning of a hash, or an id.",
      msg: "Bans",
      answers: pageAnswer,
      refuses: [...refusalsOf.page, ...refusalsOf.search],
      handle: async (context) => (await readRows(list, context)).map(presentBan),
    }),
    route("DELETE", "/bans/:hash", {
      guard: guards.staff("moderate"),
      params: banParams,
      operationId: "liftBan",
      summary: "Lift the ban of a bitmap",
      description: "It may be uploaded again. Skins that the ban removed do not come back.",
      errors: [refusals.unknownBan(examples.texture)],
      empty: "The ban is lifted",
      refuses: [rules.hash],
      handle: ({ actor, params }) => textures.liftBan(actor, readTextureHash(params.hash)),
    }),
  ];
}
