import type { Static } from "@sinclair/typebox";
import { refusals } from "../../domain/model/refusals.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { jsonReader } from "../body.ts";
import { expiryField, readExpiry, socialIdField, userField } from "../fields.ts";
import type { Http } from "../http.ts";
import { examples } from "../openapi/examples.ts";
import { refusalsOf } from "../openapi/refusal-groups.ts";
import { levelEffect, levelField, levelSummary, presentRole, roleEnvelope } from "../resources/level.ts";
import { capeKeyField, heldCapesEnvelope, presentHeldCapes, readCapeField } from "../resources/cape-grant.ts";
import { foundUser, presentFound } from "../resources/social-account.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";

/** Typed clients send fields that they have no value for. */
const nothing = t.Union([t.Literal(""), t.Null()]);

/** One of the two, or both. */
const findBody = t.Object({
  Social_id: t.Optional(
    t.Union([socialIdField("Id at the social provider", "socialId"), nothing], {
      rule: rules.socialId.of(),
      field: "socialId",
      documented: {
        anyOf: [
          { type: "string", maxLength: 255 },
          { type: "integer", format: "int64", minimum: 0 },
          { type: "null" },
        ],
        description:
          "Id at the social provider, as a whole number of any length or as text; 0, empty and null count as absent",
        examples: [examples.socialId],
      },
    }),
  ),
  Playername: t.Optional(
    t.Union([t.String({ shape: "playerOrEmpty" }), t.Null()], {
      description: "Username, in any case; empty and null count as absent",
      rule: rules.text.of(),
      field: "username",
      examples: [examples.name],
    }),
  ),
});

const permissionBody = t.Object({
  userid: userField("The user's id"),
  permission: levelField("1 player, 2 moderator, 3 administrator"),
  expired_at: expiryField("When the level ends and the permanent one holds again"),
});

const revocationBody = t.Object({ userid: userField("The user's id"), cape: capeKeyField });

const grantBody = t.Object({
  ...revocationBody.properties,
  expires_at: expiryField("When the user's right to wear it ends"),
});

/** `/api/service` (docs/contract/service.md): for other programs of the operator, with a service token. */
export function serviceRoutes(services: Services, http: Http) {
  return below("/api/service", "Service endpoints", [
    ...userRoutes(services, http),
    ...capeRoutes(services, http),
  ]);
}

function userRoutes({ accounts, members, clock }: Services, { guards }: Http) {
  return [
    route("POST", "/user", {
      guard: guards.service("find"),
      read: jsonReader({ exactIn: ["Social_id"] }),
      body: findBody,
      answer: foundUser,
      operationId: "findUser",
      summary: "Find an account by its id at the social provider, or by username",
      description:
        "Both together must mean the same account. Where several providers are on, an id is looked up at the first one first. The answer has no envelope.",
      errors: [refusals.unknownAccount(), refusals.ambiguousPerson()],
      answers: { 200: { description: "The account, and its person at the social provider" } },
      refuses: [
        refusals.noAccountKey,
        refusals.otherAccount,
        refusals.notMayBeUsername,
        refusals.ambiguousPerson,
      ],
      handle: async ({ body: { Social_id: id, Playername: name } }) => {
        // Typed clients send 0, "" or null for a field that they do not use.
        const query = { socialId: id ? String(id) : null, username: name ? name : null };
        return presentFound(await accounts.find(query));
      },
    }),
    route("POST", "/permission", {
      guard: guards.service("permission"),
      body: permissionBody,
      envelope: roleEnvelope,
      operationId: "setPermission",
      summary: levelSummary,
      description: levelEffect,
      action: "Permission change",
      errors: [refusals.unknownUser(String(examples.userId)), refusals.lastAdministrator()],
      refuses: [...refusalsOf.end],
      handle: async ({ actor, body }) => {
        const now = clock.nowSeconds();
        const expiresAt = readExpiry(body.expired_at, now);
        const account = body.userid as AccountId; // the store knows whether an account has it
        const role = { account, level: body.permission, expiresAt };
        const member = await members.setLevel(actor, role);
        return presentRole(member, expiresAt, now);
      },
    }),
  ];
}

function capeRoutes({ members, clock }: Services, { guards }: Http) {
  const errors = [refusals.unknownUser(String(examples.userId)), refusals.unknownCape(examples.cape)];
  return [
    route("POST", "/cape", {
      guard: guards.service("cape"),
      body: grantBody,
      envelope: heldCapesEnvelope,
      operationId: "grantCape",
      summary: "Grant a user one cape, permanently or for a time",
      description:
        "The user's other capes stay. A grant of a cape that the user has replaces the end of the earlier one. `data` has all capes of the user.",
      action: "Cape grant",
      errors,
      refuses: [...refusalsOf.end],
      handle: async ({ actor, body }) => {
        const now = clock.nowSeconds();
        const expiresAt = readExpiry(body.expires_at, now, "expires_at");
        const { member, capes } = await members.giveCape(actor, { ...readOwner(body), expiresAt });
        return presentHeldCapes(member, capes, now);
      },
    }),
    route("DELETE", "/cape", {
      guard: guards.service("cape"),
      body: revocationBody,
      envelope: heldCapesEnvelope,
      operationId: "revokeCape",
      summary: "Take one cape from a user, and off the user's skins and players",
      description:
        "The user's other capes stay. A cape that the user does not have is no failure, so a request can be repeated. `data` has all capes of the user.",
      action: "Cape revocation",
      errors,
      handle: async ({ actor, body }) => {
        const { member, capes } = await members.takeCape(actor, readOwner(body));
        return presentHeldCapes(member, capes, clock.nowSeconds());
      },
    }),
  ];
}

function readOwner({ userid, cape }: Static<typeof revocationBody>) {
  const account = userid as AccountId; // the store knows whether an account has it
  return { account, cape: readCapeField(cape) };
}
