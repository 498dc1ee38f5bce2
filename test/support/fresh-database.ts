import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";

let model: Uint8Array | null = null;

/**
 * Writes a new database to the path, with all migrations applied. It is a copy: to migrate each one again
 * waits for the disk longer than most tests take.
 */
export async function writeFreshDatabase(path: string): Promise<void> {
  model ??= migrated();
  await writeFile(path, model, { mode: 0o600 });
}

function migrated(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "cloakroom-model-"));
  try {
    const path = join(folder, "model.db");
    migrateDatabase(path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
