import type { Coded, Values } from "../../kernel/coded.ts";
import { findingTexts } from "./finding-texts.ts";

/** What a check found, for every reader's program: in English (`findingTexts`) and by code and values. */
export type FindingCode = keyof typeof findingTexts;

/** A result of a check: how bad it is, what it is, and what to do about it. It contains no secret. */
export type CodedFinding = Coded<FindingCode> & {
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  readonly remedy: string | null;
};

type Given<Sentence> = Sentence extends (values: infer Named) => string ? Named : unknown;
type Texts<Code extends FindingCode> = (typeof findingTexts)[Code];
type RemedyOf<Texts> = Texts extends { readonly remedy: infer Remedy } ? Remedy : null;

/** What the sentences of a finding name. */
type ValuesOf<Code extends FindingCode> = Given<Texts<Code>["text"]> & Given<RemedyOf<Texts<Code>>>;

/** What was found, with the values that its sentences name. */
export function found<Code extends FindingCode>(
  code: Code,
  ...[values]: unknown extends ValuesOf<Code> ? [] : [ValuesOf<Code>]
): CodedFinding {
  // `as` at the boundary of `ValuesOf`: every value that a sentence names is of these types.
  return finding(code, { ...(values as Values | undefined) });
}

/** The same finding with each text among its values changed, and so its sentences. */
export function withTexts({ code, values }: CodedFinding, change: (text: string) => string): CodedFinding {
  const changed = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? change(value) : value,
  ]);
  return finding(code, Object.fromEntries(changed));
}

function finding(code: FindingCode, values: Values): CodedFinding {
  const texts: { readonly state: CodedFinding["state"]; readonly text: unknown; readonly remedy?: unknown } =
    findingTexts[code];
  const { state, text, remedy = null } = texts;
  return {
    state,
    code,
    values,
    message: say(text, values),
    remedy: remedy === null ? null : say(remedy, values),
  };
}

/**
 * The boundary of types: a finding is made by `found` alone, which takes the values that its sentences name.
 */
function say(sentence: unknown, values: Values): string {
  return typeof sentence === "function" ? String(sentence(values)) : String(sentence);
}
