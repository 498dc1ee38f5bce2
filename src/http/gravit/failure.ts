import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import type { Answer } from "../openapi/describe.ts";

const failure = t.Object(
  {
    error: t.String({
      description: "What is wrong, or a word that the LaunchServer knows",
      examples: ["auth.wrongpassword"],
    }),
    code: Type.Integer({ description: "The status, repeated", examples: [400] }),
  },
  { component: "LaunchFailure" },
);

/** The description of a failure. */
export function failed(description: string): Answer {
  return { description, schema: failure };
}
