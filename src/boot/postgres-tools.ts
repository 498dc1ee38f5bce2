/**
 * What commands do with a PostgreSQL database without serving from it. Loaded only where the settings name
 * one.
 */
import { inspectRows, readServerFacts, type ServerFacts } from "../adapters/postgres/inspect.ts";
import { describeAddress, type PostgresAddress } from "../adapters/postgres/connections/address.ts";
import { requireCommunity, requireWholeSchema } from "../adapters/postgres/community.ts";
import { stateOf, StatementFault } from "../adapters/postgres/connections/faults.ts";
import { openKeyRows } from "../adapters/postgres/cluster/key-rows.ts";
import { knowsSecret, readMark } from "../adapters/postgres/cluster/marks.ts";
import { migratePostgres, planPostgres, type MigrationReport } from "../adapters/postgres/migrate.ts";
import { listNodes, type Node } from "../adapters/postgres/cluster/nodes.ts";
import { schemaFaults as schemaFaultsOf } from "../adapters/postgres/own-schema.ts";
import { rivalRemedy, withTimeline } from "../adapters/postgres/connections/server-names.ts";
import { sharesConnections } from "../adapters/postgres/connections/poolers.ts";
import {
  lookAtAll,
  openCopySession,
  openWorkSession,
  unusable,
  type WorkSession,
} from "../adapters/postgres/connections/work-session.ts";
import { readRights, type Rights } from "../adapters/postgres/rights.ts";
import { importReads } from "../adapters/sql/import-reads.ts";
import type { ImportReads } from "../domain/ports/import-store.ts";
import type { PublicKey } from "../domain/ports/signer.ts";
import { AppError } from "../kernel/errors.ts";
import { newUuid } from "../kernel/ids.ts";
import type { DatabaseSetting } from "./config/storage-settings.ts";
import { fingerprintOf, readPublicKey } from "./secrets.ts";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const insufficientPrivilege = "42501";

/**
 * The nodes of the database's community, by name. Fails with not_found or conflict for a database that has
 * none.
 */
export async function readNodes(setting: DatabaseSetting): Promise<readonly Node[]> {
  await using session = await openWorkSession(setting);
  await requireCommunity(session, describeAddress(setting.address));
  return await listNodes(session);
}

/** What can be read of a database. */
export type DatabaseReach =
  /** It cannot be used, or holds no community. */
  | { readonly state: "unusable"; readonly reason: unknown }
  | { readonly state: "empty" }
  /** `pending`: migrations that it has not seen. */
  | { readonly state: "readable"; readonly pending: number; readonly community: string };

/** Looks once, and for some seconds at most, what can be read of the database. Never fails. */
export async function reachDatabase(setting: DatabaseSetting): Promise<DatabaseReach> {
  try {
    await using session = await openWorkSession(setting, "once");
    const { pending } = await requireCommunity(session, describeAddress(setting.address));
    return { state: "readable", pending, community: (await readMark(session, "community")) ?? "" };
  } catch (reason) {
    const isEmpty = reason instanceof AppError && reason.kind === "not_found";
    return isEmpty
      ? { state: "empty" }
      : { state: "unusable", reason: aboutDatabase(setting.address, reason) };
  }
}

/** How the database's schema differs from what the migrations make. */
export async function readSchemaFaults(setting: DatabaseSetting): Promise<readonly string[]> {
  await using session = await openWorkSession(setting);
  return await schemaFaultsOf(session);
}

/** Brings the schema up to date. `say` gets what it waits for. */
export function migrate(setting: DatabaseSetting, say: (text: string) => void): Promise<MigrationReport> {
  return migratePostgres(setting, { holder: `command/${newUuid()}`, say });
}

/** What `migrate` would do. */
export function planMigrate(setting: DatabaseSetting): Promise<MigrationReport> {
  return planPostgres(setting);
}

/**
 * How far the copy of DATABASE_READ_URL is behind, in seconds; null where it is of another community, or of
 * none. Looks for some seconds at most. Fails with unavailable.
 */
export async function readReplicaLag(setting: DatabaseSetting, replica: PostgresAddress) {
  await using copy = await openCopySession(replica);
  await using session = await openWorkSession(setting, "once");
  // The copy first: what is left meanwhile makes it look older, not younger.
  const [copied, own] = [await readIdentity(copy), await readIdentity(session)];
  return copied.community === own.community ? Math.max(0, own.beatAt - copied.beatAt) / 1000 : null;
}

