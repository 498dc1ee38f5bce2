import type { TextureRow } from "../../domain/ports/texture-files.ts";
import { parseTextureFile, parseTextureHash } from "../../kernel/ids.ts";
import { databaseMs } from "./cluster/lease.ts";
import { placeMark, readMark } from "./cluster/marks.ts";
import { migrations } from "./migrations.ts";
import { readPosition } from "./schema-mark.ts";
import { trigramSchema } from "./search-index.ts";
import type { Sender } from "../sql/sender.ts";

/** What a server is and how it is set, as far as an operator should know. */
export type ServerFacts = {
  /** As the server calls itself: `PostgreSQL 18.4 …`. */
  readonly version: string;
  /** Migrations that the database has not seen; negative when a newer program wrote it. */
  readonly pending: number;
  /** Where it got its setting that it takes reads only, in its own words; null: it takes writes. */
  readonly readOnlyBy: string | null;
  /** Whether a commit waits until another server has it. */
  readonly isSynchronous: boolean;
  /** Standbys that are connected; null where the user may not see them. */
  readonly standbys: number | null;
  /** Whether searches use an index (pg_trgm). */
  readonly hasSearchIndex: boolean;
  /** The schema of pg_trgm, if this user may not use what is in it. */
  readonly closedSchema: string | null;
  /** Connections that the server takes, for all its users together. */
  readonly connectionsMax: number;
  /** Whether commits are on the server's disk when they are answered. */
  readonly isDurable: boolean;
  readonly bytes: number | null;
  /** How far this machine's clock is ahead of the server's. */
  readonly clockAheadSeconds: number;
};

/** Reads what the server says of itself. Engines that only speak its protocol leave some of it out. */
export async function readServerFacts(session: Sender): Promise<ServerFacts> {
  const setting = async (name: string): Promise<string> => {
    const [row] = await session.send("SELECT current_setting($1, true)", [name]);
    const value = row?.[0];
    return typeof value === "string" ? value : "";
  };
  const one = async (text: string): Promise<unknown> =>
    session.send(text, []).then(
      ([row]) => row?.[0] ?? null,
      () => null,
    );
  const complete = (await readPosition(session))?.complete ?? 0;
  const askedAt = Date.now();
  const serverMs = Number(await one(`SELECT ${databaseMs}`));
  const middleMs = (askedAt + Date.now()) / 2;
  // A user without the rights of pg_monitor sees that there is a standby, and not what it does.
  const standbys = await one(
    "SELECT count(*) FROM pg_stat_replication WHERE coalesce(state, 'streaming') = 'streaming'",
  );
  const trigrams = await trigramSchema(session).catch(() => null);
  const readOnlyBy = await one(
    "SELECT source FROM pg_settings WHERE name = 'default_transaction_read_only' AND setting = 'on'",
  );
  const bytes = await one("SELECT pg_database_size(current_database())");
  return {
    version: String(await one("SELECT version()")),
    pending: migrations.length - complete,
    readOnlyBy: typeof readOnlyBy === "string" ? readOnlyBy : null,
    isSynchronous:
      (await setting("synchronous_standby_names")) !== "" &&
      !["off", "local"].includes(await setting("synchronous_commit")),
    standbys: standbys === null ? null : Number(standbys),
    hasSearchIndex: (await one("SELECT to_regclass('search_texts_user') IS NOT NULL")) === true,
    closedSchema: trigrams === null || trigrams.isOpen ? null : trigrams.name,
    connectionsMax: Number(await setting("max_connections")),
    isDurable: (await setting("fsync")) !== "off" && (await setting("synchronous_commit")) !== "off",
    bytes: bytes === null ? null : Number(bytes),
    clockAheadSeconds: (middleMs - serverMs) / 1000,
  };
}

