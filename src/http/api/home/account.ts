import { profileEnd, readProfile } from "../../../domain/members/profile.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { SignedInMember } from "../../../domain/sessions/session.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { limitByAddress } from "../../admission.ts";
import { emptyEnvelope } from "../../envelope.ts";
import type { Http } from "../../http.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import type { Requests } from "../../requests.ts";
import { presentHomeProfile, profileEnvelope } from "../../resources/account.ts";
import {
  finishBody,
  newMailBody,
  newMailCodeBody,
  passwordBody,
  currentPasswordBody,
  usernameBody,
} from "../../resources/credentials.ts";
import { languageBody } from "../../resources/language.ts";
import { route } from "../../routing/route.ts";

/**
 * The member's own account: profile, registration, and changes of name, password, mail and social link
 * (docs/contract/home.md).
 */
export function accountRoutes(services: Services, http: Http) {
  return [...profileRoutes(services, http), ...settingRoutes(services, http), ...linkRoutes(services, http)];
}

function profileRoutes({ reads, clock, accounts, limits }: Services, { guards, requests }: Http) {
  return [
    route("GET", "", {
      guard: guards.member,
      envelope: profileEnvelope,
      operationId: "getHomeProfile",
      summary: "Your profile, skins and capes",
      msg: "Home profile",
      handle: async ({ member, request }) => {
        const now = clock.nowSeconds();
        const profile = await readProfile(reads, member, now);
        requests.holdUntil(request, profileEnd(profile, now));
        return presentHomeProfile(profile);
      },
    }),
    route("POST", "/registerfinish", {
      guard: guards.member,
      before: limitByAddress(requests, limits.finish.take),
      body: finishBody,
      envelope: emptyEnvelope,
      operationId: "finishRegistration",
      summary: "Choose a name and a password, once",
      msg: "Registration finished",
      errors: [refusals.finished(), refusals.unconfirmed()],
      refuses: [...refusalsOf.newName, ...refusalsOf.newPassword],
      handle: async ({ actor, member, body }) => {
        await accounts.finishRegistration(actor, member, body);
        return {};
      },
    }),
  ];
}

function settingRoutes({ accounts, players }: Services, { guards, requests }: Http) {
  return [
    route("PATCH", "/edit/username", {
      guard: guards.player,
      body: usernameBody,
      action: "Username change",
      operationId: "changeUsername",
      summary: "Take another name",
      description:
        "The old name is held for a while, so that no other player can pass for you. Once in 24 hours, unless the operator sets another time; staff are exempt.",
      refuses: [...refusalsOf.newName, ...refusalsOf.ownPassword, refusals.renamedTooOften],
      handle: async ({ actor, member, player, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        const { username: name, password } = body;
        const input = { player: { by: "id", value: player.id }, name, password, attempt } as const;
        await players.renameOwn(actor, member, input);
      },
    }),
    route("PATCH", "/edit/password", {
      guard: guards.player,
      body: passwordBody,
      action: "Password change",
      operationId: "changePassword",
      summary: "Set a new password",
      description: "Ends all your other sessions.",
      refuses: [...refusalsOf.newPassword, ...refusalsOf.ownPassword],
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        const input = { password: body.password, attempt, newPassword: body.newpassword };
        await accounts.changePassword(actor, member, input);
      },
    }),
    route("PATCH", "/edit/language", {
      guard: guards.player,
      body: languageBody,
      action: "Language change",
      operationId: "changeLanguage",
      summary: "Choose the language of the mails that you get",
      handle: ({ actor, member, body: { language } }) => accounts.changeLanguage(actor, member, language),
    }),
  ];
}

function linkRoutes({ social, accounts, limits }: Services, { guards, requests }: Http) {
  return [
    route("POST", "/edit/removesocial", {
      guard: guards.player,
      body: currentPasswordBody,
      action: "Social link removal",
      operationId: "unlinkSocialAccount",
      summary: "Unlink your social account",
      description: "You sign in with your password afterwards, so an account without one cannot do this.",
      refuses: [...refusalsOf.ownPassword, refusals.notLinked],
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        await social.unlink(actor, member, { ...body, attempt });
      },
    }),
    route("POST", "/mail/request", {
      guard: guards.player,
      body: newMailBody,
      action: "Mail change request",
      operationId: "requestMailChange",
      summary: "Mail a code to a new address",
      refuses: [...refusalsOf.newMail, ...refusalsOf.ownPassword, ...refusalsOf.mails, refusals.ownMail],
      handle: async ({ actor, member, body, request }) => {
        const attempt = attemptOf(requests, request, member);
        const input = { ...body, attempt, address: requests.clientAddress(request) };
        await accounts.requestMailChange(actor, member, input);
      },
    }),
    route("POST", "/mail/validate", {
      guard: guards.player,
      before: limitByAddress(requests, limits.code.take),
      body: newMailCodeBody,
      action: "Mail change",
      operationId: "confirmMailChange",
      summary: "Take the new address",
      description: "Ends all your other sessions, and notifies the old address.",
      refuses: [...refusalsOf.ownPassword, refusals.badCode, refusals.mailTaken],
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
