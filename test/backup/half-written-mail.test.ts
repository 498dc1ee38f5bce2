/** A backup of PostgreSQL while the leader still writes the copies of a mail to everybody. */
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { copyBulkMails } from "../../src/adapters/postgres/cluster/bulk-copying.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { notedDatabase } from "../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: backups of PostgreSQL (${postgresMissing})`);

/** What a restored folder has to send. */
function recipientsIn(folder: string): readonly string[] {
  using database = new Database(join(folder, "cloakroom.db"), { readonly: true });
  const rows = database.query<{ recipient: string }, []>("SELECT recipient FROM outbox ORDER BY recipient");
  return rows.all().map(({ recipient }) => recipient);
}

test.skipIf(postgresMissing !== null)(
  "a backup waits for the copies of a mail to everybody while a node runs, and else says that it lacks them",
  async () => {
    await using database = await testDatabase();
    await using folder = await temporaryFolder();
    const secret = { JWT_SECRET: "correct horse battery staple, twice" };
    const environment = { ...secret, DATABASE_URL: database.url, DATA_DIR: join(folder.path, "node") };
    for (const name of ["Anna", "Bert"]) {
      const mail = `${name.toLowerCase()}@example.org`;
      const user = ["user", "create", "--mail", mail, "--username", name, "--password", "long enough"];
      expect(await run(user, { environment })).toMatchObject({ code: 0, error: "" });
    }
    await using sql = new SQL({ url: database.url, max: 1 });
    const now = Math.floor(Date.now() / 1000);
    await sql`INSERT INTO bulk_mails (subject, message, issuer, created_at) VALUES ('s', 'm', 'cli', ${now})`;
    await sql`INSERT INTO bulk_copying SELECT id, ${now}, 0, 1000 FROM bulk_mails`;

    const archive = join(folder.path, "backup");
    const noSecrets =
      "cloakroom: not in the backup: secrets, because the database holds none. A restored server needs the JWT_SECRET of these settings, or everybody has to sign in again\n";
    expect(await run(["backup", archive], { environment })).toMatchObject({
      code: 0,
      error: `cloakroom: not in the backup: copies of a mail to everybody that had not been written yet\n${noSecrets}`,
    });

    await sql`INSERT INTO nodes VALUES ('one', '1', 1, ${now * 1000}, ${(now + 3600) * 1000})`;
    await using session = await openWorkSession(notedDatabase(database.url));
    const waiting = run(["backup", archive, "--replace"], { environment });
    // It has begun once it looks for nodes; whether it has or not, it may not be done before the copies are.
    await Bun.sleep(700);
    await copyBulkMails(session, () => false);
    expect(await waiting).toMatchObject({ code: 0, error: noSecrets });

    const restored = join(folder.path, "restored");
    expect(await run(["restore", archive], { environment: { ...secret, DATA_DIR: restored } })).toMatchObject(
      {
        code: 0,
      },
    );
    expect(recipientsIn(restored)).toEqual(["anna@example.org", "bert@example.org"]);
  },
);
