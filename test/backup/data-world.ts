/* Data folders with something of everything in them, and what they hold. */
import { Database } from "bun:sqlite";
import { afterAll } from "bun:test";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { migrations } from "../../src/adapters/sqlite/migrations.ts";
import { readSqlite } from "../support/database-reader.ts";
import { capePng, sha256, skinPng } from "../support/textures.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";

/** A data folder as `makeData` makes it, in a temporary folder that goes after the file's tests. */
export async function openDataFolder() {
  const folder = await temporaryFolder();
  afterAll(() => folder[Symbol.asyncDispose]());
  const dataDir = join(folder.path, "data");
  await makeData(dataDir);
  return { folder: folder.path, dataDir, newPath: () => join(folder.path, crypto.randomUUID()) };
}

/** Makes a data folder: two users, three skins, a cape, operator's files and secrets. */
export async function makeData(dataDir: string): Promise<void> {
  const done = async (...args: readonly string[]) => {
    const { code, error } = await run([...args, "--data-dir", dataDir]);
    if (code !== 0) throw new Error(error);
  };
  await mkdir(dataDir, { recursive: true });
  for (const name of ["Anna", "Boris"]) {
    await done(
      "user",
      "create",
      "--mail",
      `${name}@example.org`,
      "--username",
      name,
      "--password",
      "long enough",
    );
  }
  const file = join(dataDir, "texture.png");
  for (const [seed, user] of ["Anna", "Anna", "Boris"].entries()) {
    await Bun.write(file, skinPng(seed));
    await done("skin", "add", "--user", user, "--file", file);
  }
  await Bun.write(file, capePng(7));
  await done("cape", "add", "--file", file, "--name", "Moon", "--owner", "Anna");
  await Bun.file(file).delete();
  await done("user", "suspend", "Boris", "--until", "2200-01-01T00:00Z", "--reason", "Griefing");
  await Bun.write(join(dataDir, "secrets/jwt-secret"), `${"s".repeat(48)}\n`);
  await Bun.write(join(dataDir, "default-skins/classic.png"), skinPng(9));
  await Bun.write(join(dataDir, "mail-templates/en.toml"), `[reset]\nsubject = "Another word"\n`);
}

/**
 * Every row of every table but the id of the textures' place, of which a restore makes a new one. Files of
 * textures go by their bitmap's hash, as a backup names them.
 */
export function rowsOf(dataDir: string): Readonly<Record<string, readonly unknown[]>> {
  using database = readSqlite(join(dataDir, "cloakroom.db"));
  const rows = database.everything();
  const textures = (rows["textures"] ?? []) as readonly { hash: string; file?: string }[];
  const marks = (rows["marks"] ?? []) as readonly { name: string }[];
  return {
    ...rows,
    marks: marks.filter(({ name }) => name !== "place"),
    textures: textures.map((row) => ({ ...row, ...(row.file?.startsWith(row.hash) && { file: row.hash }) })),
  };
}

/**
 * Every file by its hash, but for the database, whose bytes say little, the lock, and the label of the
 * textures' place.
 */
export async function filesOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(
      (entry) =>
        entry.isFile() && !/^(?:lock|cloakroom\.db(?:-wal|-shm)?|cloakroom-place\.json)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name));
  const hashes = paths.map(async (path) => [
    path.slice(dataDir.length + 1),
    sha256(await Bun.file(path).bytes()),
  ]);
  return Object.fromEntries(await Promise.all(hashes));
}

/** As `filesOf`, with textures by their hashes: a backup names their files by these. */
export async function contentOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const files = Object.entries(await filesOf(dataDir));
  return Object.fromEntries(
    files.map(([path, hash]) => [
      path.replace(/^(textures\/..\/[0-9a-f]{64})\.[0-9a-f]{32}\.png$/, "$1.png"),
      hash,
    ]),
  );
}

/** Does something to the database behind the program's back. */
export function changeDatabase(path: string, statement: string): void {
  using database = new Database(path);
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA foreign_keys = ON");
  database.run(statement);
}

/** Puts an empty database into the folder that has seen only so many migrations. */
export async function putOldDatabase(dataDir: string, seen: number): Promise<void> {
  const path = join(dataDir, "cloakroom.db");
  for (const end of ["", "-wal", "-shm"]) await rm(`${path}${end}`, { force: true });
  await Bun.write(path, "");
  const statements = migrations.slice(0, seen).map(({ sql }) => sql);
  changeDatabase(path, [...statements, `PRAGMA user_version = ${seen}`].join(";\n"));
}

/** The paths of the textures' files, by name. */
export async function texturesOf(dataDir: string): Promise<readonly string[]> {
  return Object.keys(await filesOf(dataDir))
    .filter((path) => /^textures\/..\//.test(path))
    .map((path) => join(dataDir, path));
}
