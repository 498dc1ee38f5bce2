/** An export that is imported again gives the same rows, from one engine to the other and back. */
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readEntries, writeEntries } from "../backup/archives.ts";
import { changeDatabase, openDataFolder } from "../backup/data-world.ts";
import { run } from "../cli/run-program.ts";
import { makeCommunity } from "../operate/moved-community.ts";
import { jwtSecret } from "../support/harness.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: exports to PostgreSQL (${postgresMissing})`);

const { folder, newPath } = await openDataFolder();
const dataDir = join(folder, "community");
await makeCommunity(dataDir);
/** Something in every field; times that have passed, because later ones are no dates of a community. */
changeDatabase(
  join(dataDir, "cloakroom.db"),
  `UPDATE accounts SET created_at = 1600000000 + id, last_seen_at = CASE id % 3 WHEN 0 THEN NULL ELSE 1700000000 + id END;
   UPDATE players SET created_at = 1600000100 + id, renamed_at = id % 2 * 1650000000, hides_cape = (id = 4), shares_skin = (id = 5);
   UPDATE skins SET created_at = 1600000200 + id;
   UPDATE capes SET created_at = 1600000300 + id, uploaded_by = 'Marlow';
   UPDATE cape_grants SET granted_at = 1600000400 + rowid, expires_at = CASE rowid WHEN 2 THEN 4000000000 END;
   UPDATE identities SET linked_at = 1600000500, avatar = 'https://example.org/a.png';
   UPDATE accounts SET role_level = 2, role_expires_at = 4000000000, language = 'ru', players_max = 7 WHERE id = 4;
   UPDATE accounts SET wants_bulk_mail = 0, language = 'zh-Hans', delete_at = 4000000001 WHERE id = 5;
   UPDATE accounts SET mail_verified = 0, language = 'de' WHERE id = 6;
   UPDATE accounts SET mail = NULL, mail_key = NULL, mail_verified = 0 WHERE id = 7;
   UPDATE players SET own_cape_id = (SELECT cape_id FROM cape_grants WHERE account_id = 3 LIMIT 1) WHERE account_id = 3;
   UPDATE skins SET cape_id = (SELECT cape_id FROM cape_grants WHERE account_id = 1 LIMIT 1) WHERE account_id = 1;
   UPDATE players SET name_derived = 1 WHERE id = 8;
   UPDATE accounts SET registration = 'unnamed', password_hash = NULL WHERE id = 8;
   INSERT INTO accounts (uuid, mail, mail_key, mail_verified, registration, level, created_at, language)
     VALUES ('11111111-1111-4111-8111-111111111111', 'un@example.org', 'un@example.org', 1, 'unnamed', 1, 1600000001, 'en'),
       ('22222222-2222-4222-8222-222222222222', 'conf@example.org', 'conf@example.org', 0, 'unconfirmed', 1, 1700000001, 'en');
   INSERT INTO capes (uuid, texture_hash, name, uploaded_by, created_at, wings_hash, wings_sought)
     SELECT '33333333-3333-4333-8333-333333333333', texture_hash, 'The same again', 'cli', 1600000999, wings_hash, 1 FROM capes LIMIT 1;
   INSERT INTO aliases (name_key, account_id, name, created_at)
     SELECT 'old_' || id, id, 'Old_' || id, 1600000600 + id FROM accounts WHERE id < 5 UNION ALL VALUES ('older', 2, 'Older', 1500000000);
   INSERT INTO suspensions (account_id, scope, until, reason, issuer, at)
     VALUES (9, 'all', 4000000002, 'a reason', 'Marlow', 1600000700), (10, 'all', NULL, '', 'cli', 1600000701)`,
);

type Settings = Readonly<Record<string, string>>;
const work = (args: readonly string[], settings: Settings) =>
  run(args, { environment: { JWT_SECRET: jwtSecret, ...settings } });

const linesOf = (content: Uint8Array) => Buffer.from(content).toString().split("\n").toSorted();

