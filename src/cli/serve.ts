import { networkInterfaces } from "node:os";
import { compose, type Ports } from "../boot/compose.ts";
import type { Config, LoadedConfig } from "../boot/config.ts";
import { settingTraps } from "../boot/config/traps.ts";
import { aboutDataFolder, dataFolder, serveDataFolder } from "../boot/data-folder.ts";
import type { Serving } from "../boot/engines.ts";
import { forJournal } from "../boot/journal.ts";
import { installationOf } from "../boot/installation.ts";
import { listenFault } from "../boot/listen-faults.ts";
import { removeStaleSocket } from "../boot/listener.ts";
import { openLogOutput, type LogOutput } from "../boot/log-output.ts";
import { loadMailTexts } from "../boot/mail.ts";
import { nodeNameOf } from "../boot/node-name.ts";
import { openFilesFinding } from "../boot/open-files.ts";
import { openSecrets, openWebhookSecret, type Secret, type Secrets } from "../boot/secrets.ts";
import { openableAddresses, tunnelCommand } from "../boot/setup-links.ts";
import { startServer, type RunningServer } from "../boot/server.ts";
import { signingProtocols } from "../boot/config/protocol-settings.ts";
import { version } from "../boot/version.ts";
import { warmUp } from "../boot/warm-up.ts";
import { adoptIdentities } from "../domain/social/issuers.ts";
import { compileSoon } from "../kernel/compiling.ts";
import { AppError } from "../kernel/errors.ts";
import { createLogger, type Logger } from "../kernel/log.ts";
import { checkAccess, checkReaders } from "../operate/doctor/folder-access.ts";
import { createServingChecks } from "../operate/serving-checks.ts";
import { command } from "./command.ts";
import type { Io } from "./io.ts";

/**
 * `serve`, also the program without a command: prints its address and, without an administrator, the link of
 * the set-up, then runs until SIGTERM or SIGINT. Exits with 1 if it cannot start or has to leave its
 * community.
 */
export const serve = command({
  name: "serve",
  summary: "migrates the database and serves until a signal stops it",
  details:
    "On SIGTERM or SIGINT it is not ready at once, serves on for DRAIN_SECONDS, then waits for requests in flight, 10 seconds at" +
    " most. A second signal ends it at once.",
  settings: "listed",
  run: async (_, { io, loadConfig }) => {
    const loaded = await loadConfig({ serving: true });
    const { config, environment, digests } = loaded;
    const stopped = stopSignal();
    await using output = openLogOutput(io.openLog(), (lines) =>
      log.warn("log lines were dropped: their reader is too slow", { lines }),
    );
    const node = nodeNameOf(config);
    const always = config.database === null ? {} : { always: { node } };
    const write = writerOf(io, output);
    const log = createLogger({ ...config.log, colour: io.errorIsTerminal, write, ...always });
    logTraps(loaded, log);
    await logAccess(loaded, log);
    const texts = await loadMailTexts(config);
    const foreign = Promise.withResolvers<AppError>();
    const serving = { node, log, digests, onForeign: foreign.resolve, stopping: abortedBy(stopped) };
    const data = await openData(loaded, serving);
    if (data === null) return log.info("stopped before it served");
    const { alone, services, secrets, webhookSecret } = data;
    using _alone = alone;
    await using _closed = services;
    if (config.socketFile !== null) await removeStaleSocket(config.socketFile);
    // Before the first request, because pages say whether set-up is open.
    const secret = config.console === null ? null : await services.setup.begin();
    using checks = createServingChecks({ loaded, clock: services.clock });
    const common = { config, services, secrets, log };
    const installation = installationOf(loaded, io.start());
    const served = { ...common, mailTexts: texts, checks: checks.read, installation };
    await using server = listen(config, "--port", () => startServer(served));
    const { publicUrl } = server;
    const siteUrl = config.siteUrl ?? publicUrl;
    const beginJobs = async () => {
      const { startJobs } = await import("../operate/jobs.ts");
      return startJobs({ ...common, webhookSecret, texts, publicUrl, siteUrl, environment });
    };
    await using jobs = new AsyncDisposableStack();
    // Metrics show what jobs found.
    if (config.metrics !== null) jobs.use(await beginJobs());
    await using _metrics = await serveMetrics({ config, services, server, log });
    announce(io, config, server, secret);
    const ending = new AbortController();
    void prepareSigner(config, services, log, ending.signal);
    await logReadiness(server, config, log);
    const end = Promise.race([stopped, foreign.promise]);
    await Promise.race([Bun.sleep(config.metrics === null ? jobsAfterMs : 0), end]);
    if (config.metrics === null) jobs.use(await beginJobs());
    void warmUp({ ...services, ...server, log }, ending.signal);
    const reason = await end;
    server.beginStop();
    ending.abort();
    if (reason instanceof AppError) log.error("this node has to end", { reason: reason.message });
    else await drain(config, reason, log);
    // Together, so that all of it fits into the 15 seconds that docs/operate has systemd and Docker wait.
    checks[Symbol.dispose]();
    await Promise.all([server.stop(), jobs.disposeAsync()]);
    log.info("stopped");
    if (reason instanceof AppError) throw reason;
  },
});

