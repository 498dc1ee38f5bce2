/**
 * The tables that move and backup copy between engines, each after those that it refers to. Only accounts and
 * players refer to each other. Not among them: what changed lately for other processes, and files to be
 * deleted, which concern the source alone.
 */
export const copiedTables = [
  "textures",
  "capes",
  "accounts",
  "skins",
  "players",
  "held_names",
  "former_uuids",
  "cape_grants",
  "texture_bans",
  "sessions",
  "codes",
  "pending_people",
  "identities",
  "service_tokens",
  "audit_entries",
  "bulk_mails",
  "outbox",
  "events",
  "webhooks",
  "row_counts",
  "daily_counts",
  "registration_passwords",
  "suspensions",
  "aliases",
  "import_runs",
  "import_links",
] as const;
/** One of them. */
export type CopiedTableName = (typeof copiedTables)[number];
