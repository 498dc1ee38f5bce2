/*
 * Runs all tests as the gate does: `bun run gate:tests`. Folders, files and options of `bun test` may follow. Some files only wait,
 * so there is one worker more than there are cores.
 */
import { availableParallelism } from "node:os";
import { projectFolder } from "./bundle.ts";

const options = ["--no-isolate", "--randomize", "--only-failures", "--timeout", "60000"];
const { exitCode } = Bun.spawnSync(
  [
    process.execPath,
    "test",
    `--parallel=${availableParallelism() + 1}`,
    ...options,
    ...process.argv.slice(2),
  ],
  { cwd: projectFolder, stdio: ["ignore", "inherit", "inherit"] },
);
process.exitCode = exitCode;
