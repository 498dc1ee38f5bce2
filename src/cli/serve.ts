import { isIP } from "node:net";
import type { Config, LoadedConfig } from "../boot/config.ts";
import { settingTraps } from "../boot/config/traps.ts";
import { serveDataFolder, texturesPath } from "../boot/data-folder.ts";
import { startJobs } from "../operate/jobs.ts";
import { openLogOutput } from "../boot/log-output.ts";
import { loadMailTexts } from "../boot/mail.ts";
import { removeStaleSocket } from "../boot/listener.ts";
import { openSecrets, type Secrets } from "../boot/secrets.ts";
import { startServer, type RunningServer } from "../boot/server.ts";
import { hasLostTextures, openServices, type Services } from "../boot/services.ts";
import { version } from "../boot/version.ts";
import { adoptIdentities } from "../domain/social/issuers.ts";
import { isReady } from "../domain/health/readiness.ts";
import { AppError, codeOf } from "../kernel/errors.ts";
import { createLogger, type Logger } from "../kernel/log.ts";
import { command } from "./command.ts";
import { aboutDataFolder } from "./data-folder-faults.ts";
import { systemReasons } from "./files.ts";

export const serve = command({
  name: "serve",
  summary: "migrates the database and serves until it is told to stop",
  details:
    "On SIGTERM or SIGINT it lets requests in flight end, 10 seconds at most. A second signal ends it at once.",
  settings: "listed",
  run: async (_, { io, loadConfig }) => {
    const loaded = await loadConfig({ serving: true });
    const { config, environment } = loaded;
    const stopped = stopSignal();
    await using output = openLogOutput(io.openLog(), (lines) =>
      log.warn("log lines were dropped: whoever reads them is too slow", { lines }),
    );
    const log = createLogger({ ...config.log, colour: io.errorIsTerminal, write: output.write });
    for (const { message, remedy } of settingTraps(loaded)) log.warn(message, { remedy });
    const texts = await loadMailTexts(config);
    const { alone, services, secrets } = await openData(loaded, log);
    using _alone = alone;
    await using _closed = services;
    if (config.socketFile !== null) await removeStaleSocket(config.socketFile);
    await using server = listen(config, "--port", () => startServer({ config, secrets, services, log }));
    await using _metrics = await serveMetrics({ config, services, requests: server.requests, log });
    const { publicUrl } = server;
    const siteUrl = config.siteUrl ?? publicUrl;
    await using jobs = startJobs({ config, services, secrets, texts, publicUrl, siteUrl, log, environment });
    io.out(`cloakroom ${version} listening on ${server.address}\n`);
    const isWell = isReady(await server.readiness());
    log.info(isWell ? "ready" : "started, but not ready", { publicUrl, dataDir: config.dataDir });
    log.info("stopping, requests in flight may end", { signal: await stopped });
    // Together, so that the whole fits into the 15 seconds that docs/operate has systemd and Docker wait.
    await Promise.all([server.stop(), jobs[Symbol.asyncDispose]()]);
    log.info("stopped");
  },
});

async function serveMetrics(options: {
  readonly config: Config;
  readonly services: Services;
  readonly requests: RunningServer["requests"];
  readonly log: Logger;
}): Promise<AsyncDisposable | null> {
  const { metrics } = options.config;
  if (metrics === null) return null;
  // Loaded where it is wanted: from source it takes as long as the rest of the start.
  const { startMetricsServer } = await import("../operate/metrics-server.ts");
  const place = { ...metrics, socketFile: null };
  const server = listen(place, "--metrics-port", () => startMetricsServer({ ...options, listen: metrics }));
  options.log.info("metrics are served", { address: `${server.address}/metrics` });
  return server;
}

async function openData(
  { config, jwtSecret, serviceToken }: LoadedConfig,
  log: Logger,
): Promise<{ alone: Disposable; services: Services; secrets: Secrets }> {
  try {
    await using opened = new AsyncDisposableStack();
    const alone = opened.use(await serveDataFolder(config));
    const services = opened.use(await openServices(config));
    const { applied, copy } = services.migrated;
    if (applied.length > 0) log.info("database brought up to date", { applied, copy });
    for (const adoption of await adoptIdentities(services, config.social))
      log.info("identities got the issuer that the settings name", adoption);
    const secrets = await openSecrets({ dataDir: config.dataDir, jwtSecret, serviceToken });
    const isFirstStart = applied.length > 0 && copy === null;
    if (secrets.newFile !== null && !isFirstStart) {
      log.warn("there was no JWT secret: a new one was made, and everybody has to sign in again", {
        file: secrets.newFile,
      });
    }
    if (await hasLostTextures(config, services)) {
      log.warn(
        "no texture is on the disk, though there are skins or capes: is the disk of the textures mounted?",
        {
          folder: texturesPath(config),
        },
      );
    }
    opened.move();
    return { alone, services, secrets };
  } catch (cause) {
    throw aboutDataFolder(config.dataDir, cause);
  }
}

/** Resolves at the first signal. The handlers go with it, so that the next one does what it does by default: end. */
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

type Place = Pick<Config, "host" | "port" | "socketFile">;

function listen<Server>({ host, port, socketFile }: Place, flag: string, start: () => Server): Server {
  try {
    return start();
  } catch (cause) {
    const code = codeOf(cause) ?? "";
    if (socketFile !== null) {
      const reason = systemReasons[code] ?? String(cause);
      throw new AppError("internal", `cannot listen on ${socketFile}: ${reason}`, { cause });
    }
    const reason = listenReasons[isIP(host) === 0 ? `${code} name` : code] ?? listenReasons[code];
    if (reason === undefined) throw cause;
    const words = `cannot listen on ${host}, port ${port}: ${reason.replace("--port", flag)}`;
    throw new AppError("internal", words, { cause });
  }
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is in use; choose another with --port",
  // Bun says the same of a name that leads nowhere.
  "EADDRINUSE name":
    "it is in use, or no address is known for this name; choose another with --port or --host",
  // So Bun calls it when no name server answers.
  "EAGAIN name":
    "no name server answers now, so the address of this name is not known; give an IP address, or start again later",
  EINVAL: "no address is known for this name",
  EACCES: "permission denied; ports under 1024 are the system's, choose another with --port",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOENT: "no address is known for this name",
  ENOTFOUND: "no address is known for this name",
};
