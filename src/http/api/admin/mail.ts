import { Elysia } from "elysia";
import { postBulkMail } from "../../../domain/mail/bulk-mail.ts";
import { postTestMail, postTrialMail } from "../../../domain/mail/post-test-mail.ts";
import { retryMail } from "../../../domain/mail/retry-mail.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { UnsentMails } from "../../../domain/ports/outbox-store.ts";
import { limits } from "../../../kernel/limits.ts";
import { bodyTooLarge, jsonReader, optionalJsonReader, unread } from "../../body.ts";
import { done, ok } from "../../envelope.ts";
import { communityNameOf, playPageOf } from "../../community-name.ts";
import { staffGuard } from "../../guards.ts";
import { describe, succeeded } from "../../openapi/describe.ts";
import { pageAnswer, placeQuery, readRows } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
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

const said = {
  mailings: "Mails to everybody",
  preview: "Preview",
  outbox: "Outbox",
  mail: "Mail",
  test: "Test mail queued",
  trial: "Mail to yourself queued",
} as const;
const actions = { retry: "Mail retry" } as const;

/** Mails to everybody, and the outbox (docs/contract/admin.md#mail, docs/contract/admin.md#outbox). */
export function mailRoutes(parts: Parts) {
  return new Elysia()
    .use(bulkMailRoute(parts))
    .use(previewRoute(parts))
    .use(trialRoute(parts))
    .use(mailingsRoute(parts))
    .use(outboxRoutes(parts))
    .use(retryRoute(parts))
    .use(testMailRoute(parts));
}

const bytesMax = limits.mailJsonBytesMax;

function bulkMailRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(jsonReader({ bytesMax }))
    .post(
      "/mail",
      async ({ actor, body, set }) => {
        const { id, recipients } = await postBulkMail(parts, actor, body);
        set.headers["x-mails-queued"] = String(recipients);
        set.headers["x-mailing"] = String(id);
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
          answers: {
            200: { description: "The mails are on their way", headers: ["X-Mails-Queued", "X-Mailing"] },
          },
        }),
      },
    );
}

function previewRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(jsonReader({ bytesMax }))
    .post(
      "/mail/preview",
      async ({ actor, body }) => {
        const { look } = parts.site;
        const frame = { look, site: communityNameOf(parts.site), play: playPageOf(parts.site) };
        // A link that works would end the mails of the administrator who tries it.
        const unsubscribe = `${parts.publicUrl()}/mail/unsubscribe/…`;
        const previews = await parts.mail.preview(body, { username: actor.name, unsubscribe, ...frame });
        return ok(said.preview, presentPreview(previews));
      },
      {
        body: bulkMailBody,
        response: { 200: previewEnvelope },
        detail: describe({
          operationId: "previewBulkMail",
          summary: "A mail to everybody as its readers would get it, and how many they are",
          description:
            "Nothing is sent. The mail is shown in every language, as its reader with your username would get it.",
          who: "administrators",
          msg: said.preview,
          errors: [bodyTooLarge(bytesMax)],
        }),
      },
    );
}

function trialRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(jsonReader({ bytesMax }))
    .post("/mail/trial", async ({ actor, body }) => ok(said.trial, await postTrialMail(parts, actor, body)), {
      body: bulkMailBody,
      response: { 200: testMailEnvelope },
      detail: describe({
        operationId: "sendTrialMail",
        summary: "Send a mail to everybody to yourself alone, to see it arrive",
        description:
          "It is what every reader would get, in the language of your own mails; its link to unsubscribe works. `GET /api/admin/outbox/{id}` shows what became of it.",
        who: "administrators",
        msg: said.trial,
        errors: [refusals.noOwnMail(), bodyTooLarge(bytesMax)],
      }),
    });
}

