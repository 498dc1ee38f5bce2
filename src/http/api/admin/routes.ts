import { Elysia, t } from "elysia";
import { postBulkMail } from "../../../domain/mail/bulk-mail.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { limits } from "../../../kernel/limits.ts";
import { bodyTooLarge, jsonReader } from "../../body.ts";
import { textField } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import type { Parts } from "../../parts.ts";
import { staffGuard } from "../../guards.ts";
import { auditRoutes } from "./audit.ts";
import { capeRoutes } from "./capes.ts";
import { staffPlayerRoutes } from "./players.ts";
import { userSessionRoutes } from "./sessions.ts";
import { skinRoutes } from "./skins.ts";
import { userRoutes } from "./users.ts";

/** `/api/admin` (docs/contract/admin.md). `domain/model/policy.ts` says who may do what. */
export function adminRoutes(parts: Parts) {
  return new Elysia({ prefix: "/api/admin", tags: ["Admin"] })
    .headers({ "cache-control": "no-store" })
    .use(userRoutes(parts))
    .use(staffPlayerRoutes(parts))
    .use(userSessionRoutes(parts))
    .use(skinRoutes(parts))
    .use(capeRoutes(parts))
    .use(auditRoutes(parts))
    .use(bulkMailRoute(parts));
}

const bulkMailBody = t.Object({
  subject: textField("1 to 150 characters on one line", "The server moves", "subject"),
  message: textField(
    "1 to 20,000 characters of plain text; a blank line begins another paragraph",
    "Hello,\n\nfrom Friday on you find us at https://play.example.org.\n\nSee you there!",
    "message",
  ),
});

const mailsQueued = (recipients: number) => `Mail sent to all users: ${recipients} on their way`;

/** The answer has no envelope (docs/contract/admin.md). */
const bulkMailAnswer = t.Object(
  { msg: t.String({ examples: [mailsQueued(1204)] }) },
  { component: "MailsQueued" },
);

function bulkMailRoute(parts: Parts) {
  const bytesMax = limits.mailJsonBytesMax;
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(jsonReader({ bytesMax }))
    .post(
      "/mail",
      async ({ actor, body, set }) => {
        const { recipients } = await postBulkMail(parts, actor, body);
        set.headers["x-mails-queued"] = String(recipients);
        return { msg: mailsQueued(recipients) };
      },
      {
        body: bulkMailBody,
        response: { 200: bulkMailAnswer },
        detail: describe({
          operationId: "sendBulkMail",
          summary: "Write to all users with a verified address that have not unsubscribed",
          description:
            "The mails are sent one after another, which takes a while; each ends with a link to unsubscribe. The answer has no envelope.",
          who: "administrators",
          errors: [refusals.repeatedBulkMail(), bodyTooLarge(bytesMax)],
          answers: { 200: { description: "The mails are on their way", headers: ["X-Mails-Queued"] } },
        }),
      },
    );
}
