import { stateOf } from "./connections/faults.ts";
import type { searchTexts } from "./schema/own.ts";
import type { Sender } from "../sql/sender.ts";

/** An index for each kind of texts, as a search for users has no use for the many texts of the audit. */
const kinds: readonly (typeof searchTexts.$inferSelect.kind)[] = ["user", "skin", "cape", "audit"];
export const searchIndexes: readonly string[] = kinds.map((kind) => `search_texts_${kind}`);

/** What an operator hears where searches have no index. */
export const withoutSearchIndex =
  "searches of staff read whole tables, because pg_trgm is missing or may not be used: cloakroom doctor says what helps";

/**
 * The user may not make extensions or not use the schema of this one, or the server has none of this name.
 */
const refusedStates = new Set(["42501", "58P01", "0A000", "42704"]);

/** The schema of pg_trgm, which hosters choose. */
export type TrigramSchema = {
  /** As statements write it. */
  readonly name: string;
  /** Whether this user may use what is in it. */
  readonly isOpen: boolean;
};

/**
 * Where the database has pg_trgm; null where it has not, or is of an engine that needs no extension for it.
 */
export async function trigramSchema(sender: Sender): Promise<TrigramSchema | null> {
  const [row] = await sender.send(
    `SELECT quote_ident(nspname), has_schema_privilege(nspname, 'USAGE')
     FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'`,
    [],
  );
  if (row === undefined) return null;
  const [name, isOpen] = row;
  return { name: String(name), isOpen: isOpen === true };
}

/** A name of pg_trgm, with its schema where that is known: the user's search path need not hold it. */
export function trigramName(schema: TrigramSchema | null, name: string): string {
  return schema === null ? name : `${schema.name}.${name}`;
}

/**
 * Makes the indexes of searches, and before them the extension that they need. Resolves to false where the
 * server has no such extension, or this user may neither make nor use it: searches then read every text,
 * within their bound.
 */
export async function addSearchIndex(
  sender: Sender,
  { mayExtend }: { readonly mayExtend: boolean },
): Promise<boolean> {
  const [row] = await sender.send(
    "SELECT count(to_regclass(name)) FROM unnest($1::text[]) AS wanted (name)",
    [searchIndexes],
  );
  if (row?.[0] === kinds.length) return true;
  const found = await trigramSchema(sender);
  if (found === null && !mayExtend) return false;
  try {
    if (found === null) await make(sender, "CREATE EXTENSION IF NOT EXISTS pg_trgm");
    const operators = trigramName(found ?? (await trigramSchema(sender)), "gin_trgm_ops");
    for (const kind of kinds)
      await make(
        sender,
        `CREATE INDEX IF NOT EXISTS search_texts_${kind} ON search_texts USING gin (text ${operators}) WHERE kind = '${kind}'`,
      );
    return true;
  } catch (cause) {
    if (refusedStates.has(stateOf(cause) ?? "")) return false;
    throw cause;
  }
}

/** Before many texts are written at once. */
export async function dropSearchIndexes(sender: Sender): Promise<void> {
  for (const name of searchIndexes) await sender.send(`DROP INDEX IF EXISTS ${name}`, []);
}

/** Of two nodes that make the same at once, one may fail: the other has made it. */
async function make(sender: Sender, statement: string): Promise<void> {
  await sender.send(statement, []).catch((cause: unknown) => {
    if (!["23505", "42P07", "42710"].includes(stateOf(cause) ?? "")) throw cause;
  });
}
