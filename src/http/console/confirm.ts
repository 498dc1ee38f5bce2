import { Elysia } from "elysia";
import { confirmAndSignIn } from "../../domain/members/confirm.ts";
import { limitByAddress } from "../admission.ts";
import { answerOpened, sessionCookieExample } from "../browser-session.ts";
import { jsonReader } from "../body.ts";
import { ok } from "../envelope.ts";
import { describe } from "../openapi/describe.ts";
import { ownPagesGuard, refused } from "../own-pages.ts";
import type { Parts } from "../parts.ts";
import { confirmBody, visitEnvelope } from "../resources/console.ts";

const said = "The address is confirmed";

/** `/confirm`: a registration that goes on in the tab where it began (docs/contract/console.md#confirmation). */
export function confirmRoutes(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(limitByAddress(parts, parts.limits.code.take))
    .use(jsonReader())
    .post(
      "/confirm",
      async ({ body, request, set }) => {
        const client = { ...parts.clientOf(request), console: { stay: false } };
        const signedIn = await confirmAndSignIn(parts, { ...body, client });
        if (signedIn === null) return ok(said, null);
        const { answer, cookie } = await answerOpened(parts, request, { signedIn, stay: false, msg: said });
        set.headers["set-cookie"] = cookie;
        return answer;
      },
      {
        body: confirmBody,
        response: { 200: visitEnvelope },
        detail: describe({
          operationId: "confirmInConsole",
          summary: "Confirm the address by its code, and go on in the console",
          description:
            "As `POST /api/auth/confirm`, with a session in which the name is chosen. `data` is null for an account of another address than the one that was registered here, and for one that was given a level before: its owner signs in.",
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
