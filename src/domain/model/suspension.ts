import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { refusals } from "./refusals.ts";

/** Until when an account is suspended, and why. */
export type SuspensionTerms = {
  /** Unix seconds; null: without an end. */
  readonly until: number | null;
  /** One line; empty when no reason was given. */
  readonly reason: string;
};

/** A suspended account cannot sign in, and has no sessions. */
export type Suspension = SuspensionTerms & {
  readonly accountId: AccountId;
  /** The audit's name for the actor who suspended it. */
  readonly issuer: string;
  /** Unix seconds. */
  readonly at: number;
};

/** Whether a suspension holds at this time (Unix seconds). It ends by itself, removed or not. */
export function isInForce({ until }: SuspensionTerms, now: number): boolean {
  return until === null || until > now;
}

/** The suspension, if there is one that holds at this time (Unix seconds). */
export function inForce<Held extends SuspensionTerms>(suspension: Held | null, now: number): Held | null {
  return suspension !== null && isInForce(suspension, now) ? suspension : null;
}

/** The failure of a sign-in to a suspended account, after the right proof. The terms are for its owner. */
export class SuspendedAccount extends AppError {
  readonly terms: SuspensionTerms;

  constructor({ until, reason }: SuspensionTerms) {
    const failing = refusals.suspended.of(until ?? "", reason === "" ? "" : `: ${reason}`);
    super({ ...failing, values: until === null ? {} : { until } });
    this.terms = { until, reason };
  }
}
