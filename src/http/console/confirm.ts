import { Elysia } from "elysia";
import { confirmAndSignIn } from "../../domain/members/confirm.ts";
import { limitByAddress } from "../admission.ts";
import { answerOpened, sessionCookieExample } from "../browser-session.ts";
import { jsonReader } from "../body.ts";
import { ok } from "../envelope.ts";
import { describe } from "../openapi/describe.ts";
import { ownPagesGuard, refused } from "../own-pages.ts";
import type { Parts } from "../parts.ts";
import { confirmHereBody, visitEnvelope } from "../resources/console.ts";

const said = "The address is confirmed";

/** `/confirm`: a registration that goes on in the browser where its password is typed (docs/contract/console.md#confirmation). */
export function confirmRoutes(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(limitByAddress(parts, parts.limits.code.take))
    .use(jsonReader())
    .post(
      "/confirm",
      async ({ body, request, set }) => {
        const client = { ...parts.clientOf(request), console: { stay: false } };
        const attemptAt = (mail: string) => parts.attemptBy(request, mail);
        const signedIn = await confirmAndSignIn(parts, { ...body, attemptAt, client });
        if (signedIn === null) return ok(said, null);
        const { answer, cookies } = await answerOpened(parts, request, { signedIn, stay: false, msg: said });
        set.headers["set-cookie"] = cookies;
        return answer;
      },
      {
        body: confirmHereBody,
        response: { 200: visitEnvelope },
        detail: describe({
          operationId: "confirmInConsole",
          summary: "Confirm the address by its code, and go on in the console",
          description:
            "As `POST /api/auth/confirm`, with a session in which the name is chosen. It takes the registration's password always, so it opens no account that somebody else registered. `data` is null for an account that was given a level before: its owner signs in.",
          who: "everybody",
          msg: said,
          url: "https://www.example.org/registerfinish",
          errors: [refused(null)],
          answers: {
            200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": sessionCookieExample } },
          },
        }),
      },
    );
}
