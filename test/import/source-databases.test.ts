import { describe, expect, test } from "bun:test";
import { openForeignFile } from "../../src/adapters/sqlite/foreign-file.ts";
import { parseSourceAddress } from "../../src/adapters/sources/address.ts";
import { openDatabase, requireColumns, type SourceDatabase } from "../../src/adapters/sources/database.ts";
import { foreignDatabase, foreignEngines } from "./foreign-database.ts";
import { faultOf } from "./read-source.ts";

const open = (dsn: string) => openDatabase(parseSourceAddress(dsn), { openFile: openForeignFile });

async function all(database: SourceDatabase, query: Parameters<SourceDatabase["pages"]>[0]) {
  const pages = await Array.fromAsync(database.pages(query));
  return { rows: pages.flat(), pages: pages.map((page) => page.length) };
}

const byText = (one: string, other: string) => one.localeCompare(other);

describe.each(foreignEngines("databases of other systems"))("%s", (engine) => {
  test("reads every row once, in pages, whatever its key is", async () => {
    await using foreign = await foreignDatabase(engine);
    await foreign.run("CREATE TABLE people (name VARCHAR(50), n INTEGER)");
    const names = [
      "Ada",
      "ada",
      "Àda",
      "Ada ",
      "Bob",
      "Bob",
      "Bob",
      null,
      null,
      "",
      "😀",
      "Zoë",
      "x".repeat(50),
    ];
    await foreign.insert(
      "people",
      names.map((name, n) => ({ name, n })),
    );
    await using database = await open(foreign.dsn);
    for (const key of ["name", "n"]) {
      for (const pageRows of [1, 2, 3, 5, 100]) {
        const { rows } = await all(database, { table: "people", columns: ["name", "n"], key, pageRows });
        const sorted = rows.toSorted((one, other) => Number(one["n"]) - Number(other["n"]));
        expect(sorted).toEqual(names.map((name, n) => ({ name, n: String(n) })));
      }
    }
  });

  test("reads every row once by keys of bytes and large numbers", async () => {
    await using foreign = await foreignDatabase(engine);
    const bytes = { sqlite: "blob", mysql: "varbinary(16)", postgres: "bytea" }[engine];
    const hex = (digits: string) => (engine === "postgres" ? `'\\x${digits}'` : `x'${digits}'`);
    await foreign.run(`CREATE TABLE keyed (raw ${bytes}, large bigint)`);
    const keys = ["00", "00ff", "80", "ff", "ff", "fffe", "", "c328"];
    for (const [index, key] of keys.entries())
      await foreign.run(`INSERT INTO keyed VALUES (${hex(key)}, ${9_007_199_254_740_993n + BigInt(index)})`);
    await using database = await open(foreign.dsn);
    for (const key of ["raw", "large"]) {
      for (const pageRows of [1, 3]) {
        const { rows } = await all(database, {
          table: "keyed",
          columns: ["raw"],
          bytes: ["raw"],
          key,
          pageRows,
        });
        expect(rows.map(({ raw }) => raw ?? "").toSorted(byText)).toEqual(keys.toSorted(byText));
      }
    }
  });

  test("shows one moment, and tables by any case", async () => {
    await using foreign = await foreignDatabase(engine);
    await foreign.run(
      engine === "mysql" ? "CREATE TABLE AUTH (A INTEGER)" : 'CREATE TABLE "AUTH" ("A" INTEGER)',
    );
    await foreign.insert("AUTH", [{ A: 1 }, { A: 2 }]);
    if (engine === "sqlite") await foreign.run("PRAGMA journal_mode = WAL");
    await using database = await open(foreign.dsn);
    await foreign.insert("AUTH", [{ A: 3 }]);
    expect(await database.count("auth")).toBe(2);
    expect(await database.columns("auth")).toEqual(["A"]);
    const { rows } = await all(database, { table: "auth", columns: ["A"], key: "A" });
    expect(rows).toEqual([{ A: "1" }, { A: "2" }]);
    expect(await database.columns("nowhere")).toBeNull();
  });

  test("gives cells as texts", async () => {
    await using foreign = await foreignDatabase(engine);
    const types = {
      sqlite: ["datetime", "blob", "tinyint(1)"],
      mysql: ["datetime", "varbinary(16)", "tinyint(1)"],
      postgres: ["timestamp(0)", "bytea", "boolean"],
    }[engine];
    await foreign.run(
      `CREATE TABLE cells (id BIGINT, at ${types[0]} NULL, raw ${types[1]} NULL, flag ${types[2]} NULL)`,
    );
    await foreign.run(
      `INSERT INTO cells VALUES (9007199254740993, '2026-11-22 06:48:57', ${engine === "postgres" ? "'\\x00ff'" : "x'00ff'"}, ${engine === "postgres" ? "true" : 1})`,
    );
    await foreign.run("INSERT INTO cells VALUES (1, NULL, NULL, NULL)");
    if (engine === "mysql") await foreign.run("INSERT INTO cells VALUES (2, '0000-00-00 00:00:00', x'', 0)");
    await using database = await open(foreign.dsn);
    const { rows } = await all(database, {
      table: "cells",
      columns: ["id", "at", "raw", "flag"],
      bytes: ["raw"],
      key: "id",
      pageRows: 1,
    });
    expect(rows.at(0)).toEqual({ id: "1", at: null, raw: null, flag: null });
    expect(rows.at(-1)).toEqual({
      id: "9007199254740993",
      at: "2026-11-22 06:48:57",
      raw: "00ff",
      flag: engine === "postgres" ? "true" : "1",
    });
    if (engine === "mysql") expect(rows[1]).toMatchObject({ at: "0000-00-00 00:00:00", raw: "" });
  });

  test("reads several tables at the same time", async () => {
    await using foreign = await foreignDatabase(engine);
    await foreign.run("CREATE TABLE one (n INTEGER)");
    await foreign.run("CREATE TABLE two (n INTEGER)");
    const numbers = Array.from({ length: 20 }, (_, n) => ({ n }));
    for (const table of ["one", "two"]) await foreign.insert(table, numbers);
    await using database = await open(foreign.dsn);
    const read = (table: string) => all(database, { table, columns: ["n"], key: "n", pageRows: 3 });
    const [one, two] = await Promise.all([read("one"), read("two")]);
    expect(one.rows).toEqual(numbers.map(({ n }) => ({ n: String(n) })));
    expect(two).toEqual(one);
    for await (const page of database.pages({ table: "one", columns: ["n"], key: "n", pageRows: 3 })) {
      expect(page.length).toBeGreaterThan(0);
      break;
    }
    expect(await database.count("one")).toBe(20);
  });

  test("names the table or the columns that lack, and the prefix that is there", async () => {
    await using foreign = await foreignDatabase(engine);
    await foreign.run("CREATE TABLE bs_users (uid INTEGER)");
    await using database = await open(foreign.dsn);
    expect(await faultOf(requireColumns(database, "users", ["uid"], "is it the right one?"))).toMatch(
      /there is no table users that the user may read; is it the right one\?; there is bs_users: --prefix bs_ may be missing$/,
    );
    expect(await faultOf(requireColumns(database, "bs_users", ["uid", "a", "b"], "is it?"))).toMatch(
      /the table bs_users has no columns a, b; is it\?$/,
    );
    expect(await requireColumns(database, "bs_users", ["uid"], "")).toEqual(new Set(["uid"]));
  });

  test("shows no name of a table that is not plain", async () => {
    await using foreign = await foreignDatabase(engine);
    const name = engine === "mysql" ? "`x\u001b[31m_users`" : '"x\u001b[31m_users"';
    await foreign.run(`CREATE TABLE ${name} (uid INTEGER)`);
    await using database = await open(foreign.dsn);
    expect(await faultOf(requireColumns(database, "users", ["uid"], "is it?"))).toMatch(/is it\?$/);
    expect(await requireColumns(database, "x\u001b[31m_users", ["uid"], "")).toEqual(new Set(["uid"]));
  });

  test("finds rows, and where it is has one name without user and password", async () => {
    await using foreign = await foreignDatabase(engine);
    await foreign.run("CREATE TABLE options (name VARCHAR(50), worth TEXT)");
    await foreign.insert("options", [
      { name: "a'; DROP TABLE options; --", worth: "1" },
      { name: "b", worth: "2" },
    ]);
    await using database = await open(foreign.dsn);
    const found = await database.find({
      table: "options",
      columns: ["worth"],
      where: "name",
      values: ["a'; DROP TABLE options; --", "c"],
    });
    expect(found).toEqual([{ worth: "1" }]);
    expect(database.place("x")).toMatch(/^[0-9a-f]{64}$/);
    expect(database.place("x", "a")).not.toBe(database.place("x", "b"));
    expect(database.name).not.toMatch(/reader|r_|p@ss/);
  });
});
