/* Data folders with as many accounts as a benchmark wants, written past the service. */
import { Database } from "bun:sqlite";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/database.ts";
import { forge } from "../support/tokens.ts";

/** Every account's password. */
export const password = "one password for all";

const jwtSecret = "a bench's secret that is long enough for HS256";
const sessionSeconds = 24 * 60 * 60;

/** Somebody signed in. */
export type SignedIn = { readonly uuid: string; readonly mail: string; readonly token: string };

/**
 * Makes a data folder with so many finished members, each with two skins, and signs some of them in, spread over the whole
 * table, beginning with the first. Rows are what the service would have written; there are no texture files, so pictures can
 * be had of the first alone, who has selected no skin and shows the default one.
 */
export async function fillAccounts(
  dataDir: string,
  count: { readonly accounts: number; readonly signedIn: number },
): Promise<readonly SignedIn[]> {
  await mkdir(join(dataDir, "secrets"), { recursive: true, mode: 0o700 });
  await Bun.write(join(dataDir, "secrets/jwt-secret"), jwtSecret, { mode: 0o600 });
  const path = join(dataDir, "cloakroom.db");
  migrateDatabase(path, { dryRun: false });
  using database = new Database(path, { strict: true });
  // Nobody minds if this file is lost on the way.
  for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "cache_size = -1000000"])
    database.run(`PRAGMA ${pragma}`);
  const now = Math.floor(Date.now() / 1000);
  const values = { count: count.accounts, now, hash: await argon2Hasher.hash(password) };
  for (const statement of fill) database.query(statement).run(values);
  return database.transaction(() => signIn(database, count, now))();
}

const numbers =
  "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $count)";
const randomUuid = ["4", "2", "2", "2", "6"].map((bytes) => `hex(randomblob(${bytes}))`).join(" || '-' || ");
/** Members share textures as they do in life, where many wear what a website offers. */
const textureCount = 1000;

/** Each is a transaction of its own. Accounts and players have the same numbers. */
const fill = [
  `${numbers} INSERT INTO textures (hash, digest, width, height, created_at)
   SELECT printf('%064x', n), printf('%064x', -n), 64, 64, $now FROM numbers LIMIT ${textureCount}`,
  `${numbers} INSERT INTO accounts (uuid, mail, mail_key, mail_verified, password_hash, level, created_at)
   SELECT lower(${randomUuid}), printf('member%07d@example.org', n), printf('member%07d@example.org', n),
          1, $hash, 1, $now FROM numbers`,
  `${numbers} INSERT INTO skins (uuid, account_id, texture_hash, name, model, created_at)
   SELECT lower(${randomUuid}), (n * 1009) % $count + 1, printf('%064x', n % ${textureCount} + 1), 'Skin', 'slim', $now
   FROM (SELECT n FROM numbers UNION ALL SELECT n FROM numbers)`,
  `INSERT INTO players (uuid, account_id, name, name_key, selected_skin_id, created_at)
   SELECT uuid, id, printf('Member_%07d', id), printf('member_%07d', id),
          CASE id WHEN 1 THEN NULL ELSE (SELECT min(id) FROM skins WHERE account_id = accounts.id) END, $now
   FROM accounts`,
] as const;

function signIn(
  database: Database,
  count: { readonly accounts: number; readonly signedIn: number },
  now: number,
): readonly SignedIn[] {
  const find = database.query<{ uuid: string; mail: string }, [number]>(
    "SELECT uuid, mail FROM accounts WHERE id = ?",
  );
  const insert = database.query(
    "INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at) VALUES (?, ?, ?, ?, ?)",
  );
  const exp = now + sessionSeconds;
  return Array.from({ length: count.signedIn }, (_, number) => {
    const account = 1 + Math.floor((number * count.accounts) / count.signedIn);
    const found = find.get(account);
    if (found === null) throw new Error(`Account ${account} is not there`);
    const sid = crypto.randomUUID();
    insert.run(sid, account, now, exp, now);
    const token = forge({ sub: found.uuid, sid, iat: now, exp, iss: "cloakroom" }, { secret: jwtSecret });
    return { ...found, token };
  });
}
