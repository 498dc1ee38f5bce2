import { Elysia } from "elysia";
import {
  deleteSkin,
  editSkin,
  checkWardrobe,
  selectSkin,
  uploadSkin,
} from "../../../domain/textures/wardrobe.ts";
import { wearShared } from "../../../domain/players/wear-shared.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { AccountId } from "../../../kernel/ids.ts";
import { formReader, jsonReader } from "../../body.ts";
import { done, emptyEnvelope } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { describeEdit } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import type { Parts } from "../../parts.ts";
import { editSkinBody, readSkinEdit, sharedSkinBody, skinBody, uploadBody } from "../../resources/skin.ts";
import { playerGuard } from "../../guards.ts";

/** The edits' names in messages (docs/contract/home.md#edits). */
const edits = {
  upload: "Skin upload",
  change: "Skin change",
  selection: "Skin selection",
  deletion: "Skin deletion",
  copy: "Skin copy",
} as const;

/** Upload, change, selection and deletion of skins (docs/contract/home.md). */
export function wardrobeRoutes(parts: Parts) {
  return new Elysia().use(uploadRoute(parts)).use(skinRoutes(parts)).use(copyRoute(parts));
}

const skinAddress = (uuid: string) => `/api/skin/public/${uuid}`;

function uploadRoute(parts: Parts) {
  const admit = async (account: AccountId) => {
    await parts.limits.upload.take({ account });
    await checkWardrobe(parts.reads.textures, account, parts.rules.textures.wardrobeMax);
  };
  return new Elysia()
    .use(playerGuard(parts))
    .use(parts.uploadGuard(admit))
    .use(formReader(parts.rules.textures.bytesMax))
    .post(
      "/edit/upload",
      async ({ actor, player, body, set }) => {
        const model = body.slim === undefined ? null : body.slim === "true" ? "slim" : "classic";
        const file = await body.skin.bytes();
        const input = { file, model, name: body.name ?? null, select: false } as const;
        const skin = await uploadSkin(parts, actor, player, input);
        set.headers["location"] = skinAddress(skin.uuid);
        return done(edits.upload);
      },
      {
        body: uploadBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.upload, {
          operationId: "uploadSkin",
          summary: "Upload a skin into your wardrobe",
          description:
            "A PNG of 64x64 or 64x32 pixels, or of a whole multiple. The first one is worn at once.",
          errors: [refusals.tooMany("uploads", 30)],
          answers: {
            200: { headers: ["Location"], headerExamples: { Location: skinAddress(examples.skin) } },
          },
        }),
      },
    );
}

function skinRoutes(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .put(
      "/edit/skin",
      async ({ actor, player, body }) => {
        const uuid = readUuid("skinid", body.skinid);
        await editSkin(parts, actor, player, { uuid, edit: readSkinEdit(body) });
        return done(edits.change);
      },
      {
        body: editSkinBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.change, {
          operationId: "updateSkin",
          summary: "Change a skin of your wardrobe",
          description: "Fields that are left out stay as they are.",
        }),
      },
    )
    .post(
      "/edit/skin/select",
      async ({ actor, player, body }) => {
        await selectSkin(parts, actor, player, readUuid("skinid", body.skinid));
        return done(edits.selection);
      },
      {
        body: skinBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.selection, {
          operationId: "selectSkin",
          summary: "Wear a skin of your wardrobe",
        }),
      },
    )
    .delete(
      "/edit/skin",
      async ({ actor, player, body, set }) => {
        await deleteSkin(parts, actor, player, readUuid("skinid", body.skinid));
        set.status = 204;
      },
      {
        body: skinBody,
        detail: describeEdit(edits.deletion, {
          operationId: "deleteSkin",
          summary: "Delete a skin of your wardrobe",
          description: "A player that wore it wears no skin afterwards.",
          answers: { 204: { description: "The skin is gone" } },
        }),
      },
    );
}

function copyRoute(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .post(
      "/edit/skin/copy",
      async ({ actor, player, body, set }) => {
        // It fills the wardrobe as an upload does.
        await parts.limits.upload.take({ account: player.accountId });
        const from = { by: "uuid", value: readUuid("player", body.player) } as const;
        const skin = await wearShared(parts, actor, player, from);
        set.headers["location"] = skinAddress(skin.uuid);
        return done(edits.copy);
      },
      {
        body: sharedSkinBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.copy, {
          operationId: "copySkin",
          summary: "Wear the skin that another player shares",
          description:
            "It joins your wardrobe, unless the same picture is there, and your main player wears it. The other player's owner has to" +
            " share it: `shares_skin`.",
          errors: [refusals.unknownPlayer(), refusals.tooMany("uploads", 30)],
          answers: {
            200: { headers: ["Location"], headerExamples: { Location: skinAddress(examples.skin) } },
          },
        }),
      },
    );
}
