import { refusals } from "../../../domain/model/refusals.ts";
import type { UnsentMails } from "../../../domain/ports/outbox-store.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { limits } from "../../../kernel/limits.ts";
import { bodyTooLarge, jsonReader, optionalJsonReader } from "../../body.ts";
import { communityNameOf, playPageOf } from "../../community-name.ts";
import type { Http } from "../../http.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { pageAnswer, placeQuery, readRows } from "../../paging.ts";
import {
  bulkMailAnswer,
  bulkMailBody,
  mailingsEnvelope,
  mailsQueued,
  presentMailing,
  presentPreview,
  previewEnvelope,
} from "../../resources/mailing.ts";
import {
  outboxEnvelope,
  outboxMailEnvelope,
  outboxMailParams,
  outboxQuery,
  presentOutboxMail,
  readMailId,
  readMailing,
  readTestMail,
  testMailBody,
  testMailEnvelope,
} from "../../resources/outbox-mail.ts";
import { route } from "../../routing/route.ts";
import { rules } from "../../rules.ts";

/** Mails to everybody, and the outbox (docs/contract/admin.md#mail, docs/contract/admin.md#outbox). */
export function mailRoutes(services: Services, http: Http) {
  return [
    ...bulkMailRoutes(services, http),
    mailingsRoute(services, http),
    ...outboxRoutes(services, http),
    retryRoute(services, http),
    testMailRoute(services, http),
  ];
}

const bytesMax = limits.mailJsonBytesMax;

function bulkMailRoutes({ mail }: Services, { guards, site }: Http) {
  return [
    route("POST", "/mail", {
      guard: guards.staff("administer"),
      read: jsonReader({ bytesMax }),
      body: bulkMailBody,
      answer: bulkMailAnswer,
      operationId: "sendBulkMail",
      summary: "Write to all users with a verified address that have not unsubscribed",
      description:
        "The mails are sent one after another, which takes a while; each ends with a link to unsubscribe. The answer has no envelope.",
      errors: [refusals.repeatedBulkMail(), bodyTooLarge(bytesMax)],
      answers: {
        200: { description: "The mails are on their way", headers: ["X-Mails-Queued", "X-Mailing"] },
      },
      refuses: [refusals.badLine, refusals.badMessage, refusals.repeatedBulkMail],
      handle: async ({ actor, body, set }) => {
        const { id, recipients } = await mail.postBulk(actor, body);
        set.headers["x-mails-queued"] = String(recipients);
        set.headers["x-mailing"] = String(id);
        return { msg: mailsQueued(recipients) };
      },
    }),
    route("POST", "/mail/preview", {
      guard: guards.staff("administer"),
      read: jsonReader({ bytesMax }),
      body: bulkMailBody,
      envelope: previewEnvelope,
      operationId: "previewBulkMail",
      summary: "A mail to everybody as its readers would get it, and how many they are",
      description:
        "Nothing is sent. The mail is shown in every language, as its reader with your username would get it.",
      msg: "Preview",
      errors: [bodyTooLarge(bytesMax)],
      refuses: [refusals.badLine, refusals.badMessage],
      handle: async ({ actor, body }) => {
        const frame = { look: site.colours, site: communityNameOf(site), play: playPageOf(site) };
        // A link that works would end the mails of the administrator who tries it.
        const unsubscribe = `${site.publicUrl()}/mail/unsubscribe/…`;
        const previews = await mail.preview(body, { username: actor.name, unsubscribe, ...frame });
        return presentPreview(previews);
      },
    }),
    route("POST", "/mail/trial", {
      guard: guards.staff("administer"),
      read: jsonReader({ bytesMax }),
      body: bulkMailBody,
      envelope: testMailEnvelope,
      operationId: "sendTrialMail",
      summary: "Send a mail to everybody to yourself alone, to see it arrive",
      description:
        "It is what every reader would get, in the language of your own mails; its link to unsubscribe works. `GET /api/admin/outbox/{id}` shows what became of it.",
      msg: "Mail to yourself queued",
      errors: [refusals.noOwnMail(), bodyTooLarge(bytesMax)],
      refuses: [refusals.badLine, refusals.badMessage, refusals.noOwnMail],
      handle: ({ actor, body }) => mail.postTrial(actor, body),
    }),
  ];
}

