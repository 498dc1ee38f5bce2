import { Elysia } from "elysia";
import { addressOfCode } from "../../domain/accounts/register.ts";
import { confirmAndSignIn } from "../../domain/members/confirm.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { limitByAddress } from "../admission.ts";
import { answerOpened, sessionCookieExample } from "../browser-session.ts";
import { jsonReader } from "../body.ts";
import { emptyEnvelope, ok } from "../envelope.ts";
import { languageOf } from "../negotiation.ts";
import { describe } from "../openapi/describe.ts";
import { ownPagesGuard, refused } from "../own-pages.ts";
import type { Parts } from "../parts.ts";
import { codeAddressEnvelope, visitEnvelope } from "../resources/console.ts";
import { codeBody, mailBody } from "../resources/credentials.ts";

/** A registration in the console: an address, its code, then name and password (docs/contract/console.md#registration). */
export function confirmRoutes(parts: Parts) {
  return new Elysia().use(registerRoute(parts)).use(addressRoute(parts)).use(confirmRoute(parts));
}

/** The messages of success. */
const said = {
  mailed: "A code was mailed to the address",
  address: "Address",
  confirmed: "The address is confirmed",
} as const;

function registerRoute(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(limitByAddress(parts, parts.limits.register.take))
    .use(jsonReader())
    .post(
      "/register",
      async ({ body, request }) => {
        const address = parts.clientAddress(request);
        await parts.accounts.registerAddress({ ...body, address, language: languageOf(request) });
        return ok(said.mailed, {}, parts.pages().confirm());
      },
      {
        body: mailBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "registerInConsole",
          summary: "Register a mail address in the console",
          description:
            "As `POST /api/auth/register`, without a password, which is chosen with the name. May be repeated until a name is chosen.",
          who: "everybody",
          msg: said.mailed,
          url: "https://www.example.org/confirm",
          errors: [refused(null), refusals.mailTaken()],
        }),
      },
    );
}

function addressRoute(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(limitByAddress(parts, parts.limits.code.take))
    .use(jsonReader())
    .post(
      "/confirm/address",
      async ({ body: { code } }) => {
        const mail = await addressOfCode(parts, code);
        return ok(said.address, mail === null ? null : { mail });
      },
      {
        body: codeBody,
        response: { 200: codeAddressEnvelope },
        detail: describe({
          operationId: "findCodeAddress",
          summary: "Which address a code of a registration was mailed to",
          description:
            "`data` is null for a code that is wrong, was used or has expired. Uses nothing up: the page shows the address before the code is used.",
          who: "everybody",
          msg: said.address,
          errors: [refused(null)],
        }),
      },
    );
}

function confirmRoute(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(limitByAddress(parts, parts.limits.code.take))
    .use(jsonReader())
    .post(
      "/confirm",
      async ({ body: { code }, request, set }) => {
        const client = { ...parts.clientOf(request), console: { stay: false } };
        const signedIn = await confirmAndSignIn(parts, { code, client });
        if (signedIn === null) return ok(said.confirmed, null);
        const opened = { signedIn, stay: false, msg: said.confirmed };
        const { answer, cookies } = await answerOpened(parts, request, opened);
        set.headers["set-cookie"] = cookies;
        return answer;
      },
      {
        body: codeBody,
        response: { 200: visitEnvelope },
        detail: describe({
          operationId: "confirmInConsole",
          summary: "Confirm the address by its code, and go on in the console",
          description:
            "Opens a session in which name and password are chosen. Passwords that registrations of the address gave count no longer, and sessions of the account end. `data` is null for an account that has a player or was given a level: its owner signs in.",
          who: "everybody",
          msg: said.confirmed,
          url: "https://www.example.org/registerfinish",
          errors: [refused(null)],
          answers: {
            200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": sessionCookieExample } },
          },
        }),
      },
    );
}
