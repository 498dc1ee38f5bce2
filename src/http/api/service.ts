import { rules } from "../rules.ts";
import type { Static } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import { giveCape, takeCape } from "../../domain/members/grants.ts";
import { setRole } from "../../domain/members/roles.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { findAccount } from "../../domain/services/find-account.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { jsonReader } from "../body.ts";
import { done } from "../envelope.ts";
import { expiryField, readExpiry, socialIdField, userField } from "../fields.ts";
import { describe, succeeded } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { levelEffect, levelField, levelSummary, presentRole, roleEnvelope } from "../resources/account.ts";
import { capeKeyField, heldCapesEnvelope, presentHeldCapes, readCapeField } from "../resources/cape-grant.ts";
import { foundUser, presentFound } from "../resources/social-account.ts";
import { serviceGuard } from "../guards.ts";

const actions = {
  permission: "Permission change",
  grant: "Cape grant",
  revocation: "Cape revocation",
} as const;

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
export function serviceRoutes(parts: Parts) {
  return new Elysia({ prefix: "/api/service", tags: ["Service endpoints"] })
    .use(findRoute(parts))
    .use(permissionRoute(parts))
    .use(capeRoutes(parts));
}

function findRoute(parts: Parts) {
  return new Elysia()
    .use(serviceGuard(parts, "find"))
    .use(jsonReader({ exactIn: ["Social_id"] }))
    .post(
      "/user",
      async ({ body: { Social_id: id, Playername: name } }) => {
        // Typed clients send 0, "" or null for a field that they do not use.
        const query = { socialId: id ? String(id) : null, username: name ? name : null };
        return presentFound(await findAccount(parts, query));
      },
      {
        body: findBody,
        response: { 200: foundUser },
        detail: describe({
          operationId: "findUser",
          summary: "Find an account by its id at the social provider, or by username",
          description:
            "Both together must mean the same account. Where several providers are on, an id is looked up at the first one first. The answer has no envelope.",
          who: "services:find",
          errors: [refusals.unknownAccount(), refusals.ambiguousPerson()],
          answers: { 200: { description: "The account, and its person at the social provider" } },
        }),
      },
    );
}

function permissionRoute(parts: Parts) {
  return new Elysia()
    .use(serviceGuard(parts, "permission"))
    .use(jsonReader())
    .post(
      "/permission",
      async ({ actor, body }) => {
        const now = parts.clock.nowSeconds();
        const expiresAt = readExpiry(body.expired_at, now);
        const account = body.userid as AccountId; // the store knows whether an account has it
        const role = { account, level: body.permission, expiresAt };
        const member = await setRole(parts, actor, role);
        return done(actions.permission, presentRole(member, expiresAt, now));
      },
      {
        body: permissionBody,
        response: { 200: roleEnvelope },
        detail: describe({
          operationId: "setPermission",
          summary: levelSummary,
          description: levelEffect,
          who: "services:permission",
          msg: succeeded(actions.permission),
          errors: [refusals.unknownUser(String(examples.userId)), refusals.lastAdministrator()],
        }),
      },
    );
}

function capeRoutes(parts: Parts) {
  const errors = [refusals.unknownUser(String(examples.userId)), refusals.unknownCape(examples.cape)];
  return new Elysia()
    .use(serviceGuard(parts, "cape"))
    .use(jsonReader())
    .post(
      "/cape",
      async ({ actor, body }) => {
        const now = parts.clock.nowSeconds();
        const expiresAt = readExpiry(body.expires_at, now, "expires_at");
        const { member, capes } = await giveCape(parts, actor, { ...readOwner(body), expiresAt });
        return done(actions.grant, presentHeldCapes(member, capes, now));
      },
      {
        body: grantBody,
        response: { 200: heldCapesEnvelope },
        detail: describe({
          operationId: "grantCape",
          summary: "Grant a user one cape, permanently or for a time",
          description:
            "The user's other capes stay. A grant of a cape that the user has replaces the end of the earlier one. `data` has all capes of the user.",
          who: "services:cape",
          msg: succeeded(actions.grant),
          errors,
        }),
      },
    )
    .delete(
      "/cape",
      async ({ actor, body }) => {
        const { member, capes } = await takeCape(parts, actor, readOwner(body));
        return done(actions.revocation, presentHeldCapes(member, capes, parts.clock.nowSeconds()));
      },
      {
        body: revocationBody,
        response: { 200: heldCapesEnvelope },
        detail: describe({
          operationId: "revokeCape",
          summary: "Take one cape from a user, and off the user's skins and players",
          description:
            "The user's other capes stay. A cape that the user does not have is no failure, so a request can be repeated. `data` has all capes of the user.",
          who: "services:cape",
          msg: succeeded(actions.revocation),
          errors,
        }),
      },
    );
}

function readOwner({ userid, cape }: Static<typeof revocationBody>) {
  const account = userid as AccountId; // the store knows whether an account has it
  return { account, cape: readCapeField(cape) };
}
