/* The pages about moving in say what the program does: their list is read, and they name every flag. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFields } from "../../src/adapters/sources/list-record.ts";
import { typedName } from "../../src/cli/command.ts";
import { importOptions } from "../../src/cli/import-options.ts";
import { run } from "../cli/run-program.ts";
import { skinPng } from "../support/textures.ts";
import { projectRoot } from "../tidy/project-files.ts";

const page = (name: string) => Bun.file(join(projectRoot, "docs/move", name)).text();

test("the list of docs/move/lists.md is planned without a question", async () => {
  const text = await page("lists.md");
  const [, list = ""] = /```csv\n([^`]+)```/.exec(text) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "lists-page-"));
  try {
    await Bun.write(join(folder, "people.csv"), list);
    await Bun.write(join(folder, "skins/ada.png"), skinPng(1));
    const args = ["import", "--from", "csv", "--file", join(folder, "people.csv"), "--dry-run", "--json"];
    const { code, out } = await run([...args, "--data-dir", join(folder, "data")]);
    const { planned, hashes } = JSON.parse(out);
    expect({ code, planned, hashes }).toEqual({
      code: 0,
      planned: { account: { create: 2 }, player: { create: 2 }, skin: { create: 1 } },
      hashes: { bcrypt: 1, md5: 1 },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const field of listFields) expect(text).toContain(`\`${field}\``);
});

test("the pages name every flag of import", async () => {
  const names = [
    "README",
    "lists",
    "blessing",
    "drasl",
    "gravitlauncher",
    "sign-in-plugins",
    "names-and-textures",
    "claims",
  ];
  const text = (
    await Promise.all([
      ...names.map((name) => page(`${name}.md`)),
      Bun.file(join(projectRoot, "docs/export.md")).text(),
    ])
  ).join("\n");
  const missing = Object.keys(importOptions)
    .map((key) => `--${typedName(key)}`)
    .filter((flag) => !text.includes(flag));
  expect(missing).toEqual([]);
});
