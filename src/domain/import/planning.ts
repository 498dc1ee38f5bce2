import type { Decided, ImportKind } from "../model/import-plan.ts";
import type { ImportReads } from "../ports/import-store.ts";
import type { ImportSource } from "../ports/import-source.ts";
import type { PasswordForms } from "../ports/password-forms.ts";
import type { TextureImporter } from "../ports/pictures.ts";
import type { BookPage, PlanBook, Rank } from "../ports/plan-book.ts";
import type { ImportRules } from "./import-rules.ts";

/** What every step of a plan works with. */
export type Planning = {
  readonly book: PlanBook;
  readonly source: ImportSource;
  readonly rules: ImportRules;
  readonly reads: ImportReads;
  readonly importer: Pick<TextureImporter, "skin" | "cape">;
  readonly passwords: Pick<PasswordForms, "read" | "nameOf">;
  /** Unix seconds: the time of accounts and players whose own is not known. */
  readonly now: number;
  /** Whether the plan is only shown: then passwords in clear are not hashed. */
  readonly isDry: boolean;
  /**
   * Hears how far a step is; null: its end is not known. Lets others work meanwhile, such as what renews the
   * lease. Fails when the operator ends the work.
   */
  readonly progress: (step: string, done: number, total: number | null) => Promise<void>;
};

/** Records of one step: one question to the database for each of these pages. */
const pageRows = 500;

/** Pages of records by number. */
export function* pagesOf<Row extends { readonly n: number }>(
  read: (page: BookPage) => readonly Row[],
  most = pageRows,
): Iterable<readonly Row[]> {
  for (let after = 0; ;) {
    const page = read({ after, most });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.n;
  }
}

/** Pages of records by rank. */
export function* rankedPages<Row extends Rank>(
  read: (after: Rank, most: number) => readonly Row[],
): Iterable<readonly Row[]> {
  for (let after: Rank = { rank: Number.MIN_SAFE_INTEGER, n: 0 }; ;) {
    const page = read(after, pageRows);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

/** The same pages, and says after each how far the step is: there the operator may end it, too. */
export async function* told<Row>(
  { progress }: Planning,
  step: string,
  pages: Iterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let done = 0;
  for (const page of pages) {
    yield page;
    done += page.length;
    await progress(step, done, null);
  }
}

/** Decides of a record that it does not come, or that a rule is missing. */
export function turnAway(
  book: PlanBook,
  kind: Extract<ImportKind, "account" | "player">,
  record: { readonly n: number; readonly source: { readonly key: string } },
  decided: Pick<Decided, "decision" | "reason" | "from">,
): void {
  book.decide({ kind, source: record.source.key, to: null, ...decided });
  const change = { state: "skipped", reason: decided.reason } as const;
  if (kind === "account") book.setAccount(record.n, change);
  else book.setPlayer(record.n, change);
}

/** Sentences as one reason. */
export function reasonOf(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join("; ");
}
