/* Communities on PostgreSQL for benchmarks, each in a database of its own on the server of the tests. */
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { postgresMissing, emptyDatabase, type TestDatabase } from "../support/postgres.ts";
import { fillAccounts, jwtSecret } from "./accounts-data.ts";
import type { Served } from "./request-costs.ts";
import type { Server, Subject } from "./subject.ts";

/** The same community on both engines. */
export type BothEngines = AsyncDisposable & {
  readonly members: Served["members"];
  readonly onSqlite: () => Promise<Server>;
  /** On a copy of the data folder, which no server may be using: it shares nothing with the other one. */
  readonly onCopy: () => Promise<Server>;
  /** A further node of the same database. */
  readonly onPostgres: (settings?: Readonly<Record<string, string>>) => Promise<Server>;
  readonly url: string;
  /** The data folders: of the server on SQLite, and of the nodes. */
  readonly files: string;
  readonly node: string;
};

/** Whether there is no PostgreSQL, and says so. */
export function isPostgresMissing(what: string): boolean {
  if (postgresMissing !== null) console.error(`bench: NOT RUN: ${what} (${postgresMissing})`);
  return postgresMissing !== null;
}

/** Fills a data folder and moves it into an empty database, as an operator does. */
export async function fillBoth(
  subject: Subject,
  count: { readonly accounts: number; readonly signedIn: number },
  makeDatabase: () => Promise<Pick<TestDatabase, "url"> & AsyncDisposable> = emptyDatabase,
): Promise<BothEngines> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await makeDatabase());
  const folder = join(subject.folder, `both-${crypto.randomUUID().slice(0, 8)}`);
  const [files, node] = [join(folder, "sqlite"), join(folder, "node")];
  await mkdir(node, { recursive: true });
  const members = await fillAccounts(files, { ...count, textureFiles: true });
  await move(subject, { DATA_DIR: files, JWT_SECRET: jwtSecret, MOVE_TO: url });
  await cp(join(files, "textures"), join(node, "textures"), { recursive: true });
  await using sql = new SQL({ url, max: 1 });
  // As the server's own autovacuum does sooner or later.
  await sql.unsafe("VACUUM ANALYZE");
  const closing = opened.move();
  return {
    members,
    url,
    files,
    node,
    onSqlite: () => subject.serve(files, { JWT_SECRET: jwtSecret }),
    onCopy: async () => {
      const copy = join(folder, "copy");
      await cp(files, copy, { recursive: true });
      return await subject.serve(copy, { JWT_SECRET: jwtSecret });
    },
    onPostgres: (settings = {}) =>
      subject.serve(node, { DATABASE_URL: url, JWT_SECRET: jwtSecret, ...settings }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Runs the command, and returns the rows that it moved and its seconds. */
export async function move(
  subject: Subject,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly rows: number; readonly seconds: number }> {
  const start = performance.now();
  const text = await Bun.$`${subject.binary} move --json`.env({ ...settings }).text();
  const { rows } = JSON.parse(text) as { readonly rows: number };
  return { rows, seconds: (performance.now() - start) / 1000 };
}

/**
 * Adds finished members without a session, each with two skins, until there are so many accounts: rows alone,
 * which no search finds. The tables must be those of a community that was moved there.
 */
export async function addAccounts(url: string, accounts: number): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  const [{ begin, skins, have }] = await sql`
    SELECT greatest((SELECT max(id) FROM accounts), (SELECT max(id) FROM players))::int AS begin,
      (SELECT max(id) FROM skins)::int AS skins, (SELECT count(*) FROM accounts)::int AS have`;
  const n = `generate_series(1, ${accounts - Number(have)}) AS n`;
  await sql.unsafe(`BEGIN; SET LOCAL session_replication_role = replica;
    INSERT INTO accounts (id, uuid, mail, mail_key, mail_verified, password_hash, registration, main_player_id, level, created_at)
      SELECT ${begin} + n, gen_random_uuid()::text, 'further' || n || '@example.net', 'further' || n || '@example.net', true,
        one.password_hash, one.registration, ${begin} + n, 1, one.created_at
      FROM (SELECT * FROM accounts WHERE main_player_id IS NOT NULL ORDER BY id LIMIT 1) AS one, ${n};
    INSERT INTO skins (id, uuid, account_id, texture_hash, name, model, created_at)
      SELECT ${skins} + 2 * n - number, gen_random_uuid()::text, ${begin} + n, hashes[1 + n % array_length(hashes, 1)],
        'Skin', 'slim', extract(epoch FROM now())::bigint
      FROM (SELECT array_agg(hash) FROM textures) AS one (hashes), ${n}, generate_series(0, 1) AS number;
    INSERT INTO players (id, uuid, account_id, name, name_key, selected_skin_id, created_at)
      SELECT ${begin} + n, gen_random_uuid()::text, ${begin} + n, 'further' || n, 'further' || n, ${skins} + 2 * n, 0 FROM ${n};
    SELECT setval(pg_get_serial_sequence(name, 'id'), ${skins} + 2 * ${accounts}) FROM unnest('{accounts,players,skins}'::text[]) AS name;
    COMMIT`);
  await sql.unsafe("VACUUM ANALYZE");
}
