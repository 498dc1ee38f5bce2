import type { PostgresHost } from "./address.ts";
import { refusedAtConnect, settingTriesMax } from "./connection-settings.ts";
import { openClient, requirePrimary, type ConnectionOptions, type Role } from "./connection.ts";
import { connectFault, lateFault, StatementFault } from "./faults.ts";

/**
 * The first server of the list that can be used: for the role `primary` the first that takes writes. All are asked at once; every
 * node decides alike, because the order of the list counts, not the speed of the answers. Each may take `connectSeconds` for its
 * answer. Fails with the fault of the last one, which names those of the others as well.
 */
export async function findServer(options: ConnectionOptions, role: Role): Promise<PostgresHost> {
  const asked = options.address.hosts.map(async (host) => {
    await askServer(host, options, role);
    return host;
  });
  const answers = asked.map((answer) =>
    answer.then(
      (host) => ({ host, fault: null }),
      (fault: unknown) => ({ host: null, fault }),
    ),
  );
  const faults: unknown[] = [];
  for (const answer of answers) {
    const { host, fault } = await answer;
    if (host !== null) return host;
    faults.push(fault);
  }
  throw faultOfAll(options.address.hosts, faults);
}

/** The last server's fault; of several servers with what each of them said. */
function faultOfAll(hosts: readonly PostgresHost[], faults: readonly unknown[]): unknown {
  const last = faults.at(-1);
  if (faults.length < 2 || !(last instanceof StatementFault)) return last;
  const each = faults.map((fault, index) => {
    const { host = "", port = 0 } = hosts[index] ?? {};
    return `${host}:${port}: ${fault instanceof Error ? fault.message.replace(/^PostgreSQL: /, "") : "unknown"}`;
  });
  const { kind, sqlState, remedy } = last;
  return new StatementFault(kind, sqlState, each.join("; "), { remedy });
}

/** Asks again without a setting that the server refuses. */
async function askServer(host: PostgresHost, options: ConnectionOptions, role: Role): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(host, options, role);
    } catch (fault) {
      if (tries === settingTriesMax || !refusedAtConnect.leaveOut(options.address, fault)) throw fault;
    }
  }
}

async function askOnce(host: PostgresHost, options: ConnectionOptions, role: Role): Promise<void> {
  const client = openClient(host, options, 1);
  const { promise: late, reject } = Promise.withResolvers<never>();
  // The connection may open and then not answer.
  const timer = setTimeout(() => reject(lateFault(options.connectSeconds)), options.connectSeconds * 1000);
  try {
    await Promise.race([role === "primary" ? requirePrimary(client) : client.connect(), late]);
  } catch (error) {
    throw connectFault(error);
  } finally {
    clearTimeout(timer);
    void client.close({ timeout: 0 });
  }
}
