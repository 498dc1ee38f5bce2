/* What a reader says of a source, whole. */
import type { ImportSource, SourcePages, SourceProblem } from "../../src/domain/ports/import-source.ts";
import { openForeignFile, openScratch } from "../../src/adapters/sqlite/foreign-file.ts";
import type { SourceGiven } from "../../src/adapters/sources/given.ts";
import { sources } from "../../src/adapters/sources/sources.ts";

/** Tools of readers, as the program gives them. */
export const sourceTools = { openFile: openForeignFile, openScratch };

/** What is given of a source, with nulls for the rest. */
export function givenFor(system: SourceGiven["system"], given: Partial<SourceGiven>): SourceGiven {
  return {
    system,
    address: null,
    file: null,
    textures: null,
    capes: null,
    launchServer: null,
    env: null,
    prefix: null,
    table: null,
    timeZone: null,
    ...given,
  };
}

/** All records of a kind. */
export async function rowsOf<Row>(pages: SourcePages<Row>): Promise<readonly Row[]> {
  return (await Array.fromAsync(pages)).flatMap(({ rows }) => rows);
}

/** All records of a source, by kind. */
export async function recordsOf(source: ImportSource) {
  return {
    accounts: await rowsOf(source.accounts()),
    players: await rowsOf(source.players()),
    textures: await rowsOf(source.textures()),
    holdings: await rowsOf(source.holdings()),
    identities: await rowsOf(source.identities()),
    factors: await rowsOf(source.factors()),
    invites: await rowsOf(source.invites()),
  };
}

/** Opens a source by its line of the table of sources. */
export async function openSource(
  system: SourceGiven["system"],
  given: Partial<SourceGiven>,
): Promise<ImportSource> {
  const line = sources[system];
  if (line === undefined) throw new Error(`${system} has no line in the table of sources`);
  return await (
    await line.load()
  )(givenFor(system, given), sourceTools);
}

/** All records of a source, its problems and what is true of it; closes it. */
export async function readAll(source: ImportSource) {
  await using open = source;
  const problems: SourceProblem[] = [];
  const noting = <Row>(read: () => SourcePages<Row>) =>
    async function* () {
      for await (const page of read()) {
        problems.push(...page.problems);
        yield page;
      }
    };
  const records = await recordsOf({
    ...open,
    accounts: noting(open.accounts),
    players: noting(open.players),
    textures: noting(open.textures),
  });
  return { ...records, facts: open.facts, problems };
}

/** What a promise fails with. */
export async function faultOf(given: Promise<unknown>): Promise<string> {
  try {
    await given;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("it did not fail");
}
