import { join } from "node:path";
import { passphrase } from "../boot/config/backup-settings.ts";
import { path } from "../boot/config/kinds.ts";
import { flag, optional, required } from "../boot/config/options.ts";
import type { Config, LoadedConfig } from "../boot/config.ts";
import type { Secret } from "../boot/secrets.ts";
import { secretsIn } from "../domain/backup/manifest.ts";
import { AppError } from "../kernel/errors.ts";
import { backUpTo, backUpToTarget, type BackupReport } from "../operate/backup.ts";
import { restoreFrom, type RestoreReport } from "../operate/restore.ts";
import { unusableFiles, type UnusableFile } from "../operate/start-files.ts";
import { json, passphraseStdin, writtenFile } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import { aboutBackup } from "./faults.ts";
import type { Io } from "./io.ts";
import { showProgress } from "./output.ts";
import { abortOnSignal } from "./stop-signal.ts";

const secretOptions = {
  passphraseStdin,
  withoutSecrets: flag("leave the secrets out"),
};

/**
 * `backup`: makes an archive and prints where it is and what it holds. Complaints go to stderr and leave the
 * exit code at 0: the archive is complete, or named incomplete. Scheduled backups run it with `--json`.
 */
export const backup = command({
  name: "backup",
  summary: "puts database, textures, secrets and the operator's files into one archive",
  details:
    "A server may be running: the backup holds what was there at one moment. It is verified before it gets its name. Without" +
    " a file it goes where BACKUP_SCHEDULE would put it, and older ones beyond BACKUP_KEEP are removed; one that lacks textures" +
    " is called incomplete, and removes no complete one. Without a passphrase the secrets are not encrypted, and a restore cannot" +
    " see whether the backup was changed. JWT_SECRET and other settings are in no backup.",
  positionals: {
    file: optional(
      writtenFile("backup"),
      "the archive, a .tar.zst",
      "BACKUP_DIR, or the bucket of S3_BUCKET",
    ),
  },
  options: {
    ...secretOptions,
    replace: flag("replace FILE if it is a backup; it stays until the new one is complete"),
    json,
  },
  run: async ({ file, replace: replaces, ...given }, { io, loadConfig }) => {
    if (file === null && replaces)
      throw new UsageError(["--replace needs FILE: backups without one have names of their own"], "backup");
    const loaded = await loadConfig();
    const { config } = loaded;
    const passphrase = await readPassphrase(given, { io, config, name: "backup" });
    using shown = showProgress(io);
    using stopped = abortOnSignal();
    const options = { ...shown, signal: stopped.signal, passphrase, withSecrets: !given.withoutSecrets };
    const making =
      file === null ? backUpToTarget(config, options) : backUpTo(config, { path: file, replaces }, options);
    const report = await making.catch((cause: unknown) => {
      throw aboutBackup(config.dataDir, file ?? config.backup.dir, cause);
    });
    shown[Symbol.dispose]();
    const unusable = (await unusableFiles(config.dataDir, loaded)).filter(
      ({ isSecret, message }) =>
        (options.withSecrets || !isSecret) && !report.leftOut.some((name) => message.includes(name)),
    );
    const missing = options.withSecrets ? missingSecrets(report, loaded) : [];
    for (const complaint of [...complaintsAbout(report), ...missing, ...unusable.map(unusableText)])
      io.error(`cloakroom: ${complaint}\n`);
    return { record: backupRecord(report), text: `${backupText(report)}${notInBackup(loaded)}` };
  },
});

function complaintsAbout({ leftOut, schemaFaults, manifest, others }: BackupReport): string[] {
  const { lost } = manifest.textures;
  const { fromFuture, notRemoved } = others;
  return [
    ...leftOut.map((one) => `not in the backup: ${one}`),
    ...schemaFaults.map(
      (fault) => `the database's schema was changed, so no restore takes this backup: ${fault}`,
    ),
    ...(lost > 0 ? [lostText(lost)] : []),
    ...fromFuture.map((one) => `${one} is from the future: set the clock, remove or rename it`),
    ...(notRemoved === null ? [] : [`the backup is made, but older ones are left: ${notRemoved}`]),
  ];
}

/** What is not among the secrets, although it should be, and what a restore needs in its place. */
function missingSecrets({ secrets }: BackupReport, { config, jwtSecret }: LoadedConfig): string[] {
  const isKept = jwtSecret === null;
  if (secrets.length > 0 && !(isKept && !secrets.includes("jwt-secret"))) return [];
  const place = config.database === null ? join(config.dataDir, "secrets") : "the database";
  const lost =
    secrets.length === 0 ? `secrets, because ${place} holds none` : "secrets/jwt-secret, which is missing";
  const need = isKept
    ? "Where a restore finds no JWT secret either, the server makes one, and everybody has to sign in again"
    : "A restored server needs the JWT_SECRET of these settings, or everybody has to sign in again";
  return [`not in the backup: ${lost}. ${need}`];
}

function unusableText({ message }: UnusableFile): string {
  return `no restore takes this backup, because no server would start with it: ${message}`;
}

function lostText(lost: number): string {
  return `${lost} textures have no sound file; see cloakroom fsck`;
}

