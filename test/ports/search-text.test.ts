import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { writeFreshDatabase } from "../support/fresh-database.ts";
import { searchSuite } from "./search.suite.ts";

searchSuite("SQLite", async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, "search.db");
  await writeFreshDatabase(path);
  const { reads, atomically, ...database } = openDatabase(path);
  return {
    reads,
    atomically,
    [Symbol.asyncDispose]: async () => {
      database[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
});