function mailingsRoute(parts: Parts) {
  const { listBulkMails, countBulkMails } = parts.reads.outbox;
  const list = {
    rows: ({ after, rows }: { readonly after: number | null; readonly rows: number }) =>
      listBulkMails({ before: after, rows }),
    count: countBulkMails,
  };
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .get("/mail", async (context) => ok(said.mailings, (await readRows(list, context)).map(presentMailing)), {
      query: placeQuery,
      response: { 200: mailingsEnvelope },
      detail: describe({
        operationId: "listMailings",
        summary: "Mails to everybody and how far they are, the newest first",
        description:
          "They are listed for 14 days. Copies for people who unsubscribed or left meanwhile count in `total` alone.",
        who: "administrators",
        msg: said.mailings,
        answers: pageAnswer,
      }),
    });
}

function outboxRoutes(parts: Parts) {
  const { listUnsent, countUnsent, findMail } = parts.reads.outbox;
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .get(
      "/outbox",
      async (context) => {
        const { state, mailing } = context.query;
        const states: UnsentMails["states"] = state === undefined ? ["waiting", "failed"] : [state];
        const which = { states, bulk: readMailing(context.query) };
        const list = {
          rows: ({ after, rows }: { readonly after: number | null; readonly rows: number }) =>
            listUnsent({ ...which, before: after, rows }),
          count: () => countUnsent(which),
        };
        const kept = { ...(state && { state }), ...(mailing && { mailing }) };
        return ok(said.outbox, (await readRows(list, context, kept)).map(presentOutboxMail));
      },
      {
        query: outboxQuery,
        response: { 200: outboxEnvelope },
        detail: describe({
          operationId: "listOutbox",
          summary: "Mails that wait or failed, the newest first",
          description: "Failed mails are listed for 30 days. What is written in a mail is never shown.",
          who: "administrators",
          msg: said.outbox,
          answers: pageAnswer,
        }),
      },
    )
    .get(
      "/outbox/:id",
      async ({ params }) => {
        const id = readMailId(params);
        const entry = await findMail(id);
        if (entry === null) throw refusals.unknownOutboxMail(id);
        return ok(said.mail, presentOutboxMail(entry));
      },
      {
        params: outboxMailParams,
        response: { 200: outboxMailEnvelope },
        detail: describe({
          operationId: "getOutboxMail",
          summary: "A mail of the outbox, also one that was sent",
          description: "Sent mails are kept for 7 days, without what was written in them.",
          who: "administrators",
          msg: said.mail,
          errors: [refusals.unknownOutboxMail(812)],
        }),
      },
    );
}

function retryRoute(parts: Parts) {
  return new Elysia().use(staffGuard(parts, "administer")).post(
    "/outbox/:id/retry",
    async ({ actor, params }) => {
      const { entry } = await retryMail(parts, actor, readMailId(params));
      return done(actions.retry, presentOutboxMail(entry));
    },
    {
      ...unread,
      params: outboxMailParams,
      response: { 200: outboxMailEnvelope },
      detail: describe({
        operationId: "retryMail",
        summary: "Send a mail that waits or failed now",
        description:
          "`next_at` says when it is tried: a mail that may be on its way at this moment stays as it is, so that it is not sent twice.",
        who: "administrators",
        msg: succeeded(actions.retry),
        errors: [refusals.unknownOutboxMail(812), refusals.wipedMail(812)],
      }),
    },
  );
}

function testMailRoute(parts: Parts) {
  return new Elysia()
    .use(staffGuard(parts, "administer"))
    .use(optionalJsonReader())
    .post(
      "/outbox/test",
      async ({ actor, body }) => ok(said.test, await postTestMail(parts, actor, readTestMail(body))),
      {
        body: testMailBody,
        response: { 200: testMailEnvelope },
        detail: describe({
          operationId: "sendTestMail",
          summary: "Send a test mail",
          description:
            "It goes through the outbox as every mail does: `GET /api/admin/outbox/{id}` shows what became of it, with the mail server's words.",
          who: "administrators",
          optionalBody: true,
          msg: said.test,
        }),
      },
    );
}
