/** A command does not bring a database up to date that a server of an older version is writing. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { serveFolder } from "../../src/adapters/sqlite/folder-lock.ts";
import { migrations } from "../../src/adapters/sqlite/migrations.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";

/** A folder whose database lacks the last migration. */
async function openOldFolder() {
  const folder = await temporaryFolder();
  const path = join(folder.path, "cloakroom.db");
  using old = new Database(path, { create: true });
  const seen = migrations.slice(0, -1);
  for (const { sql } of seen) old.run(sql);
  old.run(`PRAGMA user_version = ${seen.length}`);
  const version = () => {
    using database = new Database(path, { readonly: true });
    return database.query("PRAGMA user_version").values();
  };
  return { ...folder, version };
}

test.each([["migrate"], ["user list"]])(
  "cloakroom %s is refused until such a server has ended",
  async (line) => {
    await using folder = await openOldFolder();
    const command = () => run([...line.split(" "), "--data-dir", folder.path]);
    const before = folder.version();
    {
      using _server = serveFolder(folder.path);
      const { code, error } = await command();
      expect(code).not.toBe(0);
      expect(error).toContain("a server of an older version is using");
      expect(folder.version()).toEqual(before);
    }
    expect((await command()).code).toBe(0);
    expect(folder.version()).toEqual([[migrations.length]]);
    using _server = serveFolder(folder.path);
    expect((await command()).code).toBe(0);
  },
);
