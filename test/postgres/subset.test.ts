import { expect, test } from "bun:test";
import { faultyLines, readProjectFiles, type ProjectFile } from "../tidy/project-files.ts";

/**
 * What engines that speak PostgreSQL's protocol do not have, or answer wrongly, and what would make nodes
 * wait for each other. See `docs/decisions/scale-out.md`.
 */
const forbidden: readonly { readonly pattern: RegExp; readonly why: string; readonly except?: RegExp }[] = [
  { pattern: /pg_(?:try_)?advisory/i, why: "advisory locks succeed and do nothing on CockroachDB" },
  {
    pattern: /\bCREATE\s+(?:OR REPLACE\s+)?(?:CONSTRAINT\s+)?TRIGGER\b/i,
    why: "no triggers: stores write what they keep",
  },
  {
    pattern: /\bCREATE\s+(?:OR REPLACE\s+)?(?:FUNCTION|PROCEDURE)\b|\bDO \$/i,
    why: "no code in the database",
  },
  {
    pattern: /\bTEMP(?:ORARY)?\s+(?:TABLE|SEQUENCE|VIEW)\b|\bpg_temp\b/i,
    why: "temporary tables belong to one connection",
  },
  { pattern: /\bctid\b/i, why: "rows have no such place elsewhere" },
  {
    pattern: /\b(?:NOT )?DEFERRABLE\b|\bINITIALLY DEFERRED\b|\bSET CONSTRAINTS\b/i,
    why: "no deferred constraints",
  },
  {
    pattern: /\bDECLARE\s+\w+\s+(?:\w+\s+)*CURSOR\b|\bWITH HOLD\b|\bFETCH\s+(?:FORWARD|NEXT|ALL|\d)/i,
    why: "no cursors",
  },
  { pattern: /\bLOCK TABLE\b|\bLOCK\s+\w+\s+IN\b/i, why: "a whole table is never locked" },
  { pattern: /\b(?:small|big)?serial\b/i, why: "SERIAL exceeds 2^53 on CockroachDB: use identities" },
  {
    pattern: /\b(?:citext|ILIKE)\b|\blower\(|\bupper\(/i,
    why: "the domain folds names and addresses, not a locale",
  },
  {
    pattern: /["\x27`]\s*SET\s+(?!LOCAL\b)(?:SESSION\s+)?\w+\s*(?:=|TO)/,
    why: "a setting outlives its transaction behind a pooler: SET LOCAL",
  },
  // The feed is asked for changes; a notification only hurries it, and may be lost.
  {
    pattern: /\bLISTEN\b|\bNOTIFY\b|pg_notify|(?<!news)\.listen\(/,
    why: "LISTEN is no need",
    except: /\/(?:change-feed|notices)\.ts$/,
  },
];

function faultsIn(file: ProjectFile): readonly string[] {
  return forbidden.flatMap(({ pattern, why, except }) =>
    except?.test(file.path) === true ? [] : faultyLines(file, pattern, why),
  );
}

test("the adapter keeps to what every engine of PostgreSQL's protocol has", () => {
  const files = readProjectFiles(/^src\/adapters\/(?:postgres|sql)\/.*\.(?:ts|sql)$/);
  expect(files.length).toBeGreaterThan(15);
  expect(files.flatMap(faultsIn)).toEqual([]);
});

test.each([
  "SELECT pg_advisory_xact_lock(1)",
  "CREATE TRIGGER x AFTER INSERT ON accounts",
  "CREATE OR REPLACE FUNCTION f() RETURNS int",
  "CREATE TEMP TABLE x (id int)",
  "DELETE FROM x WHERE ctid = $1",
  "FOREIGN KEY (id) REFERENCES x DEFERRABLE",
  "DECLARE rows CURSOR WITH HOLD FOR SELECT 1",
  "LOCK TABLE accounts IN EXCLUSIVE MODE",
  "id bigserial PRIMARY KEY",
  "WHERE lower(name) = $1",
  "SET statement_timeout = 0",
  "LISTEN changes",
])("finds %s", (statement) => {
  expect(faultsIn({ path: "src/adapters/postgres/a.ts", text: `"${statement}"` })).not.toEqual([]);
});
