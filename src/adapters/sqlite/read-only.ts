import type { ImportReads } from "../../domain/ports/import-store.ts";
import { importReads } from "../sql/import-reads.ts";
import { openBeside } from "./handle.ts";
import { migrations, schemaVersion } from "./migrations.ts";
import { openSender } from "./sender.ts";

/**
 * Opens a database to read it, which a server may be using. Nothing is written, neither to it nor beside it.
 * `pending`: migrations that it has not seen; negative when a newer program wrote it.
 */
export function openReadOnly(
  path: string,
): Disposable & { readonly reads: ImportReads; readonly pending: number } {
  const handle = openBeside(path);
  handle.run("PRAGMA busy_timeout = 5000");
  return {
    reads: importReads(openSender(handle)),
    pending: migrations.length - schemaVersion(handle),
    [Symbol.dispose]: () => handle.close(true),
  };
}
