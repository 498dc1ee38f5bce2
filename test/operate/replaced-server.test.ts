/** A server that this node knows to be replaced, because it has noted a higher timeline of its cluster. */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { runProcess, temporaryFolder } from "../cli/run-program.ts";
import { jwtSecret } from "../support/harness.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a server that was replaced (${postgresMissing})`);

const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

test.skipIf(!own).each([
  ["backup", ["backup", "kept.tar.gz"], "DATABASE_URL"],
  ["move from it", ["move", "--dry-run"], "DATABASE_URL"],
  ["move to it", ["move", "--dry-run"], "MOVE_TO"],
  ["migrate --dry-run", ["migrate", "--dry-run"], "DATABASE_URL"],
])("%s refuses it", async (_, args, name) => {
  await using database = await testDatabase();
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  await using sql = new SQL({ url: database.url, max: 1 });
  const [{ system }] = await sql`SELECT system_identifier::text AS system FROM pg_control_system()`;
  const at = { folder: folder.path, environment: { DATA_DIR: folder.path, JWT_SECRET: jwtSecret } };
  if (name === "MOVE_TO") expect(await runProcess(["migrate"], at)).toMatchObject({ code: 0 });
  await Bun.write(join(folder.path, "database-timelines"), `${system} 99\n`);
  // Of a process of its own: what it recalls must not reach other tests.
  const { code, error } = await runProcess(args, {
    ...at,
    environment: { MOVE_TO: other.path, ...at.environment, [name]: database.url },
  });
  expect({ code, error }).toEqual({
    code: 1,
    error: expect.stringContaining("was replaced by one on timeline 99"),
  });
  expect(await Bun.file(join(folder.path, "kept.tar.gz")).exists()).toBeFalse();
});
