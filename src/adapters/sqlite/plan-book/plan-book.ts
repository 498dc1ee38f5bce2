import type { PlanBook } from "../../../domain/ports/plan-book.ts";
import { looksOf } from "./looks.ts";
import { outcomeOf } from "./outcome.ts";
import { peopleOf } from "./people.ts";
import { openPlanFile, statementsOf } from "./tables.ts";

/**
 * Opens an empty plan, in a file of the system's folder for temporary files (`SQLITE_TMPDIR`, `TMPDIR`) that
 * no other process can open.
 */
export function openPlanBook(): PlanBook {
  const file = openPlanFile();
  const statements = statementsOf(file);
  return {
    ...peopleOf(statements),
    ...looksOf(statements),
    ...outcomeOf(statements),
    [Symbol.dispose]: () => file.close(true),
  };
}
