import { loadDefaultSkins } from "../../adapters/default-skins/default-skins.ts";
import { ConfigError, type LoadedConfig } from "../../boot/config.ts";
import { dataFolder } from "../../boot/data-folder.ts";
import { postgresTools } from "../../boot/engines.ts";
import { loadMailTexts } from "../../boot/mail.ts";
import type { DatabaseReach } from "../../boot/postgres-tools.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { systemClock } from "../../kernel/clock.ts";
import { checkBackups } from "./backups.ts";
import { checkBucket } from "./bucket.ts";
import { checkCertificate } from "./certificate.ts";
import { checkDataFolder, checkDisk } from "./data-folder.ts";
import { checkClock, checkDatabase, checkIdentities, checkOutbox, checkPlayers } from "./database.ts";
import { failure, ok, problem, reasonOf, type Check, type Finding, type Subject } from "./finding.ts";
import { checkLaunchers } from "./launchers.ts";
import { checkMailServer, checkPort } from "./network.ts";
import { checkNodes } from "./nodes.ts";
import { checkOpenFiles } from "./open-files.ts";
import { checkPasswords } from "./passwords.ts";
import { checkPublicUrl } from "./public-address.ts";
import { checkSecrets } from "./secrets.ts";
import { checkSettings } from "./settings.ts";
import { checkTextures } from "./textures.ts";

/** The most that a check may take … */
const checkMs = 10_000;
/** … and how long it then has to say what did not answer. */
const lastWordsMs = 500;

const neverStopped = new AbortController().signal;

/** A finding with the name of its check. */
export type NamedFinding<Found extends Finding = Finding> = Found & { readonly check: string };

/** The checks, in the order in which they are shown. */
export const checks = {
  settings: orElse(found("settings_fit"), checkSettings),
  "data folder": orElse(ok("only its owner can read it, and it can be written"), checkDataFolder),
  secrets: orElse(ok("only their owner can read them"), checkSecrets),
  disk: orElse(found("disk_unknown"), checkDisk),
  database: checkDatabase,
  nodes: checkNodes,
  textures: checkTextures,
  bucket: checkBucket,
  "default skins": async ({ folder }) => {
    await loadDefaultSkins(folder.defaultSkins);
    return [ok("both can be shown")];
  },
  "mail texts": async ({ config }) => {
    await loadMailTexts(config);
    return [ok("all of them can be used")];
  },
  clock: checkClock,
  "mail server": checkMailServer,
  passwords: checkPasswords,
  "social accounts": checkIdentities,
  players: checkPlayers,
  outbox: checkOutbox,
  certificate: checkCertificate,
  port: checkPort,
  "public address": checkPublicUrl,
  launchers: checkLaunchers,
  backups: checkBackups,
  "open files": checkOpenFiles,
} satisfies Readonly<Record<string, Check>>;

type Load = (options?: { readonly serving: boolean }) => Promise<LoadedConfig>;

/**
 * Examines everything that an operator can correct, from settings to the network. Changes nothing. Whatever a
 * start refuses is reported as a problem, in the same words.
 */
export async function examine(load: Load): Promise<readonly NamedFinding[]> {
  const faults = await faultsOf(() => load({ serving: true }));
  let loaded: LoadedConfig;
  try {
    loaded = await load();
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    return faults.map((fault) => settingFault(fault, "correct it first: all other checks need the settings"));
  }
  const subject = subjectOf(loaded, systemClock.nowSeconds(), false);
  const found: NamedFinding[] = [];
  // One after the other: the checks of the database block the event loop, and a server that answers meanwhile
  // would seem silent.
  for (const check of checkNames)
    found.push(...(await runCheck(checks, check, { subject, ms: checkMs, stop: neverStopped })));
  // Those of files that a server alone reads. A check may have said the same.
  const more = faults.filter((fault) => !found.some(({ message }) => message === fault));
  return [
    ...more.map((fault) => settingFault(fault, "correct it: a server does not start with it")),
    ...found,
  ];
}

function settingFault(fault: string, remedy: string): NamedFinding {
  return { check: "settings", ...problem(fault, remedy) };
}

async function faultsOf(load: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await load();
    return [];
  } catch (cause) {
    if (cause instanceof ConfigError) return cause.faults;
    throw cause;
  }
}

/** What is examined. `now`: Unix seconds. `isServer`: whether it is this process. */
export function subjectOf(loaded: LoadedConfig, now: number, isServer: boolean): Subject {
  const { config } = loaded;
  let reached: Promise<DatabaseReach> | null = null;
  const reach = async (): Promise<DatabaseReach> => {
    if (config.database === null) throw new Error("DATABASE_URL is not set");
    return (await postgresTools()).reachDatabase(config.database);
  };
  const folder = dataFolder(config.dataDir);
  return { loaded, config, folder, now, isServer, reach: () => (reached ??= reach()) };
}

const checkNames = Object.keys(checks) as (keyof typeof checks)[]; // the object above has no other keys

type Bounds = { readonly subject: Subject; readonly ms: number; readonly stop: AbortSignal };

/** The findings of one check, which may take `ms`. A check that takes longer or is stopped is a problem. */
export async function runCheck<Name extends string, Found extends Finding>(
  among: Readonly<Record<Name, Check<Found>>>,
  check: Name,
  { subject, ...bounds }: Bounds,
): Promise<readonly NamedFinding<Found | CodedFinding>[]> {
  const run = (signal: AbortSignal) => Array.fromAsync(iterate(among[check], subject, signal));
  const findings = await withinTime(run, bounds);
  return findings.map((finding) => ({ check, ...finding }));
}

async function* iterate<Found extends Finding>(
  check: Check<Found>,
  ...given: Parameters<Check>
): AsyncIterable<Found> {
  yield* await check(...given);
}

/** The check, or this where it finds nothing. */
function orElse<Found extends Finding>(found: Found, check: Check<Found>): Check<Found> {
  return async function* (...given) {
    let isEmpty = true;
    for await (const finding of iterate(check, ...given)) {
      isEmpty = false;
      yield finding;
    }
    if (isEmpty) yield found;
  };
}

/** That a check took too long. */
class Late extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`no answer within ${seconds} seconds`);
    this.seconds = seconds;
  }
}

async function withinTime<Found>(
  run: (signal: AbortSignal) => Promise<readonly Found[]>,
  { ms, stop }: Omit<Bounds, "subject">,
): Promise<readonly (Found | CodedFinding)[]> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new AbortController();
  let timer: Timer | undefined;
  const giveUp = (error: Error, wordsMs: number) => {
    late.abort(error);
    clearTimeout(timer);
    timer = setTimeout(() => reject(error), wordsMs);
  };
  timer = setTimeout(() => giveUp(new Late(ms / 1000), lastWordsMs), ms);
  const stopped = () => giveUp(new Error("it was stopped"), 0);
  stop.addEventListener("abort", stopped, { once: true });
  try {
    return await Promise.race([run(late.signal), promise]);
  } catch (cause) {
    if (cause instanceof ConfigError) return cause.faults.map((reason) => found("file_refused", { reason }));
    if (cause instanceof Late) return [found("check_late", { seconds: cause.seconds })];
    return [failure(reasonOf(cause), cause)];
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", stopped);
  }
}
