import { Elysia } from "elysia";
import { refusals } from "../../domain/model/refusals.ts";
import { arriveByAddress } from "../admission.ts";
import { answerOpened, sessionCookieExample } from "../browser-session.ts";
import { jsonReader } from "../body.ts";
import { languageOf } from "../negotiation.ts";
import { describe } from "../openapi/describe.ts";
import { ownPagesGuard } from "../own-pages.ts";
import type { Parts } from "../parts.ts";
import { consoleSessionEnvelope, setupBody } from "../resources/console.ts";

const said = "The administrator was made";

/** `/setup`: makes the first administrator, once (docs/contract/console.md#set-up). */
export function setupRoutes(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(arriveByAddress(parts, parts.limits.signIn.arrive))
    .use(jsonReader())
    .post(
      "/setup",
      async ({ body, request, set }) => {
        const attempt = parts.attemptBy(request, "set-up", { arrival: parts.arrivalOf(request) });
        const client = { ...parts.clientOf(request), console: { stay: false } };
        const input = { ...body, attempt, language: languageOf(request), client };
        const signedIn = await parts.members.setUp(input);
        const { answer, cookies } = await answerOpened(parts, request, { signedIn, stay: false, msg: said });
        set.headers["set-cookie"] = cookies;
        return answer;
      },
      {
        body: setupBody,
        response: { 200: consoleSessionEnvelope },
        detail: describe({
          operationId: "setUp",
          summary: "Make the first administrator",
          description:
            "While no account has level 3, the server prints a link with the secret on standard output at each start. It works once; a refused field does not use it up.",
          who: "everybody",
          msg: said,
          errors: [refusals.badSetupSecret(), refusals.mailTaken()],
          answers: {
            200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": sessionCookieExample } },
          },
        }),
      },
    );
}
