import { languages } from "../../domain/model/mail.ts";
import { limits } from "../../kernel/limits.ts";

type Header = {
  readonly description: string;
  /** It comes with every such answer. */
  readonly required?: boolean;
  readonly schema: object;
  /** Where every answer has the same; elsewhere each answer has an example of its own. */
  readonly example?: string | number;
};

function text(description: string, schema: object = {}): Header {
  return { description, required: true, schema: { type: "string", ...schema } };
}

function fixed(description: string, value: string): Header {
  return { ...text(description, { const: value }), example: value };
}

function count(description: string, minimum: number, example: number): Header {
  return { description, required: true, schema: { type: "integer", minimum }, example };
}

/** Headers of answers (docs/contract/answers.md, docs/contract/delivery.md#caching). */
export const headers = {
  "Access-Control-Allow-Origin": fixed("Any web page may show it.", "*"),
  "Cache-Control": { ...text("How long the answer may be kept."), example: "no-store" },
  "Content-Disposition": {
    ...text("A browser keeps it as a file of this name."),
    example: 'attachment; filename="audit-2026-01-01.csv"',
  },
  "Content-Language": { ...text("The language of the page.", { enum: languages }), example: "en" },
  "Content-Security-Policy": text("The page uses its own style and nothing else."),
  ETag: text("Names the bytes. Send it as `If-None-Match` to get 304 while they are the same.", {
    pattern: '^"[^"]+"$',
  }),
  "Last-Modified": {
    ...text("When the answer was made. `ETag` says whether it changed."),
    example: "Thu, 01 Jan 2026 00:00:00 GMT",
  },
  Link: {
    description: 'The next page, as `<…>; rel="next"`; missing on the last one.',
    schema: { type: "string" },
  },
  Location: text("Where to go, or the address of the new resource.", { format: "uri-reference" }),
  "Referrer-Policy": fixed("Links do not send the page's address.", "no-referrer"),
  "Retry-After": count("Seconds after which another attempt may succeed.", 1, 30),
  "Set-Cookie": {
    description: "Ties a sign-in to this browser, or ends that.",
    schema: { type: "string" },
  },
  "X-Accel-Buffering": fixed("Proxies must pass it on as it comes.", "no"),
  "X-Authlib-Injector-API-Location": {
    description:
      "Where launchers find Yggdrasil; on pages and 404s, while it is on. Without `PUBLIC_URL` it is a path.",
    schema: { type: "string", format: "uri-reference" },
    example: "https://skins.example.org/api/yggdrasil",
  },
  "X-Content-Type-Options": fixed("Browsers must not guess another type.", "nosniff"),
  "X-Error": text(
    "What is refused, for programs: its code, the field and the values that `msg` names (RFC 9651).",
    {
      pattern: "^[a-z_]+(?:; [a-z_]+=.+)*$",
    },
  ),
  "X-Frame-Options": fixed("No frame may show the page; for browsers that do not know the policy.", "DENY"),
  "X-Mailing": count("The number of the mail to everybody, as `GET /api/admin/mail` lists it.", 1, 3),
  "X-Mails-Queued": count("The number of addresses that it goes to.", 0, 1204),
  "X-Request-Id": {
    ...text("The number by which the operator finds the cause in the log.", {
      pattern: "^[0-9a-z]+-[0-9a-z]+$",
    }),
    example: "5b2f0e576c1d-3f8",
  },
  "X-Robots-Tag": fixed("Search engines must not list the page.", "noindex"),
  "X-Texture-Default": {
    description:
      "Which default skin is shown, or `transparent` instead of a cape; missing when the player chose one.",
    schema: { type: "string", enum: ["classic", "slim", "transparent"] },
    example: "slim",
  },
  "X-Total-Count": count(
    `Rows of all pages together; the rows that a search or filter finds are counted to ${limits.countedMax}, or to \`count\`.`,
    0,
    1204,
  ),
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

export type HeaderExamples = Partial<Record<HeaderName, string | number>>;

/** The header objects of an answer, by their names; with its own examples where it has some. */
export function headersOf(
  names: readonly HeaderName[],
  examples: HeaderExamples = {},
): Readonly<Record<string, Header>> {
  return Object.fromEntries(
    names.map((name) => {
      const header: Header = headers[name];
      const example = examples[name] ?? header.example;
      return [name, example === undefined ? header : { ...header, example }];
    }),
  );
}
