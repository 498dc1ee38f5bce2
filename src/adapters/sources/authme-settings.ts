import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainText } from "../../kernel/plain-files.ts";

/** Where AuthMe keeps what, and how it hashes. */
export type AuthMeSettings = {
  readonly table: string;
  readonly columns: AuthMeColumns;
  /** The kind of new passwords, then those of old ones, by AuthMe's names. Empty: it does not say. */
  readonly algorithms: readonly string[];
};

/** Null: there is no such column. */
export type AuthMeColumns = {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly password: string;
  readonly salt: string | null;
  readonly mail: string;
  readonly factor: string;
  readonly lastLogin: string;
  readonly registered: string;
  readonly uuid: string | null;
  readonly premiumUuid: string;
};

/** What AuthMe has where its `config.yml` says nothing else. */
export const authMeDefaults: AuthMeSettings = toSettings({});

/** Reads AuthMe's `config.yml`. Fails with not_found, invalid or too_large, naming the file. */
export async function readAuthMeSettings(path: string): Promise<AuthMeSettings> {
  const text = await readPlainText(path, limits.operatorFileBytesMax);
  const content = parseYaml(path, text);
  if (!isRecord(content) || !("DataSource" in content)) {
    throw new PlainError("invalid", `${path}: it has no DataSource, so it is no config.yml of AuthMe`);
  }
  return toSettings(content);
}

function parseYaml(path: string, text: string): unknown {
  try {
    return Bun.YAML.parse(text);
  } catch {
    // The parser's message quotes the line, which may be the one with the database's password.
    throw new PlainError("invalid", `${path}: it is no YAML`);
  }
}

function toSettings(content: Record<string, unknown>): AuthMeSettings {
  const text = (...path: readonly string[]) => textAt(content, path);
  const column = (name: string) => text("DataSource", name);
  const algorithm = text("settings", "security", "passwordHash");
  const old = at(content, ["settings", "security", "legacyHashes"]);
  return {
    table: column("mySQLTablename") ?? "authme",
    columns: {
      id: column("mySQLColumnId") ?? "id",
      name: column("mySQLColumnName") ?? "username",
      realName: column("mySQLRealName") ?? "realname",
      password: column("mySQLColumnPassword") ?? "password",
      salt: text("ExternalBoardOptions", "mySQLColumnSalt") ?? column("mySQLColumnSalt"),
      mail: column("mySQLColumnEmail") ?? "email",
      factor: column("mySQLtotpKey") ?? "totp",
      lastLogin: column("mySQLColumnLastLogin") ?? "lastlogin",
      registered: column("mySQLColumnRegisterDate") ?? "regdate",
      uuid: column("mySQLPlayerUUID"),
      premiumUuid: column("mySQLColumnPremiumUUID") ?? column("mySQLPremiumUUID") ?? "premiumUUID",
    },
    algorithms: [algorithm, ...(Array.isArray(old) ? old : [])]
      .filter((name) => typeof name === "string")
      .map((name) => name.toUpperCase()),
  };
}

/** A text of the settings; null for an empty one, which turns a column off. */
function textAt(content: Record<string, unknown>, path: readonly string[]): string | null {
  const found = at(content, path);
  const text = typeof found === "number" ? String(found) : found;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : null;
}

function at(content: Record<string, unknown>, path: readonly string[]): unknown {
  let found: unknown = content;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
