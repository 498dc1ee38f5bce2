/**
 * Every shell line of README.md and the guides works as it is pasted, in the order in which a reader meets
 * them.
 */
import { expect, test } from "bun:test";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { settingsPage, settingsPagePath } from "../../tools/settings-page.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { blocksOf, type Block } from "./blocks.ts";
import { program } from "../support/program.ts";

const pages = ["README.md", "docs/guide/registration.md", "docs/guide/administration.md"];

/** Runs the server, which the test does itself, or the whole gate. */
const notPasted = /^npm (?:start|test)\b/;

/** A folder that looks like a clone, in which `npx bun` is the Bun that runs the test. */
async function openClone() {
  const folder = await temporaryFolder();
  for (const name of ["src", "docs", "node_modules", "package.json", "tsconfig.json"])
    await symlink(join(projectRoot, name), join(folder.path, name));
  await mkdir(join(folder.path, "bin"));
  const npx = join(folder.path, "bin/npx");
  await Bun.write(npx, `#!/bin/sh\n[ "$1" = bun ] || exit 64\nshift\nexec "${process.execPath}" "$@"\n`);
  await chmod(npx, 0o755);
  return folder;
}

/**
 * The server that `npm start` begins, on a free port, with limits off: all lines come from one address within
 * seconds.
 */
async function startServer(cwd: string) {
  const server = Bun.spawn([...program, "serve"], {
    cwd,
    env: { ...process.env, PORT: "0", RATE_LIMIT_FACTOR: "0", LOG_LEVEL: "error" },
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await server.stdout.getReader().read();
  const base = /http:\/\/\S+/.exec(new TextDecoder().decode(value))?.[0] ?? "";
  const stop = async () => {
    server.kill();
    await server.exited;
  };
  return { base, [Symbol.asyncDispose]: stop };
}

/** One shell for all blocks, so that variables last. Each block says where it stands before it runs. */
function scriptOf(blocks: readonly Block[], base: string): string {
  const parts = blocks.map(
    ({ page, line, script }) =>
      `echo "@ ${page}:${line}" >&2\n${script.replaceAll("http://127.0.0.1:3000", base)}`,
  );
  return `set -e -o pipefail\ncurl() { command curl --fail-with-body "$@"; }\n${parts.join("\n")}`;
}

test("README.md and the guides can be pasted line by line", async () => {
  await using folder = await openClone();
  await using server = await startServer(folder.path);
  const texts = await Promise.all(pages.map((page) => Bun.file(join(projectRoot, page)).text()));
  const blocks = pages
    .flatMap((page, at) => blocksOf(page, texts[at] ?? ""))
    .filter(({ script }) => !notPasted.test(script));
  expect(blocks.length).toBeGreaterThan(15);

  const { PATH: path = "" } = process.env;
  const shell = Bun.spawn(["bash", "-c", scriptOf(blocks, server.base)], {
    cwd: folder.path,
    env: { ...process.env, PATH: `${join(folder.path, "bin")}:${path}`, PORT: "0", PUBLIC_URL: server.base },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, code] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  expect({ code, at: code === 0 ? "" : `${errors}\n${out.slice(-2000)}` }).toEqual({ code: 0, at: "" });
  for (const picture of ["head.png", "body.png", "cape.png", "scout.png"])
    expect((await Bun.file(join(folder.path, picture)).bytes()).subarray(1, 4)).toEqual(Buffer.from("PNG"));
}, 120_000);

test("a line that fails is noticed", () => {
  const script = scriptOf([{ page: "x.md", line: 3, script: "false | cat" }], "http://127.0.0.1:1");
  expect(Bun.spawnSync(["bash", "-c", script]).exitCode).not.toBe(0);
});

/** The formatter aligns tables by blanks and dashes. */
const words = (text: string) => text.replaceAll(/[\s-]+/g, " ");

test("docs/guide/settings.md holds what the program reads", async () => {
  expect(words(await Bun.file(settingsPagePath).text())).toBe(words(settingsPage()));
});

test("every page of the guide is linked from README.md", async () => {
  const readme = await Bun.file(join(projectRoot, "README.md")).text();
  const names = [...new Bun.Glob("*.md").scanSync(dirname(settingsPagePath))];
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) expect(readme).toContain(`docs/guide/${name}`);
});
