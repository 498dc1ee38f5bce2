import { Type } from "@sinclair/typebox";
import type { Answer } from "../openapi/describe.ts";
import type { Failure } from "../surface.ts";
import { pathOf } from "../target.ts";
import { t } from "../routing/schema.ts";

/** What cores call tokens that do not hold; the module `myhttp` has a word of its own for an ended one. */
export const tokenWords = { expired: "auth.tokenexpired", invalid: "auth.invalidtoken" } as const;

/** What launchers say to a person whose account is suspended. */
export const blockedWord = "auth.userblocked";

/** The module knows these two by number. */
const tokenCodes: ReadonlyMap<string, number> = new Map([
  [tokenWords.expired, 1001],
  [tokenWords.invalid, 1002],
]);

/** The `code` of a failure: the status, but for tokens in calls of the module `myhttp`. */
export function codeOf({
  status,
  message,
  request,
}: Pick<Failure, "status" | "message" | "request">): number {
  const isOfModule = pathOf(request.url).startsWith("/api/gravit/myhttp/");
  return (isOfModule ? tokenCodes.get(message) : undefined) ?? status;
}

const failure = t.Object(
  {
    error: t.String({
      description: "What is wrong, or a word that the LaunchServer knows",
      examples: ["auth.wrongpassword"],
    }),
    code: Type.Integer({
      description: "The status, repeated; below `myhttp` 1001 or 1002 for tokens",
      examples: [400],
    }),
  },
  { component: "LaunchFailure" },
);

/** The description of a failure. */
export function failed(description: string): Answer {
  return { description, schema: failure };
}
