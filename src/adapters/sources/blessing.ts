/** Blessing Skin Server 4 to 6: its database, its folder of textures and its `.env`. */
import type {
  ImportSource,
  SourceAccount,
  SourceFacts,
  SourceHolding,
  SourcePlayer,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import { PlainError } from "../../kernel/errors.ts";
import { type BlessingSettings, readBlessingSettings, unknownSettings } from "./blessing-settings.ts";
import { type PlayerUuids, readUuids } from "./blessing-uuids.ts";
import { flagOf, givenText, numberOf, timeOf, type TimeZone, timeZoneOf } from "./cells.ts";
import {
  openDatabase,
  requireColumns,
  type SourceDatabase,
  type SourceRow,
  type SourceTools,
} from "./database.ts";
import { openGivenDatabase, type SourceGiven } from "./given.ts";
import { noPages } from "./list-pages.ts";
import { recordPages } from "./pages.ts";
import { readTextureFile, requireFolder } from "./texture-folder.ts";

/** What Blessing Skin's `config/app.php` has, unless somebody changed it. */
const usualZone = "Asia/Shanghai";

const hint = "is this the database of Blessing Skin, and does --prefix say what its tables begin with?";

type Blessing = {
  readonly database: SourceDatabase;
  readonly settings: BlessingSettings;
  readonly prefix: string;
  readonly zone: TimeZone;
  readonly openScratch: SourceTools["openScratch"];
};

/**
 * Opens a Blessing Skin. What is not given, `.env` says: the database, the prefix, the folder of textures.
 * Fails with invalid for a version before 4, whose players have other columns.
 */
export async function openBlessing(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  const settings = given.env === null ? unknownSettings : await readBlessingSettings(given.env);
  const zone = timeZoneOf(given.timeZone ?? usualZone);
  if (zone === null)
    throw new PlainError("invalid", "no time zone has the name that was given: write it as Europe/Moscow");
  const folder = given.textures ?? settings.texturesFolder;
  if (folder !== null) await requireTextures(folder, given.textures === null);
  const isGiven = given.address !== null || given.file !== null;
  const database =
    !isGiven && settings.address !== null
      ? await openDatabase(settings.address, tools)
      : await openGivenDatabase(given, tools);
  try {
    const blessing: Blessing = {
      database,
      settings,
      prefix: given.prefix ?? settings.prefix ?? "",
      zone,
      openScratch: tools.openScratch,
    };
    return await readBlessing(blessing, folder);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** The folder that `.env` leads to is missing where `.env` is a copy. */
async function requireTextures(folder: string, isOfSettings: boolean): Promise<void> {
  try {
    await requireFolder(folder);
  } catch (cause) {
    if (!isOfSettings || !(cause instanceof PlainError)) throw cause;
    throw new PlainError("invalid", `${cause.message}; --textures names where the files are now`, { cause });
  }
}

async function readBlessing(blessing: Blessing, folder: string | null): Promise<ImportSource> {
  const { database, prefix } = blessing;
  const table = (name: string) => `${prefix}${name}`;
  const players = (await database.columns(table("players"))) ?? [];
  if (players.includes("player_name") && !players.includes("name"))
    throw new PlainError(
      "invalid",
      `${database.name}: this Blessing Skin is older than 4: update it first, then import`,
    );
  const users = await requireColumns(
    database,
    table("users"),
    ["uid", "email", "password", "permission"],
    hint,
  );
  await requireColumns(database, table("players"), ["pid", "uid", "name", "tid_skin", "tid_cape"], hint);
  await requireColumns(database, table("textures"), ["tid", "name", "type", "hash"], hint);
  const closet = await database.columns(table("user_closet"));
  const uuids = await readUuids(database, table("uuid"), blessing.openScratch);
  return {
    system: "blessing",
    place: database.place("blessing", prefix),
    facts: await factsOf(blessing, folder),
    accounts: () => accountsOf(blessing, users),
    players: () => playersOf(blessing, uuids),
    textures: () => texturesOf(blessing),
    holdings: () => (closet === null ? noPages() : holdingsOf(blessing)),
    identities: noPages,
    factors: noPages,
    invites: noPages,
    readTexture: async ({ file }, bytesMax) =>
      folder === null ? null : readTextureFile(folder, file, bytesMax),
    [Symbol.asyncDispose]: async () => {
      uuids?.[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function factsOf({ database, prefix, zone }: Blessing, folder: string | null): Promise<SourceFacts> {
  const options = await database.columns(`${prefix}options`);
  const [algorithm] =
    options === null
      ? []
      : await database.find({
          table: `${prefix}options`,
          columns: ["option_value"],
          where: "option_name",
          values: ["ygg_uuid_algorithm"],
        });
  const count = async (table: string) =>
    (await database.columns(`${prefix}${table}`)) === null ? 0 : database.count(`${prefix}${table}`);
  const users = await count("users");
  const [reports, clients, textures] = [
    await count("reports"),
    await count("oauth_clients"),
    await count("textures"),
  ];
  return {
    accounts: users,
    uuidRule: uuidRules[algorithm?.["option_value"] ?? ""] ?? null,
    isAboutOthers: false,
    notes: [
      `Times without a zone were read as of ${zone.name}: --time-zone says another one`,
      ...(folder === null && textures > 0
        ? [
            `The files of ${counted(textures, "texture")} are not looked for: --textures names their folder, storage/textures`,
          ]
        : []),
      ...(users > 0 ? [`Scores do not come over (${counted(users, "user")}): nothing here counts them`] : []),
      ...(reports > 0 ? [`Reports of textures do not come over: ${reports}`] : []),
      ...(clients > 0 ? [`OAuth2 clients do not come over: ${clients}`] : []),
    ],
  };
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

const uuidRules: Readonly<Record<string, "offline" | "random">> = { v3: "offline", v4: "random" };

function accountsOf({ database, prefix, settings, zone }: Blessing, columns: ReadonlySet<string>) {
  const wanted = ["uid", "email", "password", "permission"];
  const optional = ["locale", "verified", "last_sign_at", "register_at", "salt"];
  return recordPages(
    database.pages({
      table: `${prefix}users`,
      columns: [...wanted, ...optional.filter((column) => columns.has(column))],
      key: "uid",
    }),
    (row): SourceAccount => {
      const permission = numberOf(row["permission"]);
      return {
        key: `users:${row["uid"]}`,
        login: null,
        mail: givenText(row["email"]),
        mailVerified: flagOf(row["verified"]),
        password: passwordOf(row, settings),
        level: permission === 2 ? 3 : permission === 1 ? 2 : 1,
        suspended: permission === -1 ? { until: null, reason: "" } : null,
        language: givenText(row["locale"]),
        createdAt: timeOf(row["register_at"], zone),
        lastSeenAt: timeOf(row["last_sign_at"], zone),
        playersMax: null,
        uuid: null,
      };
    },
  );
}

/** Without one the person came through OAuth. A plugin keeps salts in a column of their own. */
function passwordOf(row: SourceRow, { kindOf, salt }: BlessingSettings): SourceAccount["password"] {
  const text = givenText(row["password"]);
  if (text === null) return null;
  const kind = kindOf(text);
  const isSalted = kind?.startsWith("salted2-") ?? !text.startsWith("$");
  return { text, kind, salt: isSalted ? (givenText(row["salt"]) ?? salt) : null };
}

async function* playersOf({ database, prefix }: Blessing, uuids: PlayerUuids | null) {
  const pages = database.pages({
    table: `${prefix}players`,
    columns: ["pid", "uid", "name", "tid_skin", "tid_cape"],
    key: "pid",
  });
  for await (const rows of pages) {
    const keys = rows.map(({ pid, name }) => ({ pid: pid ?? "", name: name ?? "" }));
    const found = uuids?.of(keys) ?? new Map<string, string>();
    yield {
      rows: rows.map((row): SourcePlayer => ({
        key: `players:${row["pid"]}`,
        account: `users:${row["uid"] ?? 0}`,
        name: row["name"] ?? "",
        uuid: found.get(row["pid"] ?? "") ?? null,
        skin: textureKey(row["tid_skin"]),
        skinModel: null,
        cape: textureKey(row["tid_cape"]),
        createdAt: null,
      })),
      problems: [],
    };
  }
}

/** 0 and -1 are no texture. */
function textureKey(cell: string | null | undefined): string | null {
  const tid = numberOf(cell);
  return tid === null || tid <= 0 ? null : `textures:${tid}`;
}

function texturesOf({ database, prefix, zone }: Blessing) {
  return recordPages(
    database.pages({
      table: `${prefix}textures`,
      columns: ["tid", "name", "type", "hash", "upload_at"],
      key: "tid",
    }),
    (row): SourceTexture => ({
      key: `textures:${row["tid"]}`,
      kind: row["type"] === "cape" ? "cape" : "skin",
      name: givenText(row["name"]),
      model: row["type"] === "alex" ? "slim" : row["type"] === "steve" ? "classic" : null,
      file: row["hash"] ?? "",
      createdAt: timeOf(row["upload_at"], zone),
    }),
  );
}

/** The table has neither a key nor an index, and doubles: MySQL looks at all of it for each page. */
function holdingsOf({ database, prefix }: Blessing) {
  return recordPages(
    database.pages({
      table: `${prefix}user_closet`,
      columns: ["user_uid", "texture_tid", "item_name"],
      key: "user_uid",
      pageRows: 20_000,
    }),
    (row): SourceHolding => ({
      key: `closet:${row["user_uid"]}:${row["texture_tid"]}`,
      account: `users:${row["user_uid"] ?? 0}`,
      texture: `textures:${row["texture_tid"] ?? 0}`,
      name: givenText(row["item_name"]),
      addedAt: null,
    }),
  );
}
