import { expect, test } from "bun:test";
import { join } from "node:path";
import { openTableTarget } from "../../src/adapters/sqlite/table-copy.ts";
import { temporaryFolder } from "../cli/run-program.ts";

const community = "c0".repeat(16);

test("a copy that was finished, and killed before its file got its name, is at its end", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "cloakroom.db");
  const positionOf = async (whose: string) => {
    using target = openTableTarget(path, whose);
    return { found: await target.position(), tables: target.tables.length };
  };
  expect((await positionOf(community)).found).toEqual({ table: 0, after: null });
  {
    using target = openTableTarget(path, community);
    for (const [index, table] of target.tables.entries()) {
      const [from, to] = [index, index + 1].map((at) => ({ table: at, after: null }));
      await target.put(table, [], { from: from!, to: to! });
    }
    await target.complete(new Map(), () => undefined);
    target.finish();
  }
  const { found, tables } = await positionOf(community);
  expect(found).toEqual({ table: tables, after: null });
  using again = openTableTarget(path, community);
  await again.complete(new Map(), () => undefined);
  expect(await again.faults()).toEqual([]);
});
