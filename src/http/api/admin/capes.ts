import { Elysia } from "elysia";
import { findMember } from "../../../domain/accounts/identifier.ts";
import { setCapes } from "../../../domain/members/grants.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { addCape, deleteCape, withGrants } from "../../../domain/textures/capes.ts";
import { limits } from "../../../kernel/limits.ts";
import { uploadsUnderWay } from "../../admission.ts";
import { bodyTooLarge, formReader, jsonReader } from "../../body.ts";
import { done, emptyEnvelope, ok } from "../../envelope.ts";
import { readExpiry, readFormExpiry, readUuid, refuseOtherUser } from "../../fields.ts";
import { describe, succeeded } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { listQuery, pageAnswer, readRows } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
import { identifierParams } from "../../resources/account.ts";
import {
  capeDeletionBody,
  capeEnvelope,
  capesEnvelope,
  capeUploadBody,
  presentListedCape,
  presentOwnedCape,
  readOwners,
} from "../../resources/cape.ts";
import { grantBody, grantEnvelope, presentGrants, readGrants } from "../../resources/cape-grant.ts";
import { staffGuard } from "../../guards.ts";
import { capeOwnerRoutes } from "./cape-owners.ts";

const said = { capes: "Capes" } as const;
const actions = { upload: "Cape upload", deletion: "Cape deletion", grant: "Cape change" } as const;

/** Capes and their grants (docs/contract/admin.md). */
export function capeRoutes(parts: Parts) {
  return new Elysia()
    .use(lookRoute(parts))
    .use(uploadRoute(parts))
    .use(deleteRoute(parts))
    .use(grantRoute(parts))
    .use(capeOwnerRoutes(parts));
}

function lookRoute(parts: Parts) {
  const { textures } = parts.reads;
  const list = { rows: textures.listAllCapes, count: textures.countAllCapes };
  return new Elysia().use(staffGuard(parts, "inspect")).get(
    "/allcapes",
    async (context) => {
      const listed = await withGrants(textures, await readRows(list, context));
      return ok(said.capes, listed.map(presentListedCape));
    },
    {
      query: listQuery,
      response: { 200: capesEnvelope },
      detail: describe({
        operationId: "listCapes",
        summary: "All capes, by id",
        description: "`q` is searched in the capes' names; it may also be an id or a UUID.",
        who: "moderators",
        msg: said.capes,
        answers: pageAnswer,
      }),
    },
  );
}

const capeAddress = (uuid: string) => `/api/skin/public/cape/${uuid}`;

/** Owners may come as one text, or each as a part. */
const besidesCape = { bytesMax: limits.idsTextBytesMax, partsMax: limits.idsMax + limits.formPartsMax };

function uploadRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(parts.uploadGuard())
    .use(formReader(parts.rules.textures.bytesMax, besidesCape))
    .post(
      "/user/cape/upload",
      async ({ actor, body, set }) => {
        const input = {
          name: body.name,
          owners: readOwners(body.owners),
          expiresAt: readFormExpiry(body.expired_at, parts.clock.nowSeconds()),
          file: await body.cape.bytes(),
        };
        const owned = await addCape(parts, actor, input);
        set.headers["location"] = capeAddress(owned.cape.uuid);
        return done(actions.upload, presentOwnedCape(owned));
      },
      {
        body: capeUploadBody,
        response: { 200: capeEnvelope },
        detail: describe({
          operationId: "uploadCape",
          summary: "Upload a cape and grant it",
          description: "A PNG of 64x32 pixels or a whole multiple; 22x17 and 46x22 are accepted as well.",
          who: "administrators",
          msg: succeeded(actions.upload),
          errors: [uploadsUnderWay()],
          answers: {
            200: { headers: ["Location"], headerExamples: { Location: capeAddress(examples.cape) } },
          },
        }),
      },
    );
}

function deleteRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(jsonReader())
    .delete(
      "/user/cape/upload",
      async ({ actor, body }) => {
        await deleteCape(parts, actor, readUuid("capeid", body.capeid));
        return done(actions.deletion);
      },
      {
        body: capeDeletionBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "deleteCape",
          summary: "Delete a cape, and take it off every skin",
          who: "administrators",
          msg: succeeded(actions.deletion),
          errors: [refusals.unknownCape(examples.cape)],
        }),
      },
    );
}

function grantRoute(parts: Parts) {
  const bytesMax = limits.idsJsonBytesMax;
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(jsonReader({ bytesMax, valuesMax: limits.idsJsonValuesMax }))
    .post(
      "/user/cape/:identifier",
      async ({ actor, params, body }) => {
        const now = parts.clock.nowSeconds();
        const grants = readGrants(body, now);
        const expiresAt = readExpiry(body.expired_at, now);
        const { account } = await findMember(parts.reads.accounts, params.identifier);
        refuseOtherUser(account.id, body.user);
        const input = { account: account.id, grants };
        const granted = await setCapes(parts, actor, input);
        return done(actions.grant, presentGrants(granted.member, granted.capes, { expiresAt, now }));
      },
      {
        params: identifierParams,
        body: grantBody,
        response: { 200: grantEnvelope },
        detail: describe({
          operationId: "setUserCapes",
          summary: "Set the capes that a user may wear",
          description:
            "The list is complete: a cape that is not in it is taken from the user and from the user's skins and players.",
          who: "administrators",
          msg: succeeded(actions.grant),
          errors: [refusals.unknownUser(examples.user), bodyTooLarge(bytesMax)],
        }),
      },
    );
}
