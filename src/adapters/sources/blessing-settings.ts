/** What Blessing Skin's own settings say of its database, its textures and its passwords. */
import { dirname, resolve } from "node:path";
import { PlainError } from "../../kernel/errors.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import type { SourceAddress } from "./address.ts";
import { readEnvFile, type EnvFile } from "./env-file.ts";

/** Null: its settings do not say. */
export type BlessingSettings = {
  readonly address: SourceAddress | null;
  readonly prefix: string | null;
  readonly texturesFolder: string | null;
  /** The kind of a hash that does not name its own; null: several kinds are possible, or nothing is known. */
  readonly kindOf: (hash: string) => string | null;
  /** The one salt of all salted hashes. */
  readonly salt: string | null;
};

/** Where no settings are given. */
export const unknownSettings: BlessingSettings = {
  address: null,
  prefix: null,
  texturesFolder: null,
  kindOf: () => null,
  salt: null,
};

/** Kinds by the names of PWD_METHOD. Null: each hash names its own. */
const methods: Readonly<Record<string, string | null>> = {
  BCRYPT: null,
  ARGON2I: null,
  PHP_PASSWORD_HASH: null,
  MD5: "md5",
  SALTED2MD5: "salted2-md5",
  SHA256: "sha256",
  SALTED2SHA256: "salted2-sha256",
  SHA512: "sha512",
  SALTED2SHA512: "salted2-sha512",
};

/** Hexadecimal digits of each hash. */
const digits: Readonly<Record<string, number>> = { md5: 32, sha256: 64, sha512: 128 };

/** Reads `.env`. Fails with invalid for a method that is not known and for a salted one without SALT. */
export async function readBlessingSettings(path: string): Promise<BlessingSettings> {
  const env = await readEnvFile(path);
  const home = dirname(resolve(path));
  const names = methodsOf(env);
  const unknown = names.find((name) => !(name in methods));
  if (unknown !== undefined)
    throw new PlainError(
      "invalid",
      `${path}: its PWD_METHOD or PASSWORD_METHODS has a method that is not known`,
    );
  const kinds = names.flatMap((name) => methods[name] ?? []);
  const salt = env.get("SALT");
  return {
    address: addressOf(env, home),
    prefix: env.get("DB_PREFIX"),
    texturesFolder: resolve(home, env.get("TEXTURES_DIR") ?? "storage/textures"),
    kindOf: (hash) => kindAmong(kinds, hash),
    salt,
  };
}

function methodsOf(env: EnvFile): readonly string[] {
  const listed = `${env.get("PWD_METHOD") ?? "BCRYPT"},${env.get("PASSWORD_METHODS") ?? ""}`;
  return listed
    .split(/[\s,;|]+/)
    .filter((name) => name !== "")
    .map((name) => name.toUpperCase());
}

/** A hash that begins with `$` names its own kind. Of two kinds of one length it is not known which it is. */
function kindAmong(kinds: readonly string[], hash: string): string | null {
  if (hash.startsWith("$")) return null;
  const fitting = new Set(kinds.filter((kind) => digits[kind.replace("salted2-", "")] === hash.length));
  const [only] = fitting;
  return fitting.size === 1 ? (only ?? null) : null;
}

function addressOf(env: EnvFile, home: string): SourceAddress | null {
  const connection = env.get("DB_CONNECTION") ?? "mysql";
  if (connection === "sqlite")
    return { engine: "sqlite", path: resolve(home, env.get("DB_DATABASE") ?? "database/database.sqlite") };
  if (connection === "pgsql") return serverAddress(env, "postgres", 5432);
  return ["mysql", "mariadb"].includes(connection) ? serverAddress(env, "mysql", 3306) : null;
}

function serverAddress(env: EnvFile, engine: "mysql" | "postgres", usualPort: number): SourceAddress | null {
  const [database, user, password] = ["DB_DATABASE", "DB_USERNAME", "DB_PASSWORD"].map((name) =>
    env.get(name),
  );
  const host = env.get("DB_SOCKET") ?? env.get("DB_HOST") ?? "localhost";
  const port = Number(env.get("DB_PORT") ?? usualPort);
  if (!database || !user || !Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const isLocal = host.startsWith("/") || isLoopbackHost(host);
  return {
    engine,
    host,
    port,
    database,
    user,
    password: () => password ?? null,
    tls: isLocal ? "disable" : "verify-full",
    caFile: null,
  };
}
