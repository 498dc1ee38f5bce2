import { changeLanguage } from "../../../domain/accounts/change-account.ts";
import { finishRegistration } from "../../../domain/accounts/register.ts";
import { readProfile } from "../../../domain/members/profile.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { SignedInMember } from "../../../domain/sessions/session.ts";
import { limitByAddress } from "../../admission.ts";
import { done, emptyEnvelope, ok } from "../../envelope.ts";
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
import { route } from "../../routing/route.ts";

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
  return [
    profileRoute(parts),
    finishRoute(parts),
    ...credentialRoutes(parts),
    ...mailRoutes(parts),
    languageRoute(parts),
    socialRoute(parts),
  ];
}

function profileRoute(parts: Parts) {
  return route({
    method: "GET",
    path: "",
    guard: memberGuard(parts),
    answer: profileEnvelope,
    operationId: "getHomeProfile",
    summary: "Your profile, skins and capes",
    msg: said.profile,
    handle: async ({ member }) => {
      const profile = await readProfile(parts.reads, member, parts.clock.nowSeconds());
      return ok(said.profile, presentHomeProfile(profile));
    },
  });
}

function finishRoute(parts: Parts) {
  return route({
    method: "POST",
    path: "/registerfinish",
    guard: memberGuard(parts),
    before: limitByAddress(parts, parts.limits.finish.take),
    body: finishBody,
    answer: emptyEnvelope,
    operationId: "finishRegistration",
    summary: "Choose a name and a password, once",
    msg: said.finished,
    errors: [refusals.finished(), refusals.unconfirmed()],
    handle: async ({ actor, member, body }) => {
      await finishRegistration(parts, actor, member, body);
      return ok(said.finished, {});
    },
  });
}

function credentialRoutes(parts: Parts) {
  return [
    route({
      method: "PATCH",
      path: "/edit/username",
      guard: playerGuard(parts),
      body: usernameBody,
      answer: emptyEnvelope,
      isEdit: true,
      action: edits.username,
      operationId: "changeUsername",
      summary: "Take another name",
      description:
        "The old name is held for a while, so that no other player can pass for you. Once in 24 hours, unless the operator sets another time; staff are exempt.",
      handle: async ({ actor, member, player, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        const { username: name, password } = body;
        const input = { player: { by: "id", value: player.id }, name, password, attempt } as const;
        await parts.players.renameOwn(actor, member, input);
        return done(edits.username);
      },
    }),
    route({
      method: "PATCH",
      path: "/edit/password",
      guard: playerGuard(parts),
      body: passwordBody,
      answer: emptyEnvelope,
      isEdit: true,
      action: edits.password,
      operationId: "changePassword",
      summary: "Set a new password",
      description: "Ends all your other sessions.",
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        const input = { password: body.password, attempt, newPassword: body.newpassword };
        await parts.accounts.changePassword(actor, member, input);
        return done(edits.password);
      },
    }),
  ];
}

function languageRoute(parts: Parts) {
  return route({
    method: "PATCH",
    path: "/edit/language",
    guard: playerGuard(parts),
    body: languageBody,
    answer: emptyEnvelope,
    isEdit: true,
    action: edits.language,
    operationId: "changeLanguage",
    summary: "Choose the language of the mails that you get",
    handle: async ({ actor, member, body: { language } }) => {
      await changeLanguage(parts, actor, member, language);
      return done(edits.language);
    },
  });
}

function socialRoute(parts: Parts) {
  return route({
    method: "POST",
    path: "/edit/removesocial",
    guard: playerGuard(parts),
    body: removeSocialBody,
    answer: emptyEnvelope,
    isEdit: true,
    action: edits.social,
    operationId: "unlinkSocialAccount",
    summary: "Unlink your social account",
    description: "You sign in with your password afterwards, so an account without one cannot do this.",
    handle: async ({ actor, member, body, request }) => {
      const attempt = attemptOf(parts, request, member);
      await parts.social.unlink(actor, member, { ...body, attempt });
      return done(edits.social);
    },
  });
}

function mailRoutes(parts: Parts) {
  return [
    route({
      method: "POST",
      path: "/mail/request",
      guard: playerGuard(parts),
      body: newMailBody,
      answer: emptyEnvelope,
      isEdit: true,
      action: edits.newMail,
      operationId: "requestMailChange",
      summary: "Mail a code to a new address",
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        const input = { ...body, attempt, address: parts.clientAddress(request) };
        await parts.accounts.requestMailChange(actor, member, input);
        return done(edits.newMail);
      },
    }),
    route({
      method: "POST",
      path: "/mail/validate",
      guard: playerGuard(parts),
      before: limitByAddress(parts, parts.limits.code.take),
      body: newMailCodeBody,
      answer: emptyEnvelope,
      isEdit: true,
      action: edits.mail,
      operationId: "confirmMailChange",
      summary: "Take the new address",
      description: "Ends all your other sessions, and notifies the old address.",
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(parts, request, member);
        await parts.accounts.confirmMailChange(actor, member, { ...body, attempt });
        return done(edits.mail);
      },
    }),
  ];
}

/** A try at the member's current password. */
function attemptOf({ attemptBy }: Parts, request: Request, { account }: SignedInMember) {
  return attemptBy(request, account.id);
}
