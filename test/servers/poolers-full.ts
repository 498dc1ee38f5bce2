import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { openNodes, until } from "../nodes/node-processes.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { haproxyMissing, pgbouncerMissing, startHaproxy, startPgbouncer } from "../support/poolers.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { userCreation } from "../cli/run-program.ts";

const missing = postgresMissing ?? pgbouncerMissing;
if (missing !== null) console.error(`NOT RUN: PgBouncer (${missing})`);
if (haproxyMissing !== null) console.error(`NOT RUN: HAProxy (${haproxyMissing})`);

describe.skipIf(missing !== null)("PgBouncer", () => {
  test("gives a connection of the server to one client for a transaction, and then to others", async () => {
    await using database = await emptyDatabase();
    await using pooler = await startPgbouncer(database.url);
    await using sql = new SQL({ url: pooler.url, max: 12, prepare: false });
    const backends = await Promise.all(
      Array.from({ length: 12 }, () =>
        sql.begin(async (tx) => {
          const [first] = await tx`SELECT pg_backend_pid() AS pid`;
          const [second] = await tx`SELECT pg_backend_pid() AS pid, pg_sleep(0.02)`;
          expect(second.pid).toBe(first.pid);
          return first.pid;
        }),
      ),
    );
    expect(new Set(backends).size).toBeLessThanOrEqual(4);
  });
});

const everySetting =
  "extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout,tcp_user_timeout,enable_seqscan";

describe.skipIf(missing !== null)("a node behind PgBouncer", () => {
  test.each(["transaction", "session"] as const)(
    "in %s mode says what to set when it takes no settings at connect, and then serves",
    async (mode) => {
      await using database = await testDatabase();
      await using pooler = await startPgbouncer(database.url, { mode, ignored: "extra_float_digits" });
      await using nodes = await openNodes(pooler.url);
      const { code, out, error } = await nodes.refused({});
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(error).toContain("PostgreSQL: unsupported startup parameter: statement_timeout (08P01)");
      expect(error).toContain(
        "remedy: if a pooler like PgBouncer stands before it, set DATABASE_PREPARED=false",
      );
      const node = await nodes.start("one", { DATABASE_PREPARED: "false" });
      await until(async () => (await node.ask("GET /health/ready")).status === 200);
      const user = userCreation("Anna", "long enough");
      expect(await nodes.command(user, { DATABASE_PREPARED: "false" })).toMatchObject({ code: 0 });
      const given = { json: { username: "Anna", password: "long enough" } };
      expect(await node.ask("POST /api/auth/login", given)).toMatchObject({ status: 200 });
    },
  );

  test("that mixes up prepared statements hears of it from the log and from doctor", async () => {
    await using database = await testDatabase();
    await using pooler = await startPgbouncer(database.url, { ignored: everySetting });
    await using nodes = await openNodes(pooler.url);
    const starting = nodes.start("one").catch((error: unknown) => error);
    // Whether it starts at all depends on who gets which connection.
    await until(async () => (await nodes.logged("one")).includes("set DATABASE_PREPARED=false"));
    await starting;
    const words = "a pooler in transaction mode stands before the database, and statements are prepared";
    expect((await nodes.command(["doctor"])).out).toContain(words);
    const well = await nodes.command(["doctor"], { DATABASE_PREPARED: "false" });
    expect(well.out).not.toContain("pooler");
  });
});

describe.skipIf(haproxyMissing !== null)("HAProxy", () => {
  test("asks the servers that are ready, and no other", async () => {
    const ready = new Set(["a", "b"]);
    const open = (name: string) =>
      Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: (request) =>
          new Response(name, { status: request.url.endsWith("/ready") && !ready.has(name) ? 503 : 200 }),
      });
    using first = open("a");
    using second = open("b");
    await using balancer = await startHaproxy([first.port ?? 0, second.port ?? 0]);
    const ask = async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          fetch(`http://127.0.0.1:${balancer.port}/`, { headers: { connection: "close" } }).then((one) =>
            one.text(),
          ),
        ),
      );
      return [...new Set(answers)].sort().join("");
    };
    expect(await ask()).toBe("ab");
    ready.delete("a");
    for (let tries = 0; tries < 100 && (await ask()) !== "b"; tries++) await Bun.sleep(50);
    expect(await ask()).toBe("b");
  });
});
