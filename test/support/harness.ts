import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, type Config, type LoadedConfig } from "../../src/boot/config.ts";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { createExposition } from "../../src/adapters/prometheus/exposition.ts";
import type { ThreadPoolOptions } from "../../src/adapters/texture-threads/thread-pool.ts";
import { serviceMetrics } from "../../src/operate/metrics.ts";
import { compose, composeApp, type Ports } from "../../src/boot/compose.ts";
import { installationOf } from "../../src/boot/installation.ts";
import { loadMailTexts } from "../../src/boot/mail.ts";
import { secretOf } from "../../src/boot/secrets.ts";
import { startServer, type RunningServer } from "../../src/boot/server.ts";
import type { CheckResult } from "../../src/domain/health/check-result.ts";
import type { Installation } from "../../src/domain/model/installation.ts";
import type { BlobStore } from "../../src/domain/ports/blob-store.ts";
import type { PasswordHasher } from "../../src/domain/ports/password-hasher.ts";
import type { StorageProbe } from "../../src/domain/ports/storage-probe.ts";
import { createClientAddress } from "../../src/http/client-address.ts";
import type { EventPace } from "../../src/http/events/streams.ts";
import type { SurfaceOf } from "../../src/http/protocols.ts";
import type { Logger } from "../../src/kernel/log.ts";
import { collectLog, type LogLine } from "./collected-log.ts";
import { fakeClock, type FakeClock } from "./fake-clock.ts";
import { refuseLeaks } from "./leaks.ts";
import { fetchOf } from "./noted-fetch.ts";
import { signingKeys } from "./signing-keys.ts";
import { runTwice } from "./run-twice.ts";
import { routesOf, withRoutes, type TestedRoutes } from "./tested-routes.ts";
import type { DatabaseReader } from "./database-reader.ts";
import { openStorage, type StorageChoice } from "./storages.ts";

export const publicUrl = "https://skins.example.org";
export const siteUrl = "https://www.example.org";
export const jwtSecret = "a secret that is long enough for HS256";

/**
 * The service on a data folder of its own: real database, files and renderer. Disposing of it removes the
 * folder, and fails when the log holds a secret that passed through meanwhile.
 */
export type Harness = AsyncDisposable &
  TestedRoutes & {
    readonly folder: string;
    readonly config: Config;
    /** What another process has to be given to use the same rows and files. */
    readonly storageSettings: Readonly<Record<string, string>>;
    readonly services: Ports;
    readonly clock: FakeClock;
    readonly log: Logger;
    /** Answers as the service does, without a network. */
    readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
    /** The same service on a free port of the loopback address, until the harness goes. */
    readonly listen: () => RunningServer;
    /** Lines of warnings and faults since the last call. */
    readonly takeComplaints: () => readonly LogLine[];
    /** Lines of requests since the last call. */
    readonly takeRequests: () => readonly LogLine[];
    /** All other lines since the last call to this or `takeComplaints`. */
    readonly takeLog: () => readonly LogLine[];
    /** What Prometheus reads. */
    readonly metrics: () => Promise<string>;
    /** Texture files on disk, those on their way included. */
    readonly countFiles: () => Promise<number>;
    readonly countRows: (table: string) => number;
    /** The service's database, read past the service. */
    readonly database: DatabaseReader;
  };

export type HarnessOptions = {
  /** Settings beside those of every harness; undefined takes one of those back. */
  readonly settings?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether files that the settings name are read before the service opens, as they are where a server
   * starts.
   */
  readonly readsFiles?: true;
  /** Where rows and files are; what is left out is as the environment of the tests has it. */
  readonly on?: StorageChoice;
  /** A data folder that stays; without it the harness has one of its own. */
  readonly folder?: string;
  readonly hasher?: PasswordHasher;
  /** What draws and takes textures in. */
  readonly threads?: Partial<ThreadPoolOptions>;
  /** How often streams of events do what they do. */
  readonly eventPace?: Partial<EventPace>;
  /** What a test breaks on purpose. */
  readonly blobs?: Partial<BlobStore>;
  readonly storage?: Partial<StorageProbe>;
  /** Surfaces beside the service's own. */
  readonly surfaces?: readonly SurfaceOf[];
  /** How often the work of each transaction runs; by default twice on SQLite, and once on PostgreSQL. */
  readonly works?: "once" | "twice";
  /** Runs before each transaction of a request. */
  readonly beforeTransaction?: () => Promise<void>;
  /** What the checks of a running server find; nothing when left out. */
  readonly checks?: () => Promise<readonly CheckResult[]>;
  /** How long a social provider may take. */
  readonly socialTimeLimitMs?: number;
  /** The addresses of names that issuers give; without it there are none. */
  readonly resolveHost?: (hostname: string) => Promise<readonly string[]>;
  /** How many signing keys another harness may have made: its keys are those. */
  readonly keysBefore?: number;
  /** What else must never stand in the log. */
  readonly secrets?: () => readonly string[];
};

/** As a start with another folder would have it: no answer may hold the harness's own. */
function shownInstallation(loaded: LoadedConfig): () => Promise<Installation> {
  const { config, settingsFile } = loaded;
  const dataDir = "/var/lib/skins";
  const shown = {
    ...loaded,
    flags: {},
    config: { ...config, dataDir },
    settingsFile: { ...settingsFile, path: `${dataDir}/cloakroom.toml` },
  };
  const restart = { by: "systemd", command: "systemctl restart cloakroom" } as const;
  return installationOf(shown, { command: "cloakroom", folder: "/srv", restart });
}

/**
 * Opens the service. Passwords are hashed by Argon2id at its least cost, time stands still until a test turns
 * it, nothing is limited unless the settings say so, and mails stay in the outbox. Requests come from
 * 127.0.0.1. On SQLite every transaction runs its work twice, of which only the second run is kept.
 */
