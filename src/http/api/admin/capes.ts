import { findMember } from "../../../domain/accounts/identifier.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { withGrants } from "../../../domain/textures/capes.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { limits } from "../../../kernel/limits.ts";
import { uploadsUnderWay } from "../../admission.ts";
import { bodyTooLarge, jsonReader } from "../../body.ts";
import { formReader } from "../../form-body.ts";
import { readExpiry, readFormExpiry, readUuid, refuseOtherUser } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { listQuery, pageAnswer, readRows } from "../../paging.ts";
import { identifierParams } from "../../resources/user-params.ts";
import { grantBody, grantEnvelope, presentGrants, readGrants } from "../../resources/cape-grant.ts";
import {
  capeDeletionBody,
  capeEnvelope,
  capesEnvelope,
  capeUploadBody,
  presentListedCape,
  presentOwnedCape,
  readOwners,
} from "../../resources/cape.ts";
import { route } from "../../routing/route.ts";
import { rules as fieldRules } from "../../rules.ts";
import { capeOwnerRoutes } from "./cape-owners.ts";

/** Capes and their grants (docs/contract/admin.md). */
export function capeRoutes(services: Services, http: Http) {
  return [
    lookRoute(services, http),
    ...stockRoutes(services, http),
    grantRoute(services, http),
    ...capeOwnerRoutes(services, http),
  ];
}

function lookRoute({ reads }: Services, { guards }: Http) {
  const list = { rows: reads.textures.listAllCapes, count: reads.textures.countAllCapes };
  return route("GET", "/allcapes", {
    guard: guards.staff("inspect"),
    query: listQuery,
    envelope: capesEnvelope,
    operationId: "listCapes",
    summary: "All capes, by id",
    description: "`q` is searched in the capes' names; it may also be an id or a UUID.",
    msg: "Capes",
    answers: pageAnswer,
    refuses: [...refusalsOf.page, ...refusalsOf.search],
    handle: async (context) => {
      const listed = await withGrants(reads.textures, await readRows(list, context));
      return listed.map(presentListedCape);
    },
  });
}

function stockRoutes({ textures, rules, clock }: Services, { guards, requests }: Http) {
  return [
    route("POST", "/user/cape/upload", {
      guard: guards.staff("administer"),
      before: requests.uploadGuard(),
      read: formReader(rules.textures.bytesMax, besidesCape),
      body: capeUploadBody,
      envelope: capeEnvelope,
      operationId: "uploadCape",
      summary: "Upload a cape and grant it",
      description: "A PNG of 64x32 pixels or a whole multiple; 22x17 and 46x22 are accepted as well.",
      action: "Cape upload",
      errors: [uploadsUnderWay()],
      answers: {
        200: { headers: ["Location"], headerExamples: { Location: capeAddress(examples.cape) } },
      },
      refuses: [
        ...refusalsOf.upload,
        ...refusalsOf.end,
        refusals.capeSize,
        refusals.unknownIds,
        fieldRules.userIdsText,
        fieldRules.userIdsMax,
      ],
      handle: async ({ actor, body, set }) => {
        const input = {
          name: body.name,
          owners: readOwners(body.owners),
          expiresAt: readFormExpiry(body.expired_at, clock.nowSeconds()),
          file: await body.cape.bytes(),
        };
        const owned = await textures.addCape(actor, input);
        set.headers["location"] = capeAddress(owned.cape.uuid);
        return presentOwnedCape(owned);
      },
    }),
    route("DELETE", "/user/cape/upload", {
      guard: guards.staff("administer"),
      body: capeDeletionBody,
      operationId: "deleteCape",
      summary: "Delete a cape, and take it off every skin",
      action: "Cape deletion",
      errors: [refusals.unknownCape(examples.cape)],
      handle: ({ actor, body }) => textures.deleteCape(actor, readUuid("capeid", body.capeid)),
    }),
  ];
}

const capeAddress = (uuid: string) => `/api/skin/public/cape/${uuid}`;

/** Owners may come as one text, or each as a part. */
const besidesCape = { bytesMax: limits.idsTextBytesMax, partsMax: limits.idsMax + limits.formPartsMax };

function grantRoute({ members, reads, clock }: Services, { guards }: Http) {
  const bytesMax = limits.idsJsonBytesMax;
  return route("POST", "/user/cape/:identifier", {
    guard: guards.staff("administer"),
    read: jsonReader({ bytesMax, valuesMax: limits.idsJsonValuesMax }),
    params: identifierParams,
    body: grantBody,
    envelope: grantEnvelope,
    operationId: "setUserCapes",
    summary: "Set the capes that a user may wear",
    description:
      "The list is complete: a cape that is not in it is taken from the user and from the user's skins and players.",
    action: "Cape change",
    errors: [refusals.unknownUser(examples.user), bodyTooLarge(bytesMax)],
    refuses: [...refusalsOf.identifier, ...refusalsOf.end, refusals.unknownIds, fieldRules.sameUser],
    handle: async ({ actor, params, body }) => {
      const now = clock.nowSeconds();
      const grants = readGrants(body, now);
      const expiresAt = readExpiry(body.expired_at, now);
      const { account } = await findMember(reads.accounts, params.identifier);
      refuseOtherUser(account.id, body.user);
      const input = { account: account.id, grants };
      const granted = await members.setCapes(actor, input);
      return presentGrants(granted.member, granted.capes, { expiresAt, now });
    },
  });
}
