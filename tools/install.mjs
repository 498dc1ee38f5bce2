/*
 * Installs the packages of bun.lock before a script that needs them. Runs in Node and in Bun, and on a fresh clone. When
 * everything is installed, the installed Bun compares it with bun.lock in a moment, without the network.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const wanted = manifest.devDependencies.bun;

// By its path, because on Windows only a shell can run a script of node_modules/.bin.
const installed = fileURLToPath(new URL("../node_modules/bun/bin/bun.exe", import.meta.url));
const isInstalled = spawnSync(installed, ["--version"], { encoding: "utf8" }).stdout?.trim() === wanted;
const isBun = process.versions.bun !== undefined;
const options = { cwd: project, stdio: ["ignore", "inherit", "inherit"] };
const { status, error } =
  isInstalled || isBun
    ? spawnSync(isInstalled ? installed : process.execPath, ["install", "--frozen-lockfile"], options)
    : spawnSync(`npx --yes bun@${wanted} install --frozen-lockfile`, { ...options, shell: true });
if (error !== undefined) console.error(`install: ${error.message}`);
process.exitCode = status ?? 1;
