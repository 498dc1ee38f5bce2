import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { forJournal } from "../../src/boot/journal.ts";
import { program } from "../support/program.ts";
import { temporaryFolder } from "./run-program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

/**
 * Runs the program with standard error in a file that `JOURNAL_STREAM` names, or with another file's name in
 * it.
 */
async function runInto(
  stream: "own" | "another" | "none",
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const path = join(folder.path, crypto.randomUUID());
  const file = openSync(path, "a");
  const { dev, ino } = fstatSync(file, { bigint: true });
  const named = { own: `${dev}:${ino}`, another: `${dev}:${ino + 1n}`, none: "" }[stream];
  const child = Bun.spawn([...program, ...args], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", JOURNAL_STREAM: named, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: file,
  });
  closeSync(file);
  const lines = async () => (await Bun.file(path).text()).split("\n").filter((line) => line !== "");
  return { child, lines };
}

/** Serves until a line of the log matches, and returns the log and what came on standard output. */
async function serveInto(stream: "own" | "another" | "none", environment: Readonly<Record<string, string>>) {
  const settings = { PORT: "0", DATA_DIR: crypto.randomUUID(), RATE_LIMIT_FACTOR: "0", ...environment };
  const { child, lines } = await runInto(stream, ["serve"], settings);
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  return { first: new TextDecoder().decode(value).split("\n")[0], lines: await lines() };
}

describe.each(["json", "pretty"])("the log in format %s", (format) => {
  const environment = { LOG_FORMAT: format, LOG_LEVEL: "debug" };

  test("has its priorities in the journal", async () => {
    const { first, lines } = await serveInto("own", environment);
    // The journal's own priority of lines without one is that of a line of level info.
    expect(first).toMatch(/^cloakroom \S+ listening on http:/);
    expect(lines.filter((line) => !/^<[3467]>[^<]/.test(line))).toEqual([]);
    const levels = { 4: /"level":"warn"|WARN /, 6: /"level":"info"|INFO /, 7: /"level":"debug"|DEBUG / };
    for (const [priority, level] of Object.entries(levels))
      for (const line of lines.filter((one) => level.test(one))) expect(line).toStartWith(`<${priority}>`);
    expect(lines.some((line) => line.startsWith("<4>"))).toBe(true);
    expect(lines.some((line) => line.startsWith("<6>"))).toBe(true);
    if (format === "json") for (const line of lines) JSON.parse(line.slice(3));
  });

  test.each(["another", "none"] as const)("has none elsewhere: JOURNAL_STREAM is %s", async (stream) => {
    const { first, lines } = await serveInto(stream, environment);
    expect(first).toMatch(/^cloakroom \S+ listening on http:/);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.filter((line) => line.startsWith("<"))).toEqual([]);
  });
});

test.each([
  ["own", "<3>"],
  ["another", ""],
] as const)(
  "why a start failed is an error in the journal, on each of its lines: %s",
  async (stream, mark) => {
    const { child, lines } = await runInto(stream, ["serve", "--port", "x", "--host", ""]);
    expect(await child.exited).toBe(2);
    const [first, ...faults] = await lines();
    expect(first).toBe(`${mark}cloakroom: the settings cannot be used`);
    expect(faults.length).toBeGreaterThan(0);
    for (const line of faults) expect(line).toStartWith(`${mark}  `);
  },
);

test("each line of a text has its priority, and only lines do", () => {
  expect(forJournal("one\n    two\n\nthree\u2028four\rfive\n", "error")).toBe(
    "<3>one\n<3>    two\n\n<3>three\u2028four\rfive\n",
  );
  expect(["error", "warn", "info", "debug"].map((level) => forJournal("x\n", level as "error"))).toEqual([
    "<3>x\n",
    "<4>x\n",
    "<6>x\n",
    "<7>x\n",
  ]);
});
