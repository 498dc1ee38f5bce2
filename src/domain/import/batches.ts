import { limits } from "../../kernel/limits.ts";
import type { PlannedAccount, PlannedCape } from "../model/import-plan.ts";
import type { PlannedImport } from "../ports/planned-import.ts";
import { texturesOf, type Batch } from "./write-batch.ts";

/** The batches of a plan: all capes, then all accounts. */
export type Batches = {
  /** Null: there are no more. */
  readonly next: () => Batch | null;
  /** How long a batch took: further ones are smaller or larger. */
  readonly took: (seconds: number, batch: Batch) => void;
  /** A batch of so many rows conflicted: further ones are half as large. */
  readonly shrink: (rows: number) => void;
};

/** The first batches, before anything is known of the database. */
const firstRows = 100;
/** However long batches take, they are no smaller. */
const leastRows = 25;
/** A batch that takes longer is too large: no person waits for it for more than a fifth of a second. */
const secondsMax = 0.12;
/** One that takes less could be larger. */
const secondsMin = 0.05;
/** Players, skins and grants of a batch: accounts have a few of them each. */
const belongingsMax = 2_500;

/** Cuts a plan, of which no more than two pages are held. */
export function batchesOf(planned: Pick<PlannedImport, "capes" | "accounts">): Batches {
  const capes = rowsOf<PlannedCape>(planned.capes(limits.importAccountsMax), (rows) => {
    return texturesOf({ kind: "capes", rows }).size <= limits.importTexturesMax;
  });
  const pages = planned.accounts(limits.importAccountsMax);
  const accounts = rowsOf<PlannedAccount>(inParts(pages), fitTogether);
  let size = firstRows;

  const next = (): Batch | null => {
    const some = capes.take(size);
    if (some.length > 0) return { kind: "capes", rows: some };
    const rows = accounts.take(size);
    return rows.length === 0 ? null : { kind: "accounts", rows };
  };
  return {
    next,
    took: (seconds, { rows }) => {
      // It may have waited for others, too, whom few large batches disturb less than many small ones.
      if (seconds > secondsMax) size = Math.max(leastRows, Math.min(size, Math.floor(rows.length / 2)));
      else if (seconds < secondsMin && rows.length >= size)
        size = Math.min(size * 2, limits.importAccountsMax);
    },
    shrink: (rows) => {
      size = Math.max(1, Math.min(size, Math.floor(rows / 2)));
    },
  };
}

/** Two parts of one account are in different batches: the second one joins what the first one has made. */
function fitTogether(rows: readonly PlannedAccount[]): boolean {
  const belongings = rows.reduce(
    (all, row) => all + row.players.length + row.skins.length + row.grants.length,
    0,
  );
  return (
    belongings <= belongingsMax &&
    new Set(rows.map(({ key }) => key)).size === rows.length &&
    texturesOf({ kind: "accounts", rows }).size <= limits.importTexturesMax
  );
}

/** Accounts with very large wardrobes come in parts: first with the skins that its players wear. */
function* inParts(pages: Iterable<readonly PlannedAccount[]>): Generator<readonly PlannedAccount[]> {
  for (const page of pages) yield page.flatMap(partsOf);
}

function partsOf(account: PlannedAccount): readonly PlannedAccount[] {
  const most = limits.importTexturesMax;
  if (account.skins.length <= most) return [account];
  const worn = new Set(account.players.map(({ skin }) => skin));
  const first = account.skins.filter(({ key }) => worn.has(key));
  const others = account.skins.filter(({ key }) => !worn.has(key));
  const parts: PlannedAccount[] = [{ ...account, skins: first }];
  for (let from = 0; from < others.length; from += most) {
    parts.push({ ...restOf(account), skins: others.slice(from, from + most) });
  }
  return parts;
}

/** What is written of an account that is here by then. */
function restOf({ key, id }: PlannedAccount): PlannedAccount {
  const nothing = { account: null, aliases: [], players: [], skins: [], grants: [] };
  return { key, id, ...nothing, identity: null, suspension: null };
}

/** The rows of pages, some at a time: as many as fit together, one at least. */
function rowsOf<Row>(pages: Iterable<readonly Row[]>, fit: (rows: readonly Row[]) => boolean) {
  const source = pages[Symbol.iterator]();
  const waiting: Row[] = [];

  const fill = (most: number): void => {
    while (waiting.length < most) {
      const page = source.next();
      if (page.done === true) return;
      waiting.push(...page.value);
    }
  };
  return {
    take: (most: number): readonly Row[] => {
      fill(most);
      let rows = waiting.slice(0, most);
      while (rows.length > 1 && !fit(rows)) rows = rows.slice(0, Math.ceil(rows.length / 2));
      return waiting.splice(0, rows.length);
    },
  };
}
