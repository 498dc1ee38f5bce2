import type { ImportSource, SourcePages, SourceProblem } from "../ports/import-source.ts";
import type { PlanBook } from "../ports/plan-book.ts";
import type { ImportKind } from "../model/import-plan.ts";
import type { Planning } from "./planning.ts";

/**
 * Copies accounts, players, textures and identities of the source into the book, as they stand there. What
 * cannot be read, occurs twice or belongs to an account that is not there is decided at once: it does not
 * come.
 */
export async function readRecords(planning: Planning): Promise<void> {
  const { book, source } = planning;
  await readAccounts(planning);
  await readPlayers(planning);
  for await (const rows of pagesFrom(book, source.textures())) {
    const doubles = new Set(book.addTextures(rows));
    for (const { key, kind, name } of rows) if (doubles.has(key)) refuse(book, kind, key, name, twice);
  }
  for await (const rows of pagesFrom(book, source.identities())) {
    const numbers = book.accountNumbers(rows.map(({ account }) => account));
    const known = rows.flatMap((row) => {
      const account = numbers.get(row.account);
      if (account === undefined) refuseStray(planning, "identity", row.key, row.username);
      return account === undefined ? [] : [{ source: row, account }];
    });
    book.addIdentities(known);
  }
}

const twice = "another record there has the same key";
const stray = "its account is not there";

async function readAccounts({ book, source, rules, progress }: Planning): Promise<void> {
  const total = rules.limit ?? source.facts.accounts;
  let left = rules.limit ?? Infinity;
  let done = 0;
  for await (const rows of pagesFrom(book, source.accounts())) {
    const some = rows.slice(0, left);
    const doubles = new Set(book.addAccounts(some));
    for (const { key, login, mail } of some)
      if (doubles.has(key)) refuse(book, "account", key, login ?? mail, twice);
    done += some.length;
    left -= some.length;
    progress("reading accounts", done, total);
    if (left <= 0) return;
  }
}

async function readPlayers(planning: Planning): Promise<void> {
  const { book, source, progress } = planning;
  let done = 0;
  for await (const rows of pagesFrom(book, source.players())) {
    const numbers = book.accountNumbers(rows.flatMap(({ account }) => account ?? []));
    const known = rows.flatMap((row) => {
      const account = row.account === null ? null : numbers.get(row.account);
      if (account === undefined) refuseStray(planning, "player", row.key, row.name);
      return account === undefined ? [] : [{ source: row, account }];
    });
    const doubles = new Set(book.addPlayers(known));
    for (const { source: player } of known)
      if (doubles.has(player.key)) refuse(book, "player", player.key, player.name, twice);
    done += rows.length;
    progress("reading players", done, null);
  }
}

/** With a limit most records belong to accounts that were left out on purpose. */
function refuseStray({ book, rules }: Planning, kind: ImportKind, key: string, from: string | null): void {
  if (rules.limit === null) refuse(book, kind, key, from, stray);
}

function refuse(book: PlanBook, kind: ImportKind, source: string, from: string | null, reason: string): void {
  book.decide({ kind, decision: "skip", source, from, to: null, reason });
}

/** The rows of pages. Their problems are decided. */
export async function* pagesFrom<Row>(
  book: PlanBook,
  pages: SourcePages<Row>,
): AsyncGenerator<readonly Row[]> {
  for await (const { rows, problems } of pages) {
    for (const problem of problems) decideProblem(book, problem);
    yield rows;
  }
}

function decideProblem(book: PlanBook, { kind, key, reason }: SourceProblem): void {
  refuse(book, kind, key, null, reason);
}

/** Names what the source has and what is not kept here yet. */
export async function readUnkept({ book, source, rules }: Planning): Promise<void> {
  const factor = rules.takesFactors ? "second factors are not kept yet" : "left out, as --no-factors says";
  for await (const rows of pagesFrom(book, (source satisfies ImportSource).factors()))
    for (const { key, account } of rows) refuse(book, "factor", key, account, factor);
  for await (const rows of pagesFrom(book, source.invites()))
    for (const { key } of rows) refuse(book, "invite", key, null, "invitations are not kept yet");
}
