import type { Decided, PlannedAccount, PlannedCape } from "../../../domain/model/import-plan.ts";
import type { TextureFacts } from "../../../domain/model/texture.ts";
import type { PlannedImport } from "../../../domain/ports/planned-import.ts";
import type { DecidedCount, DecidedGroup, PlanBook } from "../../../domain/ports/plan-book.ts";
import type { TextureHash } from "../../../kernel/ids.ts";
import { pagesByNumber, type Statements } from "./tables.ts";

type Outcome = Pick<
  PlanBook,
  | "claim"
  | "claimed"
  | "nextSuffix"
  | "addAlias"
  | "aliasesOf"
  | "putBitmap"
  | "bitmapBytes"
  | "putCape"
  | "putAccount"
  | "decide"
  | "decideAgain"
  | "decided"
  | "tally"
  | "groups"
  | "planned"
>;

const decidedColumns = `n, kind, decision, reason, source, of AS "from", became AS "to"`;

/** What was decided, and what is applied of it. */
export function outcomeOf(statements: Statements): Outcome {
  const { run, all } = statements;
  return {
    ...claimsOf(statements),
    planned: plannedOf(statements),
    putBitmap: ({ texture, png }) =>
      void run(
        "INSERT OR IGNORE INTO plan.bitmaps (hash, facts, png) VALUES (?, ?, ?)",
        texture.hash,
        JSON.stringify(texture),
        png,
      ),
    bitmapBytes: () =>
      all<{ bytes: number }>("SELECT coalesce(sum(length(png)), 0) AS bytes FROM plan.bitmaps")[0]?.bytes ??
      0,
    putCape: (cape) => void run("INSERT INTO plan.planned_capes (planned) VALUES (?)", JSON.stringify(cape)),
    putAccount: (account) =>
      void run("INSERT INTO plan.planned_accounts (planned) VALUES (?)", JSON.stringify(account)),
    decide: ({ kind, decision, reason, source, from, to }) => {
      run(
        "INSERT INTO plan.decided (kind, decision, reason, source, of, became) VALUES (?, ?, ?, ?, ?, ?)",
        kind,
        decision,
        reason,
        source,
        from,
        to,
      );
    },
    decideAgain: ({ kind, decision, reason, source, from, to }) => {
      // Only what is applied needs it, and little of that.
      run("CREATE INDEX IF NOT EXISTS plan.decided_source ON decided (source, kind)");
      run(
        "UPDATE plan.decided SET decision = ?, reason = ?, of = ?, became = ? WHERE source = ? AND kind = ?",
        decision,
        reason,
        from,
        to,
        source,
        kind,
      );
    },
    decided: (most) =>
      pagesByNumber((after) =>
        all<Decided>(
          `SELECT ${decidedColumns} FROM plan.decided WHERE n > ? ORDER BY n LIMIT ?`,
          after,
          most,
        ).map((row) => ({ n: row.n, row })),
      ),
    tally: () =>
      all<DecidedCount>(
        "SELECT kind, decision, count(*) AS count FROM plan.decided GROUP BY kind, decision ORDER BY min(n)",
      ),
    groups: (most) => groupsOf(statements, most),
  };
}

/**
 * Most rows say nothing of their own, and are not looked at. The first of each group are found in one pass.
 */
function groupsOf({ all }: Statements, most: Parameters<PlanBook["groups"]>[0]): readonly DecidedGroup[] {
  const noted = "plan.decided WHERE reason <> '' OR decision NOT IN ('create', 'match')";
  const groups = all<Omit<DecidedGroup, "first"> & { readonly at: number }>(
    `SELECT kind, decision, reason, count, at FROM (
       SELECT *, row_number() OVER (PARTITION BY kind, decision ORDER BY count DESC, at) AS place FROM (
         SELECT kind, decision, reason, count(*) AS count, min(n) AS at FROM ${noted} GROUP BY kind, decision, reason
       )
     ) WHERE place <= ? ORDER BY at`,
    most.reasons,
  );
  return groups.map(({ kind, decision, reason, count, at }) => ({
    kind,
    decision,
    reason,
    count,
    first: all<Decided>(
      `SELECT ${decidedColumns} FROM plan.decided
       WHERE kind = ? AND decision = ? AND reason = ? AND n >= ? ORDER BY n LIMIT ?`,
      kind,
      decision,
      reason,
      at,
      most.first,
    ),
  }));
}

function claimsOf({
  run,
  all,
}: Statements): Pick<Outcome, "claim" | "claimed" | "nextSuffix" | "addAlias" | "aliasesOf"> {
  const claimed: Outcome["claimed"] = (list, key) =>
    all<{ owner: number }>("SELECT owner FROM plan.claims WHERE list = ? AND key = ?", list, key)[0]?.owner ??
    null;
  return {
    claimed,
    claim: (list, key, owner) => {
      const { changes } = run(
        "INSERT OR IGNORE INTO plan.claims (list, key, owner) VALUES (?, ?, ?)",
        list,
        key,
        owner,
      );
      return changes === 1 ? null : claimed(list, key);
    },
    nextSuffix: (stem) => {
      const [row] = all<{ next: number }>(
        `INSERT INTO plan.suffixes (stem, next) VALUES (?, 2)
         ON CONFLICT (stem) DO UPDATE SET next = next + 1 RETURNING next`,
        stem,
      );
      return row?.next ?? 2;
    },
    addAlias: (account, name) =>
      void run("INSERT OR IGNORE INTO plan.aliases (account, name) VALUES (?, ?)", account, name),
    aliasesOf: (first, last) =>
      all<{ account: number; name: string }>(
        "SELECT account, name FROM plan.aliases WHERE account BETWEEN ? AND ? ORDER BY account, name",
        first,
        last,
      ),
  };
}

function plannedOf({ all }: Statements): PlannedImport {
  const planned = <Row>(table: string, most: number) =>
    pagesByNumber(
      (after) =>
        all<{ n: number; planned: string }>(
          `SELECT n, planned FROM plan.${table} WHERE n > ? ORDER BY n LIMIT ?`,
          after,
          most,
        ).map(({ n, planned: text }) => ({ n, row: JSON.parse(text) as Row })), // as `putCape` and `putAccount` wrote it
    );
  const count = (table: string) =>
    all<{ count: number }>(`SELECT count(*) AS count FROM plan.${table}`)[0]?.count ?? 0;
  return {
    get counts() {
      return {
        accounts: count("planned_accounts"),
        capes: count("planned_capes"),
        textures: count("bitmaps"),
      };
    },
    capes: (most) => planned<PlannedCape>("planned_capes", most),
    accounts: (most) => planned<PlannedAccount>("planned_accounts", most),
    textures: (most) =>
      pagesByNumber((after) =>
        all<{ n: number; hash: TextureHash }>(
          "SELECT rowid AS n, hash FROM plan.bitmaps WHERE rowid > ? ORDER BY rowid LIMIT ?",
          after,
          most,
        ).map(({ n, hash }) => ({ n, row: hash })),
      ),
    texture: (hash) => {
      const [row] = all<{ facts: string; png: Uint8Array }>(
        "SELECT facts, png FROM plan.bitmaps WHERE hash = ?",
        hash,
      );
      if (row === undefined) throw new Error("A bitmap of the plan is missing");
      return { texture: JSON.parse(row.facts) as TextureFacts, png: row.png }; // as `putBitmap` wrote it
    },
  };
}
