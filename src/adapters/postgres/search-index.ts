import { stateOf } from "./faults.ts";
import type { searchTexts } from "./schema/own.ts";
import type { Sender } from "./sender.ts";

/** An index for each kind of texts, as a search for users has no use for the many texts of the audit. */
const kinds: readonly (typeof searchTexts.$inferSelect.kind)[] = ["user", "skin", "cape", "audit"];
export const searchIndexes: readonly string[] = kinds.map((kind) => `search_texts_${kind}`);

/** The user may not make extensions, or the server has none of this name. */
const refusedStates = new Set(["42501", "58P01", "0A000", "42704"]);

/**
 * Makes the indexes of searches, and before them the extension that they need. Searches do without it where the server has no such
 * extension or this user may not make one: they then read every text, within their bound.
 */
export async function addSearchIndex(
  sender: Sender,
  { mayExtend }: { readonly mayExtend: boolean },
): Promise<void> {
  const [row] = await sender.send(
    `SELECT (SELECT count(to_regclass(name)) FROM unnest($1::text[]) AS wanted (name)),
      EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')`,
    [searchIndexes],
  );
  const [made, isExtended] = row ?? [];
  if (made === kinds.length) return;
  if (isExtended !== true && !(mayExtend && (await addExtension(sender)))) return;
  for (const kind of kinds)
    await make(
      sender,
      `CREATE INDEX IF NOT EXISTS search_texts_${kind} ON search_texts USING gin (text gin_trgm_ops) WHERE kind = '${kind}'`,
    );
}

/** Before many texts are written at once. */
export async function dropSearchIndexes(sender: Sender): Promise<void> {
  for (const name of searchIndexes) await sender.send(`DROP INDEX IF EXISTS ${name}`, []);
}

async function addExtension(sender: Sender): Promise<boolean> {
  try {
    await make(sender, "CREATE EXTENSION IF NOT EXISTS pg_trgm");
    return true;
  } catch (cause) {
    if (refusedStates.has(stateOf(cause) ?? "")) return false;
    throw cause;
  }
}

/** Of two nodes that make the same at once, one may fail: the other has made it. */
async function make(sender: Sender, statement: string): Promise<void> {
  await sender.send(statement, []).catch((cause: unknown) => {
    if (!["23505", "42P07", "42710"].includes(stateOf(cause) ?? "")) throw cause;
  });
}
