import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SourceTexture } from "../../src/domain/ports/import-source.ts";
import { openSource, readAll } from "./read-source.ts";

const uuid = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
const skin = await Bun.file("docs/examples/scout.png").bytes();

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "folders-"));
  await Bun.write(join(folder, "secret.png"), "outside");
  for (const name of ["Ada.png", `${uuid}.png`, "Bob.PNG", "README.txt"]) {
    await Bun.write(join(folder, "skins", name), skin);
  }
  await Bun.write(join(folder, "capes", "Ada.png"), skin);
  await Bun.write(join(folder, "capes", `${uuid.replaceAll("-", "")}.png`), skin);
  await symlink("../secret.png", join(folder, "skins", "Link.png"));
  await mkdir(join(folder, "skins", "Folder.png"));
  Bun.spawnSync(["mkfifo", join(folder, "skins", "Pipe.png")]);
});
afterAll(async () => await rm(folder, { recursive: true }));

const open = () => openSource("textures", { textures: join(folder, "skins"), capes: join(folder, "capes") });

test("gives the players of the files with their skin and cape", async () => {
  const all = await readAll(await open());
  expect(all.players.map(({ name, uuid: id, skin: s, cape }) => [name, id, s, cape])).toEqual([
    ["", uuid, `skin:${uuid}.png`, `cape:${uuid.replaceAll("-", "")}.png`],
    ["Ada", null, "skin:Ada.png", "cape:Ada.png"],
    ["Bob", null, "skin:Bob.PNG", null],
  ]);
  expect(all.players.every(({ account }) => account === null)).toBe(true);
  expect(all.textures.map(({ key, name, model }) => [key, name, model])).toEqual([
    [`skin:${uuid}.png`, null, null],
    ["skin:Ada.png", "Ada", null],
    ["skin:Bob.PNG", "Bob", null],
    [`cape:${uuid.replaceAll("-", "")}.png`, null, null],
    ["cape:Ada.png", "Ada", null],
  ]);
  expect(all.accounts).toEqual([]);
  expect(all.facts.isAboutOthers).toBe(true);
});

test("leaves out links, folders and pipes, and counts what is no PNG file", async () => {
  const all = await readAll(await open());
  expect(all.problems.toSorted((one, other) => one.key.localeCompare(other.key))).toEqual([
    { key: "skin:Folder.png", kind: "skin", reason: "it is no plain file" },
    { key: "skin:Link.png", kind: "skin", reason: "it is a link" },
    { key: "skin:Pipe.png", kind: "skin", reason: "it is no plain file" },
  ]);
  expect(all.facts.notes).toEqual([`${join(folder, "skins")}: entries that are no PNG files: 1`]);
});

test("reads a file within the bound, and nothing outside of its folder", async () => {
  await using source = await open();
  expect(await source.readTexture(texture("Ada.png"), 100_000)).toEqual(skin);
  expect(await source.readTexture(texture("Missing.png"), 100_000)).toBeNull();
  expect(source.readTexture(texture("Ada.png"), 10)).rejects.toThrow("larger than 10 bytes");
  expect(source.readTexture(texture("Link.png"), 100_000)).rejects.toThrow("is a link");
  expect(source.readTexture(texture("Folder.png"), 100_000)).rejects.toThrow("no plain file");
  expect(source.readTexture(texture("Pipe.png"), 100_000)).rejects.toThrow("no plain file");
  for (const file of ["../secret.png", "..", ".", "", "a/b.png", "/etc/passwd", "a\\b.png", "a\0.png"]) {
    expect(source.readTexture(texture(file), 100_000)).rejects.toThrow("no plain name");
  }
});

test("works with one folder, and refuses what is no folder", async () => {
  const all = await readAll(await openSource("textures", { capes: join(folder, "capes") }));
  expect(all.players).toHaveLength(2);
  expect(openSource("textures", { textures: join(folder, "missing") })).rejects.toThrow(
    "no such file or folder",
  );
  expect(openSource("textures", { textures: join(folder, "secret.png") })).rejects.toThrow("no folder");
});

function texture(file: string): SourceTexture {
  return { key: "x", kind: "skin", name: null, model: null, file, createdAt: null };
}
