/*
 * All checks that a change must pass: `bun run gate`, which `npm test` runs too. Each step is a script of
 * `package.json` and can be run alone. All steps run even when one fails, so that one run names everything to
 * fix.
 *
 * A step that could not check anything, without the network, a browser or a server, lets the gate pass, and
 * the last line names it.
 */
import { exitCodes } from "./exit-codes.ts";
import { serversNotRun } from "./test-servers.ts";

/** Writes the types of the API, which others read. */
const first = "gate:types";
/**
 * Those that only read, the longest first: most of them keep one core busy. Two run at a time, and show what
 * they said at their end.
 */
const readers = ["gate:openapi", "gate:lint", "gate:unused", "gate:licences", "gate:format", "gate:audit"];
const players = ["gate:servers", "gate:storage", "gate:browser", "gate:tests"];

type Ending = { readonly step: string; readonly code: number };

const endings: Ending[] = [await read(first)];
const waiting = [...readers];
const readOn = async (): Promise<void> => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    endings.push(await read(step));
  }
};
await Promise.all([readOn(), readOn()]);
for (const step of players) endings.push(play(step));

const unchecked = endings.filter(({ code }) => code === exitCodes.tryAgain).map(({ step }) => step);
const failed = endings
  .filter(({ code }) => code !== exitCodes.passed && code !== exitCodes.tryAgain)
  .map(({ step }) => step);
console.log(failed.length === 0 ? "\ngate: passed" : `\ngate: failed at ${failed.join(", ")}`);
const reasons: Readonly<Record<string, string>> = {
  "gate:servers": serversNotRun().join("; "),
  "gate:storage": "the scenarios on PostgreSQL and on a bucket were NOT RUN",
  "gate:browser": "the browser tests were NOT RUN (apt install chromium, or name one in CHROMIUM_PATH)",
};
const notes = unchecked.map(
  (step) => reasons[step] ?? `${step} could not check anything, for the reason above`,
);
if (notes.length > 0) console.log(`gate: ${notes.join("; ")}`);
process.exitCode = failed.length === 0 ? exitCodes.passed : exitCodes.failed;

async function read(step: string): Promise<Ending> {
  const start = performance.now();
  const child = Bun.spawn([process.execPath, "run", step], { stdio: ["ignore", "pipe", "pipe"] });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  console.log(`\n▶ ${step}\n${texts.join("").trimEnd()}`);
  tell(step, code, start);
  return { step, code };
}

function play(step: string): Ending {
  console.log(`\n▶ ${step}`);
  const start = performance.now();
  const { exitCode } = Bun.spawnSync([process.execPath, "run", step], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  tell(step, exitCode, start);
  return { step, code: exitCode };
}

function tell(step: string, code: number, start: number): void {
  const mark = code === exitCodes.passed ? "✔" : code === exitCodes.tryAgain ? "?" : "✘";
  console.log(`${mark} ${step}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
