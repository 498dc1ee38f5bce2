import type { Static } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { parseReason } from "../../domain/model/one-line.ts";
import { inForce, type Suspension, type SuspensionTerms } from "../../domain/model/suspension.ts";
import { expiryField, givenText, readExpiry, textField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";

/** What a suspended user may not do until when, and why (docs/contract/admin.md#users). */
export const suspension = t.Object(
  {
    until: t.Union([Type.Integer(), t.Null()], {
      description: "Unix seconds; null: without an end",
      examples: [examples.endSeconds],
    }),
    reason: givenText("Empty without one", examples.reason),
  },
  { component: "Suspension" },
);

/** The suspension as answers show it; null where no suspension is in force. */
export function presentSuspension(held: Suspension | null, now: number): Static<typeof suspension> | null {
  const found = inForce(held, now);
  return found === null ? null : { until: found.until, reason: found.reason };
}

/** In the body that changes a user. */
export const suspensionField = t.Union(
  [
    t.Object({
      until: expiryField("When the suspension ends by itself"),
      reason: t.Optional(
        textField("For the user: one line of 500 characters at most", examples.reason, "reason"),
      ),
    }),
    t.Null(),
  ],
  {
    description: "Suspends the user; null ends a suspension",
    rule: rules.suspension.of(),
    examples: [{ until: examples.end, reason: examples.reason }],
  },
);

/** Fails with invalid, naming the field, for what is no time, for the past, and as `parseReason` does. */
export function readSuspension(given: Static<typeof suspensionField>, now: number): SuspensionTerms | null {
  if (given === null) return null;
  const { until, reason = "" } = given;
  return {
    until: readExpiry(until, now, "suspended.until"),
    reason: parseReason(reason, "suspended.reason"),
  };
}
