import { refusals } from "../../domain/model/refusals.ts";
import { httpRefusals } from "../refusals.ts";
import { coloursOf } from "../../domain/mail/html.ts";
import type { Account } from "../../domain/model/account.ts";
import { maskMail, type Language } from "../../domain/model/mail.ts";
import type { PageWords } from "../../words/mail-pages.ts";
import { sayRefusal, type RefusalFormats } from "../../words/refusals.ts";
import { serverWords } from "../../words/server.ts";
import { bodyTooLarge, readBounded } from "../body.ts";
import { communityNameOf } from "../community-name.ts";
import { languageOf } from "../negotiation.ts";
import { type Answer } from "../openapi/describe.ts";
import type { HeaderName } from "../openapi/headers.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Failure, Surface } from "../surface.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { answerPage, pageStyle, type WebPage } from "./page.ts";

/**
 * `/mail/unsubscribe`: the page that links in mails open, in the language of the account's mails. It needs no
 * session. Looking changes nothing, because mail scanners open every link; posting, which mail programs do by
 * themselves (RFC 8058), does. Failures that people meet are pages too; `presentOther` answers the others.
 */
export function mailSurface(
  { accounts }: Pick<Services, "accounts">,
  { site }: Pick<Http, "site">,
  presentOther: Surface["presentFailure"],
): Surface {
  const style = pageStyle(site.colours);
  const frame = () => ({ site: communityNameOf(site), style });
  return {
    prefixes: ["/mail/unsubscribe"],
    // Webmail sends the one click by itself.
    isPostable: true,
    routes: () => below("/mail/unsubscribe", "Mail pages", pageRoutes(accounts, frame)),
    presentFailure: (failure) =>
      isForPeople(failure) ? presentFailure(frame(), failure) : presentOther(failure),
  };
}

/** What all pages of a community share. */
type Frame = Pick<WebPage, "site" | "style">;

/** Before a route is found, people meet two failures only: a limit, and a link that lost its end. */
function isForPeople({ kind, request: { method }, route }: Failure): boolean {
  if (route !== null || kind === "limited") return true;
  return kind === "not_found" && (method === "GET" || method === "HEAD");
}

const params = t.Object({
  // Null for what is no valid percent-encoding, so that such a link is answered with a page as well.
  token: t.Union([t.String(), t.Null()], {
    description: "From the link in the mail",
    documented: { type: "string", examples: ["jy5MGlt9Tj-aYBwtPk9aawM0qk0Vb1mTn2Jx4uCwP7E"] },
  }),
});

/** Room for a field in whatever form it comes. */
const bodyBytesMax = 16 * 1024;

type Answers = Readonly<Record<number, Answer>>;

const pageHeaders = [
  "Content-Language",
  "Content-Security-Policy",
  "Referrer-Policy",
  "X-Content-Type-Options",
  "X-Frame-Options",
  "X-Robots-Tag",
] as const;

function page(description: string, ...headers: readonly HeaderName[]): Answer {
  const headerExamples = { "Content-Security-Policy": pageStyle(coloursOf(null)).policy };
  return { description, type: "text/html", headers: [...pageHeaders, ...headers], headerExamples };
}

const failures: Answers = {
  400: page(httpRefusals.addressInvalid.sentence),
  404: page("The link belongs to no account; perhaps a part of it is missing"),
  500: page("A fault of the server, with the number by which the operator finds its cause", "X-Request-Id"),
};
const lookAnswers: Answers = {
  200: page("What the mails are, with a button that ends or resumes them"),
  ...failures,
};
const changeAnswers: Answers = {
  200: page("The choice from now on"),
  ...failures,
  413: page(bodyTooLarge(bodyBytesMax).message),
  429: page("Too many requests, from you or altogether", "Retry-After"),
  503: page("The database cannot be reached", "Retry-After"),
  507: page("The server's disk is full; nothing was changed"),
};

function pageRoutes(accounts: Services["accounts"], frame: () => Frame) {
  return [
    route("GET", "/:token", {
      params,
      operationId: "getUnsubscribePage",
      refuses: [refusals.unknownSubscription],
      summary: "The page that ends or resumes mails to everybody",
      description: "Looking changes nothing.",
      answers: lookAnswers,
      handle: async ({ params }) =>
        present(frame(), await accounts.findSubscriber(readToken(params)), "subscribed"),
    }),
    route("POST", "/:token", {
      params,
      operationId: "changeSubscription",
      refuses: [refusals.unknownSubscription],
      summary: "End mails to everybody, or resume them",
      description:
        "Mail programs send this by themselves (RFC 8058, `List-Unsubscribe=One-Click`), and so does the page's button. Whatever the body, the mails end; only the form field `mails=again` resumes them.",
      answers: changeAnswers,
      handle: async ({ params, request }) => {
        const token = readToken(params);
        return present(
          frame(),
          await accounts.setSubscription(token, await wantsAgain(request)),
          "resubscribed",
        );
      },
    }),
  ];
}

function readToken({ token }: typeof params.static): string {
  if (token === null) throw httpRefusals.addressInvalid();
  return token;
}

const again = { name: "mails", value: "again" } as const;
const oneClick = { name: "List-Unsubscribe", value: "One-Click" } as const;

/** Only the page's own button asks for mails again. Every other body ends them, whatever its type. */
async function wantsAgain(request: Request): Promise<boolean> {
  const body = await readBounded(request, bodyBytesMax);
  return new URLSearchParams(new TextDecoder().decode(body)).get(again.name) === again.value;
}

function present(frame: Frame, account: Account, subscribed: "subscribed" | "resubscribed"): Response {
  const { mail, language, wantsBulkMail } = account;
  const write = serverWords[language].mailPages[wantsBulkMail ? subscribed : "unsubscribed"];
  const { button: text, ...said } = write({ address: maskMail(mail ?? ""), site: frame.site });
  const button = { text, ...(wantsBulkMail ? oneClick : again) };
  return answerPage({ ...frame, language, words: said, button });
}

function presentFailure(frame: Frame, failure: Failure): Response {
  const language = languageOf(failure.request);
  const page = { ...frame, language, words: failureWords(language, failure), button: null };
  return answerPage(page, failure.status, failure.headers);
}

/**
 * In the reader's language: by the failure's code where it has words, and in general of a fault of the
 * server.
 */
function failureWords(language: Language, { kind, coded, message, headers }: Failure): PageWords {
  const { mailPages, refusals } = serverWords[language];
  const { unknown, limited, failed } = mailPages;
  if (kind === "not_found" || kind === "invalid") return unknown;
  const formats = formatsIn(language);
  if (kind === "limited") return limited(formats.wait(Number(headers["retry-after"] ?? 60)));
  const page = failed(headers["x-request-id"] ?? null);
  if (kind === "internal") return page;
  return { ...page, text: refusals === null ? message : (sayRefusal(refusals, coded, formats) ?? page.text) };
}

function formatsIn(language: Language): RefusalFormats {
  const ago = new Intl.RelativeTimeFormat(language);
  const { format: number } = new Intl.NumberFormat(language);
  const { format: size } = new Intl.NumberFormat(language, { style: "unit", unit: "byte" });
  const wait = (seconds: number) =>
    seconds < 120 ? ago.format(seconds, "second") : ago.format(Math.ceil(seconds / 60), "minute");
  const moments = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const moment = (seconds: number) => moments.format(seconds * 1000);
  return { wait, number, size, moment };
}
