import { failureJson } from "../failures.ts";
import type { Description } from "../openapi/describe.ts";
import type { Failure } from "../surface.ts";
import { t } from "../routing/schema.ts";

/**
 * How the calls fail that the launcher's server makes outside of any handler: `success: false` there ends its
 * whole process (docs/decisions/protocols.md#auroralauncher-ends-at-a-failure-of-join-and-profiles).
 */
const harmless: ReadonlyMap<string, object> = new Map([
  ["join", { success: true, result: false }],
  ["profiles", { success: true, result: [] }],
]);

/**
 * The launcher shows `error` to the player and ignores the status. Metrics count the failure's own status in
 * each case.
 */
export function presentFailure({ status, message, headers }: Failure, call: string | null): Response {
  const answer = harmless.get(call ?? "");
  return answer === undefined
    ? failureJson({ status, headers }, { success: false, error: message })
    : failureJson({ status: 200, headers }, answer);
}

export const calls: ReadonlySet<string> = new Set(["auth", "join", "hasJoined", "profile", "profiles"]);

/** A call with another secret: a 404 that the launcher's server survives, with a text that names the cure. */
export function presentUnknown(unknown: Pick<Failure, "status" | "headers">, call: string): Response {
  return failureJson(
    unknown,
    harmless.get(call) ?? {
      success: false,
      error:
        "The launcher's server has another AURORA_SECRET than the accounts' server: show this to its operator",
    },
  );
}

const failure = t.Object(
  {
    success: t.Literal(false),
    error: t.String({
      description: "What is wrong, for the player to read",
      examples: ["Invalid username or password"],
    }),
  },
  { component: "AuroraFailure" },
);
export const failed = (description: string) => ({ description, schema: failure });

export function answerOf<Result extends Parameters<typeof t.Object>[0][string]>(
  component: string,
  result: Result,
) {
  return t.Object({ success: t.Literal(true), result }, { component });
}

export function succeeded<Result>(result: Result) {
  return { success: true as const, result };
}

type Call = Pick<Description, "operationId" | "summary" | "answers">;

const unknownSecret = { 404: { description: "The address does not hold the secret" } } as const;

/**
 * What the API's document says of a call. The launcher's server shows the player the `error` of its failures.
 */
export function say({ refusal, answers = {}, ...rest }: Call & { readonly refusal: string }) {
  return {
    ...rest,
    description: "The address holds the setting `AURORA_SECRET`.",
    protocol: true,
    answers: {
      400: failed("A field is missing or of another type"),
      403: failed(refusal),
      ...unknownSecret,
      ...answers,
    },
  } as const;
}

/** What it says of a call that has no failures: what cannot be done has an answer like others. */
export function sayHarmless({ otherwise, ...rest }: Call & { readonly otherwise: string }) {
  return {
    ...rest,
    description: `The address holds the setting \`AURORA_SECRET\`. ${otherwise}`,
    protocol: true,
    answers: unknownSecret,
  } as const;
}
