import { Elysia } from "elysia";
import { AppError } from "../../../kernel/errors.ts";
import type { PurgeBanned } from "../../../domain/textures/ban-texture.ts";
import type { DropFiles } from "../../../domain/textures/files.ts";
import { moderateSkin } from "../../../domain/textures/moderate-skin.ts";
import { removeSkin } from "../../../domain/textures/remove-skin.ts";
import { jsonReader, optionalJsonReader } from "../../body.ts";
import { ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { pageAnswer, pageQuery, readPage, readRows } from "../../paging.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import { readSkinEdit } from "../../skin-edit.ts";
import { presentListedSkin, presentSkin } from "./present-texture.ts";
import {
  skinChangeBody,
  skinEnvelope,
  skinParams,
  skinRemovalBody,
  skinsEnvelope,
  userParams,
  wardrobeEnvelope,
} from "./schema-texture.ts";

export type SkinDeps = GuardDeps & { readonly dropFiles: DropFiles; readonly purgeBanned: PurgeBanned };

/** Skins of everybody (contract, Admin). */
export function skinRoutes(deps: SkinDeps) {
  return new Elysia().use(lookRoutes(deps)).use(changeRoute(deps)).use(removeRoute(deps));
}

function lookRoutes(deps: SkinDeps) {
  const { accounts, textures } = deps.reads;
  return new Elysia()
    .use(staffGuard(deps, "inspect"))
    .get(
      "/skins",
      async ({ query, set }) => {
        const list = { rows: textures.listAllSkins, count: textures.countAllSkins };
        const { rows, headers } = await readRows(list, readPage(query), "/api/admin/skins");
        Object.assign(set.headers, headers);
        return ok("Skins", rows.map(presentListedSkin));
      },
      {
        query: pageQuery,
        response: { 200: skinsEnvelope },
        detail: describe({
          operationId: "listSkins",
          summary: "All skins, by id",
          description: "`q` is looked for in the skins' names, and is taken for an id or UUID.",
          who: "moderators",
          msg: "Skins",
          answers: pageAnswer,
        }),
      },
    )
    .get(
      "/users/skin/:uuid",
      async ({ params }) => {
        const uuid = readUuid("uuid", params.uuid);
        const member = await accounts.findMember({ by: "uuid", value: uuid });
        if (member === null) throw new AppError("not_found", `uuid: there is no user ${uuid}`);
        return ok("Skins", (await textures.listSkinsOf(member.account.id)).map(presentSkin));
      },
      {
        params: userParams,
        response: { 200: wardrobeEnvelope },
        detail: describe({
          operationId: "listUserSkins",
          summary: "The skins of a user",
          who: "moderators",
          msg: "Skins",
          errors: { not_found: `uuid: there is no user ${examples.user}` },
        }),
      },
    );
}

function changeRoute(deps: SkinDeps) {
  return new Elysia()
    .use(staffGuard(deps, "moderate"))
    .use(jsonReader())
    .patch(
      "/skin/:uuid",
      async ({ actor, params, body }) => {
        const uuid = readUuid("uuid", params.uuid);
        const skin = await moderateSkin(deps, actor, uuid, readChange(body));
        return ok("Skin change successfully", presentSkin(skin));
      },
      {
        params: skinParams,
        body: skinChangeBody,
        response: { 200: skinEnvelope },
        detail: describe({
          operationId: "moderateSkin",
          summary: "Change anybody's skin",
          description: "What is left out stays as it is; something must be there.",
          who: "moderators",
          msg: "Skin change successfully",
          errors: { not_found: `uuid: there is no skin ${examples.skin}` },
        }),
      },
    );
}

function removeRoute(deps: SkinDeps) {
  return new Elysia()
    .use(staffGuard(deps, "moderate"))
    .use(optionalJsonReader())
    .delete(
      "/skin/:uuid",
      async ({ actor, params, body, set }) => {
        const { reason = "", ban = false } = body;
        await removeSkin(deps, actor, readUuid("uuid", params.uuid), { reason, ban });
        set.status = 204;
      },
      {
        params: skinParams,
        body: skinRemovalBody,
        detail: describe({
          operationId: "removeSkin",
          summary: "Remove anybody's skin",
          description:
            "A player who wore it wears none afterwards. With `ban` the bitmap goes from every wardrobe, which takes some seconds where it is in thousands of them.",
          who: "moderators",
          optionalBody: true,
          errors: {
            not_found: `uuid: there is no skin ${examples.skin}`,
            conflict: `ban: a cape shows the bitmap ${examples.texture}; an administrator has to delete the cape first`,
          },
          answers: { 204: { description: "The skin is gone" } },
        }),
      },
    );
}

function readChange(body: typeof skinChangeBody.static) {
  const names = Object.keys(skinChangeBody.properties);
  if (!names.some((name) => name in body)) {
    throw new AppError("invalid", `body: must hold at least one of ${names.join(", ")}`);
  }
  const { hd } = body;
  return { ...readSkinEdit(body), ...(hd === undefined ? {} : { hd }) };
}
