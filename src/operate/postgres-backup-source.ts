/** Loaded only where the settings name a PostgreSQL database. */
import { readKeptFiles } from "../adapters/data-folder/kept-files.ts";
import { describeAddress } from "../adapters/postgres/connections/address.ts";
import { requireWholeSchema } from "../adapters/postgres/community.ts";
import { openKeyRows } from "../adapters/postgres/cluster/key-rows.ts";
import { placeMark, readMark, refuseOtherSecret } from "../adapters/postgres/cluster/marks.ts";
import { listNodes } from "../adapters/postgres/cluster/nodes.ts";
import { isWritingMails, tableSource } from "../adapters/postgres/move/table-copy.ts";
import { openWorkSession, type WorkSession } from "../adapters/postgres/connections/work-session.ts";
import { openTableTarget } from "../adapters/sqlite/table-copy.ts";
import type { DatabaseSetting } from "../boot/config/storage-settings.ts";
import type { DataFolder } from "../boot/data-folder.ts";
import { carriedKeys, fingerprintOf } from "../boot/secrets.ts";
import type { TextureSource } from "../boot/textures.ts";
import { textureRows } from "../domain/backup/carry-textures.ts";
import { copyTables } from "../domain/backup/copy-tables.ts";
import type { KeptFile } from "../domain/ports/backup-ports.ts";
import type { TextureRow } from "../domain/ports/texture-files.ts";
import { parseTextureFile, type TextureHash } from "../kernel/ids.ts";
import type { BackupSource, CopyOptions } from "./backup-source.ts";

/** How long a mail to everybody is waited for, whose copies a node writes. */
const mailsSecondsMax = 10 * 60;
const pauseMs = 500;

/** The database of a community whose nodes may be running; the folder has the operator's files. */
export async function postgresBackupSource(
  setting: DatabaseSetting,
  { blobs, folder }: { readonly blobs: TextureSource; readonly folder: DataFolder },
): Promise<BackupSource> {
  const { address, jwtSecret } = setting;
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await openWorkSession(setting));
  await requireWholeSchema(session, describeAddress(address));
  // Keys that this secret does not open would look damaged.
  await refuseOtherSecret(session, fingerprintOf(jwtSecret));
  const keys = opening.use(await openKeyRows(session, jwtSecret.reveal()));
  const opened = opening.move();
  return {
    own: {
      mark: placeMark(session),
      communityId: async () => (await readMark(session, "community")) ?? "",
      rows: () => textureRows(tableSource(session)),
    },
    hasAccounts: async () => (await session.send("SELECT 1 FROM accounts LIMIT 1", [])).length > 0,
    copyTo: async (path, options) => {
      await using reading = await openWorkSession(setting);
      return await copyInto(path, reading, options);
    },
    live: { findTexture: (hash) => findTexture(session, hash) },
    blobs,
    readFiles: async () => {
      const { files, leftOut } = await readKeptFiles(folder.path);
      const kept: KeptFile[] = files.filter((file) => file.folder !== "secrets");
      for (const kind of carriedKeys) {
        const text = await keys.find(kind);
        if (text !== null)
          kept.push({ folder: "secrets", name: kind.name, content: Buffer.from(`${text}\n`) });
      }
      return { files: kept, leftOut };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** All tables as of one moment, in a database of SQLite. */
async function copyInto(
  path: string,
  reading: WorkSession,
  { progress, signal }: CopyOptions,
): Promise<readonly string[]> {
  const isWhole = await beginWhole(reading, signal);
  const source = tableSource(reading);
  using target = openTableTarget(path, await source.community());
  await copyTables({ source, target, carry: (_, rows) => Promise.resolve(rows), progress, signal });
  await target.complete(await source.lastNumbers(), (step, done) => progress(step, done, null));
  target.finish();
  await reading.command("COMMIT");
  return isWhole ? [] : ["copies of a mail to everybody that had not been written yet"];
}

/**
 * Begins a snapshot. While nodes run, it waits for one without a half-written bulk mail, whose remaining
 * recipients a copy would not know. Resolves to whether it got one.
 */
async function beginWhole(reading: WorkSession, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + mailsSecondsMax * 1000;
  for (;;) {
    signal.throwIfAborted();
    await reading.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (!(await isWritingMails(reading))) return true;
    const isServed = (await listNodes(reading)).some(({ isAlive }) => isAlive);
    if (!isServed || performance.now() > until) return false;
    await reading.command("ROLLBACK");
    await Bun.sleep(pauseMs);
  }
}

async function findTexture(session: WorkSession, hash: TextureHash): Promise<TextureRow | null> {
  const [row] = await session.send("SELECT digest, file FROM textures WHERE hash = $1", [hash]);
  const file = parseTextureFile(String(row?.[1]));
  return file === null ? null : { hash, digest: String(row?.[0]), file };
}