/** The same reads of rows as of a database in a file. */
export function inspectRows(session: Sender) {
  const first = async (text: string): Promise<readonly unknown[]> => (await session.send(text, []))[0] ?? [];
  const numberOf = async (text: string): Promise<number | null> => {
    const [value = null] = await first(text);
    return value === null ? null : Number(value);
  };
  return {
    /** When the newest row was written, in Unix seconds; null for an empty database. */
    newestAt: () =>
      numberOf(`SELECT max(at) FROM (
        (SELECT created_at AS at FROM accounts ORDER BY id DESC LIMIT 1) UNION ALL
        (SELECT at FROM audit_entries ORDER BY id DESC LIMIT 1) UNION ALL
        (SELECT created_at AS at FROM outbox ORDER BY id DESC LIMIT 1)) AS newest`),
    /** When the waiting mail that is due first became due, in Unix seconds; null when no mail waits. */
    oldestDue: () => numberOf("SELECT min(due_at) FROM outbox WHERE state = 'waiting'"),
    countFailedMails: async () => (await numberOf("SELECT count(*) FROM outbox WHERE state = 'failed'")) ?? 0,
    /** How many password hashes that were not made today's way begin alike, as `HashReads` counts them. */
    countOtherHashes: () => countOtherHashes(session),
    /** By provider and issuer, the largest count first, 50 at most. */
    countIdentities: async () => {
      const rows = await session.send(
        `SELECT provider, issuer, count(*) FROM identities GROUP BY provider, issuer ORDER BY count(*) DESC LIMIT 50`,
        [],
      );
      return rows.map(([provider, issuer, count]) => ({
        provider: String(provider),
        issuer: String(issuer),
        identities: Number(count),
      }));
    },
    /**
     * Players that wear a cape of their own that their account was not granted: how many, and the name of
     * one.
     */
    ungrantedCapes: async () => {
      const [players, name] = await first(
        `SELECT count(*), min(name) FROM players WHERE own_cape_id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM cape_grants WHERE account_id = players.account_id AND cape_id = own_cape_id)`,
      );
      return { players: Number(players), name: typeof name === "string" ? name : null };
    },
    /** The community's id. */
    community: async () => (await readMark(session, "community")) ?? "",
    /** The id of the place of its textures. */
    place: async () => placeMark(session).read(),
    /** Of more than a million the number that the server's statistics have. */
    countTextures: async () =>
      (await numberOf(`SELECT CASE WHEN reltuples > 1000000 THEN reltuples ELSE (SELECT count(*) FROM textures) END
        FROM pg_class WHERE oid = to_regclass('textures')`)) ?? 0,
    /** Rows of textures in random order, each once, `most` at most. Reads all of them. */
    shuffledTextures: async (most: number): Promise<readonly TextureRow[]> =>
      (await session.send(`${textureCells} ORDER BY random() LIMIT $1`, [most])).flatMap(
        (row) => textureOf(row) ?? [],
      ),
    /** The first texture whose hash is not before this text. */
    textureFrom: async (hash: string): Promise<TextureRow | null> =>
      textureOf((await session.send(`${textureCells} WHERE hash >= $1 ORDER BY hash LIMIT 1`, [hash]))[0]),
  };
}

const textureCells = "SELECT hash, file, digest FROM textures";

function textureOf(row: readonly unknown[] | undefined): TextureRow | null {
  const [hashText, fileText, digest] = row ?? [];
  const hash = parseTextureHash(String(hashText));
  const file = parseTextureFile(String(fileText));
  return hash === null || file === null ? null : { hash, file, digest: String(digest) };
}

async function countOtherHashes(session: Sender) {
  const rows = await session.send(
    `SELECT CASE WHEN substr(password_hash, 1, 9) = '$wrapped$'
         THEN '$wrapped$' || split_part(password_hash, '$', 3) || '$'
         ELSE '$' || split_part(password_hash, '$', 2) || '$' END AS head, count(*)
       FROM accounts WHERE substr(password_hash, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$' GROUP BY head`,
    [],
  );
  return rows.map(([head, hashes]) => ({ head: String(head), hashes: Number(hashes) }));
}
