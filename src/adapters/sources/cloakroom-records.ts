/** Lines of an export of a cloakroom (docs/export.md) as records. What is not as it should be is refused. */
import type {
  SourceAccount,
  SourceHolding,
  SourceIdentity,
  SourcePassword,
  SourcePlayer,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import { isLevel, type Level, type TemporaryLevel } from "../../domain/model/account.ts";
import type { OwnAccount } from "../../domain/model/own-records.ts";
import type { SkinModel } from "../../domain/model/texture.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid, type Uuid } from "../../kernel/ids.ts";
import { lastSecond } from "../../kernel/instant.ts";

/** The fields of a line, each of which fails with invalid when it is of another type. */
export type Line = {
  readonly text: (name: string) => string;
  readonly textOrNull: (name: string) => string | null;
  /** From 0 to the last second of the year 9999. */
  readonly number: (name: string) => number;
  readonly numberOrNull: (name: string) => number | null;
  readonly flag: (name: string) => boolean;
  readonly uuid: (name: string) => Uuid;
  readonly uuidOrNull: (name: string) => Uuid | null;
  readonly digest: (name: string) => string;
  readonly value: (name: string) => unknown;
};

/** Reads a line. Fails with invalid for what is no JSON object. */
export function readLine(json: string): Line {
  const fields = fieldsOf(json);
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : refuse(name, "a text");
  };
  const number = (name: string) => {
    const value = fields.get(name);
    const isWhole = typeof value === "number" && Number.isSafeInteger(value);
    return isWhole && value >= 0 && value <= lastSecond ? value : refuse(name, "a whole number of its range");
  };
  const orNull =
    <T>(read: (name: string) => T) =>
    (name: string) =>
      fields.get(name) === null ? null : read(name);
  const uuid = (name: string) => parseUuid(text(name)) ?? refuse(name, "a UUID");
  return {
    text,
    textOrNull: orNull(text),
    number,
    numberOrNull: orNull(number),
    flag: (name) => {
      const value = fields.get(name);
      return typeof value === "boolean" ? value : refuse(name, "true or false");
    },
    uuid,
    uuidOrNull: orNull(uuid),
    digest: (name) => (/^[0-9a-f]{64}$/.test(text(name)) ? text(name) : refuse(name, "a SHA-256")),
    value: (name) => fields.get(name),
  };
}