/** Settings belong to the machine, and may be lost with it. */
function notInBackup({ settingsFile: { path, isThere } }: LoadedConfig): string {
  return isThere ? `settings are not in the backup: keep a copy of ${path} beside it\n` : "";
}

function backupRecord({ place, bytes, manifest, leftOut, schemaFaults, others }: BackupReport) {
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

function backupText({ place, bytes, manifest, others }: BackupReport): string {
  const secrets = {
    clear:
      "it contains the secrets unencrypted, because these settings have no BACKUP_PASSPHRASE: keep it like a password",
    sealed: "it contains the secrets, encrypted with the passphrase",
    none: "it does not contain the secrets",
  }[secretsIn(manifest)];
  return [
    `${place}: ${bytes} bytes, ${manifest.textures.count} textures, verified\n`,
    `${secrets}\n`,
    ...(manifest.mac === null ? [] : ["with the passphrase a restore sees whether it was changed\n"]),
    ...others.removed.map((one) => `removed ${one}\n`),
  ].join("");
}

/**
 * `restore`: verifies an archive, then replaces the data folder or fills an empty database. Exits with 1 and
 * changes nothing if the archive is not sound or a server runs.
 */
export const restore = command({
  name: "restore",
  summary: "puts a backup into the data folder, and moves the previous contents aside",
  details:
    "No server or command may be using the data folder. With DATABASE_URL it fills an empty database, and BLOBS. Everything in the backup is verified before anything is replaced;" +
    " with its passphrase also that it was not changed since it was made. The next start brings a backup of an older version up" +
    " to date. A folder that was moved aside can be given instead of a file, which undoes the restore: it is copied, and stays.",
  positionals: { file: required(path("FILE"), "a backup, or a folder that a restore moved aside") },
  options: {
    ...secretOptions,
    allowUnauthenticated: flag(
      "with a passphrase: accept a backup that was made without one, or before version 0.2, though it may have been changed",
    ),
    takeOver: flag("the place of the textures was that of another database, which is gone for good"),
    json,
  },
  run: async ({ file, ...given }, { io, loadConfig }) => {
    const loaded = await loadConfig();
    const { config } = loaded;
    const passphrase = await readPassphrase(given, { io, config, name: "restore" });
    using shown = showProgress(io);
    using stopped = abortOnSignal();
    const choice = {
      takesSecrets: !given.withoutSecrets,
      passphrase: passphrase?.reveal() ?? null,
      allowUnauthenticated: given.allowUnauthenticated,
    };
    const options = { ...shown, signal: stopped.signal, choice, takesOver: given.takeOver };
    const { dataDir } = config;
    const report = await restoreFrom(loaded, file, options).catch((cause: unknown) => {
      throw aboutBackup(dataDir, file, cause);
    });
    shown[Symbol.dispose]();
    const { authenticity, textures, leftOut, before } = report;
    if (authenticity === "unchecked")
      io.error(
        "cloakroom: whether the backup was changed since it was made was not checked: that needs its passphrase\n",
      );
    for (const one of leftOut) io.error(`cloakroom: not restored: ${one}\n`);
    if (textures !== null && textures.lost > 0) io.error(`cloakroom: ${lostText(textures.lost)}\n`);
    return {
      record: { data_dir: dataDir, before, ...restoreRecord(report) },
      text:
        restoreText(config.database === null ? dataDir : "into the database of DATABASE_URL", report) +
        notRestored(loaded),
    };
  },
});

function restoreRecord({ manifest, authenticity, textures, leftOut }: RestoreReport) {
  const about = manifest && { created: manifest.created, program: manifest.program, schema: manifest.schema };
  const counts = textures && { textures: textures.count, textures_lost: textures.lost };
  return { ...about, authenticity, ...counts, left_out: leftOut };
}

function restoreText(place: string, { manifest, textures, before }: RestoreReport): string {
  const origin =
    manifest === null ? "" : ` from the backup of ${manifest.created} (version ${manifest.program})`;
  const count = textures === null ? "" : `, ${textures.count} textures`;
  const kept =
    manifest !== null && secretsIn(manifest) === "none"
      ? "the backup holds no secrets: those of the data folder stay\n"
      : "";
  const undo =
    before === null ? "" : `what was there is in ${before}\nthe way back: cloakroom restore '${before}'\n`;
  return `restored ${place}${origin}${count}\n${kept}${undo}`;
}

/** A new folder lacks the file of settings that the old one may have had. */
function notRestored({ settingsFile: { path, isThere } }: LoadedConfig): string {
  return isThere
    ? `settings are in no backup: ${path} is as it was\n`
    : `settings are in no backup: if the old folder had a cloakroom.toml, copy it to ${path}\n`;
}

/** The passphrase of a backup or an export; null if there is none. */
export async function readPassphrase(
  { passphraseStdin }: { readonly passphraseStdin: boolean },
  { io, config, name }: { readonly io: Io; readonly config: Config; readonly name: string },
): Promise<Secret | null> {
  return passphraseStdin ? typedPassphrase(io, name) : config.backup.passphrase;
}

/**
 * Reads the passphrase from standard input. Throws `UsageError`, of the command, for one that is too short.
 */
export async function typedPassphrase(io: Io, name: string): Promise<Secret> {
  try {
    return passphrase.parse(await io.readSecret("Passphrase: "));
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new UsageError([`the passphrase ${cause.message}`], name);
  }
}
