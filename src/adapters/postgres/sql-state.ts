import { SQL } from "bun";

/** The server's five characters for an error (PostgreSQL, appendix A), also where it is another error's cause; null without one. */
export function sqlStateOf(error: unknown): string | null {
  if (error instanceof SQL.PostgresError) return error.errno ?? null;
  return error instanceof Error && error.cause !== undefined ? sqlStateOf(error.cause) : null;
}
