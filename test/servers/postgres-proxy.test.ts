/** What the proxy does to statements, as a real server and the driver see it. */
import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { openPostgresProxy, type OnStatement, type StatementFault } from "../support/postgres-proxy.ts";

if (postgresMissing !== null) console.error(`NOT RUN: the proxy before PostgreSQL (${postgresMissing})`);

/** A table with one number, seen directly and through the proxy. */
async function openWorld(prepare: boolean) {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await emptyDatabase());
  const proxy = opened.use(await openPostgresProxy(database.url));
  const direct = opened.use(new SQL({ url: database.url, max: 1 }));
  await direct`CREATE TABLE numbers (x bigint)`;
  const sql = opened.use(new SQL({ url: proxy.url, max: 1, prepare, connectionTimeout: 5 }));
  const opening = opened.move();
  return {
    proxy,
    sql,
    kept: async () => (await direct`SELECT x::int FROM numbers ORDER BY x`).map(({ x }: { x: number }) => x),
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  };
}

/** Lets a statement fail once. */
function once(wanted: RegExp, fault: StatementFault): OnStatement {
  let isDone = false;
  return (text) => {
    if (isDone || !wanted.test(text)) return null;
    isDone = true;
    return fault;
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "kept",
    (error: { errno?: string; code?: string }) => error.errno ?? error.code,
  );

describe.skipIf(postgresMissing !== null).each([true, false])("with statements prepared: %p", (prepare) => {
  test("all passes, and every statement is seen", async () => {
    await using world = await openWorld(prepare);
    const seen: string[] = [];
    world.proxy.onStatement((text) => {
      seen.push(text.trim());
      return null;
    });
    await world.sql.begin("isolation level serializable", async (tx) => {
      for (const x of [1, 2]) await tx`INSERT INTO numbers VALUES (${x})`;
    });
    expect(await world.kept()).toEqual([1, 2]);
    const insert = "INSERT INTO numbers VALUES ($1 )";
    expect(seen).toEqual(["BEGIN isolation level serializable", insert, insert, "COMMIT"]);
  });

  test("a statement fails, and the connection goes on", async () => {
    await using world = await openWorld(prepare);
    await world.sql`INSERT INTO numbers VALUES (${1})`;
    world.proxy.onStatement(once(/^INSERT/, { sqlState: "40001" }));
    expect(await codeOf(world.sql`INSERT INTO numbers VALUES (${2})`)).toBe("40001");
    expect(await codeOf(world.sql`INSERT INTO numbers VALUES (${3})`)).toBe("kept");
    expect(await world.kept()).toEqual([1, 3]);
  });

  test("a statement that fails aborts its transaction", async () => {
    await using world = await openWorld(prepare);
    world.proxy.onStatement(once(/VALUES \(2/, { sqlState: "40P01" }));
    await using held = await world.sql.reserve();
    await held.unsafe("BEGIN");
    await held`INSERT INTO numbers VALUES (${1})`;
    expect(await codeOf(held.unsafe("INSERT INTO numbers VALUES (2)"))).toBe("40P01");
    expect(await codeOf(held`SELECT 1`)).toBe("25P02");
    await held.unsafe("ROLLBACK");
    expect(await world.kept()).toEqual([]);
  });

  test("a COMMIT that fails has rolled back and ended the transaction", async () => {
    await using world = await openWorld(prepare);
    world.proxy.onStatement(once(/^COMMIT/, { sqlState: "40001" }));
    await using held = await world.sql.reserve();
    await held.unsafe("BEGIN");
    await held`INSERT INTO numbers VALUES (${1})`;
    expect(await codeOf(held.unsafe("COMMIT"))).toBe("40001");
    expect(await codeOf(held`INSERT INTO numbers VALUES (${2})`)).toBe("kept");
    expect(await world.kept()).toEqual([2]);
  });

  test.each([
    ["reset before", "reset", []],
    ["reset after", "loseAnswer", [1]],
  ] as const)("a connection %s the COMMIT", async (_, fault, kept) => {
    await using world = await openWorld(prepare);
    world.proxy.onStatement(once(/^COMMIT/, fault));
    const work = world.sql.begin((tx) => tx`INSERT INTO numbers VALUES (${1})`);
    expect(await codeOf(work)).toBe("ERR_POSTGRES_CONNECTION_CLOSED");
    expect(await world.kept()).toEqual([...kept]);
    expect(await codeOf(world.sql`SELECT 1`)).toBe("kept");
  });

  test("an answer that never comes leaves the work done", async () => {
    await using world = await openWorld(prepare);
    world.proxy.onStatement(once(/^INSERT/, "stallAnswer"));
    const work = codeOf(world.sql`INSERT INTO numbers VALUES (${1})`);
    for (let tries = 0; tries < 400 && (await world.kept()).length === 0; tries++) await Bun.sleep(5);
    expect(await world.kept()).toEqual([1]);
    expect(await Promise.race([work, Bun.sleep(100).then(() => "waits")])).toBe("waits");
    world.proxy.cut();
    expect(await work).toBe("ERR_POSTGRES_CONNECTION_CLOSED");
  });
});
