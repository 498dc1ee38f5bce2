import type { BookAccount } from "../ports/plan-book.ts";
import type { Planning } from "./planning.ts";

/** What an account signs in with. A problem or question is a sentence; empty: there is none. */
export type PlannedPassword = {
  readonly hash: string | null;
  /** The name of its kind; `none`. */
  readonly kind: string;
  readonly problem: string;
  readonly asks: string;
};

const without: PlannedPassword = { hash: null, kind: "none", problem: "", asks: "" };

/** Reads the passwords of accounts, in their order. */
export function planPasswords(
  planning: Planning,
  accounts: readonly BookAccount[],
): Promise<readonly PlannedPassword[]> {
  return Promise.all(accounts.map((account) => planPassword(planning, account)));
}

async function planPassword(
  { passwords, rules, isDry }: Planning,
  { source }: BookAccount,
): Promise<PlannedPassword> {
  const { password, login } = source;
  if (password === null || password.text === "") return without;
  const kind = password.kind ?? rules.passwordKind;
  // It takes some 20 ms, and only its result could be kept.
  if (kind === "plain" && isDry) return { ...without, kind: "argon2id" };
  const read = await passwords.read({ ...password, kind, login });
  if ("hash" in read) return { ...without, hash: read.hash, kind: read.kind };
  if ("problem" in read) return { ...without, problem: amongOthers(read.problem) };
  return { ...without, asks: amongOthers(read.asks) };
}

/** A sentence as one of the reasons of a record. */
function amongOthers(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
