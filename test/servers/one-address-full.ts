/** An address that leads to another server after a failover, as a cloud's or a balancer's does. */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { openPool, type Pool } from "../../src/adapters/postgres/connections/pool.ts";
import { postgresMissing } from "../support/postgres.ts";
import { startReplicatedPostgres } from "../support/replicated-postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: an address that leads elsewhere (${postgresMissing})`);

const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

/** Leads new connections to a port; those that are open stay where they are. */
async function openLead(port: number) {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    // The boundary: it listens on TCP.
    port: (server.address() as AddressInfo).port,
    leadTo: (next: number) => void (target = next),
    cut: end,
    [Symbol.asyncDispose]: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const portOf = async ({ read }: Pool) =>
  Number((await read.send("SELECT current_setting('port')", []))[0]?.[0]);
const until = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo().catch(() => false))) await Bun.sleep(50);
};

test.skipIf(!own)(
  "connections that stayed with the former server are given up, and it is refused when the address leads back",
  async () => {
    await using pair = await startReplicatedPostgres();
    await using lead = await openLead(pair.primary.port);
    const lines: string[] = [];
    const note = (message: string, fields: object = {}) =>
      void lines.push(`${message} ${JSON.stringify(fields)}`);
    await using pool = openPool({
      address: parseAddress(pair.primary.url.replace(`:${pair.primary.port}/`, `:${lead.port}/`)),
      requestSlots: 2,
      prepared: true,
      applicationName: "test",
      log: { info: note, warn: note },
    });
    await pool.start();
    expect(await portOf(pool)).toBe(pair.primary.port);
    await pair.promote();
    lead.leadTo(pair.standby.port);
    await until(async () => (await portOf(pool)) === pair.standby.port);
    await using former = new SQL({ url: pair.primary.url, max: 1 });
    expect([...(await former`SELECT pid FROM pg_stat_activity WHERE application_name = 'test'`)]).toEqual([]);

    lead.leadTo(pair.primary.port);
    lead.cut();
    await until(async () => !pool.isOpen() || (await portOf(pool).then(() => false)));
    expect(lines.at(-1)).toContain(
      "this server takes writes on timeline 1, and was replaced by one on timeline 2",
    );
    await Bun.sleep(2500);
    expect(pool.isOpen()).toBeFalse();
    lead.leadTo(pair.standby.port);
    await until(async () => (await portOf(pool)) === pair.standby.port);
  },
  600_000,
);
