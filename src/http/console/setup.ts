import { refusalsOf } from "../openapi/refusal-groups.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { arriveByAddress } from "../admission.ts";
import { answerOpened, sessionCookieExample } from "../browser-session.ts";
import { languageOf } from "../negotiation.ts";
import { ownPagesGuard } from "../own-pages.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { consoleSessionEnvelope, setupBody } from "../resources/console.ts";
import { route } from "../routing/route.ts";

const said = "The administrator was made";

/** `/setup`: makes the first administrator, once (docs/contract/console.md#set-up). */
export function setupRoutes(services: Pick<Services, "limits" | "members" | "sessions">, http: Http) {
  return route("POST", "/setup", {
    guard: ownPagesGuard(http),
    before: arriveByAddress(http.requests, services.limits.signIn.takeHere),
    body: setupBody,
    answer: consoleSessionEnvelope,
    operationId: "setUp",
    refuses: [
      ...refusalsOf.ownPages,
      ...refusalsOf.newName,
      ...refusalsOf.newPassword,
      ...refusalsOf.newMail,
      refusals.badSetupSecret,
    ],
    summary: "Make the first administrator",
    description:
      "While no account has level 3, the server prints a link with the secret on standard output at each start. It works once; a refused field does not use it up.",
    msg: said,
    errors: [refusals.badSetupSecret(), refusals.mailTaken()],
    answers: {
      200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": sessionCookieExample } },
    },
    handle: async ({ body, request, set }) => {
      const attempt = http.requests.attemptBy(request, "set-up", {
        arrival: http.requests.arrivalOf(request),
      });
      const client = { ...http.requests.clientOf(request), console: { stay: false } };
      const input = { ...body, attempt, language: languageOf(request), client };
      const signedIn = await services.members.setUp(input);
      const { answer, cookies } = await answerOpened(services, http, request, {
        signedIn,
        stay: false,
        msg: said,
      });
      set.headers["set-cookie"] = cookies;
      return answer;
    },
  });
}