export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  await using opened = new AsyncDisposableStack();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "cloakroom-test-")));
  if (options.folder === undefined) opened.defer(() => rm(folder, { recursive: true, force: true }));
  const storage = opened.use(
    await openStorage(options.on ?? {}, { path: folder, isOwn: options.folder === undefined }),
  );
  const loaded = await loadSettings(options, folder, storage.settings);
  const { config, serviceToken } = loaded;
  const clock = fakeClock();
  const { log, take, takeRequests, text } = collectLog();
  // On PostgreSQL a run that is rolled back has used numbers, which tests name.
  const { works = storage.isSqlite ? "twice" : "once" } = options;
  const services = opened.use(await compose(config, testedParts(options, { clock, works })));
  // As a server finds out at its start whose bucket it is.
  if ("BLOBS" in storage.settings) await services.blobs.probe();
  const database = opened.use(storage.read());
  const served = {
    config,
    secrets: { jwt: secretOf(jwtSecret), serviceToken },
    mailTexts: await loadMailTexts(config),
    checks: options.checks ?? (async () => []),
    installation: shownInstallation(loaded),
    log,
  };
  const app = openApp(options, services, served);
  const passed = new Set<string>(serviceToken === null ? [] : [serviceToken.reveal()]);
  opened.defer(() => {
    const known = [...never, ...passed, ...database.secrets()];
    refuseLeaks(text(), [...known, ...(options.secrets?.() ?? [])]);
  });
  const closing = opened.move();

  return withRoutes(
    {
      folder,
      config,
      storageSettings: { DATA_DIR: folder, JWT_SECRET: jwtSecret, ...storage.settings },
      services,
      clock,
      log,
      fetch: fetchOf(app, passed),
      listen: () => {
        const server = startServer({ ...served, services });
        closing.defer(() => server.stop());
        return server;
      },
      takeComplaints: () => take().filter(({ level }) => level === "warn" || level === "error"),
      takeRequests,
      takeLog: take,
      metrics: () => createExposition(serviceMetrics(services, app.statistics), refuse).text(),
      countFiles: storage.countFiles,
      countRows: database.countRows,
      database,
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    },
    routesOf(app),
  );
}

function loadSettings(
  { settings, readsFiles }: HarnessOptions,
  folder: string,
  storage: Readonly<Record<string, string>>,
): Promise<LoadedConfig> {
  return loadConfig({
    flags: { DATA_DIR: folder, PORT: "0" },
    environment: { ...ownSettings, ...storage, ...settings },
    file: null,
    logsToTerminal: false,
    serving: readsFiles === true,
  });
}

type Works = { readonly clock: FakeClock; readonly works: "once" | "twice" };

/** What the services are made of in tests. */
function testedParts(options: HarnessOptions, { clock, works }: Works) {
  const { hasher = cheapHasher, threads = {}, eventPace = {} } = options;
  return {
    clock,
    hasher,
    threads,
    ...(works === "twice" && { rerun: runTwice() }),
    makeSigningKey: signingKeys(options.keysBefore),
    eventPace,
    // Waiting turns the time that stands still.
    pause: async (seconds: number) => clock.advance(seconds),
  };
}

type Served = Omit<Parameters<typeof startServer>[0], "services">;
type TestedApp = ReturnType<typeof composeApp>;

/** The service without a network, with what the test breaks on purpose. */
function openApp(options: HarnessOptions, services: Ports, { config, ...served }: Served): TestedApp {
  const { beforeTransaction = async () => {}, socialTimeLimitMs, resolveHost = async () => [] } = options;
  const findClient = createClientAddress(config.trustedProxies);
  const tested: Ports = {
    ...services,
    transact: (actor, work) => beforeTransaction().then(() => services.transact(actor, work)),
    blobs: { ...services.blobs, ...options.blobs },
    storage: { ...services.storage, ...options.storage },
  };
  return composeApp(tested, {
    ...served,
    config: { ...config, log: { ...config.log, requests: "all" } },
    stopping: new AbortController().signal,
    clientAddress: (request) => findClient(request, "127.0.0.1"),
    publicUrl: () => config.publicUrl ?? publicUrl,
    inTests: {
      version: "0.0.0-test",
      surfaces: options.surfaces ?? [],
      resolve: resolveHost,
      ...(socialTimeLimitMs && { timeLimitMs: socialTimeLimitMs }),
    },
  });
}

/** Every metric can be read in tests. */
function refuse(_: string, error: unknown): never {
  throw error;
}

const ownSettings = {
  PUBLIC_URL: publicUrl,
  SITE_URL: siteUrl,
  RATE_LIMIT_FACTOR: "0",
  JWT_SECRET: jwtSecret,
};

/** What may stand neither in an answer nor in the log, whatever happens. */
export const never: readonly string[] = [
  "$argon2",
  "$2y$10$",
  "$md5$",
  "$phpass$",
  "$wrapped$",
  jwtSecret,
  "-----BEGIN PRIVATE KEY-----",
];

const cheapKind = "$argon2id$v=19$m=8,t=1,p=1$";

/** Real Argon2id, at a cost that no attacker would fear. */
export const cheapHasher: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 }),
  verify: (password, hash, typed) =>
    hash.startsWith(cheapKind)
      ? Bun.password.verify(password, hash)
      : argon2Hasher.verify(password, hash, typed),
  needsRehash: (hash) => !hash.includes("$m=8,t=1,"),
  kindOf: argon2Hasher.kindOf,
  nameOf: argon2Hasher.nameOf,
  dummy: (kind) => argon2Hasher.dummy(kind ?? cheapKind),
  wrap: argon2Hasher.wrap,
  isSame: argon2Hasher.isSame,
  isBusy: () => false,
};
