import { describeAddress, type PostgresAddress } from "../../adapters/postgres/connections/address.ts";
import type { DatabaseSetting } from "../../boot/config/storage-settings.ts";
import { postgresTools } from "../../boot/engines.ts";
import { ok, problem, type Finding } from "./finding.ts";

/** The servers of DATABASE_URL other than the one in use: only one may take writes. */
export async function* checkHosts(setting: DatabaseSetting): AsyncIterable<Finding> {
  const { used, others, remedy } = await (await postgresTools()).lookAtServers(setting);
  if (others.length === 0) return;
  yield problem(
    `several servers of ${describeAddress(setting.address)} take writes, and what is changed on one is not on the other: nodes use ${used}; ${others.join(", ")} takes writes as well`,
    remedy,
  );
}

/** Whether it takes writes. `source`: where it got the setting that it takes none, in its own words. */
export function writesFinding(address: PostgresAddress, source: string | null): Finding {
  if (source === null) return ok("it takes writes");
  return problem(
    `${describeAddress(address)} was switched to reads only: changes are refused, and what is shown goes on`,
    `make room on its disk if your hoster switched it; then ${switchBack(address, source)}. Nodes notice it within seconds`,
  );
}

function switchBack({ database, user }: PostgresAddress, source: string): string {
  const reset = "RESET default_transaction_read_only";
  const first = "SET default_transaction_read_only = off and";
  if (source === "database") return `${first} ALTER DATABASE ${database} ${reset}`;
  if (source === "user") return `${first} ALTER ROLE ${user} ${reset}`;
  if (source === "database user") return `${first} ALTER ROLE ${user} IN DATABASE ${database} ${reset}`;
  return `ALTER SYSTEM ${reset} and SELECT pg_reload_conf()`;
}