/** Jobs are loaded and begin when those who waited for the start have their first answers. */
const jobsAfterMs = 250;

/** The start is over. */
function announce(io: Io, config: Config, server: RunningServer, secret: string | null): void {
  compileSoon();
  io.out(`cloakroom ${version} listening on ${server.address}\n`);
  // A fragment (behind "#") reaches no server log and no other page.
  if (secret !== null) io.out(invitation(config, server.publicUrl, secret, io.environment));
}

async function logReadiness(server: RunningServer, { dataDir }: Config, log: Logger): Promise<void> {
  const isWell = (await server.readiness()).missing.length === 0;
  log.info(isWell ? "ready" : "started, but not ready", { publicUrl: server.publicUrl, dataDir });
}

/**
 * Where to make the first administrator. With a JSON log it is one line, so readers of lines skip just one.
 */
function invitation(config: Config, base: string, secret: string, environment: Io["environment"]): string {
  const addresses = openableAddresses(config, base, networkInterfaces);
  const links = addresses.map((address) => `at ${address}/setup#${secret}`);
  if (config.log.format === "json") return `make the first administrator ${links.join(" or ")}\n`;
  const tunnel = tunnelCommand(config, base, environment);
  const hint = tunnel === null ? "" : `  on your own machine, run this first: ${tunnel}\n`;
  return `make the first administrator ${links.join("\n  or ")}\n${hint}`;
}

function writerOf({ errorIsJournal }: Io, { write }: LogOutput): LogOutput["write"] {
  return errorIsJournal ? (line, level) => write(forJournal(line, level), level) : write;
}

/** Warns of settings that are valid but probably unintended. */
function logTraps(loaded: LoadedConfig, log: Logger): void {
  for (const { state, message, remedy } of [...settingTraps(loaded), openFilesFinding()])
    if (state !== "ok") log.warn(message, { remedy });
}

/** Logs who else can change or read the data folder, as doctor does. */
async function logAccess(loaded: LoadedConfig, log: Logger): Promise<void> {
  const folder = dataFolder(loaded.config.dataDir);
  for (const check of [checkAccess, checkReaders])
    for await (const { state, message, remedy } of check(folder, loaded))
      log[state === "problem" ? "error" : "warn"](message, { remedy });
}

/** Serves on for a while, so that balancers notice that requests should go elsewhere. */
async function drain({ drainSeconds }: Config, signal: NodeJS.Signals, log: Logger): Promise<void> {
  if (drainSeconds > 0) {
    log.info("stopping soon, and not ready from now on", { signal, drainSeconds });
    await Bun.sleep(drainSeconds * 1000);
  }
  log.info("stopping, requests in flight may end", { signal });
}

/**
 * Makes the first signing key while the first requests are served; a request that needs the key waits. If
 * this node stops first, the next one makes it.
 */
