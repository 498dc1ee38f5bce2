import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { openCopy } from "../../src/adapters/sqlite/database-copy.ts";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import { migrations } from "../../src/adapters/sqlite/migrations.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { changeDatabase, makeData, putOldDatabase } from "./data-world.ts";

/** The files of this process that are open, where the system lists them. */
async function openFiles(): Promise<readonly string[]> {
  const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""));
  return await Promise.all(links);
}

test.skipIf(!existsSync("/proc/self/fd")).each([
  ["that is not ours", async (path: string) => changeDatabase(path, "CREATE TABLE other (x)")],
  ["that is no database", async (path: string) => void (await Bun.write(path, "no database".repeat(1000)))],
])("a database %s is refused, and not kept open", async (_, make) => {
  await using place = await temporaryFolder();
  const path = join(place.path, "copy.db");
  await make(path);
  expect(() => openCopy(path)).toThrow("its database cannot be read");
  expect((await openFiles()).filter((file) => file === path)).toHaveLength(0);
});

test("of many broken references twenty are reported", async () => {
  await using place = await temporaryFolder();
  const path = join(place.path, "copy.db");
  migrateDatabase(path);
  changeDatabase(
    path,
    `PRAGMA foreign_keys = OFF; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
     INSERT INTO identities (account_id, provider, subject, username, avatar, linked_at)
     SELECT i, 'discord', i, '', '', 1 FROM n`,
  );
  using copy = openCopy(path);
  const faults = copy.faults();
  expect(new Set(faults)).toEqual(new Set(["a row of identities refers to one that is not there"]));
  expect(faults).toHaveLength(20);
});

test("a copy that lacks textures counts the skins and capes that it has", async () => {
  await using place = await temporaryFolder();
  const folder = join(place.path, "data");
  await makeData(folder);
  const path = join(folder, "cloakroom.db");
  const counts = async () => {
    using database = openDatabase(path);
    const { textures } = database.reads;
    const page = { after: null, rows: 100, search: null };
    return {
      skins: (await textures.listAllSkins(page)).map(({ texture }) => texture.hash),
      capes: (await textures.listAllCapes(page)).map(({ texture }) => texture.hash),
      counted: [await textures.countAllSkins(null), await textures.countAllCapes(null)],
    };
  };
  const { skins, capes, counted } = await counts();
  expect(counted).toEqual([skins.length, capes.length]);
  {
    using copy = openCopy(path);
    for (const hash of [skins[0]!, capes[0]!]) copy.forgetTexture(hash);
  }
  const left = await counts();
  expect(left.skins.length).toBeLessThan(skins.length);
  expect(left.capes.length).toBeLessThan(capes.length);
  expect(left.counted).toEqual([left.skins.length, left.capes.length]);
});

test("a copy of an older schema, whose triggers count, forgets a texture with its skins", async () => {
  await using place = await temporaryFolder();
  await putOldDatabase(
    place.path,
    migrations.findIndex(({ name }) => name === "0014_without_triggers"),
  );
  const path = join(place.path, "cloakroom.db");
  const hash = parseTextureHash("0".repeat(64))!;
  changeDatabase(
    path,
    `INSERT INTO accounts (uuid, registration, mail_verified, level, language, created_at) VALUES ('owner', 'complete', 1, 1, 'en', 1);
     INSERT INTO textures (hash, digest, width, height, created_at) VALUES ('${hash}', '', 64, 64, 1);
     INSERT INTO skins (uuid, account_id, name, model, texture_hash, created_at) VALUES ('skin', 1, '', 'slim', '${hash}', 1)`,
  );
  {
    using copy = openCopy(path);
    copy.forgetTexture(hash);
    expect([...copy.textures()]).toEqual([]);
  }
  using database = new Database(path, { readonly: true });
  expect(database.query("SELECT rows FROM row_counts WHERE name = 'skins'").values()).toEqual([[0]]);
});
