/**
 * The pages of docs/connect: their commands work as they are pasted, and every address that they name is
 * served.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { fits, openProtocols, type ProtocolWorld } from "../protocols/protocol-world.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { program } from "../support/program.ts";

const folderOfPages = join(projectRoot, "docs/connect");
const pages = [...new Bun.Glob("*.md").scanSync(folderOfPages)].toSorted();
const further = pages.filter((page) => page !== "README.md");

const read = (page: string) => Bun.file(join(folderOfPages, page)).text();

const auroraSecret = "the-secret-that-you-made-for-aurora-1";

type Server = AsyncDisposable & { readonly folder: string; readonly address: string };
let server: Server;
beforeAll(async () => {
  server = await startServer();
  const { code, said } = await paste(commandsOf(await read("README.md")));
  if (code !== 0) throw new Error(said);
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/**
 * The program as an operator runs it, in a folder of its own with two pictures. All pages sign in within
 * seconds, so limits are off.
 */
async function startServer(): Promise<Server> {
  const folder = await temporaryFolder();
  await cp(join(projectRoot, "docs/examples/scout.png"), join(folder.path, "skin.png"));
  await cp(join(projectRoot, "docs/examples/cape.png"), join(folder.path, "cape.png"));
  const environment = { PORT: "0", LOG_LEVEL: "error", RATE_LIMIT_FACTOR: "0", AURORA_SECRET: auroraSecret };
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const address = /http:\/\/\S+/.exec(new TextDecoder().decode(value))?.[0] ?? "";
  const stop = async () => {
    child.kill();
    await child.exited;
    await folder[Symbol.asyncDispose]();
  };
  return { folder: folder.path, address, [Symbol.asyncDispose]: stop };
}

/** The shell blocks of a page, in their order. Blocks in lists are indented. */
function commandsOf(text: string): string {
  const blocks = text.matchAll(/^(?<indent> *)```sh\n(?<script>.*?)^ *```$/gms);
  return Array.from(blocks, ({ groups: { indent = "", script = "" } = {} }) =>
    script.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  ).join("\n");
}

/**
 * Runs lines in the folder of the server. A command that fails ends it, and so does an answer that is an
 * error.
 */
async function paste(script: string): Promise<{ readonly code: number; readonly said: string }> {
  const preparation = [
    "set -e -o pipefail",
    `cloakroom() { ${program.map((part) => `"${part}"`).join(" ")} "$@"; }`,
    // A launcher asks for headers whatever the status is.
    `curl() { case "$1" in -sI) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac; }`,
  ];
  const lines = script.replaceAll("http://127.0.0.1:3000", server.address);
  const shell = Bun.spawn(["bash", "-c", [...preparation, lines].join("\n")], {
    cwd: server.folder,
    env: { PATH: process.env["PATH"] ?? "", CLOAKROOM: server.address, PUBLIC_URL: server.address },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  return { code, said: `${errors}\n${out.slice(-2_000)}` };
}

test.each(further)(
  "the commands of docs/connect/%s work as they are pasted",
  async (page) => {
    const commands = commandsOf(await read(page));
    expect(commands).toContain("curl");
    const { code, said } = await paste(commands);
    expect({ code, said: code === 0 ? "" : said }).toEqual({ code: 0, said: "" });
  },
  60_000,
);

let world: ProtocolWorld;
beforeAll(async () => {
  world = await openProtocols();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Stands for what a program puts there. */
const placeholder = /%[a-z]+%|%s|\{USERNAME\}/g;

test.each(pages)("docs/connect/%s names addresses of the service only", async (page) => {
  const patterns = world.harness.routes.map((route) => route.split(" ")[1] ?? "");
  const addresses = [
    ...(await read(page)).matchAll(/https:\/\/skins\.example\.org(?<path>\/[^\s"'`)|\\<]*)?/g),
  ];
  const unknown = addresses
    .map(({ groups: { path = "/" } = {} }) => path.replaceAll(placeholder, "Anna").split("?")[0] ?? "")
    .map((path) => (path.length > 1 ? path.replace(/\/$/, "") : path))
    .filter((path) => path !== "/" && !patterns.some((pattern) => fits(pattern, path)))
    // A program that gets a root adds the rest.
    .filter((path) => !patterns.some((pattern) => pattern.startsWith(`${path}/`)));
  expect(unknown).toEqual([]);
});

test("every page says what goes wrong, and is linked from the index", async () => {
  const index = await read("README.md");
  expect(further.length).toBeGreaterThan(10);
  for (const page of further) {
    expect(index).toContain(`(${page})`);
    expect(await read(page)).toContain("## What goes wrong");
  }
  expect(await Bun.file(join(projectRoot, "README.md")).text()).toContain("docs/connect/README.md");
});
