import type { Config } from "../boot/config.ts";
import { path } from "../boot/config/kinds.ts";
import { flag, optional } from "../boot/config/options.ts";
import { aboutDataFolder, dataFolder, migrate as migrateFolder, planMigrate } from "../boot/data-folder.ts";
import { postgresTools, type MigrationReport } from "../boot/engines.ts";
import { type AppError, PlainError } from "../kernel/errors.ts";
import { fsck as checkFolder, schemaRemedy, type FsckFault, type FsckReport } from "../operate/fsck.ts";
import { json } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import { aboutBackup } from "./faults.ts";
import { countText, showProgress } from "./output.ts";

/**
 * `migrate`: prints the migrations that it applied, or with `--dry-run` would apply, and where the copy is.
 */
export const migrate = command({
  name: "migrate",
  summary: "brings the database up to date",
  details:
    "It keeps a copy of the database beside it; not of one on PostgreSQL, whose nodes go on meanwhile. Serving and every command that" +
    " needs the database do the same automatically.",
  options: { dryRun: flag("only print what would be done"), json },
  run: async ({ dryRun }, { io, loadConfig }) => {
    const { config } = await loadConfig();
    const say = (text: string) => io.error(`${text}\n`);
    const report = await migrateData(config, dryRun, say).catch((cause: unknown) => {
      throw aboutDataFolder(config.dataDir, cause);
    });
    const lines = [
      ...(report.copy === null ? [] : [`kept a copy: ${report.copy}\n`]),
      ...report.applied.map((name) => `${dryRun ? "would apply" : "applied"} ${name}\n`),
      ...(report.applied.length === 0 ? ["the database is up to date\n"] : []),
    ];
    return { record: { dry_run: dryRun, ...report }, text: lines.join("") };
  },
});

async function migrateData(
  { dataDir, database }: Config,
  isDry: boolean,
  say: (text: string) => void,
): Promise<MigrationReport> {
  if (database === null) return (isDry ? planMigrate : migrateFolder)(dataFolder(dataDir));
  const tools = await postgresTools();
  return isDry ? tools.planMigrate(database) : tools.migrate(database, say);
}

/**
 * `fsck`: prints where the database and the files do not agree, and what `--mend` repaired of it.
 * Exits with 1 if a difference is left.
 */
export const fsck = command({
  name: "fsck",
  summary: "checks the database's schema, and the database against the texture files",
  details:
    "A server may be running. --mend removes files without a row and leftovers of crashes, once they are older than an hour, and" +
    " moves damaged files aside. A row without its file stays, and so does the skin: the same upload restores the file," +
    " and so does a backup that is given with --from. It refuses a place of textures that is not this database's, unless" +
    " --take-over says that it is. Exits with 1 while something is wrong.",
  options: {
    mend: flag("repair what can be repaired"),
    from: optional(path("FILE"), "with --mend: a backup to restore lost files from"),
    takeOver: flag("the textures of this database are where BLOBS leads now, whatever was there before"),
    json,
  },
  run: async ({ mend, from, takeOver }, { io, loadConfig }) => {
    if (from !== null && !mend) throw new UsageError(["--from goes with --mend"], "fsck");
    const { config } = await loadConfig();
    using shown = showProgress(io);
    const report = await checkFolder(config, { ...shown, mend, backup: from, takesOver: takeOver }).catch(
      (cause: unknown) => {
        throw from === null
          ? aboutDataFolder(config.dataDir, cause)
          : aboutBackup(config.dataDir, from, cause);
      },
    );
    return { record: fsckRecord(report), text: fsckText(report), failure: failureOf(report) };
  },
});

function failureOf({ schemaFaults, faults }: FsckReport): AppError | null {
  if (schemaFaults.length > 0)
    return new PlainError("internal", `the database's schema was changed: ${schemaRemedy}`);
  const left = faults.filter(isLeft).length;
  return left === 0
    ? null
    : new PlainError("internal", `${countText(left, "file is", "files are")} not in order`);
}

/** A damaged file that was moved aside leaves its row without a file. */
function isLeft({ kind, mended }: FsckFault): boolean {
  if (kind === "stranger") return false;
  return mended === null || (kind === "damaged" && mended !== "brought back");
}

function fsckRecord({ checked, faults, schemaFaults }: FsckReport) {
  return {
    checked,
    schema_faults: schemaFaults,
    faults: faults.map(({ kind, path, uses, mended }) => ({ kind, file: path, uses, mended })),
  };
}

const meanings: Readonly<Record<FsckFault["kind"], string>> = {
  missing: "has a row and no file; upload it again, or use --mend --from with a backup",
  unreadable: "cannot be read; check who owns it, and the disk",
  damaged:
    "is damaged: its digest is not the one in its row; --mend moves it aside, and in a bucket the next upload replaces it",
  orphan: "has no row; --mend removes it",
  leftover: "was left by a crash; --mend removes it",
  stranger: "does not belong to cloakroom, and stays",
};

function fsckText({ place, checked, faults, schemaFaults }: FsckReport): string {
  const schema = schemaFaults.map((fault) => `schema      cloakroom.db: ${fault}\n`);
  const found = schema.length + faults.length;
  const lines = faults.map(({ kind, path, uses, mended }) => {
    const used = uses === 0 ? "" : ` (skins and capes: ${uses})`;
    return `${kind.padEnd(10)}  ${place}/${path}${used}: ${mended ?? meanings[kind]}\n`;
  });
  return `${[...schema, ...lines].join("")}${checked} textures checked, ${found === 0 ? "all in order" : `${found} findings`}\n`;
}
