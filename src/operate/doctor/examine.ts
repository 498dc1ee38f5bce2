import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadDefaultSkins } from "../../adapters/default-skins/default-skins.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigError, type LoadedConfig } from "../../boot/config.ts";
import { loadMailTexts } from "../../boot/mail.ts";
import { checkBackups } from "./backups.ts";
import { checkCertificate } from "./certificate.ts";
import { checkDataFolder, checkDisk, checkSecrets } from "./data-folder.ts";
import { checkClock, checkDatabase, checkFilesSample, checkOutbox } from "./database.ts";
import { failure, ok, problem, reasonOf, warning, type Check, type Finding } from "./finding.ts";
import { checkIdentities } from "./identities.ts";
import { checkMailServer, checkPort, checkPublicUrl } from "./network.ts";
import { checkSettings } from "./settings.ts";

/** No check takes longer. */
const checkMs = 10_000;
/** Each connection, upload and thread holds one or two. */
const openFilesMin = 4096;

/** A finding with the name of its check. */
export type NamedFinding = Finding & { readonly check: string };

/** Looks at everything that an operator can mend, from settings to the network. Changes nothing. */
export async function examine(load: () => Promise<LoadedConfig>): Promise<readonly NamedFinding[]> {
  const loaded = await load().catch((cause: unknown) => {
    if (cause instanceof ConfigError) return cause;
    throw cause;
  });
  if (loaded instanceof ConfigError) {
    return loaded.faults.map((fault) => ({
      check: "settings",
      ...problem(fault, "nothing else is checked before"),
    }));
  }
  const found: NamedFinding[] = [];
  // One after the other: the database's checks hold the event loop, and a server that answers meanwhile would count as silent.
  for (const [check, run] of Object.entries(checksOf(loaded))) {
    for (const finding of await withinTime(run)) found.push({ check, ...finding });
  }
  return found;
}

/** In the order in which they are shown. */
function checksOf(loaded: LoadedConfig): Readonly<Record<string, Check>> {
  const { config, jwtSecret } = loaded;
  const now = systemClock.nowSeconds();
  return {
    settings: async () => checkSettings(loaded),
    "data folder": () => checkDataFolder(config),
    secrets: () => checkSecrets(config, jwtSecret),
    disk: () => checkDisk(config),
    database: () => checkDatabase(config),
    textures: () => checkFilesSample(config),
    "default skins": async () => {
      await loadDefaultSkins(join(config.dataDir, "default-skins"));
      return [ok("both can be shown")];
    },
    "mail texts": async () => {
      await loadMailTexts(config);
      return [ok("all of them can be used")];
    },
    clock: () => checkClock(config, now),
    "mail server": (signal) => checkMailServer(config, signal),
    "social accounts": () => checkIdentities(config),
    outbox: () => checkOutbox(config, now),
    certificate: async () => checkCertificate(config, now),
    port: (signal) => checkPort(config, signal),
    "public address": (signal) => checkPublicUrl(config, signal),
    backups: (signal) => checkBackups(config, now, signal),
    "open files": async () => [openFilesFinding()],
  };
}

async function withinTime(run: Check): Promise<readonly Finding[]> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new AbortController();
  const timer = setTimeout(() => {
    const error = new Error(`no answer within ${checkMs / 1000} seconds`);
    late.abort(error);
    reject(error);
  }, checkMs);
  try {
    return await Promise.race([run(late.signal), promise]);
  } catch (cause) {
    if (cause instanceof ConfigError)
      return cause.faults.map((fault) => problem(fault, "mend or delete the file"));
    return [failure(reasonOf(cause), cause)];
  } finally {
    clearTimeout(timer);
  }
}

function openFilesFinding(): Finding {
  if (process.platform !== "linux") return ok("not looked at on this system");
  const [, soft = ""] = /^Max open files +(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  if (soft === "unlimited" || Number(soft) >= openFilesMin) return ok(`${soft} at once`);
  return warning(
    `${soft} at once`,
    `ulimit -n ${openFilesMin}, or LimitNOFILE=${openFilesMin} in the service unit`,
  );
}
