import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { openPostOffice } from "./post-office.ts";
import { randomFrom } from "./random.ts";
import { openService } from "./service.ts";
import { program } from "../support/program.ts";

const copies = 60;
/** What `jobs/mail-outbox.ts` has on its way at once. */
const parallelSends = 4;
/** Recent: what is older than a week is given up. */
const at = Math.floor(Date.now() / 1000);

test("a mail to everybody reaches all when the service is killed in the middle, and only what was in hand twice", async () => {
  await using office = await openPostOffice(randomFrom(1));
  const command = ["env", "MAIL_PER_SECOND_MAX=20", ...program];
  await using service = await openService(command, office.port);
  await mkdir(service.dataDir);
  const path = join(service.dataDir, "cloakroom.db");
  await writeToEverybody(path);
  const ids = Array.from({ length: copies }, (_, index) => `${at}.${index + 1}@www.example.org`);

  await service.start();
  await office.hasAll(ids.slice(0, copies / 3));
  await service.kill();
  expect(office.taken.size).toBeLessThan(copies);
  endClaims(path);
  await service.start();
  await office.hasAll(ids);
  expect(await service.stop()).toBe(0);

  expect(new Set(office.taken.keys())).toEqual(new Set(ids));
  const twice = [...office.taken.values()].filter((times) => times > 1);
  expect(twice.length).toBeLessThanOrEqual(parallelSends);
  expect(Math.max(...office.taken.values())).toBeLessThanOrEqual(2);
  expect(service.complaints()).toBe("");
}, 60_000);

async function writeToEverybody(path: string): Promise<void> {
  migrateDatabase(path);
  using database = openDatabase(path);
  const rest = {
    registration: "unnamed",
    mailVerified: true,
    passwordHash: null,
    permanentLevel: 1,
    createdAt: 1,
  } as const;
  await database.atomically(async ({ accounts, outbox }) => {
    for (let number = 0; number < copies; number++) {
      const mail = `m${number}@example.org`;
      await accounts.insertAccount({ ...rest, uuid: newUuid(), mail, language: "en" });
    }
    await outbox.insertBulkMail({ subject: "News", message: "Hello!", issuer: "Boss", at });
  });
}

/** As if the minute had passed for which a claim holds. */
function endClaims(path: string): void {
  using database = new Database(path);
  database.run("UPDATE outbox SET due_at = 0 WHERE state = 'waiting'");
}
