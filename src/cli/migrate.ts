import { flag } from "../boot/config/options.ts";
import { migrate as migrateDatabase, planMigrate } from "../boot/services.ts";
import { command } from "./command.ts";
import { aboutDataFolder } from "./data-folder-faults.ts";
import { json, jsonText } from "./output.ts";

export const migrate = command({
  name: "migrate",
  summary: "brings the database up to date",
  details:
    "A copy of the database is kept beside it first. Serving and every command that needs the database do the same by" +
    " themselves.",
  settings: "taken",
  options: { dryRun: flag("only tell what would be done"), json },
  run: async ({ dryRun, json }, { io, loadConfig }) => {
    const { config } = await loadConfig();
    const report = await (dryRun ? planMigrate : migrateDatabase)(config).catch((cause: unknown) => {
      throw aboutDataFolder(config.dataDir, cause);
    });
    if (json) return io.out(jsonText({ dry_run: dryRun, ...report }));
    if (report.copy !== null) io.out(`kept a copy: ${report.copy}\n`);
    for (const name of report.applied) io.out(`${dryRun ? "would apply" : "applied"} ${name}\n`);
    if (report.applied.length === 0) io.out("the database is up to date\n");
  },
});
