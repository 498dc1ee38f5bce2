/* A community in a data folder with something in every table, and what two copies of one are compared by. */
import { Database } from "bun:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fillCommunity } from "../support/community.ts";
import { jwtSecret, openHarness } from "../support/harness.ts";
import { program } from "../support/program.ts";

/** What no copy has: what changed lately, files to be deleted, and how SQLite keeps its searches. */
const notCopied = /^sqlite_(?!sequence)|^change$|^dropped_files$|_search_(?:data|idx|docsize|config)$/;

/** Fills a folder past the service, too, so that each table has a row. */
export async function makeCommunity(folder: string): Promise<void> {
  {
    await using harness = await openHarness({ folder, on: { database: "sqlite", files: "files" } });
    await fillCommunity(harness);
  }
  await Bun.write(
    join(folder, "secrets/webhook-secret"),
    `whsec_${Buffer.alloc(32, 7).toString("base64")}\n`,
  );
  await Bun.write(join(folder, "mail-templates/confirm.en.txt"), "Subject: Welcome\n\n{{code}}\n");
  using database = new Database(join(folder, "cloakroom.db"));
  const account = "SELECT min(id) FROM accounts";
  for (const statement of [
    `INSERT INTO held_names (name_key, account_id, held_until) VALUES ('zeta', (${account}), 99), ('alpha', (${account}), 99)`,
    `INSERT INTO former_uuids (uuid, account_id) VALUES ('3f0c1d5e-6a7b-4c8d-9e0f-112233445566', (${account}))`,
    `INSERT INTO texture_bans (hash, issuer, created_at, reason) VALUES ('${"ab".repeat(32)}', 'cli', 5, 'Ünicode \\ % _ ''quoted''')`,
    `INSERT INTO codes (account_id, purpose, hash, mail, expires_at) VALUES ((${account}), 'reset', 'hash', 'a@example.org', 9)`,
    `INSERT INTO registration_passwords (account_id, password_hash) VALUES ((${account}), 'a hash')`,
    `INSERT INTO pending_people (hash, provider, issuer, subject, username, avatar, expires_at) VALUES ('h', 'discord', '', '9', 'n', '', 9)`,
    `INSERT INTO identities (account_id, provider, issuer, subject, username, avatar, linked_at)
     VALUES ((${account}), 'discord', 'https://discord.com', '99999999999999999999', 'Někdo 🦊', '', 7)`,
    `INSERT INTO service_tokens (name, hash, created_at) VALUES ('shop', 'hash', 3)`,
    `INSERT INTO aliases (name_key, account_id, name, created_at) SELECT 'anna ünï', max(id), 'Anna Ünï', 7 FROM accounts`,
    `INSERT INTO codes (account_id, purpose, hash, mail, expires_at) VALUES ((${account}), 'claim', 'a claim', '', 9)`,
    `INSERT INTO import_runs (source, state, cursor, began_at, ended_at, counts) VALUES ('old', 'done', 'users:9', 5, 6, '{"account":9}')`,
    `INSERT INTO import_links (source, kind, key, local_id, digest) VALUES ('old', 'account', 'users:5', (${account}), 'ab')`,
    `INSERT INTO webhooks (address, position, last_error) VALUES ('${"cd".repeat(32)}', 2, 'line' || char(10) || 'break')`,
    `INSERT INTO sessions (id, account_id, created_at, expires_at, kind, token_hash, client_token)
     VALUES ('game', (${account}), 1, 2, 'game', 'token', '{"a":[1,null,"NULL"]}')`,
    // Numbers of rows that are no more are not given again.
    "INSERT INTO service_tokens (id, name, hash, created_at) VALUES (4000, 'gone', 'gone', 3)",
    "DELETE FROM service_tokens WHERE id = 4000",
  ])
    database.run(statement);
}

/**
 * Every row of every table that a copy has, with the searches. A copy's textures are in a place of their own.
 */
export function rowsIn(path: string): Readonly<Record<string, readonly unknown[]>> {
  using database = new Database(path, { readonly: true });
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)
    .filter((name) => !notCopied.test(name));
  return Object.fromEntries(
    tables.map((name) => {
      const order = name.endsWith("_search") || name.endsWith("_search_content") ? "rowid" : "1, 2";
      // The feed of changes begins again.
      const not: Readonly<Record<string, string>> = { sqlite_sequence: "change", marks: "place" };
      const all = name in not ? `name <> '${not[name]}'` : "true";
      return [name, database.query(`SELECT * FROM "${name}" WHERE ${all} ORDER BY ${order}`).all()];
    }),
  );
}

/** Every file of a folder by its path, as the hash of its content. */
export async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const hashes = files
    .toSorted()
    .map(async (path) => [
      path.slice(folder.length + 1),
      Bun.hash(await Bun.file(path).bytes()).toString(16),
    ]);
  return Object.fromEntries(await Promise.all(hashes));
}

/** Runs `cloakroom move`, and kills it after so many milliseconds. */
export async function runMove(
  args: readonly string[],
  {
    environment,
    killAfterMs,
  }: { readonly environment: Record<string, string>; readonly killAfterMs?: number },
): Promise<{ readonly code: number | null; readonly out: string; readonly error: string }> {
  const child = Bun.spawn([...program, "move", ...args], {
    env: { PATH: process.env["PATH"] ?? "", JWT_SECRET: jwtSecret, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const timer = killAfterMs === undefined ? null : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  if (timer !== null) clearTimeout(timer);
  return { code: child.exitCode, out, error };
}
