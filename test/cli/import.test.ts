/*
 * What `import` answers to wrong usage and to sources that cannot be read: one sentence, and nothing is made.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageIn, run, temporaryFolder } from "./run-program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await Bun.write(join(folder.path, "people.csv"), "username\nAda\n");
  await Bun.write(join(folder.path, "empty.db"), "");
});
afterAll(() => folder[Symbol.asyncDispose]());

const secret = "harbour-secret";
const list = () => ["--from", "csv", "--file", join(folder.path, "people.csv")];

type Case = readonly [
  name: string,
  args: () => readonly string[],
  expected: { readonly code: number; readonly message: string },
  environment?: Readonly<Record<string, string>>,
];

const cases: readonly Case[] = [
  ["no system", () => [], { code: 2, message: "--from must be given" }],
  ["a system that is not known", () => ["--from", "blesing"], { code: 2, message: "--from is" }],
  ["no place", () => ["--from", "drasl"], { code: 2, message: "--from drasl needs --dsn or --file" }],
  ["no list", () => ["--from", "csv"], { code: 2, message: "--from csv needs --file" }],
  [
    "a password in a flag",
    () => ["--from", "blessing", "--dsn", `mysql://reader:${secret}@localhost/blessing`],
    { code: 2, message: "--dsn must not hold a password, which other users of the machine see" },
  ],
  [
    "an address that cannot be one",
    () => ["--from", "blessing", "--dsn", "localhost"],
    { code: 2, message: "--dsn must be an address like" },
  ],
  [
    "the same, of the environment",
    () => ["--from", "blessing"],
    { code: 2, message: "IMPORT_DSN must be" },
    { IMPORT_DSN: `x:${secret}` },
  ],
  [
    "two ways at once",
    () => ["--from", "blessing", "--dsn", "mysql://a@b/c", "--dsn-stdin"],
    { code: 2, message: "exclude each other" },
  ],
  [
    "a rule that is not known",
    () => [...list(), "--on-name-clash", "drop"],
    { code: 2, message: "must be rename or skip or ask" },
  ],
  ["a limit of nothing", () => [...list(), "--limit", "0"], { code: 2, message: "--limit is" }],
  [
    "a list that is not there",
    () => ["--from", "csv", "--file", join(folder.path, "gone.csv")],
    { code: 1, message: "gone.csv" },
  ],
  [
    "a file that is no database",
    () => ["--from", "drasl", "--file", join(folder.path, "people.csv")],
    { code: 1, message: "people.csv" },
  ],
  [
    "a database without tables",
    () => ["--from", "drasl", "--file", join(folder.path, "empty.db")],
    { code: 1, message: "empty.db" },
  ],
  [
    "a source with an odd name",
    () => [...list(), "--source-name", "a\nb"],
    { code: 2, message: "--source-name is" },
  ],
  [
    "uuids that are not there",
    () => [...list(), "--uuids", join(folder.path, "gone.json")],
    { code: 1, message: "gone.json" },
  ],
  [
    "a host that does not answer",
    () => ["--from", "blessing"],
    { code: 1, message: "127.0.0.1" },
    { IMPORT_DSN: `mysql://reader:${secret}@127.0.0.1:9/blessing?sslmode=disable` },
  ],
];

test.each(cases)("%s", async (_, args, { code, message }, environment = {}) => {
  for (const more of [["--dry-run"], []]) {
    const dataDir = join(folder.path, "data");
    const report = join(folder.path, "report");
    const given = ["import", ...args(), ...more, "--json", "--data-dir", dataDir, "--report", report];
    const outcome = await run(given, { environment });
    expect({ code: outcome.code, out: outcome.out }).toEqual({ code, out: "" });
    expect(messageIn(outcome)).toContain(message);
    expect(outcome.error).not.toContain(secret);
    expect([existsSync(dataDir), existsSync(report)]).toEqual([false, false]);
  }
});

test("names of other people are not printed raw", async () => {
  const path = join(folder.path, "odd.jsonl");
  const username = "\u001b[2J\u0007evil\u202e";
  await Bun.write(path, `${JSON.stringify({ username, mail: "a@b.org\nBcc: c@d.org" })}\n`);
  const { code, out } = await run([
    "import",
    "--from",
    "jsonl",
    "--file",
    path,
    "--dry-run",
    "--data-dir",
    join(folder.path, "data"),
  ]);
  expect(code).toBe(0);
  expect(out).toContain(String.raw`\u{1b}[2J\u{7}evil\u{202e}`);
  // oxlint-disable-next-line no-control-regex -- what a terminal would act on
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test("a report's cells are no formulas", async () => {
  const path = join(folder.path, "formula.jsonl");
  const report = join(folder.path, "formulas");
  await Bun.write(path, `${JSON.stringify({ username: '=HYPERLINK("http://x")' })}\n`);
  await run([
    "import",
    "--from",
    "jsonl",
    "--file",
    path,
    "--dry-run",
    "--report",
    report,
    "--data-dir",
    join(folder.path, "data"),
  ]);
  expect(await Bun.file(join(report, "problems.csv")).text()).toContain(`"'=HYPERLINK(""http://x"")"`);
});

test.each([
  ["a file", "people.csv"],
  ["below a file", "people.csv/report"],
])("a report that is %s", async (_, name) => {
  const report = join(folder.path, name);
  const outcome = await run([
    "import",
    ...list(),
    "--dry-run",
    "--report",
    report,
    "--data-dir",
    join(folder.path, "data"),
  ]);
  expect([outcome.code, outcome.out]).toEqual([1, ""]);
  expect(outcome.error).toContain(`the report cannot be written to ${report}`);
});
