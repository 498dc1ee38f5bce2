import { packagedPrograms } from "../support/packaged-postgres.ts";

/**
 * The PostgreSQL that benches run: that of Debian's packages where there is one, because communities run it,
 * unless another one is named. Imported before what starts servers, which reads the environment.
 */
export const benchedPostgres: string = choose();

function choose(): string {
  const programs = process.env["TEST_POSTGRES_BIN"] ?? packagedPrograms();
  if (programs === null) return "of npm";
  process.env["TEST_POSTGRES_BIN"] = programs;
  return programs;
}
