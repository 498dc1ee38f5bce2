import { AppError } from "../../kernel/errors.ts";
import { StatementFault, translateFault } from "./faults.ts";

/** How often one statement runs that others come in the way of. */
const runsMax = 4;

/** Runs a single statement, which no transaction surrounds, again while another one comes between. */
export async function repeated<T>(send: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await send();
    } catch (error) {
      const isConflict = error instanceof StatementFault && error.kind === "conflict";
      if (!isConflict || run === runsMax) throw translateFault(error);
    }
  }
}

/** What the work returns; null while the database cannot be asked. */
export async function unlessAway<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const cause = translateFault(error);
    if (cause instanceof AppError && cause.code === "unavailable") return null;
    throw cause;
  }
}
