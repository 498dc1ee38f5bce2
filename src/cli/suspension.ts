import { instant, text } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import { suspendUser } from "../domain/members/suspend.ts";
import { commandLine } from "../domain/model/actor.ts";
import { inForce, type Suspension, type SuspensionTerms } from "../domain/model/suspension.ts";
import { PlainError } from "../kernel/errors.ts";
import { identifier, json } from "./arguments.ts";
import { command } from "./command.ts";
import { printable } from "./output.ts";
import { memberText, timeText, userRecord } from "./records.ts";

/** `user suspend`: prints until when. Exits with 1 for the last permanent administrator. */
export const userSuspend = command({
  name: "user suspend",
  summary: "keeps an account from signing in",
  details:
    "All of its sessions end, on every node. Its players, pictures and profiles stay. The owner gets a mail. Again: changes the end and the reason.",
  positionals: { identifier },
  options: {
    until: optional(instant, "when the suspension ends by itself", "never"),
    reason: optional(text("TEXT"), "one line for the owner, 500 characters at most", "no reason"),
    json,
  },
  run: async ({ identifier, until, reason }, { withServices }) =>
    withServices(async (services) => {
      const now = services.clock.nowSeconds();
      if (until !== null && until <= now) throw new PlainError("invalid", "--until must lie in the future");
      const input = { identifier, terms: { until, reason: reason ?? "" } };
      const member = await suspendUser(services, commandLine, input);
      const held = await services.reads.suspensions.findSuspension(member.account.id);
      const end = until === null ? "without an end" : `until ${timeText(until)}`;
      return {
        record: { ...userRecord(member, now), suspended: suspensionRecord(held, now) },
        text: `${memberText(member)} is suspended ${end}\n`,
      };
    }),
});

/** `user unsuspend`: prints that the account may sign in again. */
export const userUnsuspend = command({
  name: "user unsuspend",
  summary: "ends the suspension of an account",
  positionals: { identifier },
  options: { json },
  run: async ({ identifier }, { withServices }) =>
    withServices(async (services) => {
      const member = await suspendUser(services, commandLine, { identifier, terms: null });
      return {
        record: { ...userRecord(member, services.clock.nowSeconds()), suspended: null },
        text: `${memberText(member)} is not suspended\n`,
      };
    }),
});

/** The suspension as `GET /api/admin/user/{identifier}` shows it; null where no suspension is in force. */
export function suspensionRecord(held: Suspension | null, now: number): SuspensionTerms | null {
  const found = inForce(held, now);
  return found === null ? null : { until: found.until, reason: found.reason };
}

/** The same as lines for an operator; no line without a suspension. */
export function suspensionFacts(terms: SuspensionTerms | null): Readonly<Record<string, string>> {
  if (terms === null) return {};
  const end = terms.until === null ? "without an end" : `until ${timeText(terms.until)}`;
  return { suspended: end, ...(terms.reason === "" ? {} : { reason: printable(terms.reason) }) };
}
