/*
 * A drasl 4 by its schema, as drasl 4.0.0 is known to write it; the program itself does not run here. It runs
 * with a write-ahead log, in which everything is until it ends.
 */
import { Database } from "bun:sqlite";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const tables = [
  `CREATE TABLE users (is_admin numeric, is_locked numeric, uuid text, username text NOT NULL, password_salt blob,
    password_hash blob, browser_token text, minecraft_token text, api_token text, preferred_language text,
    max_player_count integer, PRIMARY KEY (uuid), CONSTRAINT uni_users_username UNIQUE (username))`,
  `CREATE TABLE players (uuid text, name text collate nocase NOT NULL, offline_uuid text NOT NULL, created_at datetime,
    name_last_changed_at datetime, skin_hash text, skin_model text, cape_hash text, server_id text,
    fallback_player text, user_uuid text NOT NULL, friends_enabled numeric, accept_invites_enabled numeric,
    PRIMARY KEY (uuid), CONSTRAINT uni_players_name UNIQUE (name))`,
  "CREATE TABLE user_oidc_identities (id integer PRIMARY KEY AUTOINCREMENT, user_uuid text NOT NULL, subject text NOT NULL, issuer text NOT NULL)",
  "CREATE TABLE invites (code text, created_at datetime, PRIMARY KEY (code))",
  "CREATE TABLE clients (uuid text, client_token text, version integer, user_uuid text, player_uuid text, last_used_at datetime, PRIMARY KEY (uuid))",
];

export type DraslFolder = AsyncDisposable & {
  /** `drasl.db`, beside which are its log and the folders of textures. */
  readonly file: string;
  readonly folder: string;
  readonly run: (statement: string, values?: readonly (string | number | Uint8Array | null)[]) => void;
};

/** Makes a state folder whose program still runs: the file alone is empty. */
export async function makeDrasl({ version = 6 } = {}): Promise<DraslFolder> {
  const parent = await mkdtemp(join(tmpdir(), "cloakroom-drasl-"));
  const folder = join(parent, "state");
  await mkdir(join(folder, "skin"), { recursive: true });
  await mkdir(join(folder, "cape"));
  const file = join(folder, "drasl.db");
  const handle = new Database(file);
  handle.run("PRAGMA journal_mode = WAL");
  handle.run("PRAGMA wal_autocheckpoint = 0");
  for (const table of tables) handle.run(table);
  handle.run(`PRAGMA user_version = ${version}`);
  return {
    file,
    folder,
    run: (statement, values = []) => void handle.run(statement, [...values]),
    [Symbol.asyncDispose]: async () => {
      handle.close();
      await rm(parent, { recursive: true });
    },
  };
}

/** Copies the file alone, as somebody may who does not know of the log. */
export async function copyAlone({ file, folder }: DraslFolder): Promise<string> {
  const copy = join(folder, "copy.db");
  await cp(file, copy);
  return copy;
}
