import { refusals } from "../../../domain/model/refusals.ts";
import { liftBan } from "../../../domain/textures/ban-texture.ts";
import { lookAtSkin } from "../../../domain/textures/look-at-skin.ts";
import { moderateSkin, removeSkin } from "../../../domain/textures/moderate-skin.ts";
import { optionalJsonReader } from "../../body.ts";
import { done, ok } from "../../envelope.ts";
import { readTextureHash, readUuid, refuseEmptyChange } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";
import { listQuery, pageAnswer, readRows } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
import { userParams } from "../../resources/account.ts";
import { banParams, bansEnvelope, presentBan } from "../../resources/ban.ts";
import {
  presentListedSkin,
  presentSkin,
  presentSkinLook,
  readSkinEdit,
  skinChangeBody,
  skinEnvelope,
  skinLookEnvelope,
  skinParams,
  skinRemovalBody,
  skinsEnvelope,
  wardrobeEnvelope,
} from "../../resources/skin.ts";
import { staffGuard } from "../../guards.ts";
import { route } from "../../routing/route.ts";

const said = { skins: "Skins", skin: "Skin", bans: "Bans" } as const;
const actions = { change: "Skin change" } as const;

/** Everybody's skins, and bitmaps that no texture may have (docs/contract/admin.md#skins, docs/contract/admin.md#bans). */
export function skinRoutes(parts: Parts) {
  return [
    ...listRoutes(parts),
    lookRoute(parts),
    changeRoute(parts),
    removeRoute(parts),
    bansRoute(parts),
    liftRoute(parts),
  ];
}

function listRoutes(parts: Parts) {
  const { accounts, textures } = parts.reads;
  const list = { rows: textures.listAllSkins, count: textures.countAllSkins };
  return [
    route({
      method: "GET",
      path: "/skins",
      guard: staffGuard(parts, "inspect"),
      query: listQuery,
      answer: skinsEnvelope,
      operationId: "listSkins",
      summary: "All skins, by id",
      description: "`q` is searched in the skins' names; it may also be an id or a UUID.",
      msg: said.skins,
      answers: pageAnswer,
      handle: async (context) => ok(said.skins, (await readRows(list, context)).map(presentListedSkin)),
    }),
    route({
      method: "GET",
      path: "/users/skin/:uuid",
      guard: staffGuard(parts, "inspect"),
      params: userParams,
      answer: wardrobeEnvelope,
      operationId: "listUserSkins",
      summary: "The skins of a user",
      msg: said.skins,
      errors: [refusals.unknownUuid(examples.user)],
      handle: async ({ params }) => {
        const uuid = readUuid("uuid", params.uuid);
        const member = await accounts.findMember({ by: "uuid", value: uuid });
        if (member === null) throw refusals.unknownUuid(uuid);
        return ok(said.skins, (await textures.listSkinsOf(member.account.id)).map(presentSkin));
      },
    }),
  ];
}

function lookRoute(parts: Parts) {
  return route({
    method: "GET",
    path: "/skin/:uuid",
    guard: staffGuard(parts, "inspect"),
    params: skinParams,
    answer: skinLookEnvelope,
    operationId: "lookAtSkin",
    summary: "A skin, others that have its bitmap, and what staff removed of its owner",
    msg: said.skin,
    errors: [refusals.unknownSkin(examples.skin)],
    handle: async ({ params }) =>
      ok(said.skin, presentSkinLook(await lookAtSkin(parts.reads, readUuid("uuid", params.uuid)))),
  });
}

function changeRoute(parts: Parts) {
  return route({
    method: "PATCH",
    path: "/skin/:uuid",
    guard: staffGuard(parts, "moderate"),
    params: skinParams,
    body: skinChangeBody,
    answer: skinEnvelope,
    operationId: "moderateSkin",
    summary: "Change anybody's skin",
    description: "Fields that are left out stay as they are; at least one must be there.",
    action: actions.change,
    errors: [refusals.unknownSkin(examples.skin)],
    handle: async ({ actor, params, body }) => {
      const uuid = readUuid("uuid", params.uuid);
      refuseEmptyChange(skinChangeBody, body);
      const change = { ...readSkinEdit(body), ...(body.hd === undefined ? {} : { hd: body.hd }) };
      const skin = await moderateSkin(parts, actor, uuid, change);
      return done(actions.change, presentSkin(skin));
    },
  });
}

function removeRoute(parts: Parts) {
  return route({
    method: "DELETE",
    path: "/skin/:uuid",
    guard: staffGuard(parts, "moderate"),
    read: optionalJsonReader(),
    params: skinParams,
    body: skinRemovalBody,
    operationId: "removeSkin",
    summary: "Remove anybody's skin",
    description:
      "A player that wore it wears no skin afterwards. With `ban` the bitmap is removed from every wardrobe, which takes some seconds where it is in thousands of them.",
    optionalBody: true,
    errors: [refusals.unknownSkin(examples.skin), refusals.shownByCape(examples.texture)],
    answers: { 204: { description: "The skin is gone" } },
    handle: async ({ actor, params, body, set }) => {
      const { reason = "", ban = false } = body;
      await removeSkin(parts, actor, readUuid("uuid", params.uuid), { reason, ban });
      set.status = 204;
    },
  });
}

function bansRoute(parts: Parts) {
  const { textures } = parts.reads;
  const list = { rows: textures.listBans, count: textures.countBans };
  return route({
    method: "GET",
    path: "/bans",
    guard: staffGuard(parts, "inspect"),
    query: listQuery,
    answer: bansEnvelope,
    operationId: "listBans",
    summary: "All banned bitmaps, by id",
    description: "`q` is the beginning of a hash, or an id.",
    msg: said.bans,
    answers: pageAnswer,
    handle: async (context) => ok(said.bans, (await readRows(list, context)).map(presentBan)),
  });
}

function liftRoute(parts: Parts) {
  return route({
    method: "DELETE",
    path: "/bans/:hash",
    guard: staffGuard(parts, "moderate"),
    params: banParams,
    operationId: "liftBan",
    summary: "Lift the ban of a bitmap",
    description: "It may be uploaded again. Skins that the ban removed do not come back.",
    errors: [refusals.unknownBan(examples.texture)],
    answers: { 204: { description: "The ban is lifted" } },
    handle: async ({ actor, params, set }) => {
      await liftBan(parts, actor, readTextureHash(params.hash));
      set.status = 204;
    },
  });
}
