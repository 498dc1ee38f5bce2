/** drasl 4: its database and the folders `skin` and `cape` beside it. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  ImportSource,
  SourceAccount,
  SourceFactor,
  SourceFacts,
  SourceIdentity,
  SourceInvite,
  SourcePlayer,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import { PlainError } from "../../kernel/errors.ts";
import { hashPattern } from "../../kernel/ids.ts";
import { flagOf, givenText, numberOf, timeOf, type TimeZone, timeZoneOf } from "./cells.ts";
import {
  requireColumns,
  type ScratchTable,
  type SourceDatabase,
  type SourceRow,
  type SourceTools,
} from "./database.ts";
import { openGivenDatabase, type SourceGiven } from "./given.ts";
import { noPages } from "./list-pages.ts";
import { recordPages } from "./pages.ts";
import { readTextureFile, requireFolder } from "./texture-folder.ts";

/** The version of the database that drasl 4 writes (`PRAGMA user_version`). */
const knownVersion = 6;

/** In drasl `-1` is no limit. */
const playersMaxAtMost = 100;

const hint = "is this the file drasl.db of drasl 4?";

const userColumns = [
  "uuid",
  "username",
  "is_admin",
  "is_locked",
  "password_salt",
  "password_hash",
  "preferred_language",
  "max_player_count",
];
const playerColumns = ["uuid", "name", "created_at", "skin_hash", "skin_model", "cape_hash", "user_uuid"];

type Folders = { readonly skin: string; readonly cape: string };

/**
 * Opens the `drasl.db` of a drasl. Fails with invalid for another version, and for a database without people:
 * a copy without its `-wal`.
 */
