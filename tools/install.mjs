/*
 * Installs what bun.lock names, before a script that needs it. It runs in Node and in Bun, on a fresh clone as well. Where all is
 * installed, the installed Bun compares it with bun.lock in a moment and needs no network.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const wanted = manifest.devDependencies.bun;

// Found by its path, because a script of node_modules/.bin can be run on Windows by a shell alone.
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
