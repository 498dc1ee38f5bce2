/** What commands do with a PostgreSQL database without serving from it. Loaded only where the settings name one. */
import {
  inspectRows,
  readServerFacts,
  sharesConnections,
  type ServerFacts,
} from "../adapters/postgres/inspect.ts";
import {
  migratePostgres,
  planPostgres,
  planSchema,
  type MigrationReport,
} from "../adapters/postgres/migrate.ts";
import { listNodes, type Node } from "../adapters/postgres/nodes.ts";
import { schemaFaults as schemaFaultsOf } from "../adapters/postgres/own-schema.ts";
import { openWorkSession } from "../adapters/postgres/work-session.ts";
import { newUuid } from "../kernel/ids.ts";
import type { DatabaseSetting } from "./config/storage-settings.ts";

/** The nodes of the database's community, by name. */
export async function readNodes({ address }: DatabaseSetting): Promise<readonly Node[]> {
  await using session = await openWorkSession(address);
  return await listNodes(session);
}

/** How the database's schema differs from what the migrations make. */
export async function readSchemaFaults({ address }: DatabaseSetting): Promise<readonly string[]> {
  await using session = await openWorkSession(address);
  return await schemaFaultsOf(session);
}

/** Brings the schema up to date. `say` gets what it waits for. */
export function migrate({ address }: DatabaseSetting, say: (text: string) => void): Promise<MigrationReport> {
  return migratePostgres(address, { holder: `command/${newUuid()}`, say });
}

/** What `migrate` would do. */
export function planMigrate({ address }: DatabaseSetting): Promise<MigrationReport> {
  return planPostgres(address);
}

/** What an operator should know of the server and of the way to it. */
export async function examineServer({ address }: DatabaseSetting): Promise<{
  readonly facts: ServerFacts;
  readonly schemaFaults: readonly string[];
  /** Whether a pooler in transaction mode stands between. */
  readonly isPooled: boolean;
}> {
  await using session = await openWorkSession(address);
  await using other = await openWorkSession(address);
  const facts = await readServerFacts(session);
  return {
    facts,
    schemaFaults: facts.pending === 0 ? await schemaFaultsOf(session) : [],
    isPooled: await sharesConnections(session, other),
  };
}

/** Reads of rows, for as long as the work takes; null for a database whose schema is another one. */
export async function inspecting<T>(
  { address }: DatabaseSetting,
  work: (rows: ReturnType<typeof inspectRows>) => Promise<T>,
): Promise<T | null> {
  await using session = await openWorkSession(address);
  const { applied } = await planSchema(session);
  return applied.length > 0 ? null : await work(inspectRows(session));
}