async function readIdentity(session: WorkSession) {
  const [there] = await session.send("SELECT to_regclass('marks') IS NOT NULL", []);
  if (there?.[0] !== true) return { community: "", beatAt: 0 };
  const beatAt = Number((await readMark(session, "heartbeat")) ?? 0);
  return { community: (await readMark(session, "community")) ?? "", beatAt };
}

/** Which server of the list is used, which others take writes as well, and what to do about it. */
export async function lookAtServers(setting: DatabaseSetting): Promise<{
  readonly used: string;
  readonly others: readonly string[];
  readonly remedy: string;
}> {
  const choice = await lookAtAll(setting);
  return {
    used: withTimeline(choice),
    others: choice.rivals.map(withTimeline),
    remedy: rivalRemedy(choice),
  };
}

/** What an operator should know of the server and of the way to it. */
export async function examineServer(setting: DatabaseSetting): Promise<{
  readonly facts: ServerFacts;
  /** Whether the database was used with another JWT secret. */
  readonly hasOtherSecret: boolean;
  readonly schemaFaults: readonly string[];
  /** Whether a pooler in transaction mode stands between. */
  readonly isPooled: boolean;
  readonly rights: Rights | null;
}> {
  await using session = await openWorkSession(setting);
  await using other = await openWorkSession(setting);
  const { address, jwtSecret } = setting;
  const facts = await readServerFacts(session).catch((cause: unknown) => {
    throw aboutDatabase(address, cause);
  });
  const rights = await readRights(session);
  // They are found by making the schema beside it.
  const isComparable = facts.pending === 0 && facts.readOnlyBy === null && rights?.mayMakeSchemas !== false;
  return {
    facts,
    rights,
    hasOtherSecret: facts.pending === 0 && !(await knowsSecret(session, fingerprintOf(jwtSecret))),
    schemaFaults: isComparable ? await schemaFaultsOf(session) : [],
    isPooled: await sharesConnections(session, other),
  };
}

/**
 * The public half of the key that signs for the database's community; null: there is none yet. Fails with
 * internal where another JWT secret sealed it.
 */
export async function readKeptPublicKey(setting: DatabaseSetting): Promise<PublicKey | null> {
  await using session = await openWorkSession(setting);
  using keys = await openKeyRows(session, setting.jwtSecret.reveal());
  return await readPublicKey(keys);
}

/**
 * What the user of the address may do, where a lack of rights is the reason why the database is unusable;
 * null otherwise.
 */
export async function readOwnRights(setting: DatabaseSetting, reason: unknown): Promise<Rights | null> {
  if (!(reason instanceof AppError) || stateOf(reason.cause) !== insufficientPrivilege) return null;
  try {
    await using session = await openWorkSession(setting, "once");
    return await readRights(session);
  } catch {
    return null;
  }
}

/**
 * What an import asks of the database, on a connection that cannot write. Fails with not_found or conflict
 * for a database that holds no community of this version.
 */
export async function openDryReads(
  setting: DatabaseSetting,
): Promise<AsyncDisposable & { readonly reads: ImportReads }> {
  const session = await openWorkSession(setting);
  try {
    await requireWholeSchema(session, describeAddress(setting.address));
    await session.send("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", []);
  } catch (cause) {
    await session[Symbol.asyncDispose]();
    throw aboutDatabase(setting.address, cause);
  }
  return { reads: importReads(session), [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
}

/** Reads of rows, for as long as the work takes. */
export async function inspecting<T>(
  setting: DatabaseSetting,
  work: (rows: ReturnType<typeof inspectRows>) => Promise<T>,
): Promise<T> {
  await using session = await openWorkSession(setting);
  try {
    return await work(inspectRows(session));
  } catch (cause) {
    throw aboutDatabase(setting.address, cause);
  }
}

/** A fault of a statement, with the name of the database and what helps. Other errors stay as they are. */
function aboutDatabase(address: PostgresAddress, cause: unknown): unknown {
  return cause instanceof StatementFault ? unusable(address, cause) : cause;
}