async function exportOf(settings: Settings): Promise<{ path: string; content: Record<string, unknown> }> {
  const path = newPath();
  expect(await work(["export", path, "--with-hashes"], settings)).toMatchObject({ code: 0 });
  const entries = await readEntries(path);
  const kept = entries.filter(({ name }) => !["manifest.json", "audit.jsonl"].includes(name));
  const content = kept.map(({ name, content }) => [
    name,
    name.endsWith(".jsonl") ? linesOf(content) : Bun.CryptoHasher.hash("sha256", content, "hex"),
  ]);
  return { path, content: Object.fromEntries(content) };
}

async function importInto(path: string, settings: Settings): Promise<void> {
  const args = ["import", "--from", "cloakroom", "--file", path, "--staff", "keep"];
  expect(await work(args, settings)).toMatchObject({ code: 0 });
}

test("from a folder to a folder, and a second time nothing", async () => {
  const first = await exportOf({ DATA_DIR: dataDir });
  const target = { DATA_DIR: newPath() };
  await importInto(first.path, target);
  expect((await exportOf(target)).content).toEqual(first.content);
  const again = await work(
    ["import", "--from", "cloakroom", "--file", first.path, "--staff", "keep", "--json"],
    target,
  );
  const { planned } = JSON.parse(again.out) as { planned: Record<string, Record<string, number>> };
  expect(Object.values(planned).filter((decisions) => "create" in decisions)).toEqual([]);
  expect((await exportOf(target)).content).toEqual(first.content);
  const checked = await work(["fsck", "--json"], target);
  expect(JSON.parse(checked.out)).toMatchObject({ faults: [], schema_faults: [] });
});

test.skipIf(postgresMissing !== null)("from a folder to PostgreSQL, and from there to a folder", async () => {
  await using database = await emptyDatabase();
  const first = await exportOf({ DATA_DIR: dataDir });
  const node = { DATA_DIR: newPath(), DATABASE_URL: database.url };
  await importInto(first.path, node);
  const second = await exportOf(node);
  expect(second.content).toEqual(first.content);
  const back = { DATA_DIR: newPath() };
  await importInto(second.path, back);
  expect((await exportOf(back)).content).toEqual(first.content);
});

test("gives no level to anybody unless it is asked to", async () => {
  const { path } = await exportOf({ DATA_DIR: dataDir });
  const target = { DATA_DIR: newPath() };
  expect(await work(["import", "--from", "cloakroom", "--file", path], target)).toMatchObject({ code: 0 });
  const { out } = await work(["user", "list", "--json"], target);
  const users = JSON.parse(out) as readonly { readonly perms: number; readonly perms_permanent: number }[];
  expect(users.length).toBeGreaterThan(5);
  expect(users.filter(({ perms, perms_permanent }) => perms !== 1 || perms_permanent !== 1)).toEqual([]);
});

test("writes nothing of an export that was changed", async () => {
  const { path } = await exportOf({ DATA_DIR: dataDir });
  const entries = await readEntries(path);
  const changed = newPath();
  await writeEntries(
    changed,
    entries.map((entry) =>
      entry.name === "grants.jsonl" ? { ...entry, content: Buffer.from(entry.content.toReversed()) } : entry,
    ),
  );
  const target = { DATA_DIR: newPath() };
  const args = ["import", "--from", "cloakroom", "--file", changed];
  expect(await work(args, target)).toMatchObject({
    code: 1,
    out: "",
    error: expect.stringContaining("grants.jsonl is not what was put in"),
  });
  expect(await Bun.file(`${target.DATA_DIR}/cloakroom.db`).exists()).toBe(false);
});

test("writes not one byte in a dry run", async () => {
  const { path } = await exportOf({ DATA_DIR: dataDir });
  const target = { DATA_DIR: newPath() };
  const args = ["import", "--from", "cloakroom", "--file", path, "--dry-run"];
  expect(await work(args, target)).toMatchObject({ code: 0 });
  expect(await readdir(target.DATA_DIR).catch(() => [])).toEqual([]);
});
