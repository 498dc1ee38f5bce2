import { AppError } from "../../../kernel/errors.ts";

/** What the work returns; null while the database cannot be asked. */
export async function unlessAway<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.kind === "unavailable") return null;
    throw error;
  }
}
