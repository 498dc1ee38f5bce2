/* What must hold in the data folder of a service that died while everything was being written. */
import { Database } from "bun:sqlite";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { verifyChain } from "../../src/domain/audit/verify-chain.ts";
import { bitmapHash, sha256Hex } from "../../src/domain/textures/hashes.ts";
import { decodeStoredPng } from "../../src/render/png-decode.ts";

export type Found = {
  readonly faults: readonly string[];
  /** All that is kept, as the ledger words it. */
  readonly facts: ReadonlySet<string>;
  /** The audit's newest hash, which every later look must find again. */
  readonly newestHash: string | null;
};

/** Looks at copies, so that what the crash left is recovered by the service itself. */
export async function examineAll(dataDir: string, notedHash: string | null): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-examined-"));
  try {
    for (const name of ["cloakroom.db", "cloakroom.db-wal"]) {
      if (await Bun.file(join(dataDir, name)).exists()) await cp(join(dataDir, name), join(folder, name));
    }
    const path = join(folder, "cloakroom.db");
    const chain = await chainOf(path, notedHash);
    using database = new Database(path);
    return {
      faults: [
        ...soundness(database),
        ...chain.faults,
        ...(await fileFaults(database, join(dataDir, "textures"))),
      ],
      facts: new Set(database.query(facts).values().flat().map(String)),
      newestHash: chain.newestHash,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Each row becomes a fact in the ledger's words. */
const facts = `
  SELECT 'skin of ' || account_id || ': ' || name FROM skins
  UNION ALL SELECT 'selected by ' || players.account_id || ': ' || skins.name
    FROM players JOIN skins ON skins.id = selected_skin_id
  UNION ALL SELECT 'cape: ' || name FROM capes
  UNION ALL SELECT 'cape of ' || account_id || ': ' || name FROM cape_grants JOIN capes ON capes.id = cape_id
  UNION ALL SELECT 'level of ' || id || ': ' || coalesce(role_level, level) FROM accounts
  UNION ALL SELECT 'news: ' || subject FROM bulk_mails
  UNION ALL SELECT 'account: ' || mail FROM accounts`;

/** Things of which one half is there, or one too many: each query finds those. */
const halves = [
  {
    what: "a texture that nothing refers to",
    query: `SELECT hash FROM textures WHERE hash NOT IN (SELECT texture_hash FROM skins)
            AND hash NOT IN (SELECT texture_hash FROM capes)`,
  },
  {
    what: "a mail to everybody that some have not been posted, or twice",
    query: `SELECT bulk_mails.id, count(outbox.id) AS copies, count(DISTINCT recipient_key) AS people
            FROM bulk_mails LEFT JOIN outbox ON bulk_mail_id = bulk_mails.id GROUP BY bulk_mails.id
            HAVING copies <> people OR people <> (SELECT count(*) FROM accounts WHERE mail_verified = 1)`,
  },
  {
    what: "a change by staff without its entry in the audit",
    query: `SELECT name FROM capes WHERE NOT EXISTS
            (SELECT 1 FROM audit_entries WHERE action = 'cape.upload' AND detail ->> 'capeid' = capes.uuid)
            UNION ALL SELECT subject FROM bulk_mails WHERE NOT EXISTS
            (SELECT 1 FROM audit_entries WHERE action = 'mail.bulk' AND detail -> 'new' ->> 'mail' = bulk_mails.id)`,
  },
  {
    what: "a count that is not the number of rows",
    query: `SELECT name, rows FROM row_counts WHERE rows <> CASE name
            WHEN 'accounts' THEN (SELECT count(*) FROM accounts) WHEN 'skins' THEN (SELECT count(*) FROM skins)
            WHEN 'capes' THEN (SELECT count(*) FROM capes)
            WHEN 'audit_entries' THEN (SELECT count(*) FROM audit_entries) END`,
  },
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
    ...(noted !== null && notedEntry === null ? ["the audit was made anew"] : []),
  ];
  return { faults, newestHash: newest.id === 0 ? noted : newest.hash };
}

/** No row without its file; no file in its place that is not whole. A file without a row is allowed. */
async function fileFaults(database: Database, folder: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const rows = database
    .query<{ hash: string; digest: string }, []>("SELECT hash, digest FROM textures")
    .all();
  const digests = new Map(rows.map(({ hash, digest }) => [hash, digest]));
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith(".png") && !name.startsWith("staging"),
  );
  for (const name of names) {
    const hash = basename(name, ".png");
    const file = await Bun.file(join(folder, name)).bytes();
    const digest = digests.get(hash);
    digests.delete(hash);
    if (digest === undefined ? !isWhole(file, hash) : sha256Hex(file) !== digest)
      faults.push(`damaged file: ${name}`);
  }
  return [...faults, ...[...digests.keys()].map((hash) => `a row without its file: ${hash}`)];
}

function isWhole(file: Uint8Array, hash: string): boolean {
  try {
    return bitmapHash(decodeStoredPng(file)) === hash;
  } catch {
    return false;
  }
}
