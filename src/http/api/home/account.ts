import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { readProfile } from "../../../domain/members/profile.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { SignedInMember } from "../../../domain/sessions/session.ts";
import { limitByAddress } from "../../admission.ts";
import { emptyEnvelope } from "../../envelope.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http, Requests } from "../../http.ts";
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
import { route } from "../../routing/route.ts";

/** The member's own account: profile, registration, and changes of name, password, mail and social link (docs/contract/home.md). */
export function accountRoutes(services: Services, http: Http) {
  return [
    profileRoute(services, http),
    finishRoute(services, http),
    ...credentialRoutes(services, http),
    ...mailRoutes(services, http),
    languageRoute(services, http),
    socialRoute(services, http),
  ];
}

function profileRoute({ reads, clock }: Services, { guards }: Http) {
  return route({
    method: "GET",
    path: "",
    guard: guards.member,
    envelope: profileEnvelope,
    operationId: "getHomeProfile",
    summary: "Your profile, skins and capes",
    msg: "Home profile",
    handle: async ({ member }) => {
      const profile = await readProfile(reads, member, clock.nowSeconds());
      return presentHomeProfile(profile);
    },
  });
}

function finishRoute({ accounts, limits }: Services, { requests, guards }: Http) {
  return route({
    method: "POST",
    path: "/registerfinish",
    guard: guards.member,
    before: limitByAddress(requests, limits.finish.take),
    body: finishBody,
    envelope: emptyEnvelope,
    operationId: "finishRegistration",
    refuses: [...refusalsOf.newName, ...refusalsOf.newPassword],
    summary: "Choose a name and a password, once",
    msg: "Registration finished",
    errors: [refusals.finished(), refusals.unconfirmed()],
    handle: async ({ actor, member, body }) => {
      await accounts.finishRegistration(actor, member, body);
      return {};
    },
  });
}

function credentialRoutes({ accounts, players }: Services, { guards, requests }: Http) {
  return [
    route({
      method: "PATCH",
      path: "/edit/username",
      guard: guards.player,
      body: usernameBody,
      isEdit: true,
      action: "Username change",
      operationId: "changeUsername",
      refuses: [...refusalsOf.newName, ...refusalsOf.ownPassword, refusals.renamedTooOften],
      summary: "Take another name",
      description:
        "The old name is held for a while, so that no other player can pass for you. Once in 24 hours, unless the operator sets another time; staff are exempt.",
      handle: async ({ actor, member, player, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        const { username: name, password } = body;
        const input = { player: { by: "id", value: player.id }, name, password, attempt } as const;
        await players.renameOwn(actor, member, input);
      },
    }),
    route({
      method: "PATCH",
      path: "/edit/password",
      guard: guards.player,
      body: passwordBody,
      isEdit: true,
      action: "Password change",
      operationId: "changePassword",
      refuses: [...refusalsOf.newPassword, ...refusalsOf.ownPassword],
      summary: "Set a new password",
      description: "Ends all your other sessions.",
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        const input = { password: body.password, attempt, newPassword: body.newpassword };
        await accounts.changePassword(actor, member, input);
      },
    }),
  ];
}

function languageRoute({ accounts }: Services, { guards }: Http) {
  return route({
    method: "PATCH",
    path: "/edit/language",
    guard: guards.player,
    body: languageBody,
    isEdit: true,
    action: "Language change",
    operationId: "changeLanguage",
    summary: "Choose the language of the mails that you get",
    handle: ({ actor, member, body: { language } }) => accounts.changeLanguage(actor, member, language),
  });
}

function socialRoute({ social }: Services, { guards, requests }: Http) {
  return route({
    method: "POST",
    path: "/edit/removesocial",
    guard: guards.player,
    body: removeSocialBody,
    isEdit: true,
    action: "Social link removal",
    operationId: "unlinkSocialAccount",
    refuses: [...refusalsOf.ownPassword, refusals.notLinked],
    summary: "Unlink your social account",
    description: "You sign in with your password afterwards, so an account without one cannot do this.",
    handle: async ({ actor, member, body, request }) => {
      const attempt = attemptOf(requests, request, member);
      await social.unlink(actor, member, { ...body, attempt });
    },
  });
}

function mailRoutes({ accounts, limits }: Services, { requests, guards }: Http) {
  return [
    route({
      method: "POST",
      path: "/mail/request",
      guard: guards.player,
      body: newMailBody,
      isEdit: true,
      action: "Mail change request",
      operationId: "requestMailChange",
      refuses: [...refusalsOf.newMail, ...refusalsOf.ownPassword, ...refusalsOf.mails, refusals.ownMail],
      summary: "Mail a code to a new address",
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        const input = { ...body, attempt, address: requests.clientAddress(request) };
        await accounts.requestMailChange(actor, member, input);
      },
    }),
    route({
      method: "POST",
      path: "/mail/validate",
      guard: guards.player,
      before: limitByAddress(requests, limits.code.take),
      body: newMailCodeBody,
      isEdit: true,
      action: "Mail change",
      operationId: "confirmMailChange",
      refuses: [...refusalsOf.ownPassword, refusals.badCode, refusals.mailTaken],
      summary: "Take the new address",
      description: "Ends all your other sessions, and notifies the old address.",
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        await accounts.confirmMailChange(actor, member, { ...body, attempt });
      },
    }),
  ];
}

/** A try at the member's current password. */
function attemptOf({ attemptBy }: Requests, request: Request, { account }: SignedInMember) {
  return attemptBy(request, account.id);
}
