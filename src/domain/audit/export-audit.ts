import { refusals } from "../model/refusals.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ChainedEntry } from "../model/audit-chain.ts";
import type { AuditFilter, AuditPerson } from "../ports/audit-store.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { peopleOf } from "./people.ts";

/** Entries that are in memory at one time for each export: half a megabyte. */
const pageRows = 500;

/** What is exported: the entries that a filter and a search find. */
export type ExportedPart = { readonly filter: AuditFilter; readonly search: string | null };

/** A page of an export with the people that its entries name. */
export type ExportedPage = {
  readonly entries: readonly ChainedEntry[];
  readonly people: ReadonlyMap<number, AuditPerson>;
};

type Deps = {
  readonly transact: Transact;
  readonly reads: Pick<Reads, "audit" | "sessions" | "serviceTokens">;
  readonly clock: Clock;
};

/**
 * Begins an export of the audit, which is itself an entry, and yields its pages, the newest first.
 * Administrators may. Each page is read when it is asked for, and only while the actor still has the right:
 * fails with unauthenticated or forbidden after that.
 */
export async function exportAudit(
  deps: Deps,
  actor: Actor,
  { filter, search, format }: ExportedPart & { readonly format: string },
): Promise<AsyncGenerator<ExportedPage>> {
  const { forAccountId, actorAccountId, actor: issuer, ...named } = filter;
  const asked = { for: forAccountId, by: actorAccountId, issuer, ...named, search };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
  await deps.transact(actor, async (tx) => tx.audit("audit.export", null, { format, filter: given }));
  return pagesOf(deps, actor, { filter, search });
}

async function* pagesOf(
  { reads, clock }: Deps,
  actor: Actor,
  { filter, search }: ExportedPart,
): AsyncGenerator<ExportedPage> {
  const { sessions, serviceTokens } = reads;
  for (let after: number | null = null; ;) {
    await actor.check({ sessions, serviceTokens, now: clock.nowSeconds() });
    const entries: readonly ChainedEntry[] = await reads.audit.listChained(
      { after, rows: pageRows, search },
      filter,
    );
    if (entries.length > 0) yield { entries, people: await peopleOf(reads.audit, entries) };
    const last = entries.at(-1);
    if (last === undefined || entries.length < pageRows) return;
    after = last.id;
  }
}

/** How many exports one process runs at a time. More would delay other requests. */
const atOnceMax = 2;

/**
 * Bounds how many exports are under way. `take` fails with limited when there are too many, and returns what
 * gives the slot back.
 */
export function createExportSlots(): { readonly take: () => () => void } {
  let underway = 0;
  return {
    take: () => {
      if (underway >= atOnceMax) throw tooManyExports();
      underway += 1;
      let isTaken = true;
      return () => {
        if (isTaken) underway -= 1;
        isTaken = false;
      };
    },
  };
}

/** The refusal of an export while others are under way. */
export function tooManyExports(): AppError {
  return refusals.tooManyExports(atOnceMax);
}
