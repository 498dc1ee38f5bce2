import { limits } from "../../kernel/limits.ts";

/** Headers of answers (contract's decisions, Every response, Admin and Delivery). Those that are required come with every such answer. */
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
    example: "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  },
  ETag: {
    description: "Names the bytes. Send it as `If-None-Match` to get 304 while they are the same.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
    example: '"3f6zqkc1v0"',
  },
  Link: {
    description: 'The next page, as `<…>; rel="next"`; missing on the last one.',
    schema: { type: "string" },
    example: '</api/admin/users?limit=1000&after=1017>; rel="next"',
  },
  Location: {
    description: "Where to go, or where what was made is found.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/api/skin/public/5f0c1f3e-9d4a-4c52-8f7e-0a6b2d9c4e11",
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
    example: "cloakroom_login=Zm9vYmFyYmF6; Path=/auth/social; Max-Age=600; HttpOnly; SameSite=Lax",
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
} as const;

export type HeaderName = keyof typeof headers;

/** The header objects of an answer, by their names. */
export function headersOf(names: readonly HeaderName[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}
