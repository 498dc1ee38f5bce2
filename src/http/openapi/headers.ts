import { limits } from "../../kernel/limits.ts";

type Header = {
  readonly description: string;
  /** It comes with every such answer. */
  readonly required?: boolean;
  readonly schema: object;
  /** What it is everywhere; where it differs, each answer has an example of its own. */
  readonly example?: string | number;
};

/** Headers of answers (contract's decisions, Every response, Admin and Delivery). */
export const headers = {
  "Access-Control-Allow-Origin": {
    description: "Any web page may show it.",
    required: true,
    schema: { type: "string", const: "*" },
    example: "*",
  },
  "Cache-Control": {
    description: "How long the answer may be kept.",
    required: true,
    schema: { type: "string" },
    example: "no-store",
  },
  "Content-Language": {
    description: "The language of the page.",
    required: true,
    schema: { type: "string", enum: ["en", "ru"] },
    example: "en",
  },
  "Content-Security-Policy": {
    description: "The page uses its own style and nothing else.",
    required: true,
    schema: { type: "string" },
  },
  ETag: {
    description: "Names the bytes. Send it as `If-None-Match` to get 304 while they are the same.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
  },
  Link: {
    description: 'The next page, as `<…>; rel="next"`; missing on the last one.',
    schema: { type: "string" },
  },
  Location: {
    description: "Where to go, or where what was made is found.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
  },
  "Referrer-Policy": {
    description: "The page's address is told to nobody.",
    required: true,
    schema: { type: "string", const: "no-referrer" },
    example: "no-referrer",
  },
  "Retry-After": {
    description: "Seconds after which trying again may help.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 30,
  },
  "Set-Cookie": {
    description: "Ties the sign-in to this browser.",
    required: true,
    schema: { type: "string" },
  },
  "X-Content-Type-Options": {
    description: "It is what its type says, and nothing else.",
    required: true,
    schema: { type: "string", const: "nosniff" },
    example: "nosniff",
  },
  "X-Frame-Options": {
    description: "The page stands in no frame; for browsers that do not know the policy.",
    required: true,
    schema: { type: "string", const: "DENY" },
    example: "DENY",
  },
  "X-Mails-Queued": {
    description: "To how many addresses it goes.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 1204,
  },
  "X-Request-Id": {
    description: "The number by which the operator finds the cause in the log.",
    required: true,
    schema: { type: "string", pattern: "^[0-9a-z]+-[0-9a-z]+$" },
    example: "5b2f0e576c1d-3f8",
  },
  "X-Robots-Tag": {
    description: "The page is not for search engines.",
    required: true,
    schema: { type: "string", const: "noindex" },
    example: "noindex",
  },
  "X-Texture-Default": {
    description:
      "Which default skin is shown, or `transparent` in the place of a cape; missing when the player chose one.",
    schema: { type: "string", enum: ["classic", "slim", "transparent"] },
    example: "slim",
  },
  "X-Total-Count": {
    description: `Rows of all pages together; those that a search finds are counted to ${limits.countedMax}.`,
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 1204,
  },
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
