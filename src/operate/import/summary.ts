import {
  importDecisions,
  importKinds,
  type ImportDecision,
  type ImportKind,
} from "../../domain/model/import-plan.ts";
import type { MadePlan } from "../../domain/import/plan.ts";
import type { ImportSource } from "../../domain/ports/import-source.ts";
import type { DecidedCount, DecidedGroup, PlanBook } from "../../domain/ports/plan-book.ts";

/** What `summary.json` and `--json` say of a plan, and what the text is made of. */
export type PlanSummary = {
  /** What the run is called, and where it comes from. */
  readonly source: string;
  readonly system: string;
  readonly planned: Readonly<Partial<Record<ImportKind, Readonly<Partial<Record<ImportDecision, number>>>>>>;
  readonly hashes: Readonly<Record<string, number>>;
  /** How many records wait for a rule. */
  readonly asks: number;
  readonly textures: { readonly files: number; readonly bytes: number; readonly skipped: number };
  /** Accounts that come and can do nothing before they are claimed. */
  readonly to_claim: number;
  readonly staff: { readonly count: number; readonly names: readonly string[] };
  readonly notes: readonly string[];
};

/** How many reasons of one decision the text shows, and how many records of each. */
const shownMost = { reasons: 20, first: 10 };

/** What a finished plan comes to. */
export function summaryOf(
  name: string,
  source: ImportSource,
  book: PlanBook,
  { planned, accounts, texturesSkipped }: MadePlan,
): { readonly summary: PlanSummary; readonly groups: readonly DecidedGroup[] } {
  const groups = book.groups(shownMost);
  const counts = book.tally();
  const summary = {
    source: name,
    system: source.system,
    planned: countsOf(counts),
    hashes: Object.fromEntries([...accounts.hashes].toSorted(([, one], [, other]) => other - one)),
    asks: sumOf(counts.filter(({ decision }) => decision === "ask")),
    textures: { files: planned.counts.textures, bytes: book.bitmapBytes(), skipped: texturesSkipped },
    to_claim: accounts.toClaim,
    staff: { count: accounts.staffCount, names: accounts.staff },
    notes: source.facts.notes,
  };
  return { summary, groups };
}

function countsOf(all: readonly DecidedCount[]): PlanSummary["planned"] {
  const perKind = importKinds.map((kind) => {
    const own = all.filter((one) => one.kind === kind);
    const counts = importDecisions.map(
      (decision) => [decision, sumOf(own.filter((one) => one.decision === decision))] as const,
    );
    return [kind, Object.fromEntries(counts.filter(([, count]) => count > 0))] as const;
  });
  return Object.fromEntries(perKind.filter(([, counts]) => Object.keys(counts).length > 0));
}

function sumOf(counts: readonly DecidedCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