function fieldsOf(json: string): ReadonlyMap<string, unknown> {
  let value: unknown = null;
  try {
    value = JSON.parse(json);
  } catch {
    // Refused below.
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return new Map(Object.entries(value));
  throw new PlainError("invalid", "it is no JSON object");
}

function refuse(name: string, what: string): never {
  throw new PlainError("invalid", `${name} is not ${what}`);
}

/** What other files say of an account. */
export type AboutAccount = {
  readonly aliases: readonly Line[];
  readonly suspensions: readonly Line[];
  readonly hash: string | null;
};

export function toAccount(line: Line, { aliases, suspensions, hash }: AboutAccount): SourceAccount {
  const uuid = line.uuid("account");
  const [suspension] = suspensions;
  const password: SourcePassword | null = hash === null ? null : { text: hash, kind: null, salt: null };
  return {
    key: accountKey(uuid),
    login: line.textOrNull("username"),
    mail: line.textOrNull("mail"),
    mailVerified: line.flag("mail_verified"),
    password,
    level: levelOf(line, "level"),
    suspended:
      suspension === undefined
        ? null
        : { until: suspension.numberOrNull("until"), reason: suspension.text("reason") },
    language: line.text("language"),
    createdAt: line.number("created"),
    lastSeenAt: line.numberOrNull("last_seen"),
    playersMax: line.numberOrNull("players_max"),
    uuid,
    own: ownAccount(line, { aliases, suspension }),
  };
}

function ownAccount(
  line: Line,
  { aliases, suspension }: { readonly aliases: readonly Line[]; readonly suspension: Line | undefined },
): OwnAccount {
  return {
    registration: registrationOf(line),
    wantsBulkMail: line.flag("wants_bulk_mail"),
    temporaryLevel: temporaryLevelOf(line),
    deleteAt: line.numberOrNull("deletes_at"),
    aliases: aliases.map((one) => ({ name: one.text("name"), createdAt: one.number("created") })),
    suspension:
      suspension === undefined ? null : { issuer: suspension.text("issuer"), at: suspension.number("at") },
  };
}

function registrationOf(line: Line): OwnAccount["registration"] {
  const value = line.text("registration");
  return (
    (["unconfirmed", "unnamed", "complete"] as const).find((one) => one === value) ??
    refuse("registration", "unconfirmed, unnamed or complete")
  );
}

function levelOf(line: Line, name: string): Level {
  const level = line.number(name);
  return isLevel(level) ? level : refuse(name, "1, 2 or 3");
}

function temporaryLevelOf(line: Line): TemporaryLevel | null {
  const value = line.value("temporary_level");
  if (value === null) return null;
  const parts = readLine(JSON.stringify(value ?? ""));
  return { level: levelOf(parts, "level"), expiresAt: parts.number("expires_at") };
}

export function toPlayer(line: Line): SourcePlayer {
  const uuid = line.uuid("player");
  const [skin, cape] = [line.uuidOrNull("skin"), line.uuidOrNull("cape")];
  return {
    key: `players:${uuid}`,
    account: accountKey(line.uuid("account")),
    name: line.text("name"),
    uuid,
    skin: skin === null ? null : skinKey(skin),
    skinModel: null,
    cape: cape === null ? null : capeKey(cape),
    createdAt: line.number("created"),
    own: {
      nameDerived: line.flag("name_derived"),
      sharesSkin: line.flag("shares_skin"),
      hidesCape: line.flag("hides_cape"),
      renamedAt: line.number("renamed"),
    },
  };
}

export function toCape(line: Line): SourceTexture {
  const uuid = line.uuid("cape");
  return {
    key: capeKey(uuid),
    kind: "cape",
    name: line.text("name"),
    model: null,
    file: line.digest("texture"),
    createdAt: line.number("created"),
    ownCape: { uuid, uploadedBy: line.text("uploaded_by") },
  };
}

export function toSkin(line: Line): SourceTexture {
  const uuid = line.uuid("skin");
  const cape = line.uuidOrNull("cape");
  return {
    key: skinKey(uuid),
    kind: "skin",
    name: line.text("name"),
    model: modelOf(line),
    file: line.digest("texture"),
    createdAt: line.number("created"),
    ownSkin: { uuid, cape: cape === null ? null : capeKey(cape) },
  };
}

function modelOf(line: Line): SkinModel {
  const model = line.text("model");
  return model === "classic" || model === "slim" ? model : refuse("model", "classic or slim");
}

/** A skin is in the wardrobe of its account. */
export function toWardrobe(line: Line): SourceHolding {
  const uuid = line.uuid("skin");
  return {
    key: skinKey(uuid),
    account: accountKey(line.uuid("account")),
    texture: skinKey(uuid),
    name: line.text("name"),
    addedAt: line.number("created"),
  };
}

export function toGrant(line: Line): SourceHolding {
  const [account, cape] = [line.uuid("account"), line.uuid("cape")];
  const grantedAt = line.number("granted");
  return {
    key: `grants:${account}:${cape}`,
    account: accountKey(account),
    texture: capeKey(cape),
    name: null,
    addedAt: grantedAt,
    ownGrant: { grantedAt, expiresAt: line.numberOrNull("expires_at") },
  };
}

export function toIdentity(line: Line): SourceIdentity {
  const account = line.uuid("account");
  return {
    key: `identities:${account}`,
    account: accountKey(account),
    issuer: line.text("issuer"),
    subject: line.text("id"),
    username: line.text("username"),
    own: {
      provider: line.text("provider"),
      avatar: line.text("avatar"),
      linkedAt: line.number("linked"),
    },
  };
}

function accountKey(uuid: Uuid): string {
  return `accounts:${uuid}`;
}

function skinKey(uuid: Uuid): string {
  return `skins:${uuid}`;
}

function capeKey(uuid: Uuid): string {
  return `capes:${uuid}`;
}
