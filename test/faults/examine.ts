/* What must hold in the data folder of a service that died while everything was being written. */
import { Database } from "bun:sqlite";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { verifyChain } from "../../src/domain/audit/verify-chain.ts";
import { bitmapHash, sha256Hex } from "../../src/domain/textures/hashes.ts";
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { eventHalves } from "./event-ledger.ts";
import { factsQuery } from "./facts.ts";

export type Found = {
  readonly faults: readonly string[];
  /** All that is kept, as the ledger words it. */
  readonly facts: ReadonlySet<string>;
  readonly mails: readonly PostedMail[];
  /** The audit's newest hash, which every later look must find again. */
  readonly newestHash: string | null;
};

/** A mail of the outbox. */
export type PostedMail = {
  readonly id: number;
  readonly messageId: string;
  readonly template: string;
  readonly recipient: string;
  readonly state: "waiting" | "sent" | "failed";
  readonly attempts: number;
  readonly reply: string | null;
  /**
   * Taken by a sender that did not live to write down what came of it: who takes a mail moves its time into
   * the future.
   */
  readonly isInFlight: 0 | 1;
};

/** Looks at copies, so that what the crash left is recovered by the service itself. */
export async function examine(dataDir: string, notedHash: string | null): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-examined-"));
  try {
    for (const name of ["cloakroom.db", "cloakroom.db-wal"]) {
      if (await Bun.file(join(dataDir, name)).exists()) await cp(join(dataDir, name), join(folder, name));
    }
    return await examineDatabase(join(folder, "cloakroom.db"), {
      notedHash,
      files: filesBelow(join(dataDir, "textures")),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A stored file of a texture: its name without an ending, and its bytes. */
export type StoredFile = { readonly file: string; readonly bytes: Uint8Array };

/** Looks at a database of SQLite, which may be the copy of another engine's, and at the files beside it. */
export async function examineDatabase(
  path: string,
  given: { readonly notedHash: string | null; readonly files: AsyncIterable<StoredFile> },
): Promise<Found> {
  const chain = await chainOf(path, given.notedHash);
  using database = new Database(path);
  return {
    faults: [...soundness(database), ...chain.faults, ...(await fileFaults(database, given.files))],
    facts: new Set(database.query(factsQuery).values().flat().map(String)),
    mails: database.query<PostedMail, []>(mailsQuery).all(),
    newestHash: chain.newestHash,
  };
}

/** Files that are in their place in a data folder. */
export async function* filesBelow(folder: string): AsyncIterable<StoredFile> {
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith(".png") && !name.startsWith("staging"))
      yield { file: basename(name, ".png"), bytes: await Bun.file(join(folder, name)).bytes() };
}

const mailsQuery = `
  SELECT id, created_at || '.' || id || '@www.example.org' AS messageId, template, recipient, state, attempts,
    last_reply AS reply, state = 'waiting' AND due_at > created_at AS isInFlight
  FROM outbox ORDER BY id`;

/** Each query finds halves without their other half, and what is there twice. */
const halves = [
  {
    what: "a player whose account has no password or no confirmed address, or another uuid",
    query: `SELECT players.name FROM players LEFT JOIN accounts ON accounts.id = account_id
            WHERE password_hash IS NULL OR mail_verified = 0
              OR (players.id = main_player_id AND accounts.uuid <> players.uuid)`,
  },
  {
    what: "a registration that the account's address, password and player do not make, or another's main player",
    query: `SELECT accounts.id FROM accounts LEFT JOIN players ON players.id = main_player_id
            WHERE registration <> CASE
              WHEN players.id IS NULL THEN iif(mail_verified, 'unnamed', 'unconfirmed')
              WHEN name_derived AND password_hash IS NULL THEN 'unnamed' ELSE 'complete' END
            OR coalesce(players.account_id <> accounts.id, accounts.id IN (SELECT account_id FROM players))`,
  },
  {
    what: "more players than an account may have, or a UUID that is given up and in use by another account",
    query: `SELECT account_id FROM players GROUP BY account_id HAVING count(*) > 2
            UNION ALL SELECT players.account_id FROM players JOIN former_uuids USING (uuid)
            WHERE former_uuids.account_id <> players.account_id`,
  },
  {
    what: "a confirmed address whose code can be used again",
    query: `SELECT accounts.mail FROM accounts JOIN codes ON account_id = accounts.id
            WHERE mail_verified = 1 AND purpose = 'confirm'`,
  },
  {
    what: "an account that cannot be confirmed",
    query: `SELECT mail FROM accounts WHERE mail_verified = 0 AND id NOT IN (SELECT account_id FROM codes)`,
  },
  {
    what: "a name that is held although it is in use",
    query: `SELECT name_key FROM held_names JOIN players USING (name_key)`,
  },
  {
    what: "a mail that waits without content, or is sent and still has it",
    query: `SELECT id FROM outbox WHERE (state = 'waiting') = (content IS NULL)`,
  },
  {
    what: "a texture that nothing refers to",
    query: `SELECT hash FROM textures WHERE hash NOT IN (SELECT texture_hash FROM skins)
            AND hash NOT IN (SELECT texture_hash FROM capes)
            AND hash NOT IN (SELECT wings_hash FROM capes WHERE wings_hash IS NOT NULL)`,
  },
  {
    // Who was there before the first of them gets all; how many newcomers do, the audit says.
    what: "a mail to everybody that some have not been posted, or twice",
    query: `SELECT bulk_mails.id, count(outbox.id) AS copies, count(DISTINCT recipient_key) AS people
            FROM bulk_mails LEFT JOIN outbox ON bulk_mail_id = bulk_mails.id GROUP BY bulk_mails.id
            HAVING copies <> people
            OR people IS NOT (SELECT detail -> 'new' ->> 'recipients' FROM audit_entries
                              WHERE action = 'mail.bulk' AND detail -> 'new' ->> 'mail' = bulk_mails.id)
            OR count(*) FILTER (WHERE recipient NOT LIKE 'newcomer%') <>
               (SELECT count(*) FROM accounts WHERE mail_verified = 1 AND mail NOT LIKE 'newcomer%')`,
  },
  {
    what: "a change by staff without its entry in the audit",
    query: `SELECT name FROM capes WHERE NOT EXISTS
            (SELECT 1 FROM audit_entries WHERE action = 'cape.upload' AND detail ->> 'capeid' = capes.uuid)`,
  },
  {
    what: "a count that is not the number of rows",
    query: `SELECT name, rows FROM row_counts WHERE rows <> CASE name
            WHEN 'accounts' THEN (SELECT count(*) FROM accounts) WHEN 'skins' THEN (SELECT count(*) FROM skins)
            WHEN 'capes' THEN (SELECT count(*) FROM capes)
            WHEN 'audit_entries' THEN (SELECT count(*) FROM audit_entries) END`,
  },
  ...eventHalves,
] as const;

function soundness(database: Database): readonly string[] {
  const integrity = database.query("PRAGMA integrity_check").values().flat().map(String);
  const references = database.query("PRAGMA foreign_key_check").values();
  return [
    ...integrity.filter((word) => word !== "ok"),
    ...references.map((row) => `broken reference: ${row.join(" ")}`),
    ...halves.flatMap(({ what, query }) =>
      database
        .query(query)
        .values()
        .map((row) => `${what}: ${row.join(" ")}`),
    ),
  ];
}

async function chainOf(path: string, noted: string | null) {
  using database = openDatabase(path);
  const { newest, fault, notedEntry } = await verifyChain(database.reads.audit, {
    noted,
    onProgress: () => undefined,
  });
  const faults = [
    ...(fault === null ? [] : [`audit entry ${fault.entry}: ${fault.problem}`]),
    ...(noted !== null && notedEntry === null ? ["the audit was rewritten"] : []),
  ];
  return { faults, newestHash: newest.id === 0 ? noted : newest.hash };
}

/** No row without its file; no file in its place that is not whole. A file without a row is allowed. */
async function fileFaults(database: Database, files: AsyncIterable<StoredFile>): Promise<readonly string[]> {
  const faults: string[] = [];
  const rows = database
    .query<{ file: string; digest: string }, []>("SELECT file, digest FROM textures")
    .all();
  const digests = new Map(rows.map(({ file, digest }) => [file, digest]));
  for await (const { file, bytes } of files) {
    const digest = digests.get(file);
    digests.delete(file);
    if (digest === undefined ? !isWhole(bytes, file.slice(0, 64)) : sha256Hex(bytes) !== digest)
      faults.push(`damaged file: ${file}`);
  }
  return [...faults, ...[...digests.keys()].map((file) => `a row without its file: ${file}`)];
}

function isWhole(file: Uint8Array, hash: string): boolean {
  try {
    return bitmapHash(decodeStoredPng(file)) === hash;
  } catch {
    return false;
  }
}
