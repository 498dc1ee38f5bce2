/** The outbox stays fast with a million copies of a mail in it: what a server does over and over reads them by indexes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { migrateDatabase } from "../../src/adapters/sqlite/database.ts";
import { openWriter, type Db } from "../../src/adapters/sqlite/open.ts";
import { outboxStore } from "../../src/adapters/sqlite/outbox-store.ts";
import { mailKinds, type OutboxStore } from "../../src/domain/mail/outbox.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { isLong, stepsOf } from "../support/query-plan.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Db;
beforeAll(async () => {
  folder = await temporaryFolder();
  const path = join(folder.path, "cloakroom.db");
  migrateDatabase(path, { dryRun: false });
  database = openWriter(path);
  const columns = "uuid, mail, mail_key, mail_verified, level, created_at";
  database.$client.run(`INSERT INTO accounts (${columns}) VALUES ('u', 'a', 'a', 1, 1, 1)`);
});
afterAll(async () => {
  database.$client.close();
  await folder[Symbol.asyncDispose]();
});

test.each<readonly [string, readonly string[], (outbox: OutboxStore) => Promise<unknown>]>([
  [
    "writing to everybody",
    [],
    (outbox) => outbox.insertBulkMail({ subject: "x", message: "y", issuer: "z", at: 5 }),
  ],
  ["is a mail due?", ["outbox_due", "outbox_bulk_due"], (outbox) => outbox.hasDue(mailKinds, 5)],
  [
    "counting what waits",
    ["outbox_due", "outbox_bulk_due"],
    (outbox) => Promise.all(mailKinds.map((kind) => outbox.queue(kind))),
  ],
  ["taking one", ["outbox_due", "outbox_bulk_due"], (outbox) => outbox.claimDue(mailKinds, 5, 6)],
  ["dropping copies for an address", ["outbox_recipient"], (outbox) => outbox.dropWaitingCopies("a")],
  ["giving up mails to one person", ["outbox_due"], (outbox) => outbox.giveUpMails("personal", 5, 6)],
  ["giving up copies", ["outbox_content"], (outbox) => outbox.giveUpMails("bulk", 5, 6)],
  ["wiping what failed for one person", ["outbox_due"], (outbox) => outbox.wipeFailedMails("personal", 5)],
  ["wiping copies that failed", ["outbox_content"], (outbox) => outbox.wipeFailedMails("bulk", 5)],
  ["forgetting mails to one person", ["outbox_due"], (outbox) => outbox.deleteOldMails(5, 5)],
  ["forgetting a mail to everybody", ["outbox_bulk"], (outbox) => outbox.deleteOldBulkMails(5)],
  [
    "having what failed sent again",
    ["outbox_due", "outbox_bulk_due"],
    (outbox) => outbox.makeDue("failed", 5),
  ],
])("%s", async (_, indexes, work) => {
  const steps = await stepsOf(database, (db) => work(outboxStore(db, () => undefined)));
  const long = steps.filter(isLong).filter((step) => step !== "SCAN bulk_mails");
  expect(long).toEqual([]);
  for (const index of indexes) expect(steps.join("\n")).toMatch(new RegExp(`INDEX ${index} \\(`));
});
