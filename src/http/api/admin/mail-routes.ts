import { Elysia } from "elysia";
import { postBulkMail } from "../../../domain/mail/bulk-mail.ts";
import { limits } from "../../../kernel/limits.ts";
import { jsonReader } from "../../body.ts";
import { describe } from "../../openapi/describe.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import { bulkMailAnswer, bulkMailBody } from "./schema-mail.ts";

/** Mails to everybody (contract, Admin). */
export function bulkMailRoutes(deps: GuardDeps) {
  return new Elysia()
    .use(staffGuard(deps, "administer"))
    .use(jsonReader({ bytesMax: limits.mailJsonBytesMax }))
    .post(
      "/mail",
      async ({ actor, body, set }) => {
        const { recipients } = await postBulkMail(deps, actor, body);
        set.headers["x-mails-queued"] = String(recipients);
        return { msg: `Mail sent to all users: ${recipients} on their way` };
      },
      {
        body: bulkMailBody,
        response: { 200: bulkMailAnswer },
        detail: describe({
          operationId: "sendBulkMail",
          summary: "Write to everybody who has a verified address and has not unsubscribed",
          description:
            "The mails are sent one after another, which takes a while; a link to unsubscribe is put under each. The answer comes without the envelope.",
          who: "administrators",
          errors: {
            conflict: "This very mail was sent to everybody less than ten minutes ago",
            too_large: `The body may have ${limits.mailJsonBytesMax} bytes at most`,
          },
          answers: { 200: { description: "The mails are on their way", headers: ["X-Mails-Queued"] } },
        }),
      },
    );
}
