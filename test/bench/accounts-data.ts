/* Data folders with as many accounts as a benchmark wants, written past the service. */
import { Database } from "bun:sqlite";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { applyMigrations, migrations } from "../../src/adapters/sqlite/migrations.ts";
import { bitmapHash, sha256Hex } from "../../src/domain/textures/hashes.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import { forge } from "../support/tokens.ts";
import { paintedSkin } from "./textures.ts";

/** Every account's password. */
export const password = "one password for all";

/** What the sessions are signed with. */
export const jwtSecret = "a bench's secret that is long enough for HS256";
const sessionSeconds = 24 * 60 * 60;

/** Somebody signed in. */
export type SignedIn = {
  readonly uuid: string;
  readonly mail: string;
  readonly name: string;
  readonly token: string;
};

/**
 * The migrations before there are triggers: rows by the million are written without them, as an old version's
 * were.
 */
const plainMigrations = migrations.slice(0, 2);

/**
 * Makes a data folder with so many finished members, each with two skins, and signs some of them in, spread
 * over the whole table, beginning with the first, who is an administrator. Further players of an account are
 * named after the first: `name_2`. Rows are what the service would have written. The audit has an entry for
 * every tenth account. Texture files are made only if they are asked for, so without them pictures can be had
 * of the first alone, who has selected no skin and shows the default one.
 */
export async function fillAccounts(
  dataDir: string,
  count: {
    readonly accounts: number;
    readonly signedIn: number;
    readonly textureFiles?: boolean;
    readonly playersEach?: number;
    /**
     * Left out: yes. Without it the folder is as an old version left it, for any version to bring up to date.
     */
    readonly upToDate?: boolean;
  },
): Promise<readonly SignedIn[]> {
  await mkdir(join(dataDir, "secrets"), { recursive: true, mode: 0o700 });
  await Bun.write(join(dataDir, "secrets/jwt-secret"), jwtSecret, { mode: 0o600 });
  using database = new Database(join(dataDir, "cloakroom.db"), { strict: true });
  // This file may be lost.
  for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "cache_size = -1000000"])
    database.run(`PRAGMA ${pragma}`);
  for (const { sql } of plainMigrations) database.run(sql);
  database.run(`PRAGMA user_version = ${plainMigrations.length}`);

  const now = Math.floor(Date.now() / 1000);
  await insertTextures(database, { dataDir, files: count.textureFiles ?? false, now });
  const values = { count: count.accounts, now, hash: await argon2Hasher.hash(password), syllables };
  // A statement takes the parameters that it names and no others.
  for (const statement of fill) {
    const named = Object.entries(values).filter(([name]) => statement.includes(`$${name}`));
    database.query(statement).run(Object.fromEntries(named));
  }
  const signedIn = database.transaction(() => signIn(database, count, now))();
  if (count.upToDate === false) return signedIn;
  applyMigrations(database);
  addPlayers(database, (count.playersEach ?? 1) - 1);
  return signedIn;
}

/**
 * Further players of every account. The search leaves them out: its triggers would take hours for millions.
 */
function addPlayers(database: Database, further: number): void {
  if (further === 0) return;
  const triggers = database
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_master WHERE tbl_name = 'players' AND type = 'trigger'",
    )
    .all();
  for (const { name: trigger } of triggers) database.run(`DROP TRIGGER ${trigger}`);
  for (let number = 2; number <= further + 1; number++) {
    database.run(`INSERT INTO players (uuid, account_id, name, name_key, selected_skin_id, created_at)
      SELECT lower(${randomUuid}), account_id, name || '_${number}', name_key || '_${number}', selected_skin_id, created_at
      FROM players WHERE id <= (SELECT max(id) FROM accounts)`);
  }
  for (const { sql } of triggers) database.run(sql);
}

/** Members share textures as they do in life, where many wear what a website offers. */
const textureCount = 1000;

/** Without files they are rows alone, with hashes of nothing. */
async function insertTextures(
  database: Database,
  { dataDir, files, now }: { readonly dataDir: string; readonly files: boolean; readonly now: number },
): Promise<void> {
  const insert = database.query(
    "INSERT INTO textures (hash, digest, width, height, created_at) VALUES (?1, ?2, 64, 64, ?3)",
  );
  for (let number = 0; number < textureCount; number++) {
    if (!files) {
      insert.run(number.toString(16).padStart(64, "0"), number.toString(16).padStart(64, "f"), now);
      continue;
    }
    const bitmap = paintedSkin(number);
    const hash = bitmapHash(bitmap);
    const file = encodePng(bitmap);
    insert.run(hash, sha256Hex(file), now);
    await Bun.write(join(dataDir, "textures", hash.slice(0, 2), `${hash}.png`), file);
  }
}

const numbers =
  "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $count)";
const randomUuid = ["4", "2", "2", "2", "6"].map((bytes) => `hex(randomblob(${bytes}))`).join(" || '-' || ");

/**
 * Names of four syllables out of fifty: as unlike each other as people's are, or a search would find them
 * all.
 */
const syllables = Array.from(
  { length: 50 },
  (_, n) => `${"bdfgklmnrs"[n % 10]}${"aeiou"[Math.floor(n / 10)]}`,
).join("");
const combinations = 50 ** 4;
/** Prime to the combinations, so that every number has a name of its own. */
const stride = 2_357_947;
const name = [1, 50, 2500, 125_000]
  .map((unit) => `substr($syllables, 1 + 2 * (((id * ${stride}) % ${combinations}) / ${unit} % 50), 2)`)
  .join(" || ");

/** Each is a transaction of its own. Accounts and players have the same numbers. */
const fill = [
  `${numbers} INSERT INTO accounts (uuid, mail, mail_key, mail_verified, password_hash, level, created_at)
   SELECT lower(${randomUuid}), address, address, 1, $hash, CASE id WHEN 1 THEN 3 ELSE 1 END, $now
   FROM (SELECT id, ${name} || '@example.org' AS address FROM (SELECT n AS id FROM numbers))`,
  `CREATE TEMP TABLE offered AS SELECT row_number() OVER () - 1 AS number, hash FROM textures`,
  `CREATE UNIQUE INDEX temp.offered_number ON offered (number)`,
  `${numbers} INSERT INTO skins (uuid, account_id, texture_hash, name, model, created_at)
   SELECT lower(${randomUuid}), (n * 1009) % $count + 1,
          (SELECT hash FROM offered WHERE number = n % ${textureCount}), 'Skin', 'slim', $now
   FROM (SELECT n FROM numbers UNION ALL SELECT n FROM numbers)`,
  `INSERT INTO players (uuid, account_id, name, name_key, selected_skin_id, created_at)
   SELECT uuid, id, ${name}, ${name},
          CASE id WHEN 1 THEN NULL ELSE (SELECT min(id) FROM skins WHERE account_id = accounts.id) END, $now
   FROM accounts`,
  `INSERT INTO audit_entries (issuer, action, for_account_id, at, detail)
   SELECT 'cli', 'user.create', id, $now, '{"perms":1}' FROM accounts WHERE id % 10 = 0`,
] as const;

function signIn(
  database: Database,
  count: { readonly accounts: number; readonly signedIn: number },
  now: number,
): readonly SignedIn[] {
  const find = database.query<Omit<SignedIn, "token">, [number]>(
    "SELECT accounts.uuid, mail, name FROM accounts JOIN players ON players.id = accounts.id WHERE accounts.id = ?",
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
