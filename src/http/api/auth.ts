import { Elysia } from "elysia";
import { checkResetCode, resetPassword } from "../../domain/accounts/password-reset.ts";
import { confirmMail } from "../../domain/members/confirm.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { signOut } from "../../domain/sessions/session.ts";
import { arriveByAddress, limitByAddress } from "../admission.ts";
import { jsonReader, unread } from "../body.ts";
import { emptyEnvelope, ok } from "../envelope.ts";
import { languageOf } from "../negotiation.ts";
import { describe } from "../openapi/describe.ts";
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

/** `/api/auth` (docs/contract/auth.md). */
export function authRoutes(parts: Parts) {
  return new Elysia({ prefix: "/api/auth", tags: ["Auth"] })
    .use(signInRoute(parts))
    .use(signOutRoute(parts))
    .use(registrationRoutes(parts))
    .use(resetOrderRoute(parts))
    .use(resetRoutes(parts));
}

/** The messages of success. */
const said = {
  signedOut: "Logout successful",
  mailed: "A code was mailed to the address",
  confirmed: "Mail address confirmed",
  reset: "Password set",
} as const;

function signInRoute(parts: Parts) {
  return new Elysia()
    .use(arriveByAddress(parts, parts.limits.signIn.arrive))
    .use(jsonReader())
    .post(
      "/login",
      async ({ body, request }) => {
        const { username: login, password } = body;
        const attempt = parts.attemptBy(request, login, { arrival: parts.arrivalOf(request) });
        const input = { login, password, attempt, ...parts.clientOf(request) };
        const signedIn = await parts.sessions.signIn(input);
        parts.noteUser(request, signedIn.member.account.id);
        const isFinished = signedIn.member.account.registration === "complete";
        const next = isFinished ? null : parts.pages().finishRegistration;
        return ok(loggedIn, { jwt: await parts.tokens.issue(signedIn) }, next);
      },
      {
        body: loginBody,
        response: { 200: tokenEnvelope },
        detail: describe({
          operationId: "signIn",
          summary: "Sign in with a username or mail address and a password",
          description: "`url` leads to the page that finishes registration, where that is still to be done.",
          who: "everybody",
          msg: loggedIn,
          errors: [refusals.wrongLogin(), refusals.unconfirmed()],
        }),
      },
    );
}

function signOutRoute(parts: Parts) {
  return new Elysia().use(memberGuard(parts)).post(
    "/logout",
    async ({ actor, member }) => {
      await signOut(parts, actor, member.sessionId);
      return ok(said.signedOut, {});
    },
    {
      ...unread,
      response: { 200: emptyEnvelope },
      detail: describe({
        operationId: "signOut",
        summary: "End this session",
        who: "members",
        msg: said.signedOut,
      }),
    },
  );
}

function registrationRoutes(parts: Parts) {
  const registering = new Elysia()
    .use(limitByAddress(parts, parts.limits.register.take))
    .use(jsonReader())
    .post(
      "/register",
      async ({ body, request }) => {
        const address = parts.clientAddress(request);
        await parts.accounts.register({ ...body, address, language: languageOf(request) });
        return ok(said.mailed, {}, parts.pages().confirm());
      },
      {
        body: registerBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "register",
          summary: "Register a mail address",
          description:
            "May be repeated until the address is confirmed. Passwords that differ are kept, also when the answer is 429, and `POST /api/auth/confirm` says which one counts. The mail names the time and the network of the request.",
          who: "everybody",
          msg: said.mailed,
          url: "https://www.example.org/confirm",
          errors: [refusals.mailTaken()],
        }),
      },
    );
  const confirming = new Elysia()
    .use(limitByAddress(parts, parts.limits.code.take))
    .use(jsonReader())
    .post(
      "/confirm",
      async ({ body, request }) => {
        const attemptAt = (mail: string) => parts.attemptBy(request, mail);
        const { hasPassword } = await confirmMail(parts, { ...body, attemptAt });
        const pages = parts.pages();
        return ok(said.confirmed, {}, hasPassword ? pages.finishRegistration : parts.pages().resetPassword());
      },
      {
        body: confirmBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "confirmMail",
          summary: "Confirm the address by its code",
          description:
            "`password` is the one of your registration. Where an address was registered with different passwords, it decides which one counts; a password of no registration is 400, and the code stays good. Without it the account then has no password, `url` leads to the page that sets a new one, and the code is good for `POST /api/auth/forgetpass/update`.",
          who: "everybody",
          msg: said.confirmed,
          url: "https://www.example.org/registerfinish",
        }),
      },
    );
  return new Elysia().use(registering).use(confirming);
}

function resetOrderRoute(parts: Parts) {
  return new Elysia()
    .use(limitByAddress(parts, parts.limits.forgetpass.take))
    .use(jsonReader())
    .post(
      "/forgetpass",
      async ({ body, request }) => {
        const address = parts.clientAddress(request);
        await parts.accounts.forgetPassword({ ...body, address, language: languageOf(request) });
        return ok(said.mailed, {}, parts.pages().resetPassword());
      },
      {
        body: mailBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "requestPasswordReset",
          summary: "Mail a code for a new password",
          who: "everybody",
          msg: said.mailed,
          url: "https://www.example.org/resetpassword",
          errors: [refusals.unknownMail()],
        }),
      },
    );
}

function resetRoutes(parts: Parts) {
  return new Elysia()
    .use(limitByAddress(parts, parts.limits.code.take))
    .use(jsonReader())
    .post(
      "/forgetpass/validate",
      async ({ body, set }) => {
        await checkResetCode(parts, body);
        set.status = 204;
      },
      {
        body: codeBody,
        detail: describe({
          operationId: "checkResetCode",
          summary: "Check a reset code without using it up",
          who: "everybody",
          answers: { 204: { description: "The code is good" } },
        }),
      },
    )
    .post(
      "/forgetpass/update",
      async ({ body }) => {
        await resetPassword(parts, body);
        return ok(said.reset, {});
      },
      {
        body: resetBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "resetPassword",
          summary: "Set a new password by a code",
          description:
            "Uses the code up and ends all sessions of the account. The code of a registration is taken as well.",
          who: "everybody",
          msg: said.reset,
        }),
      },
    );
}
