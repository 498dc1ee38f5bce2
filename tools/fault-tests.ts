/*
 * What must hold when machines, disks and networks fail, in the long form that the gate has no time for:
 * `bun run test:faults` takes an hour or more. Runs every `*-full.ts` but the browser's, and the tests of
 * `test/faults` that have no longer form. `bun run test:faults move kill` runs those files alone whose paths
 * contain one of the words. PostgreSQL waits for its disk here.
 */
import { projectFolder } from "./bundle.ts";

const found = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: projectFolder })].toSorted();
const long = found("test/**/*-full.ts").filter((file) => !file.startsWith("test/browser/"));
const alone = found("test/faults/*.test.ts").filter(
  (file) => !long.includes(file.replace(".test.ts", "-full.ts")),
);
const words = process.argv.slice(2);
const files = [...long, ...alone].filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
if (files.length === 0)
  throw new Error(`No test of faults has one of these in its path: ${words.join(", ")}`);
const { exitCode } = Bun.spawnSync(
  [process.execPath, "test", "--timeout", "3600000", ...files.map((file) => `./${file}`)],
  {
    cwd: projectFolder,
    env: { TEST_POSTGRES_FSYNC: "on", ...process.env },
    stdio: ["ignore", "inherit", "inherit"],
  },
);
process.exitCode = exitCode;
