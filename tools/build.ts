/*
 * Builds the binary that carries everything: code, worker, migrations, default skins and the Bun runtime.
 *
 *   bun run build                       dist/cloakroom for this machine
 *   bun run build --target linux-arm64  dist/cloakroom-linux-arm64; may be repeated, `all` means every target
 *
 * The runtime of another platform is fetched from the package registry once and cached by Bun. The commit comes from
 * git, or from the environment variable COMMIT where there is no repository (in a container build, say).
 */
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };

const targets = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
  "windows-arm64",
] as const;
type Target = (typeof targets)[number];

const source = resolve(import.meta.dir, "../src");

const { values: options } = parseArgs({
  options: {
    target: { type: "string", multiple: true, default: [] },
    "out-dir": { type: "string", default: resolve(import.meta.dir, "../dist") },
  },
});
const unknown = options.target.filter((name) => name !== "all" && !targets.some((target) => target === name));
if (unknown.length > 0) {
  console.error(`build: unknown target ${unknown.join(", ")}; there are all, ${targets.join(", ")}`);
  process.exit(2);
}
await mkdir(options["out-dir"], { recursive: true });
for (const target of chooseTargets(options.target)) await build(target, options["out-dir"]);

/** Nothing asked for means this machine, whose binary goes by the plain name. */
function chooseTargets(names: readonly string[]): readonly (Target | null)[] {
  if (names.length === 0) return [null];
  return targets.filter((target) => names.includes(target) || names.includes("all"));
}

async function build(target: Target | null, outDir: string): Promise<void> {
  const name = target ? `cloakroom-${target}${target.startsWith("windows") ? ".exe" : ""}` : "cloakroom";
  // Built beside its place and renamed, so that a running binary is never written to and none stands half written.
  const workDir = await mkdtemp(join(outDir, ".build-"));
  try {
    const built = await compile(target, join(workDir, name));
    await rename(built, join(outDir, name));
  } finally {
    await rm(workDir, { recursive: true });
  }
  const size = Bun.file(join(outDir, name)).size;
  console.log(`${basename(outDir)}/${name}  ${(size / 1e6).toFixed(1)} MB`);
}

/** Compiles to `outfile`. The source map is inside, compressed; the files `*.map` that Bun writes as well are waste. */
async function compile(target: Target | null, outfile: string): Promise<string> {
  await Bun.build({
    // Bun does not follow `new Worker(…)`, so the thread's entry is named. Beside `main.ts` it keeps its path below src.
    entrypoints: [join(source, "main.ts"), join(source, "adapters/texture-threads/worker.ts")],
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` as const } : {}),
      // The binary obeys its own settings alone, whatever lies in the folder where it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    define: {
      CLOAKROOM_VERSION: JSON.stringify(manifest.version),
      CLOAKROOM_COMMIT: JSON.stringify(await currentCommit()),
    },
    minify: true,
    sourcemap: "linked",
    bytecode: true,
    // With bytecode alone the format is CommonJS, which freezes `import.meta.dir` to the path of the build machine.
    format: "esm",
  });
  return outfile;
}

async function currentCommit(): Promise<string> {
  const given = process.env["COMMIT"];
  if (given) return given;
  const git = await Bun.$`git -C ${source} rev-parse --short=12 HEAD`.nothrow().quiet();
  return git.exitCode === 0 ? git.text().trim() : "unknown";
}
