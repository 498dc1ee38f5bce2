/** Two servers that both take writes, as after a failover whose former primary starts by itself. */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { openPool, type Pool } from "../../src/adapters/postgres/connections/pool.ts";
import { findServer } from "../../src/adapters/postgres/connections/primary.ts";
import { openPostgresProxy } from "../support/postgres-proxy.ts";
import { emptyDatabase, postgresMissing, postgresServer } from "../support/postgres.ts";
import { startReplicatedPostgres, type ReplicatedPostgres } from "../support/replicated-postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: two servers that take writes (${postgresMissing})`);

const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

type Line = { readonly message: string } & Readonly<Record<string, unknown>>;

function poolOver(url: string): { readonly pool: Pool; readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  const note = (message: string, fields: object = {}) => void lines.push({ message, ...fields });
  const pool = openPool({
    address: parseAddress(url),
    requestSlots: 2,
    prepared: true,
    applicationName: "test",
    log: { info: note, warn: note },
  });
  return { pool, lines };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await Bun.sleep(20);
};
const portOf = async ({ read }: Pool) =>
  Number((await read.send("SELECT current_setting('port')", []))[0]?.[0]);

/** A superuser of this name and password. */
async function makeUser(url: string, name: string): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  await sql.unsafe(`CREATE ROLE ${name} SUPERUSER LOGIN PASSWORD '${name}'`);
}

test.skipIf(!own)(
  "a server that is promoted while the former one goes on is used at once, and the former one never again",
  async () => {
    await using pair = await startReplicatedPostgres();
    const [former, promoted] = [`127.0.0.1:${pair.primary.port}`, `127.0.0.1:${pair.standby.port}`];
    const { pool, lines } = poolOver(pair.url("postgres"));
    await using _pool = pool;
    await pool.start();
    expect(await portOf(pool)).toBe(pair.primary.port);
    const news: string[] = [];
    using _hearing = pool.onServer((one) => void news.push(one));
    const slow = pool.read.send("SELECT pg_sleep(2.5)", []);
    await pair.promote();
    await until(() => pool.server()?.port === pair.standby.port);
    await slow.catch(() => undefined);
    expect(await portOf(pool)).toBe(pair.standby.port);
    await using there = new SQL({ url: pair.primary.url, max: 1 });
    expect([...(await there`SELECT pid FROM pg_stat_activity WHERE application_name = 'test'`)]).toEqual([]);
    expect(pool.condition().writers).toBe(2);
    expect(lines).toEqual([
      { message: "another database server takes writes now", server: promoted },
      {
        message: "several database servers take writes, and what is changed on one is not on the other",
        used: `${promoted} (timeline 2)`,
        others: `${former} (timeline 1)`,
        remedy: expect.stringContaining(`stop PostgreSQL on ${former},`),
      },
    ]);

    await pair.primary.kill();
    await until(() => pool.condition().writers === 1);
    await pair.standby.kill();
    expect(await portOf(pool).catch((error: unknown) => error)).toMatchObject({ kind: "unavailable" });
    await until(() => !pool.isOpen());
    await pair.primary.start();
    await until(() => lines.length === 5);
    // A further look finds it alone as well.
    await Bun.sleep(1200);
    expect(pool.isOpen()).toBeFalse();
    expect(lines.slice(2)).toMatchObject([
      { message: "one database server alone takes writes again" },
      { message: "the database cannot be reached" },
      {
        message: "the database cannot be reached",
        reason: expect.stringContaining(
          `${former}: this server takes writes on timeline 1, and was replaced`,
        ),
        remedy: expect.stringContaining("start the server that replaced it, and stop this one"),
      },
    ]);

    await pair.standby.start();
    await until(() => pool.isOpen());
    expect(await portOf(pool)).toBe(pair.standby.port);
    expect(lines.slice(5).map(({ message }) => message)).toEqual([
      "the database is reached again",
      "several database servers take writes, and what is changed on one is not on the other",
    ]);
    expect(news).toEqual(["other", "none", "same"]);
    await isNamedBeside(pair);
  },
  60_000,
);

/** A server of the list that is no copy of the first one. It is not gone because it gives no answer. */
async function isNamedBeside({ standby }: ReplicatedPostgres): Promise<void> {
  const server = await postgresServer();
  const name = `twin_${crypto.randomUUID().slice(0, 8)}`;
  for (const url of [server.href, standby.url]) await makeUser(url, name);
  const { pool, lines } = poolOver(
    `postgres://${name}:${name}@${server.host},127.0.0.1:${standby.port}/postgres`,
  );
  await using _pool = pool;
  await pool.start();
  expect(pool.server()).toMatchObject({ port: Number(server.port) });
  expect(lines).toMatchObject([
    {
      message: "several database servers take writes, and what is changed on one is not on the other",
      others: `127.0.0.1:${standby.port} (timeline 2)`,
      remedy: expect.stringContaining("DATABASE_URL may name a primary and its standbys alone"),
    },
  ]);

  standby.pause();
  await pool.start();
  const look = await findServer({ ...pool.options, connectSeconds: 1 }, { role: "primary" });
  expect(look).toMatchObject({ rivals: [], unsure: [{ port: standby.port }] });
  expect([pool.condition().writers, lines.length]).toEqual([2, 1]);
}

