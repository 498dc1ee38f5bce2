import type { Config } from "../../boot/config.ts";
import type { TextureSource } from "../../boot/textures.ts";
import type { TextureRow } from "../../domain/ports/texture-files.ts";
import type { PlaceFault } from "../../domain/textures/place-faults.ts";
import { findPlaceFault } from "../../domain/textures/place.ts";
import { AppError } from "../../kernel/errors.ts";
import { problem, type Finding } from "./finding.ts";

/** What a database says of itself, on either engine. */
type Reads = {
  readonly community: () => string | Promise<string>;
  readonly place: () => string | null | Promise<string | null>;
  readonly textureFrom: (hash: string) => TextureRow | null | Promise<TextureRow | null>;
};

/** Why textures are not to be looked for in a place, which is then all that can be said; null: they are. */
export async function checkPlace(
  reads: Reads,
  place: TextureSource,
  { database, blobs }: Pick<Config, "database" | "blobs">,
): Promise<readonly Finding[] | null> {
  const fault = await findFault(reads, place, database === null);
  if (fault === null) return null;
  // Of a bucket that does not answer, or is another community's, `checkBucket` says so.
  if (fault === "away" || (blobs !== null && fault.kind === "community")) return [];
  return [problem(fault.message, fault.remedy)];
}

async function findFault(
  reads: Reads,
  place: TextureSource,
  isAlone: boolean,
): Promise<PlaceFault | "away" | null> {
  const rows = async function* () {
    for (let row = await reads.textureFrom(""); row !== null; row = await reads.textureFrom(`${row.hash}0`))
      yield row;
  };
  const mark = { read: async () => reads.place() };
  try {
    return await findPlaceFault({
      place,
      mark,
      communityId: async () => reads.community(),
      rows,
      isAlone,
    });
  } catch (error) {
    if (error instanceof AppError && error.kind === "unavailable") return "away";
    throw error;
  }
}
