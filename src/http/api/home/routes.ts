import { Elysia } from "elysia";
import type { Clock } from "../../../kernel/clock.ts";
import { readProfile } from "../../../domain/accounts/profile.ts";
import type { BlobStore, TextureIntake } from "../../../domain/ports.ts";
import type { Reads, Transact } from "../../../domain/stores.ts";
import { deleteSkin, editSkin, selectSkin, type SkinEdit } from "../../../domain/textures/edit-skin.ts";
import { uploadSkin } from "../../../domain/textures/upload-skin.ts";
import { formReader, jsonReader } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { memberGuard, playerGuard } from "../../session.ts";
import type { Tokens } from "../../tokens.ts";
import { presentProfile } from "./present.ts";
import { editSkinBody, profileEnvelope, skinBody, uploadBody } from "./schema.ts";

export type HomeDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly intake: TextureIntake;
  readonly rules: { readonly bytesMax: number; readonly wardrobeMax: number };
};

/** What a failed edit's message begins with (contract, Errors: "message names the failed action"). */
export const editActions: Readonly<Record<string, string>> = {
  "POST /api/home/edit/upload": "Skin upload",
  "PUT /api/home/edit/skin": "Skin change",
  "POST /api/home/edit/skin/select": "Skin selection",
  "DELETE /api/home/edit/skin": "Skin deletion",
};

/** `/api/home` (contract, Home). Everything asks for a session; all edits for a finished registration. */
export function homeRoutes(deps: HomeDeps) {
  return new Elysia({ prefix: "/api/home", tags: ["Home"] })
    .headers({ "cache-control": "no-store" })
    .use(profileRoute(deps))
    .use(uploadRoute(deps))
    .use(skinRoutes(deps));
}

function profileRoute(deps: HomeDeps) {
  return new Elysia()
    .use(memberGuard(deps))
    .get(
      "",
      async ({ member }) => ok("Home profile", presentProfile(await readProfile(deps.reads, member))),
      {
        response: { 200: profileEnvelope },
        detail: { summary: "Your profile, skins and capes" },
      },
    );
}

function uploadRoute(deps: HomeDeps) {
  return new Elysia()
    .use(playerGuard(deps))
    .use(formReader(deps.rules.bytesMax))
    .post(
      "/edit/upload",
      async ({ player, body, set }) => {
        const model = body.slim === undefined ? null : body.slim === "true" ? "slim" : "classic";
        const input = {
          file: await body.skin.bytes(),
          model,
          name: body.name ?? null,
          select: false,
        } as const;
        const skin = await uploadSkin(deps, player, input);
        set.headers["location"] = `/api/skin/public/${skin.uuid}`;
        return ok("Skin upload successfully", {});
      },
      {
        body: uploadBody,
        response: { 200: emptyEnvelope },
        detail: { summary: "Upload a skin into your wardrobe" },
      },
    );
}

function skinRoutes(deps: HomeDeps) {
  return new Elysia()
    .use(playerGuard(deps))
    .use(jsonReader())
    .put(
      "/edit/skin",
      async ({ player, body }) => {
        await editSkin(deps, player, readUuid("skinid", body.skinid), readEdit(body));
        return ok("Skin change successfully", {});
      },
      {
        body: editSkinBody,
        response: { 200: emptyEnvelope },
        detail: { summary: "Change a skin of your wardrobe" },
      },
    )
    .post(
      "/edit/skin/select",
      async ({ player, body }) => {
        await selectSkin(deps, player, readUuid("skinid", body.skinid));
        return ok("Skin selection successfully", {});
      },
      {
        body: skinBody,
        response: { 200: emptyEnvelope },
        detail: { summary: "Wear a skin of your wardrobe" },
      },
    )
    .delete(
      "/edit/skin",
      async ({ player, body, set }) => {
        await deleteSkin(deps, player, readUuid("skinid", body.skinid));
        set.status = 204;
      },
      { body: skinBody, detail: { summary: "Delete a skin of your wardrobe" } },
    );
}

function readEdit(body: typeof editSkinBody.static): SkinEdit {
  const { name, slim, cloakid } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(slim === undefined ? {} : { model: slim ? "slim" : "classic" }),
    ...(cloakid === undefined
      ? {}
      : { cape: cloakid === null || cloakid === "" ? null : readUuid("cloakid", cloakid) }),
  };
}
