import { aboutDataFolder } from "../boot/data-folder.ts";
import { type AppError, PlainError } from "../kernel/errors.ts";
import { planOnly, type ImportOrder, type ShownPlan } from "../operate/import/plan-import.ts";
import { command, type Context } from "./command.ts";
import { importOptions } from "./import-options.ts";
import { importOrder } from "./import-order.ts";
import { planText } from "./import-text.ts";
import { countText, showProgress } from "./output.ts";
import { abortOnSignal } from "./stop-signal.ts";

/**
 * `import`: prints the plan, then applies it; with `--dry-run` only the plan. Exits with 1 if a rule is
 * missing, if the source cannot be read, or if it was stopped; what was applied stays.
 */
export const importCommand = command({
  name: "import",
  summary: "brings a community of another system over, with names, uuids, skins and passwords",
  details:
    "The plan comes first: what becomes of every account, player and texture. --dry-run shows it and writes nothing. A run that was" +
    " stopped or killed goes on when it is run again; a further run brings what is new there. People who are here keep their names," +
    " addresses and uuids. A server may be running. The address of a database with a password is taken from IMPORT_DSN or --dsn-stdin.",
  options: importOptions,
  run: async (values, context) => {
    const order = await importOrder(values, context.io);
    if (!values.dryRun) throw new PlainError("invalid", "only --dry-run works so far");
    const shown = await showPlan(order, context);
    return { record: shown.summary, text: planText(shown), failure: askFailure(shown) };
  },
});

async function showPlan(order: ImportOrder, { io, loadConfig }: Context): Promise<ShownPlan> {
  const { config } = await loadConfig();
  using shown = showProgress(io);
  using stopped = abortOnSignal();
  return await planOnly(config, order, { ...shown, signal: stopped.signal }).catch((cause: unknown) => {
    throw aboutDataFolder(config.dataDir, cause);
  });
}

/** A plan with open questions is not applied. The reasons name the flags. */
function askFailure({ summary, groups }: ShownPlan): AppError | null {
  if (summary.asks === 0) return null;
  const reasons = groups.filter(({ decision }) => decision === "ask").map(({ reason }) => reason);
  const what = countText(summary.asks, "record waits", "records wait");
  return new PlainError("invalid", `${what} for a rule: ${[...new Set(reasons)].join("; ")}`);
}
