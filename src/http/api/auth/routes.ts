import { Elysia } from "elysia";
import type { Pages } from "../../../domain/accounts/pages.ts";
import { checkResetCode, forgetPassword, resetPassword } from "../../../domain/accounts/password-reset.ts";
import { confirmMail, register } from "../../../domain/accounts/register.ts";
import type { CodeSending } from "../../../domain/accounts/issue-code.ts";
import type { RateLimits } from "../../../domain/limits/rate-limits.ts";
import type { PasswordHasher } from "../../../domain/ports/password-hasher.ts";
import { signIn } from "../../../domain/sessions/sign-in.ts";
import { signOut } from "../../../domain/sessions/session.ts";
import type { Transact } from "../../../domain/ports/unit-of-work.ts";
import { limitByAddress } from "../../address-limits.ts";
import { jsonReader, unread } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { languageOf } from "../../language.ts";
import { describe } from "../../openapi/describe.ts";
import type { AttemptBy } from "../../password-attempts.ts";
import { memberGuard, type GuardDeps } from "../../session.ts";
import { codeBody, loginBody, mailBody, registerBody, resetBody, tokenEnvelope } from "./schema.ts";

export type AuthDeps = GuardDeps & {
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
  readonly codes: CodeSending;
  readonly limits: RateLimits;
  readonly attemptBy: AttemptBy;
  readonly uniformAnswers: boolean;
  /** Pages that `url` values and the links in mails point to. */
  readonly pages: () => Pages;
  /** Who asks, as far as limits and the list of sessions are concerned. */
  readonly clientAddress: (request: Request) => string;
};

/** `/api/auth` (contract, Auth). */
export function authRoutes(deps: AuthDeps) {
  return new Elysia({ prefix: "/api/auth", tags: ["Auth"] })
    .headers({ "cache-control": "no-store" })
    .use(signInRoutes(deps))
    .use(registrationRoutes(deps))
    .use(resetOrderRoute(deps))
    .use(resetRoutes(deps));
}

function signInRoutes(deps: AuthDeps) {
  const limited = new Elysia().use(limitByAddress(deps, deps.limits.signIn.arrive)).use(jsonReader());
  const open = limited.post(
    "/login",
    async ({ body, request }) => {
      const address = deps.clientAddress(request);
      const attempt = deps.attemptBy(request, body.username, { hasArrived: true });
      const userAgent = request.headers.get("user-agent") ?? "";
      const input = { login: body.username, password: body.password, address, userAgent };
      const signedIn = await signIn({ ...deps, attempt }, input);
      deps.noteUser(request, signedIn.member.account.id);
      const next = signedIn.member.player === null ? deps.pages().finishRegistration : null;
      return ok("Login successful", { jwt: await deps.tokens.issue(signedIn) }, next);
    },
    {
      body: loginBody,
      response: { 200: tokenEnvelope },
      detail: describe({
        operationId: "signIn",
        summary: "Sign in with a username or mail address and a password",
        description:
          "`url` leads to the page on which registration is finished, where that is still to be done.",
        who: "everybody",
        msg: "Login successful",
        errors: {
          unauthenticated: "Invalid username or password",
          forbidden: "Confirm your mail address first, with the code that was sent to it",
        },
      }),
    },
  );
  const signedIn = new Elysia().use(memberGuard(deps)).post(
    "/logout",
    async ({ actor, member }) => {
      await signOut(deps, actor, member.sessionId);
      return ok("Logout successful", {});
    },
    {
      ...unread,
      response: { 200: emptyEnvelope },
      detail: describe({
        operationId: "signOut",
        summary: "End this session",
        who: "members",
        msg: "Logout successful",
      }),
    },
  );
  return new Elysia().use(open).use(signedIn);
}

function registrationRoutes(deps: AuthDeps) {
  const registering = new Elysia()
    .use(limitByAddress(deps, deps.limits.register.arrive))
    .use(jsonReader())
    .post(
      "/register",
      async ({ body, request }) => {
        const pages = deps.pages();
        const address = deps.clientAddress(request);
        deps.limits.register.take({ address, mail: body.mail });
        await register({ ...deps, pages }, { ...body, address, language: languageOf(request) });
        return ok("A code was mailed to the address", {}, pages.confirm());
      },
      {
        body: registerBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "register",
          summary: "Register a mail address",
          description:
            "May be repeated until the address is confirmed: each code sets the password that was given with it. The mail says when and from which network it was asked for.",
          who: "everybody",
          msg: "A code was mailed to the address",
          url: "https://www.example.org/confirm",
          errors: { conflict: "mail: an account with this address exists already" },
        }),
      },
    );
  const confirming = new Elysia()
    .use(limitByAddress(deps, deps.limits.code.take))
    .use(jsonReader())
    .post(
      "/confirm",
      async ({ body }) => {
        await confirmMail(deps, body);
        return ok("Mail address confirmed", {}, deps.pages().finishRegistration);
      },
      {
        body: codeBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "confirmMail",
          summary: "Confirm the address by its code",
          description:
            "Sets the password that was given with the registration which the code was mailed for.",
          who: "everybody",
          msg: "Mail address confirmed",
          url: "https://www.example.org/registerfinish",
        }),
      },
    );
  return new Elysia().use(registering).use(confirming);
}

function resetOrderRoute(deps: AuthDeps) {
  return new Elysia()
    .use(limitByAddress(deps, deps.limits.forgetpass.arrive))
    .use(jsonReader())
    .post(
      "/forgetpass",
      async ({ body, request }) => {
        const pages = deps.pages();
        const address = deps.clientAddress(request);
        deps.limits.forgetpass.take({ address, mail: body.mail });
        await forgetPassword({ ...deps, pages }, { ...body, address, language: languageOf(request) });
        return ok("A code was mailed to the address", {}, pages.resetPassword());
      },
      {
        body: mailBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "requestPasswordReset",
          summary: "Mail a code for a new password",
          who: "everybody",
          msg: "A code was mailed to the address",
          url: "https://www.example.org/resetpassword",
          errors: { invalid: "Invalid email or password" },
        }),
      },
    );
}

function resetRoutes(deps: AuthDeps) {
  return new Elysia()
    .use(limitByAddress(deps, deps.limits.code.take))
    .use(jsonReader())
    .post(
      "/forgetpass/validate",
      async ({ body, set }) => {
        await checkResetCode(deps, body);
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
        await resetPassword(deps, body);
        return ok("Password set", {});
      },
      {
        body: resetBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "resetPassword",
          summary: "Set a new password by a code",
          description: "Uses the code up and ends all sessions of the account.",
          who: "everybody",
          msg: "Password set",
        }),
      },
    );
}
