import { path } from "../boot/config/kinds.ts";
import { flag, optional } from "../boot/config/options.ts";
import { fsck as checkFolder, schemaRemedy, type FsckFault, type FsckReport } from "../operate/fsck.ts";
import { AppError } from "../kernel/errors.ts";
import { command, UsageError } from "./command.ts";
import { aboutBackup, aboutDataFolder } from "./data-folder-faults.ts";
import { json, jsonText } from "./output.ts";
import { showProgress } from "./progress.ts";

const name = "fsck";

export const fsck = command({
  name,
  summary: "checks the database's schema, and the database against the texture files",
  details:
    "A server may be running. --mend removes files without a row and what crashes left, once they are older than an hour, and" +
    " moves damaged files aside. A row without its file stays, and so does the skin: the same upload brings the file back," +
    " and so does a backup that is given with --from. Ends with 1 while something is wrong.",
  settings: "taken",
  options: {
    mend: flag("mend what can be mended"),
    from: optional(path("FILE"), "with --mend: a backup to take lost files from"),
    json,
  },
  run: async ({ mend, from, json }, { io, loadConfig }) => {
    if (from !== null && !mend) throw new UsageError(["--from goes with --mend"], name);
    const { config } = await loadConfig();
    using shown = showProgress(io);
    const report = await checkFolder(config, { ...shown, mend, backup: from }).catch((cause: unknown) => {
      throw from === null ? aboutDataFolder(config.dataDir, cause) : aboutBackup(config.dataDir, from, cause);
    });
    shown[Symbol.dispose]();
    io.out(json ? jsonText(recordOf(report)) : textOf(report));
    const left = report.faults.filter(isLeft).length;
    if (report.schemaFaults.length > 0)
      throw new AppError("internal", `the database's schema was changed: ${schemaRemedy}`);
    if (left > 0)
      throw new AppError("internal", `${left} ${left === 1 ? "file is" : "files are"} not in order`);
  },
});

/** A damaged file that was moved aside leaves its row without one. */
function isLeft({ kind, mended }: FsckFault): boolean {
  if (kind === "stranger") return false;
  return mended === null || (kind === "damaged" && mended !== "brought back");
}

function recordOf({ checked, faults, schemaFaults }: FsckReport) {
  return {
    checked,
    schema_faults: schemaFaults,
    faults: faults.map(({ kind, path, uses, mended }) => ({ kind, file: path, uses, mended })),
  };
}

const meanings: Readonly<Record<FsckFault["kind"], string>> = {
  missing: "has a row and no file; upload it again, or --mend --from a backup",
  unreadable: "cannot be read; check who owns it, and the disk",
  damaged: "holds other bytes than its row says; --mend moves it aside",
  orphan: "has no row; --mend removes it",
  leftover: "was left by a crash; --mend removes it",
  stranger: "is nothing of ours, and stays",
};

function textOf({ checked, faults, schemaFaults }: FsckReport): string {
  const schema = schemaFaults.map((fault) => `schema      cloakroom.db: ${fault}\n`);
  const found = schema.length + faults.length;
  const lines = faults.map(({ kind, path, uses, mended }) => {
    const used = uses === 0 ? "" : ` (skins and capes: ${uses})`;
    return `${kind.padEnd(10)}  textures/${path}${used}: ${mended ?? meanings[kind]}\n`;
  });
  return `${[...schema, ...lines].join("")}${checked} textures checked, ${found === 0 ? "all in order" : `${found} findings`}\n`;
}
