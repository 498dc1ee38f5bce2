import { Elysia } from "elysia";
import type { RateLimits } from "../../../domain/limits/rate-limits.ts";
import type { BlobStore } from "../../../domain/ports/blob-store.ts";
import type { TextureIntake } from "../../../domain/ports/pictures.ts";
import { deleteSkin, editSkin, selectSkin } from "../../../domain/textures/edit-skin.ts";
import type { DropFiles } from "../../../domain/textures/files.ts";
import { checkWardrobe, uploadSkin } from "../../../domain/textures/upload-skin.ts";
import type { AccountId } from "../../../kernel/ids.ts";
import { formReader, jsonReader } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { playerGuard, type GuardDeps } from "../../session.ts";
import { readSkinEdit } from "../../skin-edit.ts";
import type { UploadGuard } from "../../upload-guard.ts";
import { editSkinBody, skinBody, uploadBody } from "./schema.ts";

export type WardrobeDeps = GuardDeps & {
  readonly blobs: BlobStore;
  readonly dropFiles: DropFiles;
  readonly intake: TextureIntake;
  readonly limits: RateLimits;
  readonly uploadGuard: UploadGuard;
  readonly rules: { readonly bytesMax: number; readonly wardrobeMax: number };
};

/** Upload, change, selection and deletion of skins (contract, Home). */
export function wardrobeRoutes(deps: WardrobeDeps) {
  return new Elysia().use(uploadRoute(deps)).use(skinRoutes(deps));
}

function uploadRoute(deps: WardrobeDeps) {
  const admit = async (account: AccountId) => {
    deps.limits.upload.take({ account });
    await checkWardrobe(deps.reads.textures, account, deps.rules.wardrobeMax);
  };
  return new Elysia()
    .use(playerGuard(deps))
    .use(deps.uploadGuard(admit))
    .use(formReader(deps.rules.bytesMax))
    .post(
      "/edit/upload",
      async ({ actor, player, body, set }) => {
        const model = body.slim === undefined ? null : body.slim === "true" ? "slim" : "classic";
        const input = {
          file: await body.skin.bytes(),
          model,
          name: body.name ?? null,
          select: false,
        } as const;
        const skin = await uploadSkin(deps, actor, player, input);
        set.headers["location"] = `/api/skin/public/${skin.uuid}`;
        return ok("Skin upload successfully", {});
      },
      {
        body: uploadBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "uploadSkin",
          summary: "Upload a skin into your wardrobe",
          description:
            "A PNG of 64x64 or 64x32 pixels, or of a whole multiple. The first one is worn at once.",
          who: "players",
          msg: "Skin upload successfully",
          errors: { limited: "Too many uploads; try again in 30 seconds" },
          answers: {
            200: { headers: ["Location"], headerExamples: { Location: `/api/skin/public/${examples.skin}` } },
          },
        }),
      },
    );
}

function skinRoutes(deps: WardrobeDeps) {
  return new Elysia()
    .use(playerGuard(deps))
    .use(jsonReader())
    .put(
      "/edit/skin",
      async ({ actor, player, body }) => {
        const uuid = readUuid("skinid", body.skinid);
        await editSkin(deps, actor, player, { uuid, edit: readSkinEdit(body) });
        return ok("Skin change successfully", {});
      },
      {
        body: editSkinBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "updateSkin",
          summary: "Change a skin of your wardrobe",
          description: "What is left out stays as it is.",
          who: "players",
          msg: "Skin change successfully",
        }),
      },
    )
    .post(
      "/edit/skin/select",
      async ({ actor, player, body }) => {
        await selectSkin(deps, actor, player, readUuid("skinid", body.skinid));
        return ok("Skin selection successfully", {});
      },
      {
        body: skinBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "selectSkin",
          summary: "Wear a skin of your wardrobe",
          who: "players",
          msg: "Skin selection successfully",
        }),
      },
    )
    .delete(
      "/edit/skin",
      async ({ actor, player, body, set }) => {
        await deleteSkin(deps, actor, player, readUuid("skinid", body.skinid));
        set.status = 204;
      },
      {
        body: skinBody,
        detail: describe({
          operationId: "deleteSkin",
          summary: "Delete a skin of your wardrobe",
          description: "Who wore it wears none afterwards.",
          who: "players",
          answers: { 204: { description: "The skin is gone" } },
        }),
      },
    );
}
