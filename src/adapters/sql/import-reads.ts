import { eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { ImportReads, LinkedKind } from "../../domain/ports/import-store.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import { isIn, rowsIn, spell } from "./dialect.ts";
import { pick } from "./rows.ts";
import { identities } from "./schema/access.ts";
import { accounts, players, textureBans, textures } from "./schema/member.ts";
import { importLinks, importRuns } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { build, first, listed, mayBeKept, statement, type Statement } from "./statement.ts";
import { textureColumns, toTexture } from "./texture-rows.ts";

const keys = sql.placeholder("keys");

/** Of `import_runs`, by the names of a run. */
export const runColumns = getTableColumns(importRuns);
const findRun = statement(
  build
    .select(runColumns)
    .from(importRuns)
    .where(eq(importRuns.source, sql.placeholder("source"))),
  runColumns,
);

/** A run as a row has it. */
export function toRun({ counts, ...row }: Awaited<ReturnType<typeof findRun>>[number]) {
  return { ...row, counts: counts as Readonly<Record<string, number>> }; // rows hold only what `moveRun` wrote
}

type Link = {
  readonly key: string;
  readonly id: number;
  readonly isGone: boolean;
  readonly digest: string;
};

/**
 * The links of a kind whose rows are in its table. Without statistics PostgreSQL would read all links of the
 * source for each page of keys, so each key is looked up by itself.
 */
const linksTo = (kind: LinkedKind, table: string): Statement<Link> => {
  const ofRecord = sql`found.source = ${sql.placeholder("source")} AND found.kind = ${sql.raw(`'${kind}'`)} AND found.key = given.value`;
  const found = spell({
    postgres: sql`LATERAL (SELECT key, local_id, digest FROM import_links AS found WHERE ${ofRecord} OFFSET 0) AS found`,
    sqlite: sql`import_links AS found WHERE ${ofRecord}`,
  });
  return statement(
    sql`
      SELECT found.key, found.local_id, NOT EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE id = found.local_id), found.digest
      FROM ${rowsIn(keys, "texts")} CROSS JOIN ${found}`,
    { key: importLinks.key, id: Number, isGone: Boolean, digest: importLinks.digest },
  );
};
const links: Readonly<Record<LinkedKind, Statement<Link>>> = {
  account: linksTo("account", "accounts"),
  player: linksTo("player", "players"),
  skin: linksTo("skin", "skins"),
  cape: linksTo("cape", "capes"),
};

const here = {
  id: players.id,
  account: players.accountId,
  name: players.name,
  uuid: players.uuid,
  showsSkin: (cell: unknown) => Boolean(cell),
};
const playersHere = (condition: SQL): SQL => sql`
  SELECT id, account_id, name, uuid, selected_skin_id IS NOT NULL FROM players WHERE ${condition}`;
const findPlayers = statement(
  sql`${playersHere(isIn(players.uuid, sql.placeholder("uuids"), "text"))}
    UNION ${playersHere(isIn(players.nameKey, sql.placeholder("nameKeys"), "text"))}`,
  here,
);

const playersById = statement(playersHere(isIn(players.id, sql.placeholder("ids"), "bigint")), here);
const accountHere = {
  ...pick(accounts, "id", "mail", "mailVerified", "passwordHash", "language", "lastSeenAt", "playersMax"),
  level: accounts.permanentLevel,
};
const accountsHere = statement(
  sql`
    SELECT ${listed(accountHere)}, EXISTS (SELECT 1 FROM suspensions WHERE account_id = accounts.id)
    FROM ${accounts} WHERE ${isIn(accounts.id, sql.placeholder("ids"), "bigint")}`,
  { ...accountHere, isSuspended: Boolean },
);

const taken = { key: players.nameKey, account: accounts.id };
const nameIn = (table: string, account: SQL): SQL => sql`
  SELECT name_key, ${account} FROM ${sql.identifier(table)} WHERE ${isIn(sql`name_key`, keys, "text")}`;
const takenNames = statement(
  sql`
    ${nameIn("players", sql`account_id`)}
    UNION ${nameIn("aliases", sql`account_id`)}
    UNION ${nameIn("held_names", sql`coalesce((SELECT id FROM accounts WHERE id = held_names.account_id), 0)`)}`,
  taken,
);
const takenMails = statement(
  sql`
    SELECT mail_key, id, registration <> 'unconfirmed' OR level > 1 OR role_level IS NOT NULL
    FROM accounts WHERE ${isIn(accounts.mailKey, keys, "text")}`,
  { key: accounts.mailKey, account: accounts.id, isOwned: Boolean },
);
const uuidIn = (table: string, account: string): SQL => sql`
  SELECT uuid, ${sql.identifier(account)} FROM ${sql.identifier(table)} WHERE ${isIn(sql`uuid`, keys, "text")}`;
const takenUuids = statement(
  sql`
    ${uuidIn("accounts", "id")} UNION ${uuidIn("players", "account_id")} UNION ${uuidIn("former_uuids", "account_id")}`,
  { uuid: accounts.uuid, account: accounts.id },
);
const banned = statement(
  build
    .select({ hash: textureBans.hash })
    .from(textureBans)
    .where(isIn(textureBans.hash, keys, "text")),
  { hash: textureBans.hash },
);
const takenIdentities = statement(
  sql`
    SELECT identities.issuer, identities.subject, identities.account_id
    FROM ${rowsIn(sql.placeholder("people"))} CROSS JOIN identities
    WHERE identities.subject = value ->> 1 AND identities.issuer = value ->> 0`,
  { issuer: identities.issuer, subject: identities.subject, account: identities.accountId },
);
const findTextures = statement(
  sql`SELECT ${listed(textureColumns)} FROM ${textures} WHERE ${isIn(textures.hash, keys, "text")}`,
  textureColumns,
);

export function importReads(db: Sender): ImportReads {
  return {
    findRun: async (source) => {
      const row = mayBeKept(source) ? first(await findRun(db, { source })) : null;
      return row === null ? null : toRun(row);
    },
    links: async (source, kind, keys) => {
      const rows = await links[kind](db, { source, keys: keys.filter(mayBeKept) });
      return new Map(rows.map(({ key, ...link }) => [key, link]));
    },
    players: ({ uuids, nameKeys }) => findPlayers(db, { uuids, nameKeys: nameKeys.filter(mayBeKept) }),
    playersById: (ids) => playersById(db, { ids }),
    accountsHere: (ids) => accountsHere(db, { ids }),
    takenNames: (keys) => takenNames(db, { keys: keys.filter(mayBeKept) }),
    takenMails: async (keys) => {
      const rows = await takenMails(db, { keys: keys.filter(mayBeKept) });
      // Rows were found by their key.
      return rows.flatMap(({ key, ...row }) => (key === null ? [] : { key, ...row }));
    },
    takenUuids: (keys) => takenUuids(db, { keys }),
    bannedTextures: async (keys) =>
      new Set((await banned(db, { keys })).map(({ hash }): TextureHash => hash)),
    takenIdentities: (people) => {
      const askable = people.filter(({ issuer, subject }) => mayBeKept(issuer + subject));
      return takenIdentities(db, { people: askable.map(({ issuer, subject }) => [issuer, subject]) });
    },
    textures: async (keys) => (await findTextures(db, { keys })).map(toTexture),
  };
}
