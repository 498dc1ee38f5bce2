import { Elysia } from "elysia";
import { AppError } from "../../../kernel/errors.ts";
import { parseRowNumber, type AccountId } from "../../../kernel/ids.ts";
import { limits } from "../../../kernel/limits.ts";
import type { BlobStore } from "../../../domain/ports/blob-store.ts";
import type { TextureIntake } from "../../../domain/ports/pictures.ts";
import { addCape } from "../../../domain/textures/add-cape.ts";
import { deleteCape } from "../../../domain/textures/delete-cape.ts";
import type { DropFiles } from "../../../domain/textures/files.ts";
import { withGrants } from "../../../domain/textures/listed-cape.ts";
import { formReader, jsonReader } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { readExpiry, readUuid } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { pageAnswer, pageQuery, readPage, readRows } from "../../paging.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import type { UploadGuard } from "../../upload-guard.ts";
import { presentListedCape, presentOwnedCape } from "./present-texture.ts";
import { capeDeletionBody, capeEnvelope, capesEnvelope, capeUploadBody } from "./schema-texture.ts";

export type CapeDeps = GuardDeps & {
  readonly blobs: BlobStore;
  readonly dropFiles: DropFiles;
  readonly intake: TextureIntake;
  readonly uploadGuard: UploadGuard;
  readonly rules: { readonly bytesMax: number };
};

/** Capes: all of them, another one, one less (contract, Admin). */
export function capeRoutes(deps: CapeDeps) {
  return new Elysia().use(lookRoute(deps)).use(uploadRoute(deps)).use(deleteRoute(deps));
}

function lookRoute(deps: CapeDeps) {
  const { textures } = deps.reads;
  return new Elysia().use(staffGuard(deps, "inspect")).get(
    "/allcapes",
    async ({ query, set }) => {
      const list = { rows: textures.listAllCapes, count: textures.countAllCapes };
      const { rows, headers } = await readRows(list, readPage(query), "/api/admin/allcapes");
      const listed = await withGrants(textures, rows);
      Object.assign(set.headers, headers);
      return ok("Capes", listed.map(presentListedCape));
    },
    {
      query: pageQuery,
      response: { 200: capesEnvelope },
      detail: describe({
        operationId: "listCapes",
        summary: "All capes, by id",
        description: "`q` is looked for in the capes' names, and is taken for an id or UUID.",
        who: "moderators",
        msg: "Capes",
        answers: pageAnswer,
      }),
    },
  );
}

/** Owners may come as one text, or each as a part. */
const besidesCape = { bytesMax: limits.idsTextBytesMax, partsMax: limits.idsMax + limits.formPartsMax };

function uploadRoute(deps: CapeDeps) {
  return new Elysia()
    .use(staffGuard(deps, "administer"))
    .use(deps.uploadGuard())
    .use(formReader(deps.rules.bytesMax, besidesCape))
    .post(
      "/user/cape/upload",
      async ({ actor, body, set }) => {
        const input = {
          name: body.name,
          owners: readOwners(body.owners ?? ""),
          expiresAt: readFormExpiry(body.expired_at ?? "", deps.clock.nowSeconds()),
          file: await body.cape.bytes(),
        };
        const owned = await addCape(deps, actor, input);
        set.headers["location"] = `/api/skin/public/cape/${owned.cape.uuid}`;
        return ok("Cape upload successfully", presentOwnedCape(owned));
      },
      {
        body: capeUploadBody,
        response: { 200: capeEnvelope },
        detail: describe({
          operationId: "uploadCape",
          summary: "Upload a cape and grant it",
          description: "A PNG of 64x32 pixels or a whole multiple; 22x17 and 46x22 are taken as well.",
          who: "administrators",
          msg: "Cape upload successfully",
          errors: { limited: "You have 2 uploads under way: try again when one of them is done" },
          answers: {
            200: {
              headers: ["Location"],
              headerExamples: { Location: `/api/skin/public/cape/${examples.cape}` },
            },
          },
        }),
      },
    );
}

/** The ids of the part `owners`, which may also come several times. Fails with invalid. */
function readOwners(parts: string | readonly string[]): readonly AccountId[] {
  const texts = [parts].flat();
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const owners = length > limits.idsTextBytesMax ? [] : texts.flatMap(listOf);
  if (length > limits.idsTextBytesMax || owners.length > limits.idsMax) {
    throw new AppError("invalid", `owners: must be ${limits.idsMax} users' ids at most`);
  }
  return owners.map(readId);
}

function readId(one: unknown): AccountId {
  const id = typeof one === "number" || typeof one === "string" ? parseRowNumber(String(one).trim()) : null;
  if (id === null) {
    throw new AppError("invalid", "owners: must be users' ids, as a JSON array or separated by commas");
  }
  return id as AccountId; // whether it is somebody's, the store tells
}

function listOf(text: string): readonly unknown[] {
  if (text.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // No JSON: then ids and commas, or what is refused as no id.
  }
  return text.split(",");
}

/** A form has texts alone: one of digits is a number, and an empty one is what a page sends for a field left empty. */
function readFormExpiry(text: string, now: number): number | null {
  if (text === "") return null;
  return readExpiry(/^\d+$/.test(text) ? Number(text) : text, now);
}

function deleteRoute(deps: CapeDeps) {
  return new Elysia()
    .use(staffGuard(deps, "administer"))
    .use(jsonReader())
    .delete(
      "/user/cape/upload",
      async ({ actor, body }) => {
        await deleteCape(deps, actor, readUuid("capeid", body.capeid));
        return ok("Cape deletion successfully", {});
      },
      {
        body: capeDeletionBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "deleteCape",
          summary: "Delete a cape, off every skin",
          who: "administrators",
          msg: "Cape deletion successfully",
          errors: { not_found: `capeid: there is no cape ${examples.cape}` },
        }),
      },
    );
}
