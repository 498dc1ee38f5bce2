import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { type ArchiveFile, writeTarGz } from "./archive.ts";
import { projectFolder } from "./bundle.ts";
import { readCommit } from "./commit.ts";
import { exitCodes } from "./exit-codes.ts";
import { noticesName } from "./notices.ts";
import { readOptions } from "./options.ts";
import { binaryName, type Target, targets } from "./targets.ts";

const usage = `Makes all files of a release, and uploads nothing: bun run release.

  bun run release                      every target, into dist/release
  bun run release --target linux-x64   only that one; may be repeated
  bun run release --untagged           a rehearsal of a commit without its tag
  bun run release --unaudited          where the registry has no list of vulnerabilities

The commit is checked out twice. The first checkout has to pass the gate; both are built, and every binary has to come out
the same, byte by byte. Needs git.`;

const options = readOptions(usage, {
  target: { type: "string", multiple: true, default: [] },
  untagged: { type: "boolean", default: false },
  unaudited: { type: "boolean", default: false },
  "out-dir": { type: "string", default: join(projectFolder, "dist/release") },
});

try {
  await release();
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = exitCodes.failed;
}

async function release(): Promise<void> {
  const chosen = targets.filter((target) => options.target.length === 0 || options.target.includes(target));
  if (chosen.length < options.target.length) throw new Error(`the targets are ${targets.join(", ")}`);
  await refuseUnfitCheckout();
  const work = await mkdtemp(join(tmpdir(), "cloakroom-release-"));
  try {
    const first = await checkOut(join(work, "first"));
    const second = await checkOut(join(work, "another/second"));
    await passGate(first);
    for (const checkout of [first, second]) await buildIn(checkout, chosen);
    await refuseDifferences(join(first, "dist"), join(second, "dist"));
    await pack(join(first, "dist"), chosen);
  } finally {
    await rm(work, { recursive: true });
  }
}

async function refuseUnfitCheckout(): Promise<void> {
  const changes = await git("status", "--porcelain");
  if (changes) throw new Error(`there are uncommitted changes:\n${changes}`);
  const expected = `v${manifest.version}`;
  const tags = (await git("tag", "--points-at", "HEAD")).split("\n").filter((tag) => tag !== "");
  const others = tags.filter((tag) => tag !== expected);
  if (others.length > 0) {
    throw new Error(`the tag ${others.join(", ")} does not fit version ${manifest.version}`);
  }
  if (tags.length === 0 && !options.untagged) throw new Error(`the commit has no tag ${expected}`);
  await refuseUndescribed();
}

/** Every release must describe its changes. */
async function refuseUndescribed(): Promise<void> {
  const headings = (await Bun.file(join(projectFolder, "CHANGELOG.md")).text()).split(/^## /m).slice(1);
  if (headings.some((heading) => heading.split(/\s/, 1)[0] === manifest.version)) return;
  throw new Error(`CHANGELOG.md has no section ${manifest.version}`);
}

/** Checks out exactly what is committed, and installs exactly what is locked. */
async function checkOut(folder: string): Promise<string> {
  await git("clone", "--quiet", "--no-hardlinks", projectFolder, folder);
  await inFolder(folder, "install", "--frozen-lockfile");
  return folder;
}

async function passGate(folder: string): Promise<void> {
  const audit = await inFolder(folder, "run", "gate:audit");
  const forgiven = audit === exitCodes.tryAgain && options.unaudited;
  if (audit !== exitCodes.passed && !forgiven) throw new Error("gate:audit has not passed");
  // A gate that ran without PostgreSQL or a bucket passes; a release has been tried on both.
  if ((await inFolder(folder, "run", "gate:servers")) !== exitCodes.passed)
    throw new Error("the tests on PostgreSQL and on a bucket cannot run here");
  if ((await inFolder(folder, "run", "gate")) !== exitCodes.passed)
    throw new Error("the gate has not passed");
}

async function buildIn(folder: string, chosen: readonly Target[]): Promise<void> {
  const flags = chosen.flatMap((target) => ["--target", target]);
  if ((await inFolder(folder, "run", "build", ...flags)) !== exitCodes.passed) throw new Error("no build");
}

/** Compares everything that was built: binaries, lists of parts, licences. */
async function refuseDifferences(first: string, second: string): Promise<void> {
  const names = (await readdir(first)).sort();
  if (!Bun.deepEquals(names, (await readdir(second)).sort()))
    throw new Error("two builds made different files");
  for (const name of names) {
    if ((await sha256Of(join(first, name))) !== (await sha256Of(join(second, name)))) {
      throw new Error(`two builds of ${name} differ`);
    }
  }
  console.log(`release: ${names.length} files came out the same from two checkouts`);
}

async function pack(dist: string, chosen: readonly Target[]): Promise<void> {
  const outDir = options["out-dir"];
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const time = (await readCommit()).time ?? new Date(0);
  const sums: string[] = [];
  for (const target of chosen) {
    const name = `cloakroom-${manifest.version}-${target}`;
    const files = await archiveFiles(dist, target, name);
    await Bun.write(join(outDir, `${name}.tar.gz`), writeTarGz(files, time));
    await Bun.write(join(outDir, `${name}.cdx.json`), Bun.file(join(dist, `cloakroom-${target}.cdx.json`)));
  }
  for (const name of (await readdir(outDir)).sort()) {
    sums.push(`${await sha256Of(join(outDir, name))}  ${name}\n`);
    console.log(`${basename(outDir)}/${name}  ${(Bun.file(join(outDir, name)).size / 1e6).toFixed(1)} MB`);
  }
  await Bun.write(join(outDir, "SHA256SUMS"), sums.join(""));
  console.log(`${basename(outDir)}/SHA256SUMS  of ${manifest.version}, commit ${(await readCommit()).id}`);
}

/** An archive unpacks into one folder, in which the binary has its plain name. */
async function archiveFiles(dist: string, target: Target, folder: string): Promise<readonly ArchiveFile[]> {
  const binary = binaryName(target);
  const plainName = binary.replace(`-${target}`, "");
  const read = (name: string) => Bun.file(join(dist, name)).bytes();
  return [
    { path: `${folder}/${noticesName}`, bytes: await read(noticesName) },
    { path: `${folder}/cloakroom.cdx.json`, bytes: await read(`cloakroom-${target}.cdx.json`) },
    { path: `${folder}/${plainName}`, bytes: await read(binary), executable: true },
  ];
}

async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}

async function git(...args: readonly string[]): Promise<string> {
  return (await Bun.$`git ${args}`.cwd(projectFolder).quiet()).text().trim();
}

/** Runs this Bun in the folder with visible output, and resolves to the exit code. */
function inFolder(folder: string, ...args: readonly string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return child.exited;
}
