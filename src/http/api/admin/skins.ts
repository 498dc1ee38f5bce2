import { Elysia } from "elysia";
import { refusals } from "../../../domain/model/refusals.ts";
import { liftBan } from "../../../domain/textures/ban-texture.ts";
import { lookAtSkin } from "../../../domain/textures/look-at-skin.ts";
import { moderateSkin, removeSkin } from "../../../domain/textures/moderate-skin.ts";
import { jsonReader, optionalJsonReader, unread } from "../../body.ts";
import { done, ok } from "../../envelope.ts";
import { readTextureHash, readUuid, refuseEmptyChange } from "../../fields.ts";
import { describe, succeeded } from "../../openapi/describe.ts";
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

const said = { skins: "Skins", skin: "Skin", bans: "Bans" } as const;
const actions = { change: "Skin change" } as const;

/** Everybody's skins, and bitmaps that no texture may have (docs/contract/admin.md#skins, docs/contract/admin.md#bans). */
export function skinRoutes(parts: Parts) {
  return new Elysia()
    .use(listRoutes(parts))
    .use(lookRoute(parts))
    .use(changeRoute(parts))
    .use(removeRoute(parts))
    .use(bansRoute(parts))
    .use(liftRoute(parts));
}

function listRoutes(parts: Parts) {
  const { accounts, textures } = parts.reads;
  const list = { rows: textures.listAllSkins, count: textures.countAllSkins };
  return new Elysia()
    .use(staffGuard(parts, "inspect"))
    .get(
      "/skins",
      async (context) => ok(said.skins, (await readRows(list, context)).map(presentListedSkin)),
      {
        query: listQuery,
        response: { 200: skinsEnvelope },
        detail: describe({
          operationId: "listSkins",
          summary: "All skins, by id",
          description: "`q` is searched in the skins' names; it may also be an id or a UUID.",
          who: "moderators",
          msg: said.skins,
          answers: pageAnswer,
        }),
      },
    )
    .get(
      "/users/skin/:uuid",
      async ({ params }) => {
        const uuid = readUuid("uuid", params.uuid);
        const member = await accounts.findMember({ by: "uuid", value: uuid });
        if (member === null) throw refusals.unknownUuid(uuid);
        return ok(said.skins, (await textures.listSkinsOf(member.account.id)).map(presentSkin));
      },
      {
        params: userParams,
        response: { 200: wardrobeEnvelope },
        detail: describe({
          operationId: "listUserSkins",
          summary: "The skins of a user",
          who: "moderators",
          msg: said.skins,
          errors: [refusals.unknownUuid(examples.user)],
        }),
      },
    );
}

function lookRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "inspect"))
    .get(
      "/skin/:uuid",
      async ({ params }) =>
        ok(said.skin, presentSkinLook(await lookAtSkin(parts.reads, readUuid("uuid", params.uuid)))),
      {
        params: skinParams,
        response: { 200: skinLookEnvelope },
        detail: describe({
          operationId: "lookAtSkin",
          summary: "A skin, others that have its bitmap, and what staff removed of its owner",
          who: "moderators",
          msg: said.skin,
          errors: [refusals.unknownSkin(examples.skin)],
        }),
      },
    );
}

function changeRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "moderate"))
    .use(jsonReader())
    .patch(
      "/skin/:uuid",
      async ({ actor, params, body }) => {
        const uuid = readUuid("uuid", params.uuid);
        refuseEmptyChange(skinChangeBody, body);
        const change = { ...readSkinEdit(body), ...(body.hd === undefined ? {} : { hd: body.hd }) };
        const skin = await moderateSkin(parts, actor, uuid, change);
        return done(actions.change, presentSkin(skin));
      },
      {
        params: skinParams,
        body: skinChangeBody,
        response: { 200: skinEnvelope },
        detail: describe({
          operationId: "moderateSkin",
          summary: "Change anybody's skin",
          description: "Fields that are left out stay as they are; at least one must be there.",
          who: "moderators",
          msg: succeeded(actions.change),
          errors: [refusals.unknownSkin(examples.skin)],
        }),
      },
    );
}

function removeRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "moderate"))
    .use(optionalJsonReader())
    .delete(
      "/skin/:uuid",
      async ({ actor, params, body, set }) => {
        const { reason = "", ban = false } = body;
        await removeSkin(parts, actor, readUuid("uuid", params.uuid), { reason, ban });
        set.status = 204;
      },
      {
        params: skinParams,
        body: skinRemovalBody,
        detail: describe({
          operationId: "removeSkin",
          summary: "Remove anybody's skin",
          description:
            "A player that wore it wears no skin afterwards. With `ban` the bitmap is removed from every wardrobe, which takes some seconds where it is in thousands of them.",
          who: "moderators",
          optionalBody: true,
          errors: [refusals.unknownSkin(examples.skin), refusals.shownByCape(examples.texture)],
          answers: { 204: { description: "The skin is gone" } },
        }),
      },
    );
}

function bansRoute(parts: Parts) {
  const { textures } = parts.reads;
  const list = { rows: textures.listBans, count: textures.countBans };
  return new Elysia()
    .use(staffGuard(parts, "inspect"))
    .get("/bans", async (context) => ok(said.bans, (await readRows(list, context)).map(presentBan)), {
      query: listQuery,
      response: { 200: bansEnvelope },
      detail: describe({
        operationId: "listBans",
        summary: "All banned bitmaps, by id",
        description: "`q` is the beginning of a hash, or an id.",
        who: "moderators",
        msg: said.bans,
        answers: pageAnswer,
      }),
    });
}

function liftRoute(parts: Parts) {
  return new Elysia().use(staffGuard(parts, "moderate")).delete(
    "/bans/:hash",
    async ({ actor, params, set }) => {
      await liftBan(parts, actor, readTextureHash(params.hash));
      set.status = 204;
    },
    {
      ...unread,
      params: banParams,
      detail: describe({
        operationId: "liftBan",
        summary: "Lift the ban of a bitmap",
        description: "It may be uploaded again. Skins that the ban removed do not come back.",
        who: "moderators",
        errors: [refusals.unknownBan(examples.texture)],
        answers: { 204: { description: "The ban is lifted" } },
      }),
    },
  );
}
