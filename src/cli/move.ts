import { existsSync } from "node:fs";
import { ownSettingsFile } from "../boot/config/settings-file.ts";
import { aboutDataFolder } from "../boot/data-folder.ts";
import { blobPlace, moveTarget, type MoveTarget } from "../boot/config/storage-settings.ts";
import { flag, optional } from "../boot/config/options.ts";
import type { LoadedConfig } from "../boot/config.ts";
import { AppError, PlainError } from "../kernel/errors.ts";
import { move as moveCommunity, type MoveReport } from "../operate/move/move.ts";
import { json } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import { countText, showProgress, tableText } from "./output.ts";
import { abortOnSignal } from "./stop-signal.ts";

/**
 * `move`: prints what was copied and the settings that every server needs from now on. Exits with 1 if the
 * source is served, or the target is not empty.
 */
export const move = command({
  name: "move",
  summary: "copies the whole community into PostgreSQL or a data folder, its textures into a bucket or back",
  details:
    "From what the settings name, which is only read: stop every server first. The target must be empty. Everything is compared at" +
    " the end: rows, textures, the audit's chain; until then no server starts on the target. Begun again after it was stopped or" +
    " killed, it goes on. Without --to it reads MOVE_TO from the environment, where other users of the machine see no password.",
  options: {
    to: optional(moveTarget, "where the database goes", "MOVE_TO"),
    blobs: optional(
      blobPlace,
      "where textures go; a bucket needs S3_ENDPOINT, S3_REGION and the keys",
      "they stay, or go into FOLDER",
    ),
    dryRun: flag("only check both sides, and count"),
    takeOver: flag("the place where textures go was that of another database, which is gone for good"),
    json,
  },
  run: async ({ to, blobs, dryRun, takeOver }, { io, loadConfig }) => {
    const target = targetOf(to, io);
    const isBucket = blobs !== null && blobs !== "files";
    const loaded = await loadConfig({ usesBucket: isBucket });
    using shown = showProgress(io);
    using stopped = abortOnSignal();
    const options = {
      ...shown,
      signal: stopped.signal,
      to: target,
      blobs: isBucket ? bucketOf(loaded, blobs) : blobs,
      isDry: dryRun,
      takesOver: takeOver,
    };
    const report = await moveCommunity(loaded, options).catch((cause: unknown) => {
      throw aboutDataFolder(target.kind === "folder" ? target.path : loaded.config.dataDir, cause);
    });
    shown[Symbol.dispose]();
    for (const complaint of complaintsAbout(report)) io.error(`cloakroom: ${complaint}\n`);
    const settings = settingsFor(loaded, target, { copiesFiles: report.copiesFiles, isBucket });
    return {
      record: { dry_run: dryRun, ...recordOf(report), set: settings },
      text: `${textOf(report, dryRun)}${settingsText(settings)}${fileText(loaded, target)}`,
    };
  },
});

/** The target of `--to`, or of the environment. */
function targetOf(given: MoveTarget | null, { environment }: Io): MoveTarget {
  if (given !== null) {
    if (given.kind === "folder" || given.address.password() === null) return given;
    throw new UsageError(
      ["--to must not hold a password, which other users of the machine see: set MOVE_TO in the environment"],
      "move",
    );
  }
  const text = environment["MOVE_TO"] ?? "";
  if (text === "") throw new UsageError(["--to or MOVE_TO must say where the community goes"], "move");
  try {
    return moveTarget.parse(text);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new UsageError([`MOVE_TO ${cause.message}`], "move");
  }
}

function bucketOf(
  { bucketAccess }: LoadedConfig,
  place: { readonly bucket: string; readonly prefix: string },
) {
  if (bucketAccess === null)
    throw new PlainError("invalid", "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given");
  return { ...bucketAccess, ...place };
}

function complaintsAbout({ textures, chainFault }: MoveReport): readonly string[] {
  const lost = `${countText(textures.lost, "texture has", "textures have")} no sound file in the source; see cloakroom fsck`;
  return [
    ...(textures.lost > 0 ? [lost] : []),
    ...(chainFault === null
      ? []
      : [`the audit's chain is broken in the source, too: entry ${chainFault.entry}: ${chainFault.problem}`]),
  ];
}

/** What every server needs from now on: settings by name, and in words what to set them to. */
function settingsFor(
  { config, jwtSecret }: LoadedConfig,
  to: MoveTarget,
  { copiesFiles, isBucket }: { readonly copiesFiles: boolean; readonly isBucket: boolean },
): Readonly<Record<string, string>> {
  const isInBucket = isBucket || (!copiesFiles && config.blobs !== null);
  const blobs = isInBucket ? "s3://… as given, with S3_ENDPOINT, S3_REGION and the keys" : "files";
  const kept = jwtSecret === null ? `the content of ${config.dataDir}/secrets/jwt-secret` : "what it is now";
  return to.kind === "postgres"
    ? { DATABASE_URL: "the address that was given here", JWT_SECRET: kept, BLOBS: blobs }
    : {
        DATA_DIR: to.path,
        DATABASE_URL: "nothing",
        JWT_SECRET: "nothing, or what it is now: it is in the folder",
        BLOBS: blobs,
      };
}

function settingsText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `  ${name}: ${value}\n`);
  return `set for every server:\n${lines.join("")}`;
}

/**
 * The file of settings in the data folder is each machine's own: no move takes it along, and a server on the
 * new folder does not read the old one.
 */
function fileText({ settingsFile: { path, isNamed, isThere } }: LoadedConfig, to: MoveTarget): string {
  if (to.kind !== "folder" || isNamed || !isThere) return "";
  const own = ownSettingsFile(to.path);
  return own === path || existsSync(own) ? "" : `copy ${path} to the new folder, ${to.path}\n`;
}

function recordOf({ from, to, tables, textures, copiesFiles, chainFault, isContinued }: MoveReport) {
  return {
    from,
    to,
    rows: sumOf(tables),
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    textures: textures.count,
    textures_lost: textures.lost,
    copied_textures: copiesFiles,
    broken_audit_entry: chainFault?.entry ?? null,
    continued: isContinued,
  };
}

function textOf(
  { from, to, tables, textures, copiesFiles, isContinued }: MoveReport,
  isDry: boolean,
): string {
  const filled = tables.filter(({ rows }) => rows > 0);
  const list = tableText(
    ["TABLE", "ROWS"],
    filled.map(({ name, rows }) => [name, String(rows)]),
  );
  const files = `${countText(textures.count, "texture")}${copiesFiles ? "" : ", which stay where they are"}`;
  const rows = countText(sumOf(tables), "row");
  if (isDry) return `${list}would move ${rows} and ${files} from ${from} to ${to}\n`;
  const how = isContinued ? "continued and finished" : "moved";
  return `${list}${how} ${rows} and ${files} from ${from} to ${to}; both sides are the same\n`;
}

function sumOf(tables: MoveReport["tables"]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
