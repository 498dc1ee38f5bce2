import { Elysia } from "elysia";
import { changeLanguage } from "../../../domain/accounts/change-account.ts";
import { finishRegistration } from "../../../domain/accounts/register.ts";
import { readProfile } from "../../../domain/members/profile.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { SignedInMember } from "../../../domain/sessions/session.ts";
import { limitByAddress } from "../../admission.ts";
import { jsonReader } from "../../body.ts";
import { done, emptyEnvelope, ok } from "../../envelope.ts";
import { describe, describeEdit } from "../../openapi/describe.ts";
import type { Parts } from "../../parts.ts";
import { presentHomeProfile, profileEnvelope } from "../../resources/account.ts";
import {
  finishBody,
  newMailBody,
  newMailCodeBody,
  passwordBody,
  removeSocialBody,
  usernameBody,
} from "../../resources/credentials.ts";
import { languageBody } from "../../resources/language.ts";
import { memberGuard, playerGuard } from "../../guards.ts";

const said = { profile: "Home profile", finished: "Registration finished" } as const;

/** The edits' names in messages (docs/contract/home.md#edits). */
const edits = {
  username: "Username change",
  password: "Password change",
  newMail: "Mail change request",
  mail: "Mail change",
  language: "Language change",
  social: "Social link removal",
} as const;

/** The member's own account: profile, registration, and changes of name, password, mail and social link (docs/contract/home.md). */
export function accountRoutes(parts: Parts) {
  return new Elysia()
    .use(profileRoute(parts))
    .use(finishRoute(parts))
    .use(credentialRoutes(parts))
    .use(mailRoutes(parts))
    .use(languageRoute(parts))
    .use(socialRoute(parts));
}

function profileRoute(parts: Parts) {
  return new Elysia().use(memberGuard(parts)).get(
    "",
    async ({ member }) => {
      const profile = await readProfile(parts.reads, member, parts.clock.nowSeconds());
      return ok(said.profile, presentHomeProfile(profile));
    },
    {
      response: { 200: profileEnvelope },
      detail: describe({
        operationId: "getHomeProfile",
        summary: "Your profile, skins and capes",
        who: "members",
        msg: said.profile,
      }),
    },
  );
}

function finishRoute(parts: Parts) {
  return new Elysia()
    .use(memberGuard(parts))
    .use(limitByAddress(parts, parts.limits.finish.take))
    .use(jsonReader())
    .post(
      "/registerfinish",
      async ({ actor, member, body }) => {
        await finishRegistration(parts, actor, member, body);
        return ok(said.finished, {});
      },
      {
        body: finishBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "finishRegistration",
          summary: "Choose a name and a password, once",
          who: "members",
          msg: said.finished,
          errors: [refusals.finished(), refusals.unconfirmed()],
        }),
      },
    );
}

function credentialRoutes(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .patch(
      "/edit/username",
      async ({ actor, member, player, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        const { username: name, password } = body;
        const input = { player: { by: "id", value: player.id }, name, password, attempt } as const;
        await parts.players.renameOwn(actor, member, input);
        return done(edits.username);
      },
      {
        body: usernameBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.username, {
          operationId: "changeUsername",
          summary: "Take another name",
          description:
            "The old name is held for a while, so that no other player can pass for you. Once in 24 hours, unless the operator sets another time; staff are exempt.",
        }),
      },
    )
    .patch(
      "/edit/password",
      async ({ actor, member, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        const input = { password: body.password, attempt, newPassword: body.newpassword };
        await parts.accounts.changePassword(actor, member, input);
        return done(edits.password);
      },
      {
        body: passwordBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.password, {
          operationId: "changePassword",
          summary: "Set a new password",
          description: "Ends all your other sessions.",
        }),
      },
    );
}

function languageRoute(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .patch(
      "/edit/language",
      async ({ actor, member, body: { language } }) => {
        await changeLanguage(parts, actor, member, language);
        return done(edits.language);
      },
      {
        body: languageBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.language, {
          operationId: "changeLanguage",
          summary: "Choose the language of the mails that you get",
        }),
      },
    );
}

function socialRoute(parts: Parts) {
  return new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .post(
      "/edit/removesocial",
      async ({ actor, member, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        await parts.social.unlink(actor, member, { ...body, attempt });
        return done(edits.social);
      },
      {
        body: removeSocialBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.social, {
          operationId: "unlinkSocialAccount",
          summary: "Unlink your social account",
          description: "You sign in with your password afterwards, so an account without one cannot do this.",
        }),
      },
    );
}

function mailRoutes(parts: Parts) {
  const requesting = new Elysia()
    .use(playerGuard(parts))
    .use(jsonReader())
    .post(
      "/mail/request",
      async ({ actor, member, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        const input = { ...body, attempt, address: parts.clientAddress(request) };
        await parts.accounts.requestMailChange(actor, member, input);
        return done(edits.newMail);
      },
      {
        body: newMailBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.newMail, {
          operationId: "requestMailChange",
          summary: "Mail a code to a new address",
        }),
      },
    );
  const validating = new Elysia()
    .use(playerGuard(parts))
    .use(limitByAddress(parts, parts.limits.code.take))
    .use(jsonReader())
    .post(
      "/mail/validate",
      async ({ actor, member, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        await parts.accounts.confirmMailChange(actor, member, { ...body, attempt });
        return done(edits.mail);
      },
      {
        body: newMailCodeBody,
        response: { 200: emptyEnvelope },
        detail: describeEdit(edits.mail, {
          operationId: "confirmMailChange",
          summary: "Take the new address",
          description: "Ends all your other sessions, and notifies the old address.",
        }),
      },
    );
  return new Elysia().use(requesting).use(validating);
}

/** A try at the member's current password. */
function attemptOf({ attemptBy }: Parts, request: Request, { account }: SignedInMember) {
  return attemptBy(request, account.id);
}
