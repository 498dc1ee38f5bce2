import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { argon2Hasher } from "../../adapters/passwords/argon2-hasher.ts";
import { createPasswordForms } from "../../adapters/passwords/password-forms.ts";
import type { SourceGiven } from "../../adapters/sources/given.ts";
import { openPlanBook } from "../../adapters/sqlite/plan-book/plan-book.ts";
import { createTextureImporter } from "../../adapters/texture-threads/texture-importer.ts";
import { openThreadPool } from "../../adapters/texture-threads/thread-pool.ts";
import type { SealedExport } from "../export.ts";
import type { Config } from "../../boot/config.ts";
import type { Secret } from "../../boot/secrets.ts";
import type { Progress } from "../../domain/backup/progress.ts";
import type { ImportRules } from "../../domain/import/import-rules.ts";
import { planImport, type MadePlan } from "../../domain/import/plan.ts";
import type { Planning } from "../../domain/import/planning.ts";
import type { ImportSource } from "../../domain/ports/import-source.ts";
import type { DecidedGroup } from "../../domain/ports/plan-book.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openDryTarget } from "./dry-target.ts";
import { makeReportFolder, writePlanFiles } from "./report-files.ts";
import { openSource } from "./source.ts";
import { summaryOf, type PlanSummary } from "./summary.ts";

/** What the operator asks for. */
export type ImportOrder = {
  readonly given: SourceGiven;
  /** Of an export of a cloakroom; null: the one of BACKUP_PASSPHRASE, or none. */
  readonly passphrase: Secret | null;
  /** What the run is called; null: by where the source is. */
  readonly sourceName: string | null;
  readonly choices: Omit<ImportRules, "sourceName" | "settings">;
  /** The folder of the report; null: there is no report. */
  readonly report: string | null;
};

/** What hears the progress of an import, and what ends it early. */
export type ImportOptions = {
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

/** A plan as it is shown. */
export type ShownPlan = { readonly summary: PlanSummary; readonly groups: readonly DecidedGroup[] };

/** Plans an import and writes nothing but the report. Fails as opening the source and the community does. */
export async function planOnly(
  config: Config,
  order: ImportOrder,
  options: ImportOptions,
): Promise<ShownPlan> {
  await using source = await openSource(order.given, sealedBy(config, order, options));
  await using target = await openDryTarget(config);
  await using threads = openThreadPool("imports");
  using book = openPlanBook();
  const made = await makePlan(config, order, options, {
    book,
    source,
    reads: target.reads,
    isDry: true,
    importer: createTextureImporter(threads, config.rules.textures),
    passwords: createPasswordForms(argon2Hasher),
  });
  return made.shown;
}

/** What opens the sealed part of an export, and what stops that. */
export function sealedBy(
  { backup }: Config,
  { passphrase }: Pick<ImportOrder, "passphrase">,
  { signal }: Pick<ImportOptions, "signal">,
): SealedExport {
  return { passphrase: passphrase ?? backup.passphrase, isForIt: passphrase !== null, signal };
}

/** Pages of one step have at most a thousand records. */
const pagesBetweenCollections = 16;

type Parts = Pick<Planning, "book" | "source" | "reads" | "importer" | "passwords" | "isDry">;

/** Makes the plan and writes its report. */
export async function makePlan(
  config: Config,
  order: ImportOrder,
  { progress, signal }: ImportOptions,
  parts: Parts,
): Promise<{ readonly made: MadePlan; readonly shown: ShownPlan }> {
  const { source, book } = parts;
  if (order.report !== null) await makeReportFolder(order.report, config.dataDir);
  const sourceName = nameOf(order, source);
  const rules = { ...order.choices, sourceName, settings: settingsOf(config) };
  let pages = 0;
  const told: Planning["progress"] = async (...step) => {
    // Else the runtime would take more memory from the system, the longer the list.
    if (++pages % pagesBetweenCollections === 0) Bun.gc(true);
    progress(...step);
    // Signals and timers have no turn between rows that are read at once, as SQLite's are.
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  const made = await planImport({ ...parts, rules, progress: told, now: systemClock.nowSeconds() });
  const shown = summaryOf(sourceName, source, book, made);
  if (order.report !== null) await writePlanFiles(order.report, book, shown.summary);
  return { made, shown };
}

/** What a run is called in the database: the same for the same place. */
export function nameOf(
  { sourceName }: Pick<ImportOrder, "sourceName">,
  { place }: Pick<ImportSource, "place">,
) {
  return sourceName ?? place;
}

function settingsOf({ rules, social }: Config): ImportRules["settings"] {
  return {
    namePattern: rules.names.pattern,
    playerUuids: rules.players.uuids,
    skinWidthMax: rules.textures.skinWidthMax,
    bytesMax: rules.textures.bytesMax,
    wardrobeMax: rules.textures.wardrobeMax,
    oidcIssuer: social.find(({ provider }) => provider === "oidc")?.issuer ?? null,
  };
}
