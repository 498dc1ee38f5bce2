/** The rows of a copy of a community, as lines of an export (docs/export.md). */
import type { Database } from "bun:sqlite";
import type { ExportedKind } from "../../domain/model/export-format.ts";
import type { ExportRows } from "../../domain/ports/export-ports.ts";
import { PlainError } from "../../kernel/errors.ts";
import { openUnshared } from "./handle.ts";
import { pendingMigrations } from "./migrations.ts";
import { schemaFaults } from "./own-schema.ts";

/** Rows that one statement reads. */
const pageRows = 1000;
const pagesBetweenCollections = 20;

/** Which rows, with `n` as their number. Flags are 0 and 1, and details of the audit are texts. */
const rows: Readonly<Record<ExportedKind | "passwords", string>> = {
  capes: `capes.id AS n, capes.uuid AS cape, capes.name, shown.digest AS texture, wings.digest AS wings, uploaded_by,
      capes.created_at AS created
    FROM capes JOIN textures AS shown ON shown.hash = texture_hash LEFT JOIN textures AS wings ON wings.hash = wings_hash
    WHERE capes.id > ?`,
  accounts: `accounts.id AS n, accounts.uuid AS account, mail, mail_verified, registration, level,
      role_level, role_expires_at, players.uuid AS main_player, players.name AS username, language, wants_bulk_mail, players_max,
      accounts.created_at AS created, last_seen_at AS last_seen, delete_at AS deletes_at
    FROM accounts LEFT JOIN players ON players.id = main_player_id WHERE accounts.id > ?`,
  aliases: `aliases.rowid AS n, uuid AS account, name, aliases.created_at AS created
    FROM aliases JOIN accounts ON accounts.id = account_id WHERE aliases.rowid > ?`,
  suspensions: `suspensions.rowid AS n, uuid AS account, scope, until, reason, issuer, at
    FROM suspensions JOIN accounts ON accounts.id = account_id WHERE suspensions.rowid > ?`,
  identities: `account_id AS n, uuid AS account, provider, issuer, subject AS id, username, avatar, linked_at AS linked
    FROM identities JOIN accounts ON accounts.id = account_id WHERE account_id > ?`,
  skins: `skins.id AS n, skins.uuid AS skin, accounts.uuid AS account, skins.name, model, capes.uuid AS cape,
      digest AS texture, skins.created_at AS created
    FROM skins JOIN accounts ON accounts.id = account_id JOIN textures ON textures.hash = skins.texture_hash
      LEFT JOIN capes ON capes.id = cape_id
    WHERE skins.id > ?`,
  players: `players.id AS n, players.uuid AS player, accounts.uuid AS account, players.name, name_derived,
      skins.uuid AS skin, capes.uuid AS cape, hides_cape, shares_skin, players.created_at AS created, renamed_at AS renamed
    FROM players JOIN accounts ON accounts.id = players.account_id LEFT JOIN skins ON skins.id = selected_skin_id
      LEFT JOIN capes ON capes.id = own_cape_id
    WHERE players.id > ?`,
  grants: `cape_grants.rowid AS n, accounts.uuid AS account, capes.uuid AS cape, granted_at AS granted, expires_at
    FROM cape_grants JOIN accounts ON accounts.id = account_id JOIN capes ON capes.id = cape_id
    WHERE cape_grants.rowid > ?`,
  audit: `audit_entries.id AS n, audit_entries.id, audit_entries.issuer AS iss, actors.uuid AS actor, action,
      accounts.uuid AS "for", at AS time, detail
    FROM audit_entries LEFT JOIN accounts AS actors ON actors.id = actor_account_id
      LEFT JOIN accounts ON accounts.id = for_account_id
    WHERE audit_entries.id > ?`,
  passwords: `id AS n, uuid AS account, password_hash AS hash FROM accounts
    WHERE password_hash IS NOT NULL AND id > ?`,
};

const flags: ReadonlySet<string> = new Set([
  "mail_verified",
  "wants_bulk_mail",
  "name_derived",
  "hides_cape",
  "shares_skin",
]);

type Row = Readonly<Record<string, string | number | null>> & { readonly n: number };

/**
 * Opens a copy that no other process uses. Fails with conflict where its schema is not this program's.
 */
export function openExportRows(path: string): ExportRows {
  const database = openUnshared(path);
  try {
    requireOwnSchema(database);
    const community = database
      .query<{ value: string }, []>("SELECT value FROM marks WHERE name = 'community'")
      .get();
    return {
      community: community?.value ?? "",
      lines: (of) => linesOf(database, of),
      [Symbol.dispose]: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function requireOwnSchema(database: Database): void {
  if (pendingMigrations(database).length > 0)
    throw new PlainError(
      "conflict",
      "the database was written by an older version: bring it up to date first (cloakroom migrate)",
    );
  const [fault] = schemaFaults(database);
  if (fault !== undefined) throw new PlainError("conflict", `the database's schema was changed: ${fault}`);
}

function* linesOf(database: Database, of: ExportedKind | "passwords"): Generator<readonly string[]> {
  using statement = database.prepare<Row, [number, number]>(`SELECT ${rows[of]} ORDER BY n LIMIT ?`);
  for (let after = -1, pages = 1; ; pages++) {
    // The runtime would let the rows of a large community pile up for some hundred megabytes first.
    if (pages % pagesBetweenCollections === 0) Bun.gc(true);
    const page = statement.all(after, pageRows);
    const last = page.at(-1);
    if (last !== undefined) yield page.map((row) => JSON.stringify(toRecord(row, of)));
    if (last === undefined || page.length < pageRows) return;
    after = last.n;
  }
}

function toRecord(row: Row, of: ExportedKind | "passwords"): object {
  const cells = Object.entries(row).filter(([name]) => name !== "n");
  const record: Readonly<Record<string, unknown>> = Object.fromEntries(
    cells.map(([name, value]) => [name, flags.has(name) ? value === 1 : value]),
  );
  if (of === "audit") return { ...record, detail: detailOf(row["detail"]) };
  if (of !== "accounts") return record;
  const { role_level: level, role_expires_at: end, ...account } = record;
  const isTemporary = level !== null && end !== null;
  return { ...account, temporary_level: isTemporary ? { level, expires_at: end } : null };
}

/** A forged entry must not hide the others. */
function detailOf(text: Row[string] | undefined): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return { unreadable: String(text) };
  }
}
