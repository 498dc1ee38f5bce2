import { rules } from "../../rules.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { lookAtSkin } from "../../../domain/textures/look-at-skin.ts";
import { optionalJsonReader } from "../../body.ts";
import { readTextureHash, readUuid, refuseEmptyChange } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";
import { listQuery, pageAnswer, readRows } from "../../paging.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http } from "../../http.ts";
import { userParams } from "../../resources/account.ts";
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

/** Everybody's skins, and bitmaps that no texture may have (docs/contract/admin.md#skins, docs/contract/admin.md#bans). */
export function skinRoutes(services: Services, http: Http) {
  return [
    ...listRoutes(services, http),
    lookRoute(services, http),
    changeRoute(services, http),
    removeRoute(services, http),
    bansRoute(services, http),
    liftRoute(services, http),
  ];
}

function listRoutes({ reads }: Services, { guards }: Http) {
  const { accounts, textures } = reads;
  const list = { rows: textures.listAllSkins, count: textures.countAllSkins };
  return [
    route({
      method: "GET",
      path: "/skins",
      guard: guards.staff("inspect"),
      query: listQuery,
      envelope: skinsEnvelope,
      operationId: "listSkins",
      refuses: [...refusalsOf.page, ...refusalsOf.search],
      summary: "All skins, by id",
      description: "`q` is searched in the skins' names; it may also be an id or a UUID.",
      msg: "Skins",
      answers: pageAnswer,
      handle: async (context) => (await readRows(list, context)).map(presentListedSkin),
    }),
    route({
      method: "GET",
      path: "/users/skin/:uuid",
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
  ];
}

function lookRoute({ reads }: Services, { guards }: Http) {
  return route({
    method: "GET",
    path: "/skin/:uuid",
    guard: guards.staff("inspect"),
    params: skinParams,
    envelope: skinLookEnvelope,
    operationId: "lookAtSkin",
    summary: "A skin, others that have its bitmap, and what staff removed of its owner",
    msg: "Skin",
    errors: [refusals.unknownSkin(examples.skin)],
    handle: async ({ params }) => presentSkinLook(await lookAtSkin(reads, readUuid("uuid", params.uuid))),
  });
}

function changeRoute({ textures }: Services, { guards }: Http) {
  return route({
    method: "PATCH",
    path: "/skin/:uuid",
    guard: guards.staff("moderate"),
    params: skinParams,
    body: skinChangeBody,
    envelope: skinEnvelope,
    operationId: "moderateSkin",
    refuses: [
      rules.uuid,
      refusals.capeNotGranted,
      refusals.hdDiffers,
      refusals.noSlimArms,
      refusals.badTextureName,
      rules.someField,
    ],
    summary: "Change anybody's skin",
    description: "Fields that are left out stay as they are; at least one must be there.",
    action: "Skin change",
    errors: [refusals.unknownSkin(examples.skin)],
    handle: async ({ actor, params, body }) => {
      const uuid = readUuid("uuid", params.uuid);
      refuseEmptyChange(skinChangeBody, body);
      const change = { ...readSkinEdit(body), ...(body.hd === undefined ? {} : { hd: body.hd }) };
      const skin = await textures.moderateSkin(actor, uuid, change);
      return presentSkin(skin);
    },
  });
}

function removeRoute({ textures }: Services, { guards }: Http) {
  return route({
    method: "DELETE",
    path: "/skin/:uuid",
    guard: guards.staff("moderate"),
    read: optionalJsonReader(),
    params: skinParams,
    body: skinRemovalBody,
    operationId: "removeSkin",
    refuses: [refusals.badLine, refusals.shownByCape],
    summary: "Remove anybody's skin",
    description:
      "A player that wore it wears no skin afterwards. With `ban` the bitmap is removed from every wardrobe, which takes some seconds where it is in thousands of them.",
    optionalBody: true,
    errors: [refusals.unknownSkin(examples.skin), refusals.shownByCape(examples.texture)],
    empty: "The skin is gone",
    handle: async ({ actor, params, body }) => {
      const { reason = "", ban = false } = body;
      await textures.removeSkin(actor, readUuid("uuid", params.uuid), { reason, ban });
    },
  });
}

function bansRoute({ reads }: Services, { guards }: Http) {
  const { textures } = reads;
  const list = { rows: textures.listBans, count: textures.countBans };
  return route({
    method: "GET",
    path: "/bans",
    guard: guards.staff("inspect"),
    query: listQuery,
    envelope: bansEnvelope,
    operationId: "listBans",
    refuses: [...refusalsOf.page, ...refusalsOf.search],
    summary: "All banned bitmaps, by id",
    description: "`q` is the beginning of a hash, or an id.",
    msg: "Bans",
    answers: pageAnswer,
    handle: async (context) => (await readRows(list, context)).map(presentBan),
  });
}

function liftRoute({ textures }: Services, { guards }: Http) {
  return route({
    method: "DELETE",
    path: "/bans/:hash",
    guard: guards.staff("moderate"),
    params: banParams,
    operationId: "liftBan",
    refuses: [rules.hash],
    summary: "Lift the ban of a bitmap",
    description: "It may be uploaded again. Skins that the ban removed do not come back.",
    errors: [refusals.unknownBan(examples.texture)],
    empty: "The ban is lifted",
    handle: ({ actor, params }) => textures.liftBan(actor, readTextureHash(params.hash)),
  });
}
