/** The fields that accounts have in lists, the same in CSV and JSONL. */
import { isLevel, type Level } from "../../domain/model/account.ts";
import { mailKey } from "../../domain/model/mail-address.ts";
import type { SkinModel } from "../../domain/model/texture.ts";
import type { SourceAccount, SourcePlayer } from "../../domain/ports/import-source.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { parseInstant } from "../../kernel/instant.ts";

/** Every field that is read. */
export const listFields = [
  "username",
  "uuid",
  "mail",
  "mail_verified",
  "password_hash",
  "password_kind",
  "salt",
  "level",
  "language",
  "created",
  "last_seen",
  "skin",
  "skin_model",
  "cape",
] as const;
export type ListField = (typeof listFields)[number];
export type ListFields = Readonly<Partial<Record<ListField, string>>>;

/** What one record of a list gives. Its key is still without the number that tells doubles apart. */
export type ListRecord = {
  readonly key: string;
  readonly account: Omit<SourceAccount, "key">;
  /** Null: the record names no player. */
  readonly player: Omit<SourcePlayer, "key" | "account"> | null;
};

class FieldFault extends Error {}

/** Reads the fields of a record; a sentence about the one that cannot be read. */
export function readListRecord(fields: ListFields): ListRecord | { readonly reason: string } {
  try {
    return recordOf(fields);
  } catch (cause) {
    if (cause instanceof FieldFault) return { reason: cause.message };
    throw cause;
  }
}

function recordOf(fields: ListFields): ListRecord {
  const given = (name: ListField) => fields[name]?.trim() || null;
  const [username, mail, uuid] = [given("username"), given("mail"), given("uuid")];
  if (username === null && mail === null)
    throw new FieldFault("it has neither a username nor a mail address");
  if (uuid !== null && parseUuid(uuid) === null) throw new FieldFault("its uuid is no uuid");
  const hash = given("password_hash");
  const createdAt = timeOf("created", given("created"));
  return {
    key: username === null ? `mail:${mailKey(mail ?? "")}` : `name:${username}`,
    account: {
      login: username,
      mail,
      mailVerified: flagOf("mail_verified", given("mail_verified")),
      password:
        hash === null
          ? null
          : {
              text: hash,
              kind: given("password_kind"),
              salt: given("salt"),
            },
      level: levelOf(given("level")),
      suspended: null,
      language: given("language"),
      createdAt,
      lastSeenAt: timeOf("last_seen", given("last_seen")),
      playersMax: null,
      uuid: null,
    },
    player:
      username === null
        ? null
        : {
            name: username,
            uuid,
            createdAt,
            skin: pathKey("skin", given("skin")),
            skinModel: modelOf(given("skin_model")),
            cape: pathKey("cape", given("cape")),
          },
  };
}

/** The key of the texture that lies at a path. */
export function pathKey(kind: "skin" | "cape", path: string | null): string | null {
  return path === null ? null : `${kind}:${path}`;
}

const yes: ReadonlySet<string> = new Set(["true", "1", "yes", "t", "y"]);
const no: ReadonlySet<string> = new Set(["false", "0", "no", "f", "n"]);

function flagOf(name: ListField, text: string | null): boolean {
  const given = text?.toLowerCase() ?? "no";
  if (yes.has(given)) return true;
  if (no.has(given)) return false;
  throw new FieldFault(`its ${name} is neither true nor false`);
}

function levelOf(text: string | null): Level {
  const level = Number(text ?? "1");
  if (isLevel(level)) return level;
  throw new FieldFault("its level is not 1, 2 or 3");
}

function modelOf(text: string | null): SkinModel | null {
  const given = text?.toLowerCase() ?? null;
  if (given === null || given === "classic" || given === "slim") return given;
  throw new FieldFault("its skin_model is neither classic nor slim");
}

function timeOf(name: ListField, text: string | null): number | null {
  if (text === null) return null;
  const seconds = parseInstant(/^\d+$/.test(text) ? Number(text) : text);
  if (seconds === null)
    throw new FieldFault(`its ${name} is neither Unix seconds nor a time like 2030-01-31T18:00Z`);
  return seconds;
}
