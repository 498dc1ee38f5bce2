import { checkResetCode, resetPassword } from "../../domain/accounts/password-reset.ts";
import { confirmMail } from "../../domain/members/confirm.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { signOut } from "../../domain/sessions/session.ts";
import { arriveByAddress, limitByAddress } from "../admission.ts";
import { emptyEnvelope, ok } from "../envelope.ts";
import { languageOf } from "../negotiation.ts";
import type { Parts } from "../parts.ts";
import {
  codeBody,
  confirmBody,
  loginBody,
  mailBody,
  registerBody,
  resetBody,
} from "../resources/credentials.ts";
import { loggedIn, tokenEnvelope } from "../resources/session.ts";
import { memberGuard } from "../guards.ts";
import { below, route } from "../routing/route.ts";

/** `/api/auth` (docs/contract/auth.md). */
export function authRoutes(parts: Parts) {
  return below("/api/auth", "Auth", [
    signInRoute(parts),
    signOutRoute(parts),
    ...registrationRoutes(parts),
    resetOrderRoute(parts),
    ...resetRoutes(parts),
  ]);
}

/** The messages of success. */
const said = {
  signedOut: "Logout successful",
  mailed: "A code was mailed to the address",
  confirmed: "Mail address confirmed",
  reset: "Password set",
} as const;

function signInRoute(parts: Parts) {
  return route({
    method: "POST",
    path: "/login",
    before: arriveByAddress(parts, parts.limits.signIn.takeHere),
    body: loginBody,
    answer: tokenEnvelope,
    operationId: "signIn",
    summary: "Sign in with a username or mail address and a password",
    description: "`url` leads to the page that finishes registration, where that is still to be done.",
    msg: loggedIn,
    errors: [refusals.wrongLogin(), refusals.unconfirmed()],
    handle: async ({ body, request }) => {
      const { username: login, password } = body;
      const attempt = parts.attemptBy(request, login, { arrival: parts.arrivalOf(request) });
      const input = { login, password, attempt, ...parts.clientOf(request) };
      const signedIn = await parts.sessions.signIn(input);
      parts.noteUser(request, signedIn.member.account.id);
      const isFinished = signedIn.member.account.registration === "complete";
      const next = isFinished ? null : parts.pages().finishRegistration;
      return ok(loggedIn, { jwt: await parts.tokens.issue(signedIn) }, next);
    },
  });
}

function signOutRoute(parts: Parts) {
  return route({
    method: "POST",
    path: "/logout",
    guard: memberGuard(parts),
    answer: emptyEnvelope,
    operationId: "signOut",
    summary: "End this session",
    msg: said.signedOut,
    handle: async ({ actor, member }) => {
      await signOut(parts, actor, member.sessionId);
      return ok(said.signedOut, {});
    },
  });
}

function registrationRoutes(parts: Parts) {
  return [
    route({
      method: "POST",
      path: "/register",
      before: limitByAddress(parts, parts.limits.register.take),
      body: registerBody,
      answer: emptyEnvelope,
      operationId: "register",
      summary: "Register a mail address",
      description:
        "May be repeated until the address is confirmed. Passwords that differ are kept, also when the answer is 429, and `POST /api/auth/confirm` says which one counts. The mail names the time and the network of the request.",
      msg: said.mailed,
      url: "https://www.example.org/confirm",
      errors: [refusals.mailTaken()],
      handle: async ({ body, request }) => {
        const address = parts.clientAddress(request);
        await parts.accounts.register({ ...body, address, language: languageOf(request) });
        return ok(said.mailed, {}, parts.pages().confirm());
      },
    }),
    route({
      method: "POST",
      path: "/confirm",
      before: limitByAddress(parts, parts.limits.code.take),
      body: confirmBody,
      answer: emptyEnvelope,
      operationId: "confirmMail",
      summary: "Confirm the address by its code",
      description:
        "`password` is the one of your registration. Where an address was registered with different passwords, it decides which one counts; a password of no registration is 400, and the code stays good. Without it the account then has no password, `url` leads to the page that sets a new one, and the code is good for `POST /api/auth/forgetpass/update`.",
      msg: said.confirmed,
      url: "https://www.example.org/registerfinish",
      handle: async ({ body, request }) => {
        const attemptAt = (mail: string) => parts.attemptBy(request, mail);
        const { hasPassword } = await confirmMail(parts, { ...body, attemptAt });
        const pages = parts.pages();
        return ok(said.confirmed, {}, hasPassword ? pages.finishRegistration : parts.pages().resetPassword());
      },
    }),
  ];
}

function resetOrderRoute(parts: Parts) {
  return route({
    method: "POST",
    path: "/forgetpass",
    before: limitByAddress(parts, parts.limits.forgetpass.take),
    body: mailBody,
    answer: emptyEnvelope,
    operationId: "requestPasswordReset",
    summary: "Mail a code for a new password",
    msg: said.mailed,
    url: "https://www.example.org/resetpassword",
    errors: [refusals.unknownMail()],
    handle: async ({ body, request }) => {
      const address = parts.clientAddress(request);
      await parts.accounts.forgetPassword({ ...body, address, language: languageOf(request) });
      return ok(said.mailed, {}, parts.pages().resetPassword());
    },
  });
}

function resetRoutes(parts: Parts) {
  return [
    route({
      method: "POST",
      path: "/forgetpass/validate",
      before: limitByAddress(parts, parts.limits.code.take),
      body: codeBody,
      operationId: "checkResetCode",
      summary: "Check a reset code without using it up",
      answers: { 204: { description: "The code is good" } },
      handle: async ({ body, set }) => {
        await checkResetCode(parts, body);
        set.status = 204;
      },
    }),
    route({
      method: "POST",
      path: "/forgetpass/update",
      before: limitByAddress(parts, parts.limits.code.take),
      body: resetBody,
      answer: emptyEnvelope,
      operationId: "resetPassword",
      summary: "Set a new password by a code",
      description:
        "Uses the code up and ends all sessions of the account. The code of a registration is taken as well.",
      msg: said.reset,
      handle: async ({ body }) => {
        await resetPassword(parts, body);
        return ok(said.reset, {});
      },
    }),
  ];
}
