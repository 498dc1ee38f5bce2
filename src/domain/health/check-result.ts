import type { Coded } from "../../kernel/coded.ts";
import type { CodedFinding, FindingCode } from "./finding.ts";

/**
 * The result of a check of something that an operator can correct. It holds no secret, and no path of the
 * machine.
 */
export type CheckResult = Coded<FindingCode> & {
  /** What was checked. */
  readonly name: string;
  /**
   * `warning`: it works, but not as well or as safely as it could. `fault`: it does not work, or will soon
   * stop working.
   */
  readonly state: "ok" | "warning" | "fault";
  /** The English text of the code with its values. */
  readonly text: string;
  /** What to do about it; null where nothing is to be done. */
  readonly remedy: string | null;
};

const states = { ok: "ok", warning: "warning", problem: "fault" } as const;

/** What staff see of a finding. `name`: what was checked. */
export function resultOf(name: string, { state, code, values, message, remedy }: CodedFinding): CheckResult {
  return { name, state: states[state], code, values, text: message, remedy };
}
