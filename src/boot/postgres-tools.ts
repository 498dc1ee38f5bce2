/** What commands do with a PostgreSQL database without serving from it. Loaded only where the settings name one. */
import { migratePostgres, planPostgres, type MigrationReport } from "../adapters/postgres/migrate.ts";
import { listNodes, type Node } from "../adapters/postgres/nodes.ts";
import { openWorkSession } from "../adapters/postgres/work-session.ts";
import { newUuid } from "../kernel/ids.ts";
import type { DatabaseSetting } from "./config/storage-settings.ts";

/** The nodes of the database's community, by name. */
export async function readNodes({ address }: DatabaseSetting): Promise<readonly Node[]> {
  await using session = await openWorkSession(address);
  return await listNodes(session);
}

/** Brings the schema up to date. `say` gets what it waits for. */
export function migrate({ address }: DatabaseSetting, say: (text: string) => void): Promise<MigrationReport> {
  return migratePostgres(address, { holder: `command/${newUuid()}`, say });
}

/** What `migrate` would do. */
export function planMigrate({ address }: DatabaseSetting): Promise<MigrationReport> {
  return planPostgres(address);
}
