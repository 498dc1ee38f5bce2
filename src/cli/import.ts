import { aboutDataFolder } from "../boot/data-folder.ts";
import type { Ports } from "../boot/compose.ts";
import type { LoadedConfig } from "../boot/config.ts";
import { codeSecondsOf } from "../domain/model/code.ts";
import { AppError, PlainError } from "../kernel/errors.ts";
import { planOnly, sealedBy, type ImportOrder, type ShownPlan } from "../operate/import/plan-import.ts";
import { checkClaimsFile, writeClaims } from "../operate/claims-file.ts";
import { runImport, type RanImport } from "../operate/import/run-import.ts";
import { openSource } from "../operate/import/source.ts";
import { command, type Context, type Result } from "./command.ts";
import { importOptions } from "./import-options.ts";
import { importOrder, type ImportValues } from "./import-order.ts";
import { appliedText, dryText, planText } from "./import-text.ts";
import { showImportProgress } from "./import-progress.ts";
import { countText } from "./output.ts";
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
    return values.dryRun ? showPlan(order, context) : carryOut(order, context, values);
  },
});

async function showPlan(order: ImportOrder, { io, loadConfig }: Context): Promise<Result> {
  const { config } = await loadConfig();
  using progress = showImportProgress(io);
  using stopped = abortOnSignal();
  const options = { ...progress, signal: stopped.signal };
  const shown = await planOnly(config, order, options).catch((cause: unknown) => {
    throw aboutDataFolder(config.dataDir, cause);
  });
  return {
    record: shown.summary,
    text: `${planText(shown)}${dryText(shown.summary)}`,
    failure: askFailure(shown),
  };
}

/** The plan is printed before it is applied. */
async function carryOut(
  order: ImportOrder,
  { io, loadConfig, withServices }: Context,
  { json: isJson, claims: file }: Pick<ImportValues, "json" | "claims">,
): Promise<Result> {
  using progress = showImportProgress(io);
  if (file !== null) await checkClaimsFile(file);
  using stopped = abortOnSignal();
  // First, so that nothing is made where it cannot be read.
  const loaded = await loadConfig();
  const sealed = sealedBy(loaded.config, order, stopped);
  await using source = await openSource(order.given, sealed).catch((cause: unknown) => {
    throw aboutDataFolder(loaded.config.dataDir, cause);
  });
  let isApplying = false;
  const { ran, codes } = await withServices(
    async (services, config) => {
      const ran = await runImport(
        services,
        config,
        { order, source },
        {
          ...progress,
          signal: stopped.signal,
          onPlanned: (shown) => {
            isApplying = true;
            if (!isJson) io.out(`${planText(shown)}\n`);
          },
          onApplied: (done, total) => progress.progress("importing accounts", done, total),
          onWaiting: (seconds) =>
            io.error(`another import of this source was at work: waiting up to ${seconds} s for it\n`),
        },
      );
      const isDone = ran.applied?.state === "done";
      const claims = { source: ran.shown.summary.source, file };
      return { ran, codes: isDone ? await issueCodes(services, loaded, claims) : null };
    },
    { begins: true },
  ).catch((cause: unknown) => {
    if (stopped.signal.aborted && cause === stopped.signal.reason)
      throw new PlainError("internal", "stopped before anything was applied: run again to go on", { cause });
    throw isApplying ? interrupted(cause) : cause;
  });
  const { shown, applied } = ran;
  return {
    record: { ...shown.summary, applied, ...(codes === null ? {} : { codes }) },
    text: `${applied === null ? "" : appliedText(applied)}${codesText(codes, file)}`,
    failure: askFailure(shown) ?? stopFailure(ran),
  };
}

/** A disk that is full, or a database or bucket that is away, while a plan is applied: what that means. */
function interrupted(cause: unknown): unknown {
  if (!(cause instanceof AppError) || !["no_space", "unavailable"].includes(cause.kind)) return cause;
  const { kind, code, message, report, values } = cause;
  const rule = `${message}. What was applied stays: run again to go on`;
  return new AppError({ kind, code, rule, values }, { cause, ...(report && { report }) });
}

/** How many codes were written; null where no codes were asked for. */
async function issueCodes(
  services: Ports,
  loaded: LoadedConfig,
  { source, file }: { readonly source: string; readonly file: string | null },
): Promise<number | null> {
  return file === null ? null : await writeClaims(services, loaded, { source, file });
}

function codesText(codes: number | null, file: string | null): string {
  if (codes === null || file === null) return "";
  const days = codeSecondsOf("claim") / (24 * 60 * 60);
  return `${countText(codes, "code")} in ${file}: each is for one person and one use, at /claim, for ${days} days; earlier codes no longer work\n`;
}

/** A plan with open questions is not applied. The reasons name the flags. */
function askFailure({ summary, groups }: ShownPlan): AppError | null {
  if (summary.asks === 0) return null;
  const asks = groups.filter(({ decision }) => decision === "ask");
  const flags = new Set(asks.flatMap(({ reason }) => reason.match(/--[a-z-]+/g) ?? []));
  const what = countText(summary.asks, "record waits", "records wait");
  return new PlainError(
    "invalid",
    `nothing is applied: ${what} for a rule, which ${[...flags].join(" or ")} gives`,
  );
}

function stopFailure({ applied }: RanImport): AppError | null {
  return applied?.state === "stopped" ? new PlainError("internal", "stopped: run again to go on") : null;
}
