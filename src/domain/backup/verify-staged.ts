import { AppError } from "../../kernel/errors.ts";
import { sha256Hex } from "../textures/hashes.ts";
import type { StagedFolder } from "../ports/backup-ports.ts";
import type { Progress } from "./write-backup.ts";

/** Rows of textures, by what lies beside the database: the very file that the row names, or none, or another. */
export type TextureCounts = { readonly count: number; readonly lost: number };

type Deps = {
  readonly staging: StagedFolder;
  /** Fails with conflict for a schema that only a newer program knows. */
  readonly checkSchema: (schema: number) => void;
  readonly progress: Progress;
};

/**
 * Verifies what is in the staged folder: the whole database, and every row of a texture against its file. `rows` is how many
 * are expected; null: nobody knows. Fails with invalid for a damaged database and one whose schema is not of our making, and with
 * conflict for one of a newer version.
 */
export async function verifyStaged(
  { staging, checkSchema, progress }: Deps,
  rows: number | null,
): Promise<{ readonly schema: number; readonly textures: TextureCounts }> {
  using database = staging.openDatabase();
  const { schema } = database;
  checkSchema(schema);
  // Before anything else is asked of the database: to look into tables of somebody else's making may run what they put there.
  const [foreign] = database.schemaFaults();
  if (foreign !== undefined) {
    throw new AppError(
      "invalid",
      `its database's schema was changed: ${foreign}. Take another backup, or unpack this one, put that right and restore the folder`,
    );
  }
  const [fault] = database.faults();
  if (fault !== undefined) throw new AppError("invalid", `its database is damaged: ${fault}`);
  let count = 0;
  let lost = 0;
  for (const { hash, digest } of database.textures()) {
    const png = await staging.readTexture(hash);
    if (png !== null && sha256Hex(png) === digest) count += 1;
    else lost += 1;
    progress("verifying", count + lost, rows);
  }
  return { schema, textures: { count, lost } };
}
