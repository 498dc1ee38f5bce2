import { describe, expect, test } from "bun:test";
import { parseSourceAddress } from "../../src/adapters/sources/address.ts";
import { openDatabase } from "../../src/adapters/sources/database.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { foreignDatabase, foreignEngines, type ForeignEngine } from "./foreign-database.ts";
import { faultOf, sourceTools } from "./read-source.ts";

const open = (dsn: string) => openDatabase(parseSourceAddress(dsn), sourceTools);

const isServer = (engine: ForeignEngine) => engine !== "sqlite";
const servers = foreignEngines("faults of servers").filter(isServer);

/** No part of an address but host and database is in a sentence. */
async function sentenceOf(dsn: string): Promise<string> {
  const opening = open(dsn).then((database) => database[Symbol.asyncDispose]());
  const sentence = await faultOf(opening);
  const shown = await opening.catch((error: unknown) => Bun.inspect(error));
  const { username, password } = new URL(dsn);
  for (const secret of [password, decodeURIComponent(password), username])
    if (secret.length > 3) expect(`${sentence} ${shown ?? ""}`).not.toContain(secret);
  expect(sentence).not.toContain("\n");
  return sentence;
}

describe.each(servers)("%s says why it cannot be read:", (engine) => {
  const table: readonly (readonly [string, (dsn: URL) => void, RegExp])[] = [
    ["a wrong password", (dsn) => (dsn.password = "wrong-password"), /refuses the user or the password/],
    ["an unknown user", (dsn) => (dsn.username = "nobody_here"), /refuses the user or the password/],
    [
      "an unknown database",
      (dsn) => (dsn.pathname = "/nowhere"),
      /no database of this name|may not use this database|may not read a table/,
    ],
    [
      "an unknown host",
      (dsn) => (dsn.host = "nowhere.invalid:1"),
      /: no (?:address|name server).*; check the host$/,
    ],
    ["a server without TLS", (dsn) => (dsn.search = "?sslmode=require"), /offers no TLS.*sslmode=disable/],
  ];
  test.each(table)("%s", async (_, change, sentence) => {
    await using foreign = await foreignDatabase(engine);
    const dsn = new URL(foreign.dsn);
    change(dsn);
    expect(await sentenceOf(dsn.href)).toMatch(sentence);
  });

  test("certificates that are not there", async () => {
    await using foreign = await foreignDatabase(engine);
    const dsn = `${foreign.dsn}?sslmode=verify-full&sslrootcert=/nowhere/root.pem`;
    expect(await sentenceOf(dsn)).toBe("/nowhere/root.pem: no such file or folder");
  });

  test("a table that the user may not read", async () => {
    await using foreign = await foreignDatabase(engine);
    await foreign.run("CREATE TABLE hidden (n INTEGER)");
    if (engine === "postgres")
      await foreign.run(`REVOKE SELECT ON hidden FROM ${new URL(foreign.dsn).username}`);
    else {
      const { username, pathname } = new URL(foreign.dsn);
      await foreign.run("CREATE TABLE shown (n INTEGER)");
      await foreign.run(`REVOKE SELECT ON ${pathname.slice(1)}.* FROM ${username}@'127.0.0.1'`);
      await foreign.run(`GRANT SELECT ON ${pathname.slice(1)}.shown TO ${username}@'127.0.0.1'`);
    }
    await using database = await open(foreign.dsn);
    expect(await faultOf(database.count("hidden"))).toMatch(/may not read a table: grant SELECT/);
  });

  test("a connection that ends in the middle", async () => {
    await using foreign = await foreignDatabase(engine);
    await foreign.run("CREATE TABLE many (n INTEGER)");
    await foreign.insert(
      "many",
      Array.from({ length: 10 }, (_, n) => ({ n })),
    );
    await using database = await open(foreign.dsn);
    const query = { table: "many", columns: ["n"], key: "n", pageRows: 2 };
    const paging = database.pages(query);
    const pages = paging[Symbol.asyncIterator]();
    expect((await pages.next()).value).toHaveLength(2);
    const { username } = new URL(foreign.dsn);
    await foreign.run(
      engine === "postgres"
        ? `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${username}'`
        : `KILL USER '${username}'`,
    );
    expect(await faultOf(pages.next())).toMatch(/interrupted: run the command again, what was applied stays/);
  });
});

/** A name that stands in no path and in no line of code, which faults show. */
const user = "visitor_4711";

const bothAt = (port: number) =>
  Promise.all(
    ["mysql", "postgres"].map((engine) =>
      sentenceOf(`${engine}://${user}:secret-word@127.0.0.1:${port}/name`),
    ),
  );

describe("without a server of their kind, it is said of MySQL and PostgreSQL", () => {
  test("that a port is closed", async () => {
    using closed = await holdClosedPort();
    for (const sentence of await bothAt(closed.port))
      expect(sentence).toMatch(/nothing listens there|no database server of this kind/);
  });

  // The driver tries again for ten seconds.
  test("that another server answers", async () => {
    using listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
        data: () => undefined,
      },
    });
    for (const sentence of await bothAt(listener.port))
      expect(sentence).toMatch(/^127\.0\.0\.1:\d+\/name: no database server of this kind/);
  });
});

test("a view of a file is not read: it may be without end", async () => {
  await using foreign = await foreignDatabase("sqlite");
  await foreign.run("CREATE TABLE shown (n INTEGER)");
  await foreign.run(
    "CREATE VIEW endless AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c",
  );
  await using database = await open(foreign.dsn);
  expect(await database.tables()).toEqual(["shown"]);
  expect(await database.columns("endless")).toBe(null);
});