async function prepareSigner(
  { protocols }: Config,
  { signer }: Ports,
  log: Logger,
  ending: AbortSignal,
): Promise<void> {
  if (!signingProtocols.some((name) => protocols.has(name))) return;
  try {
    const file = await signer.prepare();
    if (file !== null) log.info("a signing key was made", { file });
  } catch (error) {
    if (!ending.aborted) log.error("no signing key could be made", { error });
  }
}

async function serveMetrics(options: {
  readonly config: Config;
  readonly services: Ports;
  readonly server: RunningServer;
  readonly log: Logger;
}): Promise<AsyncDisposable | null> {
  const { metrics } = options.config;
  if (metrics === null) return null;
  // Loaded on demand: from source it takes as long as the rest of the start.
  const { startMetricsServer } = await import("../operate/metrics-server.ts");
  const place = { ...metrics, socketFile: null };
  const metricsServer = listen(place, "--metrics-port", () =>
    startMetricsServer({ ...options, listen: metrics }),
  );
  options.log.info("metrics are served", { address: `${metricsServer.address}/metrics` });
  return metricsServer;
}

type OpenedData = {
  /** Null where the database itself keeps the nodes apart. */
  readonly alone: Disposable | null;
  readonly services: Ports;
  readonly secrets: Secrets;
  /** Null when no address gets events. */
  readonly webhookSecret: Secret | null;
};

/** Null when the signal to stop came while this waited for the database. */
async function openData(loaded: LoadedConfig, serving: Serving): Promise<OpenedData | null> {
  const { config, jwtSecret, serviceToken } = loaded;
  const { log } = serving;
  const { dataDir } = config;
  try {
    await using opened = new AsyncDisposableStack();
    const alone = opened.use(config.database === null ? await serveDataFolder(dataFolder(dataDir)) : null);
    const services = opened.use(await compose(config, {}, serving));
    const { applied, copy } = services.migrated;
    if (applied.length > 0) log.info("database brought up to date", { applied, copy });
    for (const adoption of await adoptIdentities(services, config.social))
      log.info("identities got the issuer that the settings name", adoption);
    const secrets = await openSecrets({ keys: services.keys, jwtSecret, serviceToken });
    const { urls, secret } = config.webhooks;
    const webhookSecret = urls.length === 0 ? null : await openWebhookSecret(services.keys, secret);
    const isFirstStart = applied.length > 0 && copy === null;
    if (secrets.newFile !== null && !isFirstStart)
      log.warn("the JWT secret was missing: a new one was made, and everybody has to sign in again", {
        file: secrets.newFile,
      });
    if (config.blobs === null) await warnOfLostTextures(services, log);
    opened.move();
    return { alone, services, secrets, webhookSecret };
  } catch (cause) {
    if (serving.stopping.aborted) return null;
    throw aboutDataFolder(dataDir, cause);
  }
}

async function warnOfLostTextures({ folder, reads }: Ports, log: Logger): Promise<void> {
  if (folder.hasTextures()) return;
  const textures = (await reads.textures.countAllSkins(null)) + (await reads.textures.countAllCapes(null));
  if (textures === 0) return;
  log.warn("there are skins or capes, but no texture on the disk: is the disk of the textures mounted?", {
    folder: folder.textures,
  });
}

/** Resolves at the first signal and removes the handlers, so that a second signal ends the process. */
function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const signals = ["SIGTERM", "SIGINT"] as const;
  const stop = (signal: NodeJS.Signals) => {
    for (const one of signals) process.off(one, stop);
    resolve(signal);
  };
  for (const signal of signals) process.on(signal, stop);
  return promise;
}

function abortedBy(stopped: Promise<unknown>): AbortSignal {
  const aborting = new AbortController();
  void stopped.then(() => aborting.abort());
  return aborting.signal;
}

function listen<Server>(
  place: Pick<Config, "host" | "port" | "socketFile">,
  flag: string,
  start: () => Server,
): Server {
  try {
    return start();
  } catch (cause) {
    throw listenFault(place, flag, cause);
  }
}
