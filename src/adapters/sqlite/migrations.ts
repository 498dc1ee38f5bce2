import type { Database } from "bun:sqlite";
import { chainOldEntries } from "./chain-audit.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import mail from "./migrations/0001_mail.sql" with { type: "text" };
import administration from "./migrations/0002_administration.sql" with { type: "text" };
import search from "./migrations/0003_search.sql" with { type: "text" };
import social from "./migrations/0004_social.sql" with { type: "text" };
import findings from "./migrations/0005_findings.sql" with { type: "text" };
import identity from "./migrations/0006_identity.sql" with { type: "text" };

export type Migration = {
  readonly name: string;
  readonly sql: string;
  /** What SQL cannot do. It runs after the SQL, in the same transaction. */
  readonly finish?: (client: Database) => void;
};

/**
 * Every migration, oldest first; a test compares this list with the folder. `PRAGMA user_version` counts how many of them a
 * database has seen, so the order never changes and no entry is removed.
 */
export const migrations: readonly Migration[] = [
  { name: "0000_first", sql: first },
  { name: "0001_mail", sql: mail },
  { name: "0002_administration", sql: administration, finish: chainOldEntries },
  { name: "0003_search", sql: search },
  { name: "0004_social", sql: social },
  { name: "0005_findings", sql: findings },
  { name: "0006_identity", sql: identity },
];
