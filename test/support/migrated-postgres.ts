import { migratePostgres } from "../../src/adapters/postgres/migrate.ts";
import { migrations } from "../../src/adapters/postgres/migrations.ts";
import { databaseLike, type DatabaseModel, type TestDatabase } from "./postgres.ts";
import { notedDatabase } from "./noted-database.ts";

const migrated: DatabaseModel = {
  name: `cloakroom_${Bun.hash(JSON.stringify(migrations)).toString(16)}`,
  fill: async (url) =>
    void (await migratePostgres(notedDatabase(url), { holder: "tests", say: () => undefined })),
};

/** Makes a database with all migrations applied, which goes when it is disposed of. */
export function testDatabase(): Promise<TestDatabase> {
  return databaseLike(migrated);
}
