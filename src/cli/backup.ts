import { backUpTo, backUpToShelf, type BackupOptions, type BackupReport } from "../operate/backup.ts";
import { path } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import type { Config } from "../boot/config.ts";
import { secretsIn } from "../domain/backup/manifest.ts";
import { abortOnSignal } from "./abort-on-signal.ts";
import { command } from "./command.ts";
import { aboutBackup } from "./data-folder-faults.ts";
import { json, jsonText } from "./output.ts";
import { readPassphrase, secretOptions } from "./passphrase.ts";
import { showProgress } from "./progress.ts";

const name = "backup";

export const backup = command({
  name,
  summary: "puts database, textures, secrets and the operator's files into one archive",
  details:
    "A server may be running: the backup holds what was there at one moment. It is verified before it gets its name. Without" +
    " a file it goes where BACKUP_SCHEDULE would put it, and older ones beyond BACKUP_KEEP are removed; one that lacks textures" +
    " is called incomplete, and removes no whole one. Without a passphrase secrets are in clear, and a restore cannot see whether" +
    " the backup was changed. JWT_SECRET and other settings are in no backup.",
  settings: "taken",
  positionals: {
    file: optional(path("FILE"), "the archive, a .tar.zst", "BACKUP_DIR, or the bucket of S3_BUCKET"),
  },
  options: { ...secretOptions, json },
  run: async ({ file, json, ...given }, { io, loadConfig }) => {
    const { config } = await loadConfig();
    const passphrase = await readPassphrase(given, { io, config, name });
    using shown = showProgress(io);
    using stopped = abortOnSignal();
    const options = { ...shown, signal: stopped.signal, passphrase, withSecrets: !given.withoutSecrets };
    const report = await backUp(config, file, options);
    shown[Symbol.dispose]();
    for (const one of report.leftOut) io.error(`cloakroom: not in the backup: ${one}\n`);
    for (const fault of report.schemaFaults)
      io.error(`cloakroom: the database's schema was changed, so no restore takes this backup: ${fault}\n`);
    const { lost } = report.manifest.textures;
    if (lost > 0) io.error(`cloakroom: ${lost} textures have no sound file; see cloakroom fsck\n`);
    for (const one of report.others.fromFuture)
      io.error(`cloakroom: ${one} is from the future: set the clock, remove or rename it\n`);
    const { notRemoved } = report.others;
    if (notRemoved !== null)
      io.error(`cloakroom: the backup is made, but older ones are left: ${notRemoved}\n`);
    io.out(json ? jsonText(recordOf(report)) : textOf(report));
  },
});

async function backUp(config: Config, file: string | null, options: BackupOptions): Promise<BackupReport> {
  try {
    return await (file === null ? backUpToShelf(config, options) : backUpTo(config, file, options));
  } catch (cause) {
    throw aboutBackup(config.dataDir, file ?? config.backup.dir, cause);
  }
}

function recordOf({ place, bytes, manifest, leftOut, schemaFaults, others }: BackupReport) {
  const { created, schema, database, textures, files } = manifest;
  return {
    file: place,
    bytes,
    created,
    schema,
    database: database.sha256,
    textures: textures.count,
    textures_lost: textures.lost,
    files: Object.keys(files),
    secrets: secretsIn(manifest),
    authenticated: manifest.mac !== null,
    schema_faults: schemaFaults,
    left_out: leftOut,
    removed: others.removed,
    from_future: others.fromFuture,
    not_removed: others.notRemoved,
  };
}

function textOf({ place, bytes, manifest, others }: BackupReport): string {
  const secrets = {
    clear: "the secrets are in it in clear: keep it like a password",
    sealed: "the secrets are in it, encrypted with the passphrase",
    none: "the secrets are not in it",
  }[secretsIn(manifest)];
  return [
    `${place}: ${bytes} bytes, ${manifest.textures.count} textures, verified\n`,
    `${secrets}\n`,
    ...(manifest.mac === null ? [] : ["with the passphrase a restore sees whether it was changed\n"]),
    ...others.removed.map((one) => `removed ${one}\n`),
  ].join("");
}
