import type { PostgresHost } from "./address.ts";
import { openClient, requirePrimary, type ConnectionOptions, type Role } from "./connection.ts";
import { connectFault, lateFault } from "./faults.ts";

/**
 * The first server of the list that can be used: for the role `primary` the first that takes writes. All are asked at once; every
 * node decides alike, because the order of the list counts, not the speed of the answers. Each may take `connectSeconds` for its
 * answer. Fails with the fault of the last one.
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
  let last: unknown;
  for (const answer of answers) {
    const { host, fault } = await answer;
    if (host !== null) return host;
    last = fault;
  }
  throw last;
}

async function askServer(host: PostgresHost, options: ConnectionOptions, role: Role): Promise<void> {
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
