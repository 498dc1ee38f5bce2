import { describeAddress, type PostgresAddress } from "../../adapters/postgres/connections/address.ts";
import { ownConnections } from "../../adapters/postgres/connections/own-connections.ts";
import { poolerRemedy, poolerWords } from "../../adapters/postgres/connections/poolers.ts";
import type { DatabaseSetting } from "../../boot/config/storage-settings.ts";
import { postgresTools } from "../../boot/engines.ts";
import type { DatabaseReach } from "../../boot/postgres-tools.ts";
import { sizeText } from "../../kernel/size-text.ts";
import { checkRights } from "./database-rights.ts";
import { failure, ok, problem, reasonOf, warning, type Finding } from "./finding.ts";
import { checkHosts, writesFinding } from "./postgres-hosts.ts";

/** Beyond this the clocks of nodes need care, although the service goes by the database's. */
const clockSecondsMax = 2;
/** A copy that is a second old is passed over; the time is left twice a second. */
const replicaSecondsMax = 1.5;

/** The PostgreSQL server: what it is, whether what was answered outlives it, and how it is reached. */
export async function* checkServer(setting: DatabaseSetting, reach: DatabaseReach): AsyncIterable<Finding> {
  const tools = await postgresTools();
  if (reach.state === "unusable") {
    yield* await lackingRights(setting, reach.reason);
    return;
  }
  const { facts, schemaFaults, isPooled, hasOtherSecret, rights } = await tools.examineServer(setting);
  const place = describeAddress(setting.address);
  const size = facts.bytes === null ? "" : `, ${sizeText(facts.bytes)}`;
  yield ok(`${place}: ${facts.version.split(" on ")[0] ?? ""}${size}`);
  yield writesFinding(setting.address, facts.readOnlyBy);
  yield* checkHosts(setting);
  yield* checkRights(rights);
  if (reach.state !== "empty") yield* schemaAge(facts);
  else if (rights?.mayMakeTables !== false)
    yield ok("it is empty: the first start of a node makes its tables");
  if (hasOtherSecret)
    yield problem(
      "JWT_SECRET is another one than that which this database was used with, so no node starts with it",
      "set the secret of the other nodes; after secret rotate, the new one",
    );
  for (const fault of schemaFaults)
    yield problem(
      `its schema was changed: ${fault}`,
      "if the change is not yours, restore a backup from before; else take it out with psql",
    );
  yield* durability(facts);
  if (isPooled && setting.prepared) yield problem(poolerWords, poolerRemedy);
  if (!facts.hasSearchIndex && facts.pending <= 0) yield searchFinding(facts);
  const wanted = setting.poolMax + ownConnections;
  if (wanted * 2 > facts.connectionsMax)
    yield warning(
      `it takes ${facts.connectionsMax} connections, and each node opens up to ${wanted}`,
      "raise max_connections, or lower DATABASE_POOL_MAX",
    );
  if (setting.readAddress !== null) yield await checkReplica(setting, setting.readAddress);
  if (Math.abs(facts.clockAheadSeconds) > clockSecondsMax)
    yield warning(
      `this machine's clock is ${facts.clockAheadSeconds.toFixed(1)} s ahead of the database's, by which the service goes`,
      "keep the clocks of all machines set with NTP",
    );
}

function searchFinding({ closedSchema }: Facts): Finding {
  const next = "; the next start makes the indexes";
  if (closedSchema === null)
    return warning(
      "searches of staff read whole tables, because pg_trgm is missing",
      `CREATE EXTENSION pg_trgm as a superuser${next}`,
    );
  return warning(
    `searches of staff read whole tables, because pg_trgm is in the schema ${closedSchema}, which this user may not use`,
    `GRANT USAGE ON SCHEMA ${closedSchema} TO this user, as a superuser or the schema's owner${next}`,
  );
}

/** The rights without which the database cannot be used. Fails with the reason where it is another one. */
async function lackingRights(setting: DatabaseSetting, reason: unknown): Promise<readonly Finding[]> {
  const { readOwnRights } = await postgresTools();
  const lacking = [...checkRights(await readOwnRights(setting, reason))];
  if (lacking.some(({ state }) => state === "problem")) return lacking;
  throw reason;
}

async function checkReplica(setting: DatabaseSetting, address: PostgresAddress): Promise<Finding> {
  const place = `DATABASE_READ_URL, ${describeAddress(address)},`;
  const { readReplicaLag } = await postgresTools();
  try {
    const seconds = await readReplicaLag(setting, address);
    if (seconds === null)
      return problem(
        `${place} holds no copy of this community, so the primary answers everything`,
        "name a server that follows the primary, with the same database",
      );
    if (seconds <= replicaSecondsMax) return ok(`${place} follows, and is read from`);
    return warning(
      `${place} is ${Math.round(seconds)} s behind, so the primary answers everything`,
      "look at the replica's log and load, and at the way between both",
    );
  } catch (cause) {
    const { remedy } = failure("", cause);
    return problem(
      `${place} is not read from: ${reasonOf(cause)}`,
      remedy ?? "name a server that can be reached",
    );
  }
}

type Facts = Awaited<ReturnType<Awaited<ReturnType<typeof postgresTools>>["examineServer"]>>["facts"];

function* schemaAge({ pending }: Facts): Iterable<Finding> {
  if (pending > 0)
    yield warning(
      `it is older than the program by ${pending} migrations`,
      "the next start brings it up to date: cloakroom migrate",
    );
}

function* durability({ isDurable, isSynchronous, standbys }: Facts): Iterable<Finding> {
  if (!isDurable)
    yield problem(
      "it answers before commits are on its disk: a crash loses what was answered",
      "set fsync and synchronous_commit to on",
    );
  if (!isSynchronous)
    yield warning(
      "no standby is synchronous: what was answered in the last moments is lost with this server",
      "set synchronous_standby_names, or know that a cloud's service keeps copies in its own way",
    );
  else if (standbys === 0)
    yield problem("no standby is connected, and every change waits for one", "start the standby");
}
