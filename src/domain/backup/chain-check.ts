import { beforeFirstEntry, chainProblem, type ChainedEntry, type ChainLink } from "../model/audit-chain.ts";
import type { CopiedRow, CopiedTable } from "../ports/table-copy.ts";

/** The first entry of an audit that does not follow the one before it. */
export type ChainFault = { readonly entry: number; readonly problem: string };

/** Checks the chain over rows of the audit, which come in the order of their numbers. */
export function chainCheck(table: CopiedTable) {
  const entryOf = entryReader(table);
  let newest: ChainLink = beforeFirstEntry;
  let fault: ChainFault | null = null;
  return {
    take: (row: CopiedRow): void => {
      if (fault !== null) return;
      const entry = entryOf(row);
      const problem = chainProblem(entry, newest);
      if (problem !== null) fault = { entry: entry.id, problem };
      newest = entry;
    },
    fault: (): ChainFault | null => fault,
  };
}

function entryReader({ columns }: CopiedTable): (row: CopiedRow) => ChainedEntry {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return (row) => {
    const cell = (name: string) => row[places.get(name) ?? -1] ?? null;
    const text = (name: string) => String(cell(name) ?? "");
    const number = (name: string) => Number(cell(name) ?? 0);
    const via = cell("actor_via");
    return {
      id: number("id"),
      actorName: text("issuer"),
      actorAccountId: cell("actor_account_id") === null ? null : number("actor_account_id"),
      actorVia: via === null ? null : String(via),
      version: number("version"),
      action: text("action"),
      forAccountId: number("for_account_id"),
      at: number("at"),
      detail: text("detail"),
      previousHash: text("previous_hash"),
      hash: text("hash"),
    };
  };
}