function mailingsRoute({ reads }: Services, { guards }: Http) {
  const { listBulkMails, countBulkMails } = reads.outbox;
  const list = {
    rows: ({ after, rows }: { readonly after: number | null; readonly rows: number }) =>
      listBulkMails({ before: after, rows }),
    count: countBulkMails,
  };
  return route("GET", "/mail", {
    guard: guards.staff("administer"),
    query: placeQuery,
    envelope: mailingsEnvelope,
    operationId: "listMailings",
    summary: "Mails to everybody and how far they are, the newest first",
    description:
      "They are listed for 14 days. Copies for people who unsubscribed or left meanwhile count in `total` alone.",
    msg: "Mails to everybody",
    answers: pageAnswer,
    refuses: [...refusalsOf.page],
    handle: async (context) => (await readRows(list, context)).map(presentMailing),
  });
}

function outboxRoutes({ reads }: Services, { guards }: Http) {
  const { listUnsent, countUnsent, findMail } = reads.outbox;
  return [
    route("GET", "/outbox", {
      guard: guards.staff("administer"),
      query: outboxQuery,
      envelope: outboxEnvelope,
      operationId: "listOutbox",
      summary: "Mails that wait or failed, the newest first",
      description: "Failed mails are listed for 30 days. What is written in a mail is never shown.",
      msg: "Outbox",
      answers: pageAnswer,
      refuses: [...refusalsOf.page],
      handle: async (context) => {
        const { state, mailing } = context.query;
        const states: UnsentMails["states"] = state === undefined ? ["waiting", "failed"] : [state];
        const which = { states, bulk: readMailing(context.query) };
        const list = {
          rows: ({ after, rows }: { readonly after: number | null; readonly rows: number }) =>
            listUnsent({ ...which, before: after, rows }),
          count: () => countUnsent(which),
        };
        const kept = { ...(state && { state }), ...(mailing && { mailing }) };
        return (await readRows(list, context, kept)).map(presentOutboxMail);
      },
    }),
    route("GET", "/outbox/:id", {
      guard: guards.staff("administer"),
      params: outboxMailParams,
      envelope: outboxMailEnvelope,
      operationId: "getOutboxMail",
      summary: "A mail of the outbox, also one that was sent",
      description: "Sent mails are kept for 7 days, without what was written in them.",
      msg: "Mail",
      errors: [refusals.unknownOutboxMail(812)],
      refuses: [rules.mailNumber],
      handle: async ({ params }) => {
        const id = readMailId(params);
        const entry = await findMail(id);
        if (entry === null) throw refusals.unknownOutboxMail(id);
        return presentOutboxMail(entry);
      },
    }),
  ];
}

function retryRoute({ mail }: Services, { guards }: Http) {
  return route("POST", "/outbox/:id/retry", {
    guard: guards.staff("administer"),
    params: outboxMailParams,
    envelope: outboxMailEnvelope,
    operationId: "retryMail",
    summary: "Send a mail that waits or failed now",
    description:
      "`next_at` says when it is tried: a mail that may be on its way at this moment stays as it is, so that it is not sent twice.",
    action: "Mail retry",
    errors: [refusals.unknownOutboxMail(812), refusals.wipedMail(812)],
    refuses: [rules.mailNumber, refusals.sentMail],
    handle: async ({ actor, params }) => {
      const { entry } = await mail.retry(actor, readMailId(params));
      return presentOutboxMail(entry);
    },
  });
}

function testMailRoute({ mail }: Services, { guards }: Http) {
  return route("POST", "/outbox/test", {
    guard: guards.staff("administer"),
    read: optionalJsonReader(),
    body: testMailBody,
    envelope: testMailEnvelope,
    operationId: "sendTestMail",
    summary: "Send a test mail",
    description:
      "It goes through the outbox as every mail does: `GET /api/admin/outbox/{id}` shows what became of it, with the mail server's words.",
    optionalBody: true,
    msg: "Test mail queued",
    refuses: [refusals.badMail, refusals.noOwnMail],
    handle: ({ actor, body }) => mail.postTest(actor, readTestMail(body)),
  });
}
