import { Elysia, t } from "elysia";
import type { Account } from "../../domain/model/account.ts";
import { maskMail } from "../../domain/model/mail.ts";
import {
  findSubscriber,
  setSubscription,
  type SubscriptionNames,
} from "../../domain/accounts/subscription.ts";
import type { Reads } from "../../domain/ports/stores.ts";
import type { Transact } from "../../domain/ports/unit-of-work.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/log.ts";
import { readBounded } from "../body.ts";
import { statusOf } from "../envelope.ts";
import { failureHeaders, fault } from "../failures.ts";
import { languageOf } from "../language.ts";
import { describe } from "../openapi/describe.ts";
import type { RequestNotes } from "../request-notes.ts";
import { changeAnswers, lookAnswers } from "./described.ts";
import { answerPage } from "./page.ts";
import { words } from "./words.ts";

export type MailPageDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly subscriptions: SubscriptionNames;
  readonly siteUrl: () => string;
  /** Null: the host of the website's address stands for it. */
  readonly communityName: string | null;
  readonly log: Logger;
  readonly notes: Pick<RequestNotes, "of">;
};

const params = t.Object({
  // Null for what is no valid percent-encoding, so that such a link is answered with a page as well.
  token: t.Union([t.String(), t.Null()], {
    description: "From the link in the mail",
    documented: { type: "string", examples: ["jy5MGlt9Tj-aYBwtPk9aawM0qk0Vb1mTn2Jx4uCwP7E"] },
  }),
});

/**
 * `/mail`: what links in mails open. Pages for people, in the language of the account's mails; no session is needed. Looking
 * changes nothing, for mail scanners open every link; posting, which mail programs do by themselves (RFC 8058), does.
 */
export function mailPages(deps: MailPageDeps) {
  const { reads, subscriptions } = deps;
  return new Elysia({ prefix: "/mail", tags: ["Mail pages"] })
    .get(
      "/unsubscribe/:token",
      ({ params, request }) =>
        answer(deps, request, () => findSubscriber(reads.accounts, subscriptions, readToken(params))),
      {
        params,
        detail: describe({
          operationId: "getUnsubscribePage",
          summary: "The page on which mails to everybody are ended, or taken up again",
          description: "Looking changes nothing.",
          who: "everybody",
          answers: lookAnswers,
        }),
      },
    )
    .post(
      "/unsubscribe/:token",
      ({ params, request }) =>
        answer(deps, request, async () =>
          setSubscription(deps, readToken(params), await wantsAgain(request)),
        ),
      {
        params,
        parse: "none",
        detail: describe({
          operationId: "changeSubscription",
          summary: "End mails to everybody, or take them up again",
          description:
            "What mail programs send by themselves (RFC 8058, `List-Unsubscribe=One-Click`), and the page's button. Whatever the body, the mails end; only the form field `mails=again` takes them up again.",
          who: "everybody",
          answers: changeAnswers,
        }),
      },
    );
}

function readToken({ token }: typeof params.static): string {
  if (token === null) throw new AppError("invalid", "The address is not valid");
  return token;
}

/** Room for a field in whatever form it comes. */
const bodyBytesMax = 16 * 1024;
const again = { name: "mails", value: "again" } as const;
const oneClick = { name: "List-Unsubscribe", value: "One-Click" } as const;

/** Only the page's own button asks for mails again. Everything else that is posted ends them, whatever its type. */
async function wantsAgain(request: Request): Promise<boolean> {
  const tooLarge = `The body may have ${bodyBytesMax} bytes at most`;
  const body = new TextDecoder().decode(await readBounded(request, bodyBytesMax, tooLarge));
  return new URLSearchParams(body).get(again.name) === again.value;
}

async function answer(deps: MailPageDeps, request: Request, work: () => Promise<Account>): Promise<Response> {
  const site = siteOf(deps);
  try {
    const { mail, language, wantsBulkMail } = await work();
    const { subscribed, resubscribed, unsubscribed } = words[language];
    const subscribe = request.method === "POST" ? resubscribed : subscribed;
    const write = wantsBulkMail ? subscribe : unsubscribed;
    const { button: text, ...said } = write({ address: maskMail(mail ?? ""), site });
    const button = { text, ...(wantsBulkMail ? oneClick : again) };
    return answerPage({ language, site, words: said, button });
  } catch (error) {
    return answerFailure(deps, request, error);
  }
}

function siteOf({ siteUrl, communityName }: MailPageDeps): string {
  return communityName ?? new URL(siteUrl()).hostname;
}

function answerFailure(deps: MailPageDeps, request: Request, error: unknown): Response {
  const { log, notes } = deps;
  const language = languageOf(request);
  const site = siteOf(deps);
  const { unknown, failed } = words[language];
  if (!(error instanceof AppError) || error.code === "internal") {
    const id = fault(error, notes.of(request), log).headers.get("x-request-id") ?? "";
    const page = { language, site, words: failed(`Internal error (request ${id})`), button: null };
    return answerPage(page, statusOf.internal, { "x-request-id": id });
  }
  const isBadLink = error.code === "not_found" || error.code === "invalid";
  const page = { language, site, words: isBadLink ? unknown : failed(error.message), button: null };
  return answerPage(page, statusOf[error.code], failureHeaders(error));
}
