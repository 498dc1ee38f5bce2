import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { haproxyMissing, pgbouncerMissing, startHaproxy, startPgbouncer } from "../support/poolers.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";

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
