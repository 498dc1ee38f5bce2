/** Headers of answers (contract's decisions, Every response and Delivery). Those that are required come with every such answer. */
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
  ETag: {
    description: "Names the bytes. Send it as `If-None-Match` to get 304 while they are the same.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
    example: '"3f6zqkc1v0"',
  },
  Link: {
    description: 'The next page, as `<…>; rel="next"`; missing on the last one.',
    schema: { type: "string" },
    example: '</api/admin/users?after=1000>; rel="next"',
  },
  Location: {
    description: "Where what was made is found.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/api/skin/public/5f0c1f3e-9d4a-4c52-8f7e-0a6b2d9c4e11",
  },
  "Retry-After": {
    description: "Seconds after which trying again may help.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 30,
  },
  "X-Content-Type-Options": {
    description: "It is what its type says, and nothing else.",
    required: true,
    schema: { type: "string", const: "nosniff" },
    example: "nosniff",
  },
  "X-Request-Id": {
    description: "The number by which the operator finds the cause in the log.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "9b2f0e57-6c1d-4d0e-a0f8-3d8f1c7b5a24",
  },
  "X-Texture-Default": {
    description: "Which default skin is shown; missing when the player chose one.",
    schema: { type: "string", enum: ["classic", "slim"] },
    example: "slim",
  },
  "X-Total-Count": {
    description: "How many there are on all pages together.",
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