export async function openDrasl(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  if (given.file === null && given.address !== null && given.address.engine !== "sqlite")
    throw new PlainError(
      "invalid",
      "drasl keeps its database in a file: give --file /var/lib/drasl/drasl.db",
    );
  const path = given.file ?? (given.address?.engine === "sqlite" ? given.address.path : ".");
  const database = await openGivenDatabase(given, tools);
  try {
    await requireDrasl(database);
    const folders = await foldersOf(given.textures ?? dirname(path), given.capes);
    return await readDrasl(database, folders, tools);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function requireDrasl(database: SourceDatabase): Promise<void> {
  const version = await database.userVersion();
  const tables = await database.tables();
  if (tables.includes("users") && version < knownVersion)
    throw new PlainError(
      "invalid",
      `${database.name}: its version is ${version}, of a drasl before 4, whose textures have other names: start drasl 4 once, which updates it, then import`,
    );
  if (version > knownVersion)
    throw new PlainError(
      "invalid",
      `${database.name}: its version is ${version}, of a newer drasl than this program knows (${knownVersion}): import with a newer cloakroom`,
    );
  await requireColumns(database, "users", userColumns, hint);
  await requireColumns(database, "players", playerColumns, hint);
  if ((await database.count("users")) === 0)
    throw new PlainError(
      "invalid",
      `${database.name}: it has no users; what was written recently may be in ${database.name}-wal alone: copy both files, or stop drasl and copy then`,
    );
}

/** The state folder, or the folder of skins itself. */
async function foldersOf(textures: string, capes: string | null): Promise<Folders> {
  await requireFolder(textures);
  if (capes !== null) await requireFolder(capes);
  const skin = join(textures, "skin");
  return { skin: existsSync(skin) ? skin : textures, cape: capes ?? join(textures, "cape") };
}

async function readDrasl(
  database: SourceDatabase,
  folders: Folders,
  { openScratch }: SourceTools,
): Promise<ImportSource> {
  const zone = timeZoneOf("UTC");
  if (zone === null) throw new Error("UTC is not known");
  const tables = await database.tables();
  const began = await firstPlayers(database, openScratch());
  return {
    system: "drasl",
    place: database.place("drasl"),
    facts: await factsOf(database),
    accounts: () => accountsOf(database, began, zone),
    players: () => playersOf(database, zone),
    textures: () => texturesOf(database),
    holdings: noPages,
    identities: () => (tables.includes("user_oidc_identities") ? identitiesOf(database) : noPages()),
    factors: () => launcherTokensOf(database),
    invites: () => (tables.includes("invites") ? invitesOf(database) : noPages()),
    readTexture: async ({ kind, file }, bytesMax) => {
      if (!hashPattern.test(file)) throw new PlainError("invalid", "its file has no name of drasl's");
      return readTextureFile(folders[kind], `${file}.png`, bytesMax);
    },
    [Symbol.asyncDispose]: async () => {
      began[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function factsOf(database: SourceDatabase): Promise<SourceFacts> {
  const friends = (await database.columns("friendships")) === null ? 0 : await database.count("friendships");
  return {
    accounts: await database.count("users"),
    uuidRule: null,
    isAboutOthers: false,
    notes: [
      "Fallback players do not come over: nothing here takes skins from other servers",
      ...(friends > 0 ? [`Friendships do not come over: ${friends}`] : []),
    ],
  };
}

/** When the first player of each account was created: accounts have no date of their own. */
async function firstPlayers(database: SourceDatabase, scratch: ScratchTable): Promise<ScratchTable> {
  try {
    const columns = ["user_uuid", "created_at"];
    for await (const rows of database.pages({ table: "players", columns, key: "created_at" })) {
      scratch.put(
        rows.flatMap(({ user_uuid: user = null, created_at: at = null }) =>
          user === null || at === null ? [] : [[user, at] as const],
        ),
      );
    }
    return scratch;
  } catch (error) {
    scratch[Symbol.dispose]();
    throw error;
  }
}

async function* accountsOf(database: SourceDatabase, began: ScratchTable, zone: TimeZone) {
  const pages = database.pages({
    table: "users",
    columns: userColumns,
    bytes: ["password_salt", "password_hash"],
    key: "uuid",
  });
  for await (const rows of pages) {
    const dates = began.get(rows.flatMap(({ uuid }) => uuid ?? []));
    yield {
      rows: rows.map((row) => accountOf(row, timeOf(dates.get(row["uuid"] ?? ""), zone))),
      problems: [],
    };
  }
}

/** A user name may be a mail address, by which the person then signs in. */
function accountOf(row: SourceRow, createdAt: number | null): SourceAccount {
  const name = givenText(row["username"]);
  const isMail = name?.includes("@") ?? false;
  const [text, salt] = [givenText(row["password_hash"]), givenText(row["password_salt"])];
  return {
    key: `users:${row["uuid"]}`,
    login: isMail ? null : name,
    mail: isMail ? name : null,
    mailVerified: false,
    password: text === null || salt === null ? null : { text, kind: "scrypt", salt },
    level: flagOf(row["is_admin"]) ? 3 : 1,
    suspended: flagOf(row["is_locked"]) ? { until: null, reason: "" } : null,
    language: givenText(row["preferred_language"]),
    createdAt,
    lastSeenAt: null,
    playersMax: playersMaxOf(numberOf(row["max_player_count"])),
    uuid: null,
  };
}

/** `-2` is as the settings say. */
function playersMaxOf(number: number | null): number | null {
  if (number === null || number < -1) return null;
  return number === -1 ? playersMaxAtMost : Math.min(number, playersMaxAtMost);
}

function playersOf(database: SourceDatabase, zone: TimeZone) {
  return recordPages(
    database.pages({
      table: "players",
      columns: playerColumns,
      key: "uuid",
    }),
    (row): SourcePlayer => {
      const [skin, cape] = [givenText(row["skin_hash"]), givenText(row["cape_hash"])];
      return {
        key: `players:${row["uuid"]}`,
        account: `users:${row["user_uuid"]}`,
        name: row["name"] ?? "",
        uuid: row["uuid"] ?? null,
        skin: skin === null ? null : `skin:${skin}`,
        skinModel: row["skin_model"] === "slim" ? "slim" : "classic",
        cape: cape === null ? null : `cape:${cape}`,
        createdAt: timeOf(row["created_at"], zone),
      };
    },
  );
}

/** Each file once: players may wear the same one. */
async function* texturesOf(database: SourceDatabase) {
  for (const kind of ["skin", "cape"] as const) {
    const column = `${kind}_hash`;
    let last = "";
    for await (const rows of database.pages({ table: "players", columns: [column], key: column })) {
      const found: SourceTexture[] = [];
      for (const row of rows) {
        const file = givenText(row[column]);
        if (file === null || file === last) continue;
        last = file;
        found.push({ key: `${kind}:${file}`, kind, name: null, model: null, file, createdAt: null });
      }
      yield { rows: found, problems: [] };
    }
  }
}

function identitiesOf(database: SourceDatabase) {
  return recordPages(
    database.pages({
      table: "user_oidc_identities",
      columns: ["id", "user_uuid", "subject", "issuer"],
      key: "id",
    }),
    (row): SourceIdentity | null => {
      const [issuer, subject] = [givenText(row["issuer"]), givenText(row["subject"])];
      if (issuer === null || subject === null) return null;
      const key = `user_oidc_identities:${row["id"]}`;
      return { key, account: `users:${row["user_uuid"]}`, issuer, subject, username: null };
    },
  );
}

/** Everybody has one, as a password of launchers. It is not read. */
function launcherTokensOf(database: SourceDatabase) {
  return recordPages(
    database.pages({ table: "users", columns: ["uuid"], key: "uuid" }),
    ({ uuid }): SourceFactor => ({
      key: `users:${uuid}:minecraft_token`,
      account: `users:${uuid}`,
      isForLaunchers: true,
    }),
  );
}

/** A code would still let people in, so it is no part of a key. */
async function* invitesOf(database: SourceDatabase) {
  let number = 0;
  for await (const rows of database.pages({ table: "invites", columns: ["created_at"], key: "created_at" })) {
    const found = rows.map((): SourceInvite => {
      number += 1;
      return { key: `invites:${number}` };
    });
    yield { rows: found, problems: [] };
  }
}
