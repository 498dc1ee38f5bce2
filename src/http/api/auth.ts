import { refusals } from "../../domain/model/refusals.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { arriveByAddress, limitByAddress } from "../admission.ts";
import { emptyEnvelope, ok } from "../envelope.ts";
import type { Http } from "../http.ts";
import { languageOf } from "../negotiation.ts";
import { refusalsOf } from "../openapi/refusal-groups.ts";
import {
  claimBody,
  claimedEnvelope,
  codeBody,
  confirmBody,
  loginBody,
  mailBody,
  registerBody,
  resetBody,
} from "../resources/credentials.ts";
import { loggedIn, tokenEnvelope } from "../resources/session.ts";
import { below, route } from "../routing/route.ts";

/** `/api/auth` (docs/contract/auth.md). */
export function authRoutes(services: Services, http: Http) {
  return below("/api/auth", "Auth", [
    ...sessionRoutes(services, http),
    ...registrationRoutes(services, http),
    ...resettingRoutes(services, http),
    claimRoute(services, http),
  ]);
}

/** The messages of success. */
const said = {
  signedOut: "Logout successful",
  mailed: "A code was mailed to the address",
  confirmed: "Mail address confirmed",
  reset: "Password set",
  claimed: "Account claimed; a code was mailed to the address",
} as const;

function sessionRoutes({ sessions, limits }: Services, { requests, access, site, guards }: Http) {
  return [
    route("POST", "/login", {
      before: arriveByAddress(requests, limits.signIn.takeHere),
      body: loginBody,
      answer: tokenEnvelope,
      operationId: "signIn",
      summary: "Sign in with a username or mail address and a password",
      description: "`url` leads to the page that finishes registration, where that is still to be done.",
      msg: loggedIn,
      errors: [refusals.wrongLogin(), refusals.unconfirmed()],
      refuses: [...refusalsOf.signingIn],
      handle: async ({ body, request }) => {
        const { username: login, password } = body;
        const attempt = requests.attemptBy(request, login, { arrival: requests.arrivalOf(request) });
        const input = { login, password, attempt, ...requests.clientOf(request) };
        const signedIn = await sessions.signIn(input);
        requests.noteUser(request, signedIn.member.account.id);
        const isFinished = signedIn.member.account.registration === "complete";
        const next = isFinished ? null : site.pages().finishRegistration;
        return ok(loggedIn, { jwt: await access.tokens.issue(signedIn) }, next);
      },
    }),
    route("POST", "/logout", {
      guard: guards.member,
      envelope: emptyEnvelope,
      operationId: "signOut",
      summary: "End this session",
      msg: "Logout successful",
      handle: async ({ actor, member }) => {
        await sessions.signOut(actor, member.sessionId);
        return {};
      },
    }),
  ];
}

function registrationRoutes({ accounts, limits }: Services, { requests, site }: Http) {
  return [
    route("POST", "/register", {
      before: limitByAddress(requests, limits.register.take),
      body: registerBody,
      answer: emptyEnvelope,
      operationId: "register",
      summary: "Register a mail address",
      description:
        "May be repeated until the address is confirmed. Passwords that differ are kept, also when the answer is 429, and `POST /api/auth/confirm` says which one counts. The mail names the time and the network of the request.",
      msg: "A code was mailed to the address",
      url: "https://www.example.org/confirm",
      errors: [refusals.mailTaken()],
      refuses: [...refusalsOf.newMail, ...refusalsOf.newPassword, ...refusalsOf.mails],
      handle: async ({ body, request }) => {
        const address = requests.clientAddress(request);
        await accounts.register({ ...body, address, language: languageOf(request) });
        return ok(said.mailed, {}, site.pages().confirm());
      },
    }),
    route("POST", "/confirm", {
      before: limitByAddress(requests, limits.code.take),
      body: confirmBody,
      answer: emptyEnvelope,
      operationId: "confirmMail",
      summary: "Confirm the address by its code",
      description:
        "`password` is the one of your registration. Where an address was registered with different passwords, it decides which one counts; a password of no registration is 400, and the code stays good. Without it the account then has no password, `url` leads to the page that sets a new one, and the code is good for `POST /api/auth/forgetpass/update`.",
      msg: "Mail address confirmed",
      url: "https://www.example.org/registerfinish",
      refuses: [...refusalsOf.mails, refusals.badCode, refusals.mailTaken],
      handle: async ({ body, request }) => {
        const attemptAt = (mail: string) => requests.attemptBy(request, mail);
        const { hasPassword } = await accounts.confirmMail({ ...body, attemptAt });
        const pages = site.pages();
        return ok(said.confirmed, {}, hasPassword ? pages.finishRegistration : site.pages().resetPassword());
      },
    }),
  ];
}

function resettingRoutes({ accounts, limits }: Services, { requests, site }: Http) {
  return [
    route("POST", "/forgetpass", {
      before: limitByAddress(requests, limits.forgetpass.take),
      body: mailBody,
      answer: emptyEnvelope,
      operationId: "requestPasswordReset",
      summary: "Mail a code for a new password",
      msg: "A code was mailed to the address",
      url: "https://www.example.org/resetpassword",
      errors: [refusals.unknownMail()],
      refuses: [refusals.badMail, ...refusalsOf.mails],
      handle: async ({ body, request }) => {
        const address = requests.clientAddress(request);
        await accounts.forgetPassword({ ...body, address, language: languageOf(request) });
        return ok(said.mailed, {}, site.pages().resetPassword());
      },
    }),
    route("POST", "/forgetpass/validate", {
      before: limitByAddress(requests, limits.code.take),
      body: codeBody,
      operationId: "checkResetCode",
      summary: "Check a reset code without using it up",
      empty: "The code is good",
      refuses: [refusals.badCode],
      handle: ({ body }) => accounts.checkResetCode(body),
    }),
    route("POST", "/forgetpass/update", {
      before: limitByAddress(requests, limits.code.take),
      body: resetBody,
      envelope: emptyEnvelope,
      operationId: "resetPassword",
      summary: "Set a new password by a code",
      description:
        "Uses the code up and ends all sessions of the account. The code of a registration is taken as well.",
      msg: "Password set",
      refuses: [...refusalsOf.newPassword, refusals.badCode, refusals.mailTaken],
      handle: async ({ body }) => {
        await accounts.resetPassword(body);
        return {};
      },
    }),
  ];
}

function claimRoute({ accounts, limits }: Services, { requests, site }: Http) {
  return route("POST", "/claim", {
    before: limitByAddress(requests, limits.code.take),
    body: claimBody,
    answer: claimedEnvelope,
    operationId: "claimAccount",
    summary: "Take over your account from another system",
    description:
      "For an account that came over without mail address and password: the operator has a code for each, which works once, for 30 days. The address counts as unconfirmed, and a code is mailed to it.",
    msg: said.claimed,
    url: "https://www.example.org/confirm",
    errors: [refusals.badCode(), refusals.mailTaken()],
    refuses: [...refusalsOf.newMail, ...refusalsOf.newPassword, ...refusalsOf.mails],
    handle: async ({ body, request }) => {
      const address = requests.clientAddress(request);
      const username = await accounts.claim({ ...body, address, language: languageOf(request) });
      return ok(said.claimed, { username }, site.pages().confirm());
    },
  });
}
