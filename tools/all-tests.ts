/*
 * Runs all tests as the gate does: `bun run gate:tests`. Folders, files and options of `bun test` may follow;
 * then only these run. Tests of processes start a binary that is built here, unless `TEST_PROGRAM` names one.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "./bundle.ts";

const options = ["--no-isolate", "--randomize", "--only-failures", "--timeout", "60000"];
const cores = availableParallelism();
/** How the paths of tests begin that mostly wait, for outages, deadlines and leases. */
const waiting = [
  "adapters/postgres/",
  "cli/database-faults",
  "faults/",
  "guide/balancer",
  "import/source-faults",
  "nodes/",
  "operate/bucket-textures",
  "ports/blob-s3",
  "postgres/compiling",
  "servers/two-writers",
];
const named = process.env["TEST_PROGRAM"];
process.exitCode = await (named === undefined ? testBuilt() : test(named));

async function testBuilt(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-built-"));
  try {
    // Some tests run it as another user.
    await chmod(folder, 0o755);
    const exitCode = await run(["tools/build.ts", "--out-dir", folder]);
    return exitCode === 0 ? await test(join(folder, "cloakroom")) : exitCode;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Those that mostly wait run beside the others: begun last, one would hold up the end. */
async function test(program: string): Promise<number> {
  const given = process.argv.slice(2);
  const parts =
    given.length > 0
      ? [{ workers: cores + 1, files: given }]
      : [
          { workers: cores, files: filesOf((file) => isWaiting(file)) },
          { workers: cores + 1, files: filesOf((file) => !isWaiting(file)) },
        ];
  const codes = await Promise.all(
    parts.map(({ workers, files }) =>
      run(["test", `--parallel=${workers}`, ...options, ...files], { TEST_PROGRAM: program }),
    ),
  );
  return codes.find((code) => code !== 0) ?? 0;
}

function isWaiting(file: string): boolean {
  return waiting.some((path) => file.startsWith(`./test/${path}`));
}

function filesOf(wanted: (file: string) => boolean): readonly string[] {
  const files = [...new Bun.Glob("test/**/*.test.ts").scanSync({ cwd: projectFolder })];
  return files.map((file) => `./${file}`).filter(wanted);
}

function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<number> {
  const env = { ...process.env, ...settings };
  const stdio = ["ignore", "inherit", "inherit"] as const;
  return Bun.spawn([process.execPath, ...args], { cwd: projectFolder, env, stdio: [...stdio] }).exited;
}
