/*
 * A community moved from SQLite to PostgreSQL and back. `MOVED_ACCOUNTS` says how many accounts it has; a
 * million take minutes.
 *
 *   MOVED_ACCOUNTS=1000000 bun run bench --only move
 */
import { join } from "node:path";
import { emptyDatabase } from "../support/postgres.ts";
import { fillAccounts, jwtSecret } from "./accounts-data.ts";
import { isPostgresMissing, move } from "./postgres-data.ts";
import { digits, type Line } from "./report.ts";
import type { Subject } from "./subject.ts";

/** Nothing where there is no PostgreSQL. */
export async function benchMove(subject: Subject): Promise<readonly Line[]> {
  if (isPostgresMissing("move")) return [];
  const accounts = Number(process.env["MOVED_ACCOUNTS"] ?? 50_000);
  const [from, back] = [join(subject.folder, "moved"), join(subject.folder, "moved-back")];
  await fillAccounts(from, { accounts, signedIn: 1000, textureFiles: true });
  await using database = await emptyDatabase();
  const secret = { JWT_SECRET: jwtSecret };
  const there = await move(subject, { ...secret, DATA_DIR: from, MOVE_TO: database.url });
  const again = { ...secret, DATA_DIR: from, DATABASE_URL: database.url, MOVE_TO: back };
  const andBack = await move(subject, again);
  return [lineOf("SQLite to PostgreSQL", accounts, there), lineOf("PostgreSQL to SQLite", accounts, andBack)];
}

function lineOf(what: string, accounts: number, { rows, seconds }: Moved): Line {
  return {
    measure: `rows a second moved, with the comparison at the end, ${what}`,
    goal: { atLeast: 10_000 },
    measured: rows / seconds,
    unit: "made",
    detail: `${rows.toLocaleString("en")} rows of ${accounts.toLocaleString("en")} accounts in ${digits(seconds)} s`,
  };
}

type Moved = Awaited<ReturnType<typeof move>>;
