/*
 * Runs all tests as the gate does: `bun run gate:tests`. Folders, files and options of `bun test` may follow. Some files only wait,
 * so there is one worker more than there are cores. Tests of processes start a binary that is built here, unless `TEST_PROGRAM`
 * names one.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "./bundle.ts";

const options = ["--no-isolate", "--randomize", "--only-failures", "--timeout", "60000"];
const named = process.env["TEST_PROGRAM"];
process.exitCode = named === undefined ? await testBuilt() : test(named);

async function testBuilt(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-built-"));
  try {
    // Some tests run it as another user.
    await chmod(folder, 0o755);
    const exitCode = run(["tools/build.ts", "--out-dir", folder]);
    return exitCode === 0 ? test(join(folder, "cloakroom")) : exitCode;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function test(program: string): number {
  const workers = `--parallel=${availableParallelism() + 1}`;
  return run(["test", workers, ...options, ...process.argv.slice(2)], { TEST_PROGRAM: program });
}

function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}): number {
  const env = { ...process.env, ...settings };
  const stdio = ["ignore", "inherit", "inherit"] as const;
  return Bun.spawnSync([process.execPath, ...args], { cwd: projectFolder, env, stdio: [...stdio] }).exitCode;
}
