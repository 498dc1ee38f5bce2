import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { writeConsole } from "../src/boot/console-files.ts";
import { type Bundle, entrypoints, projectFolder, readBundle } from "./bundle.ts";
import { type Commit, readCommit } from "./commit.ts";
import { readLock } from "./lock-file.ts";
import { noticesName, writeNotices } from "./notices.ts";
import { readOptions } from "./options.ts";
import { writeSbom } from "./sbom.ts";
import { binaryName, installRuntime, type Target, targets } from "./targets.ts";

const usage = `Builds the binary that carries everything: code, worker, migrations, default skins and the Bun runtime. Beside it come
the list of its parts (.cdx.json) and the licences of all parts (THIRD-PARTY-LICENCES.txt).

  bun run build                       dist/cloakroom for this machine
  bun run build --target linux-arm64  dist/cloakroom-linux-arm64; may be repeated, all means every target

The same commit, target and Bun give the same bytes in any folder: nothing of the machine gets into the binary.`;

const options = readOptions(usage, {
  target: { type: "string", multiple: true, default: [] },
  "out-dir": { type: "string", default: join(projectFolder, "dist") },
});
const unknown = options.target.filter((name) => name !== "all" && !targets.some((target) => target === name));
if (unknown.length > 0) {
  console.error(`build: unknown target ${unknown.join(", ")}; there are all, ${targets.join(", ")}`);
  process.exit(2);
}
const outDir = resolve(options["out-dir"]);
// Paths in the binary are relative to the working folder. So they do not depend on where the build is
// started.
process.chdir(projectFolder);
await mkdir(outDir, { recursive: true });
const commit = await readCommit();
const bundle = await readBundle();
await Bun.write(join(outDir, noticesName), await writeNotices(bundle));
for (const target of chooseTargets(options.target)) await build(target, { commit, bundle });

/** Without names: this machine, whose binary has the plain name. */
function chooseTargets(names: readonly string[]): readonly (Target | null)[] {
  if (names.length === 0) return [null];
  return targets.filter((target) => names.includes(target) || names.includes("all"));
}

async function build(
  target: Target | null,
  given: { readonly commit: Commit; readonly bundle: Bundle },
): Promise<void> {
  const name = binaryName(target);
  // Built beside its place and renamed, so that a running binary is never overwritten and no binary is half
  // written.
  const workDir = await mkdtemp(join(outDir, ".build-"));
  try {
    const runtime = target ? await installRuntime(target, join(workDir, "runtime")) : null;
    // The file's name gets into the binary, so it must be the same for this machine and for its target.
    const outfile = join(workDir, target?.startsWith("windows") ? "cloakroom.exe" : "cloakroom");
    await compile({ outfile, target, runtime, commit: given.commit, console: await writeConsole(workDir) });
    await rename(outfile, join(outDir, name));
  } finally {
    await rm(workDir, { recursive: true });
  }
  const bytes = await Bun.file(join(outDir, name)).bytes();
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const sbom = writeSbom({ ...given, target, sha256, lock: await readLock() });
  await Bun.write(join(outDir, `${name.replace(/\.exe$/, "")}.cdx.json`), sbom);
  console.log(`${basename(outDir)}/${name}  ${(bytes.length / 1e6).toFixed(1)} MB`);
}

/**
 * Compiles to `outfile`. The binary holds the compressed source map; the `*.map` files that Bun also writes
 * are not used.
 */
async function compile(job: {
  readonly outfile: string;
  readonly target: Target | null;
  readonly runtime: string | null;
  readonly commit: Commit;
  readonly console: string;
}): Promise<void> {
  await Bun.build({
    entrypoints: [...entrypoints],
    compile: {
      outfile: job.outfile,
      assets: [job.console],
      // Compiles late until the program says otherwise, see `src/kernel/compiling.ts`.
      jitPolicy: 8,
      ...(await bytecodeOrder()),
      ...(job.target ? { target: `bun-${job.target}` as const } : {}),
      ...(job.runtime ? { executablePath: job.runtime } : {}),
      // The binary reads only its own settings, not files in the folder where it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    define: {
      CLOAKROOM_VERSION: JSON.stringify(manifest.version),
      CLOAKROOM_COMMIT: JSON.stringify(job.commit.id),
    },
    minify: true,
    sourcemap: "linked",
    bytecode: true,
    // What is imported on demand, such as PostgreSQL, is read on demand: in one piece it costs every server 4
    // MB.
    splitting: true,
    // With bytecode alone the format is CommonJS, which freezes `import.meta.dir` to the path of the build
    // machine.
    format: "esm",
  });
}

/**
 * Puts what a start runs side by side in the file: 3 MB less is read into memory. `tools/start-order.ts`
 * writes the order, by a build that may have none; an old one costs a little, and breaks nothing.
 */
async function bytecodeOrder(): Promise<{ readonly bytecodeOrder?: string }> {
  const file = join(projectFolder, "tools/start.order");
  return (await Bun.file(file).exists()) ? { bytecodeOrder: file } : {};
}
