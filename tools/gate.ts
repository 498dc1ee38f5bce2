/*
 * All checks that a change must pass: `bun run gate`, which `npm test` runs too. Each step is a script of `package.json` and can
 * be run alone. All steps run even when one fails, so that one run names everything to fix.
 *
 * A step that could not check anything, without the network, a browser or a server, lets the gate pass, and the last line names it.
 */
import { exitCodes } from "./exit-codes.ts";
import { serversNotRun } from "./test-servers.ts";

const steps = [
  "gate:format",
  "gate:types",
  "gate:lint",
  "gate:unused",
  "gate:licences",
  "gate:audit",
  "gate:openapi",
  "gate:servers",
  "gate:storage",
  "gate:browser",
  "gate:tests",
];

const endings = steps.map((step) => ({ step, code: run(step) }));
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

function run(step: string): number {
  console.log(`\n▶ ${step}`);
  const start = performance.now();
  const { exitCode } = Bun.spawnSync([process.execPath, "run", step], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const mark = exitCode === exitCodes.passed ? "✔" : exitCode === exitCodes.tryAgain ? "?" : "✘";
  console.log(`${mark} ${step}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return exitCode;
}
