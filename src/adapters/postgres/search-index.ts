import { stateOf } from "./faults.ts";
import type { Sender } from "./sender.ts";

/** The user may not make extensions, or the server has none of this name. */
const refusedStates = new Set(["42501", "58P01", "0A000", "42704"]);

/**
 * Makes the index of searches, and before it the extension that it needs. Searches do without it where the server has no such
 * extension or this user may not make one: they then read every text, within their bound.
 */
export async function addSearchIndex(
  sender: Sender,
  { mayExtend }: { readonly mayExtend: boolean },
): Promise<void> {
  const [row] = await sender.send(
    "SELECT to_regclass('search_texts_trigrams') IS NOT NULL, EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')",
    [],
  );
  const [isThere, isExtended] = row ?? [];
  if (isThere === true) return;
  if (isExtended !== true && !(mayExtend && (await addExtension(sender)))) return;
  await make(
    sender,
    "CREATE INDEX IF NOT EXISTS search_texts_trigrams ON search_texts USING gin (text gin_trgm_ops)",
  );
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
