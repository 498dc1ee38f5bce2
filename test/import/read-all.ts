import type { ImportSource, SourcePages, SourceProblem } from "../../src/domain/ports/import-source.ts";

/** Everything that a source has, with the problems of all pages; closes it. */
export async function readAll(source: ImportSource) {
  await using open = source;
  const problems: SourceProblem[] = [];
  const all = async <Row>(pages: SourcePages<Row>) => {
    const rows: Row[] = [];
    for await (const page of pages) {
      rows.push(...page.rows);
      problems.push(...page.problems);
    }
    return rows;
  };
  return {
    facts: open.facts,
    accounts: await all(open.accounts()),
    players: await all(open.players()),
    textures: await all(open.textures()),
    holdings: await all(open.holdings()),
    identities: await all(open.identities()),
    factors: await all(open.factors()),
    invites: await all(open.invites()),
    problems,
  };
}
