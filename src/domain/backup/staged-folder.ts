import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { sizeText } from "../../kernel/size-text.ts";
import type { StagedFolder } from "../ports/backup-ports.ts";
import { sha256Hex } from "../textures/hashes.ts";
import type { Progress } from "./progress.ts";

/** File systems allocate full blocks, which for skins of some hundred bytes is most of their size on disk. */
const blockBytes = 4096;

/** Adds up the space that files need on the staged folder's disk. */
export type Room = {
  /** Adds a file. Fails with no_space once even the empty disk could not hold all files. */
  readonly add: (bytes: number) => void;
  /** Fails with no_space unless all files fit; the message names the needed and the free space. */
  readonly refuseTooLittle: () => void;
};

/** Measures the free space now. It is unlimited where the file system does not report it. */
export async function measureRoom(staging: Pick<StagedFolder, "space">): Promise<Room> {
  const { free, size } = (await staging.space()) ?? { free: Infinity, size: Infinity };
  let needed = 0;
  const refuse = (atLeast: string): never => {
    throw new PlainError(
      "no_space",
      `unpacked it takes ${atLeast}${sizeText(needed)}, and ${sizeText(limits.diskBytesFreeMin)} must stay free:` +
        ` ${sizeText(free)} are free on the data folder's disk. Make room, or set DATA_DIR to a larger disk`,
    );
  };
  return {
    add: (bytes) => {
      needed += Math.ceil(bytes / blockBytes) * blockBytes;
      // Stops reading an archive that was made to fill disks.
      if (needed > size) refuse("at least ");
    },
    refuseTooLittle: () => {
      if (needed + limits.diskBytesFreeMin > free) refuse("");
    },
  };
}

/** Texture rows: `count` with the file that the row names, `lost` with a missing or different file. */
export type TextureCounts = { readonly count: number; readonly lost: number };

type Deps = {
  readonly staging: StagedFolder;
  /** Fails with conflict for a schema that only a newer program knows. */
  readonly checkSchema: (schema: number) => void;
  readonly progress: Progress;
};

/**
 * Verifies the staged folder: the complete database, and every texture row against its file. `rows` is the
 * expected number of rows; null when it is unknown. Fails with invalid for a damaged database or a foreign
 * schema, and with conflict for a database of a newer version.
 */
export async function verifyStaged(
  { staging, checkSchema, progress }: Deps,
  rows: number | null,
): Promise<{ readonly schema: number; readonly textures: TextureCounts }> {
  using database = staging.openDatabase();
  const { schema } = database;
  checkSchema(schema);
  // First of all: reading tables of a foreign schema may run code that it contains.
  const [foreign] = database.schemaFaults();
  if (foreign !== undefined) {
    throw new PlainError(
      "invalid",
      `its database's schema was changed: ${foreign}. Take another backup, or unpack this one, put that right and restore the folder`,
    );
  }
  const [fault] = database.faults();
  if (fault !== undefined) throw new PlainError("invalid", `its database is damaged: ${fault}`);
  let count = 0;
  let lost = 0;
  for (const { file, digest } of database.textures()) {
    const png = await staging.readTexture(file);
    if (png !== null && sha256Hex(png) === digest) count += 1;
    else lost += 1;
    progress("verifying", count + lost, rows);
  }
  return { schema, textures: { count, lost } };
}
