import { refusalsOf } from "../openapi/refusal-groups.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { limitByAddress } from "../admission.ts";
import { answerOpened, sessionCookieExample } from "../browser-session.ts";
import { emptyEnvelope, ok } from "../envelope.ts";
import { languageOf } from "../negotiation.ts";
import { ownPagesGuard, refused } from "../own-pages.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { codeAddressEnvelope, visitEnvelope } from "../resources/console.ts";
import { codeBody, mailBody } from "../resources/credentials.ts";
import { route } from "../routing/route.ts";

/**
 * A registration in the console: an address, its code, then name and password
 * (docs/contract/console.md#registration).
 */
export function confirmRoutes(services: Pick<Services, "accounts" | "limits" | "sessions">, http: Http) {
  return [registerRoute(services, http), addressRoute(services, http), confirmRoute(services, http)];
}

/** The messages of success. */
const said = {
  mailed: "A code was mailed to the address",
  address: "Address",
  confirmed: "The address is confirmed",
} as const;

function registerRoute(services: Pick<Services, "accounts" | "limits">, http: Http) {
  return route("POST", "/register", {
    guard: ownPagesGuard(http),
    before: limitByAddress(http.requests, services.limits.register.take),
    body: mailBody,
    answer: emptyEnvelope,
    operationId: "registerInConsole",
    refuses: [...refusalsOf.ownPages, ...refusalsOf.newMail, ...refusalsOf.newPassword, ...refusalsOf.mails],
    summary: "Register a mail address in the console",
    description:
      "As `POST /api/auth/register`, without a password, which is chosen with the name. May be repeated until a name is chosen.",
    msg: said.mailed,
    url: "https://www.example.org/confirm",
    errors: [refused(null), refusals.mailTaken()],
    handle: async ({ body, request }) => {
      const address = http.requests.clientAddress(request);
      await services.accounts.registerAddress({ ...body, address, language: languageOf(request) });
      return ok(said.mailed, {}, http.site.pages().confirm());
    },
  });
}

function addressRoute(services: Pick<Services, "accounts" | "limits">, http: Http) {
  return route("POST", "/confirm/address", {
    guard: ownPagesGuard(http),
    before: limitByAddress(http.requests, services.limits.code.take),
    body: codeBody,
    answer: codeAddressEnvelope,
    operationId: "findCodeAddress",
    refuses: [refusals.badCode, ...refusalsOf.ownPages],
    summary: "Which address a code of a registration was mailed to",
    description:
      "`data` is null for a code that is wrong, was used or has expired. Uses nothing up: the page shows the address before the code is used.",
    msg: said.address,
    errors: [refused(null)],
    handle: async ({ body: { code } }) => {
      const mail = await services.accounts.addressOfCode(code);
      return ok(said.address, mail === null ? null : { mail });
    },
  });
}

function confirmRoute(services: Pick<Services, "accounts" | "limits" | "sessions">, http: Http) {
  return route("POST", "/confirm", {
    guard: ownPagesGuard(http),
    before: limitByAddress(http.requests, services.limits.code.take),
    body: codeBody,
    answer: visitEnvelope,
    operationId: "confirmInConsole",
    refuses: [...refusalsOf.ownPages, refusals.badCode, refusals.mailTaken],
    summary: "Confirm the address by its code, and go on in the console",
    description:
      "Opens a session in which name and password are chosen. Passwords that registrations of the address gave count no longer, and sessions of the account end. `data` is null for an account that has a player or was given a level: its owner signs in.",
    msg: said.confirmed,
    url: "https://www.example.org/registerfinish",
    errors: [refused(null)],
    answers: {
      200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": sessionCookieExample } },
    },
    handle: async ({ body: { code }, request, set }) => {
      const client = { ...http.requests.clientOf(request), console: { stay: false } };
      const signedIn = await services.accounts.confirmAndSignIn({ code, client });
      if (signedIn === null) return ok(said.confirmed, null);
      const opened = { signedIn, stay: false, msg: said.confirmed };
      const { answer, cookies } = await answerOpened(services, http, request, opened);
      set.headers["set-cookie"] = cookies;
      return answer;
    },
  });
}
