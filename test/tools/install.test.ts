/**
 * What runs before `npm start`, `npm test` and `npm run build`. The registry's address leads nowhere here.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, link, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { projectFolder } from "../../tools/bundle.ts";

const registry = "http://127.0.0.1:1";
const types = "src/web/api/types.ts";
let project: string;

/** A project with an installed Bun and nothing else. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "cloakroom-install-"));
  await copy("tools/install.mjs");
  await Bun.write(join(project, "tools/api-types.ts"), `await Bun.write("${types}", "");`);
  await copy("node_modules/bun/package.json");
  const bun = "node_modules/bun/bin/bun.exe";
  await mkdir(join(project, dirname(bun)), { recursive: true });
  const source = join(projectFolder, bun);
  // Not copied: it has 100 MB. A link of this kind leads to no other disk.
  await link(source, join(project, bun)).catch(() => symlink(source, join(project, bun)));
});
afterAll(() => rm(project, { recursive: true }));

const copy = (name: string) => cp(join(projectFolder, name), join(project, name));

/** A project that depends on these folders; of what is locked the last may be left out. */
async function writeProject(names: readonly string[], locked = names): Promise<void> {
  const { bun } = manifest.dependencies;
  const depending = (on: readonly string[]) => ({
    name: "project",
    dependencies: { bun, ...Object.fromEntries(on.map((name) => [name, `file:./${name}`])) },
    devDependencies: { tool: "file:./tool" },
  });
  for (const name of [...names, "tool"]) {
    const text = JSON.stringify({ name, version: "1.0.0" });
    await Bun.write(join(project, name, "package.json"), text);
  }
  await Bun.write(join(project, "package.json"), JSON.stringify(depending(names)));
  const packages = {
    bun: [`bun@${bun}`, "", { bin: { bun: "bin/bun.exe" } }, "sha512-AAAA"],
    ...Object.fromEntries([...locked, "tool"].map((name) => [name, [`${name}@file:${name}`, {}]])),
  };
  const lock = { lockfileVersion: 2, configVersion: 1, workspaces: { "": depending(locked) }, packages };
  await Bun.write(join(project, "bun.lock"), JSON.stringify(lock));
}

function install(...flags: readonly string[]) {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "tools/install.mjs", ...flags], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", BUN_CONFIG_REGISTRY: registry, npm_config_registry: registry },
  });
  return { code: exitCode, error: stderr.toString() };
}

const isInstalled = (name: string) => existsSync(join(project, "node_modules", name, "package.json"));

test("installs what a changed lock file names, and asks for nothing that is there", async () => {
  await writeProject(["first"]);
  expect(install()).toEqual({ code: 0, error: "" });
  expect([isInstalled("first"), isInstalled("second")]).toEqual([true, false]);
  await writeProject(["first", "second"]);
  expect(install()).toEqual({ code: 0, error: "" });
  expect(isInstalled("second")).toBe(true);
});

test("writes the types of the API where there are none, but not with --production", async () => {
  await writeProject(["first"]);
  for (const flags of [["--production"], []]) {
    await rm(join(project, types), { force: true });
    expect(install(...flags)).toEqual({ code: 0, error: "" });
    expect(existsSync(join(project, types))).toBe(flags.length === 0);
  }
});

test("with --production it leaves out what only checks the program", async () => {
  await rm(join(project, "node_modules/tool"), { recursive: true, force: true });
  await writeProject(["first"]);
  expect(install("--production")).toEqual({ code: 0, error: "" });
  expect([isInstalled("first"), isInstalled("tool")]).toEqual([true, false]);
  expect(install()).toEqual({ code: 0, error: "" });
  expect(isInstalled("tool")).toBe(true);
  // What is there stays there.
  expect(install("--production")).toEqual({ code: 0, error: "" });
  expect(isInstalled("tool")).toBe(true);
});

test("fails where package.json and the lock file do not agree", async () => {
  await writeProject(["first", "third"], ["first"]);
  const { code, error } = install();
  expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("lockfile is frozen") });
  expect(isInstalled("third")).toBe(false);
});

const [runner, ...args] = manifest.scripts.pretest.split(" ");

test("every script that needs what is installed begins so", () => {
  const { prestart, pretest, prebuild } = manifest.scripts;
  expect([runner, ...args]).toEqual(["node", "tools/install.mjs"]);
  expect([prestart, prebuild]).toEqual([`${pretest} --production`, `${pretest} --production`]);
});

test("the program runs and is built with what --production installs", async () => {
  const { dependencies }: { dependencies: Readonly<Record<string, string>> } = manifest;
  const faults: string[] = [];
  for await (const path of new Bun.Glob("{src,tools}/**/*.{ts,tsx}").scan({ cwd: projectFolder })) {
    if (checksOnly.has(path)) continue;
    const imports = importsOf(path, await Bun.file(join(projectFolder, path)).text());
    faults.push(
      ...imports.filter((name) => dependencies[name] === undefined).map((name) => `${path}: ${name}`),
    );
  }
  expect(faults).toEqual([]);
});

/** Files of the gate alone. */
const checksOnly = new Set(["tools/api-types.ts"]);

/**
 * The packages that a file loads. The scanner adds "react" where a file has JSX; the pages have preact for
 * it.
 */
function importsOf(path: string, source: string): readonly string[] {
  return new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" })
    .scanImports(source)
    .map(({ path }) => /^(?:@[^/]+\/)?[^/.]+/.exec(path)?.[0] ?? "")
    .filter((name) => !["", "bun", "react"].includes(name) && !name.includes(":"));
}

test.each([
  ["Node", Bun.which("node")],
  ["Bun alone", process.execPath],
])("with %s it needs no network once all is installed", async (_, runtime) => {
  if (runtime === null) return;
  const run = Bun.spawnSync([runtime, ...args], {
    cwd: projectFolder,
    // No npx is found there either.
    env: { PATH: "", BUN_CONFIG_REGISTRY: registry },
  });
  expect({ code: run.exitCode, error: run.stderr.toString() }).toEqual({ code: 0, error: "" });
});

test("scripts begin with programs, not with what only some shells have", () => {
  const programs = new Set(["node", "bun", "oxlint", "knip", "drizzle-kit"]);
  const commands = Object.values(manifest.scripts).flatMap((script) => script.split(" && "));
  expect(commands.filter((command) => !programs.has(command.split(" ")[0] ?? ""))).toEqual([]);
  expect(commands.filter((command) => /[$;|<>'`]/.test(command))).toEqual([]);
});
