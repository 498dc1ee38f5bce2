/**
 * The pages of docs/connect: their commands work as they are pasted, and every address that they name is
 * served.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { fits, openProtocols, type ProtocolWorld } from "../protocols/protocol-world.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { commandsOf, paste, startPastedServer, type PastedServer } from "./pasted-commands.ts";

const folderOfPages = join(projectRoot, "docs/connect");
const pages = [...new Bun.Glob("*.md").scanSync(folderOfPages)].toSorted();
const further = pages.filter((page) => page !== "README.md");

const read = (page: string) => Bun.file(join(folderOfPages, page)).text();

const auroraSecret = "the-secret-that-you-made-for-aurora-1";

let server: PastedServer;
beforeAll(async () => {
  server = await startPastedServer({ AURORA_SECRET: auroraSecret });
  const { code, said } = await paste(server, commandsOf(await read("README.md")));
  if (code !== 0) throw new Error(said);
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

test.each(further)(
  "the commands of docs/connect/%s work as they are pasted",
  async (page) => {
    const commands = commandsOf(await read(page));
    expect(commands).toContain("curl");
    const { code, said } = await paste(server, commands);
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

test.each([...pages, "../move/blessing.md"])(
  "docs/connect/%s names addresses of the service only",
  async (page) => {
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
  },
);

test("every page says what goes wrong, and is linked from the index", async () => {
  const index = await read("README.md");
  expect(further.length).toBeGreaterThan(10);
  for (const page of further) {
    expect(index).toContain(`(${page})`);
    expect(await read(page)).toContain("## What goes wrong");
  }
  expect(await Bun.file(join(projectRoot, "README.md")).text()).toContain("docs/connect/README.md");
});