test.skipIf(!own)("one server under two names is one that takes writes", async () => {
  await using database = await emptyDatabase();
  const { host, port } = new URL(database.url);
  const { pool, lines } = poolOver(database.url.replace(host, `${host},localhost:${port}`));
  await using _pool = pool;
  await pool.start();
  expect([pool.condition().writers, lines]).toEqual([1, []]);
});

test.skipIf(!own)("a server that does not say for once how its data came about is the same one", async () => {
  await using database = await emptyDatabase();
  await using proxy = await openPostgresProxy(database.url);
  const { pool, lines } = poolOver(proxy.url);
  await using _pool = pool;
  await pool.start();
  const news: string[] = [];
  using _hearing = pool.onServer((one) => void news.push(one));
  let isSaid = false;
  proxy.onStatement((text) => {
    if (text.includes("pg_control_system")) return { sqlState: "XX000" };
    if (isSaid || !text.includes("'suspicious'")) return null;
    isSaid = true;
    return { sqlState: "25006" };
  });
  expect(await pool.read.send("SELECT 'suspicious'", [])).toEqual([["suspicious"]]);
  proxy.onStatement(() => null);
  expect(await portOf(pool)).toBe(Number(new URL(database.url).port));
  expect([isSaid, news, lines]).toEqual([true, [], []]);
});

test.skipIf(!own)(
  "an engine that does not say how its data came about is used as before, and asked once",
  async () => {
    let asked = 0;
    await using database = await emptyDatabase();
    await using first = await openPostgresProxy(database.url);
    await using second = await openPostgresProxy(database.url);
    for (const proxy of [first, second])
      proxy.onStatement((text) => {
        if (!text.includes("pg_control_system")) return null;
        asked += 1;
        return { sqlState: "42883" };
      });
    const { pool, lines } = poolOver(first.url.replace(/@([^/]+)/, `@$1,127.0.0.1:${second.port}`));
    await using _pool = pool;
    await pool.start();
    expect(pool.server()).toMatchObject({ port: first.port });
    expect(await portOf(pool)).toBe(Number(new URL(database.url).port));
    expect([pool.condition().writers, lines]).toEqual([1, []]);
    const one = await findServer(pool.options, { role: "primary" });
    expect([one.rivals, asked]).toEqual([[], 2]);
  },
);

/** A server that takes no more connections. */
const full = (text: string) => (text.includes("pg_is_in_recovery") ? { sqlState: "53300" } : null);

test.skipIf(!own)(
  "a server that is gone is lost although another one of the list is full",
  async () => {
    await using database = await emptyDatabase();
    await using first = await openPostgresProxy(database.url);
    await using second = await openPostgresProxy(database.url);
    const { pool, lines } = poolOver(first.url.replace(/@([^/]+)/, `@$1,127.0.0.1:${second.port}`));
    await using _pool = pool;
    second.onStatement(full);
    await pool.start();
    expect(pool.server()).toMatchObject({ port: first.port });

    // Once it is full itself, it is used on.
    first.onStatement((text) => (text.includes("'suspicious'") ? { sqlState: "25006" } : full(text)));
    await pool.read.send("SELECT 'suspicious'", []).catch(() => undefined);
    expect([pool.isOpen(), lines]).toEqual([true, []]);

    first.refuse();
    first.cut();
    while (pool.isOpen()) {
      await pool.read.send("SELECT 1", []).catch(() => undefined);
      await Bun.sleep(20);
    }
    expect(lines).toMatchObject([{ message: "the database cannot be reached" }]);

    second.onStatement(() => null);
    await until(() => pool.isOpen());
    expect(pool.server()).toMatchObject({ port: second.port });
  },
  20_000,
);

/** A look by itself, and a further address of the same server, by a proxy. */
async function openLook(url: string) {
  const proxy = await openPostgresProxy(url);
  const { pool } = poolOver(url.replace(/@([^/]+)/, `@$1,127.0.0.1:${proxy.port}`));
  const options = { ...pool.options, connectSeconds: 1 };
  await pool[Symbol.asyncDispose]();
  return { proxy, options, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}

test.skipIf(!own)("a suspicion waits for no other server once the one in use answers well", async () => {
  await using database = await emptyDatabase();
  await using world = await openLook(database.url);
  const used = await findServer(world.options, { role: "primary" });
  expect(used.unsure).toEqual([]);
  // It would still answer within the time that a brief look has for others.
  world.proxy.slow(10);
  const look = { role: "primary", haste: "brief" } as const;
  expect((await findServer(world.options, { ...look, used })).unsure).toMatchObject([
    { port: world.proxy.port },
  ]);
});

test.skipIf(!own)(
  "a process that stood still during a look reads the answers that came meanwhile",
  async () => {
    await using database = await emptyDatabase();
    await using world = await openLook(database.url);
    const looking = findServer(world.options, { role: "primary" });
    await Bun.sleep(1);
    Bun.sleepSync(1600);
    expect(await looking).toMatchObject({ standing: { isReadOnly: false } });
  },
);
