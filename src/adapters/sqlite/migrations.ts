import first from "./migrations/0000_first.sql" with { type: "text" };
import mail from "./migrations/0001_mail.sql" with { type: "text" };

export type Migration = { readonly name: string; readonly sql: string };

/**
 * Every migration that `drizzle-kit generate` ever wrote, oldest first; a test compares this list with the folder.
 * `PRAGMA user_version` counts how many of them a database has seen, so the order never changes and none is taken out.
 */
export const migrations: readonly Migration[] = [
  { name: "0000_first", sql: first },
  { name: "0001_mail", sql: mail },
];
