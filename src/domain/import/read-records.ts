import type { SourceFactor, SourcePages } from "../ports/import-source.ts";
import { limits } from "../../kernel/limits.ts";
import type { PlanBook, PlayerOfAccount } from "../ports/plan-book.ts";
import type { Decided } from "../model/import-plan.ts";
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
    for (const { key, kind, name } of book.addTextures(rows))
      refuse(book, { kind, source: key, from: name, reason: twice });
  }
  for await (const rows of pagesFrom(book, source.identities())) {
    const numbers = book.accountNumbers(rows.map(({ account }) => account));
    const known = rows.flatMap((row) => {
      const account = numbers.get(row.account);
      if (account === undefined)
        refuseStray(planning, { kind: "identity", source: row.key, from: row.username });
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
    for (const { key, login, mail } of book.addAccounts(some))
      refuse(book, { kind: "account", source: key, from: login ?? mail, reason: twice });
    done += some.length;
    left -= some.length;
    await progress("reading accounts", done, total);
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
      if (account === undefined) refuseStray(planning, { kind: "player", source: row.key, from: row.name });
      return account === undefined ? [] : [{ source: row, account }];
    });
    const fitting = known.filter((player) => hasRoom(planning, player));
    for (const { source: player } of book.addPlayers(fitting))
      refuse(book, { kind: "player", source: player.key, from: player.name, reason: twice });
    done += rows.length;
    await progress("reading players", done, null);
  }
}

/** An account with more players than any has here is read in part: they would not fit into memory. */
function hasRoom({ book }: Planning, { account, source: { key, name } }: PlayerOfAccount): boolean {
  const most = limits.playersMax;
  if (account === null || book.countThings("players", account, most) < most) return true;
  refuse(book, { kind: "player", source: key, from: name, reason: `an account has ${most} players at most` });
  return false;
}

/** With a limit most records belong to accounts that were left out on purpose. */
function refuseStray({ book, rules }: Planning, refused: Omit<Refused, "reason">): void {
  if (rules.limit === null) refuse(book, { ...refused, reason: stray });
}

type Refused = Pick<Decided, "kind" | "source" | "from" | "reason">;

function refuse(book: PlanBook, refused: Refused): void {
  book.decide({ decision: "skip", to: null, ...refused });
}

/** The rows of pages, with texts that every database takes. Their problems are decided. */
export async function* pagesFrom<Row extends object>(
  book: PlanBook,
  pages: SourcePages<Row>,
): AsyncGenerator<readonly Row[]> {
  for await (const { rows, problems } of pages) {
    for (const { kind, key, reason } of problems)
      refuse(book, { kind, source: wellFormed(key), from: null, reason });
    yield rows.map(withWellFormed);
  }
}

/** The same record without halves of characters and zeros, which PostgreSQL refuses. */
function withWellFormed<Row extends object>(row: Row): Row {
  return isFit(row) ? row : (fit(row) as Row); // the same fields, of the same types
}

/** Whether all texts in a value are fit, which those of most records are. */
function isFit(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  return typeof value !== "object" || value === null || Object.values(value).every(isFit);
}

function fit(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(fit);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fit(field)]));
}

function wellFormed(text: string): string {
  return isFit(text) ? text : text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** Names what the source has and what is not kept here yet. */
export async function readUnkept({ book, source, rules }: Planning): Promise<void> {
  const reasonOf = ({ isForLaunchers = false }: SourceFactor) => {
    if (!rules.takesFactors) return "left out, as --no-factors says";
    return isForLaunchers
      ? "launcher passwords are not kept yet: people type their own password there"
      : "second factors are not kept yet";
  };
  for await (const rows of pagesFrom(book, source.factors())) {
    const known = book.accountNumbers(rows.map(({ account }) => account));
    for (const factor of rows)
      if (known.has(factor.account))
        refuse(book, { kind: "factor", source: factor.key, from: factor.account, reason: reasonOf(factor) });
  }
  for await (const rows of pagesFrom(book, source.invites()))
    for (const { key } of rows)
      refuse(book, { kind: "invite", source: key, from: null, reason: "invitations are not kept yet" });
}
