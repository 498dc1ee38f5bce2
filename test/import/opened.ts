import type { SourceGiven } from "../../src/adapters/sources/given.ts";
import type { SourceTools } from "../../src/adapters/sources/database.ts";
import { sources } from "../../src/adapters/sources/sources.ts";
import { openForeignFile, openScratch } from "../../src/adapters/sqlite/foreign-file.ts";
import type { ImportSource } from "../../src/domain/ports/import-source.ts";

/** What the operator gives of a source, in full. */
export function given(some: Pick<SourceGiven, "system"> & Partial<SourceGiven>): SourceGiven {
  return {
    address: null,
    file: null,
    textures: null,
    capes: null,
    launchServer: null,
    env: null,
    prefix: null,
    table: null,
    timeZone: null,
    ...some,
  };
}

const tools: SourceTools = { openFile: openForeignFile, openScratch };

/** Opens a source by its line of the table of sources. */
export async function openSource(some: Parameters<typeof given>[0]): Promise<ImportSource> {
  const line = sources[some.system];
  if (line === undefined) throw new Error(`${some.system} has no line in the table of sources`);
  return await (
    await line.load()
  )(given(some), tools);
}
