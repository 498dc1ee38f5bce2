import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, type Config, type LoadedConfig } from "../../src/boot/config.ts";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { createExposition } from "../../src/adapters/prometheus/exposition.ts";
import type { ThreadPoolOptions } from "../../src/adapters/texture-threads/thread-pool.ts";
import { serviceMetrics } from "../../src/operate/metrics.ts";
import { compose, composeApp, type Services } from "../../src/boot/compose.ts";
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
import type { Clock } from "../../src/kernel/clock.ts";
import { createLogger, type Logger } from "../../src/kernel/log.ts";
import { signingKeys } from "./signing-keys.ts";
import { runTwice } from "./run-twice.ts";
import type { DatabaseReader } from "./database-reader.ts";
import { openStorage, type StorageChoice } from "./storages.ts";

export const publicUrl = "https://skins.example.org";
export const siteUrl = "https://www.example.org";
export const jwtSecret = "a secret that is long enough for HS256";

export type LogLine = { readonly level: string; readonly message: string } & Readonly<
  Record<string, unknown>
>;

/**
 * The service on a data folder of its own: real database, files and renderer. Disposing of it removes the folder, and fails
 * when the log holds a secret that passed through meanwhile.
 */
export type Harness = AsyncDisposable & {
  readonly folder: string;
  readonly config: Config;
  /** What another process has to be given to use the same rows and files. */
  readonly storageSettings: Readonly<Record<string, string>>;
  readonly services: Services;
  readonly clock: FakeClock;
  readonly log: Logger;
  /** Answers as the service does, without a network. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Every address of the service: `GET /api/skin/head/:uuid`. */
  readonly routes: readonly string[];
  /** Those that belong to no protocol beside the API. */
  readonly apiRoutes: readonly string[];
  /** Those of them that answer as another one does, with that one. */
  readonly aliases: ReadonlyMap<string, string>;
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
  /** Whether files that the settings name are read before the service opens, as they are where a server starts. */
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
 * Opens the service. Passwords are hashed by Argon2id at its least cost, time stands still until a test turns it, nothing is
 * limited unless the settings say so, and mails stay in the outbox. Requests come from 127.0.0.1. On SQLite every transaction runs
 * its work twice, of which only the second run is kept.
 */
export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  await using opened = new AsyncDisposableStack();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "cloakroom-test-")));
  if (options.folder === undefined) opened.defer(() => rm(folder, { recursive: true, force: true }));
  const storage = opened.use(
    await openStorage(options.on ?? {}, { path: folder, isOwn: options.folder === undefined }),
  );
  const loaded = await loadConfig({
    flags: { DATA_DIR: folder, PORT: "0" },
    environment: { ...ownSettings, ...storage.settings, ...options.settings },
    file: null,
    logsToTerminal: false,
    serving: options.readsFiles === true,
  });
  const { config, serviceToken } = loaded;
  const installation = shownInstallation(loaded);
  const clock = fakeClock();
  const { log, take, takeRequests, text } = collectLog();
  // On PostgreSQL a run that is rolled back has used numbers, which tests name.
  const { works = storage.isSqlite ? "twice" : "once" } = options;
  const { hasher = cheapHasher, threads = {}, eventPace = {} } = options;
  const services = opened.use(
    await compose(config, {
      clock,
      hasher,
      threads,
      ...(works === "twice" && { rerun: runTwice() }),
      makeSigningKey: signingKeys(options.keysBefore),
      eventPace,
      // Waiting turns the time that stands still.
      pause: async (seconds) => clock.advance(seconds),
    }),
  );
  // As a server finds out at its start whose bucket it is.
  if ("BLOBS" in storage.settings) await services.blobs.probe();
  const database = opened.use(storage.read());
  const mailTexts = await loadMailTexts(config);
  const secrets = { jwt: secretOf(jwtSecret), serviceToken };
  const findClient = createClientAddress(config.trustedProxies);
  const { checks = async () => [] } = options;
  const { beforeTransaction = async () => {}, socialTimeLimitMs, resolveHost = async () => [] } = options;
  const tested: Services = {
    ...services,
    transact: (actor, work) => beforeTransaction().then(() => services.transact(actor, work)),
    blobs: { ...services.blobs, ...options.blobs },
    storage: { ...services.storage, ...options.storage },
  };
  const app = composeApp(tested, {
    mailTexts,
    checks,
    installation,
    config: { ...config, log: { ...config.log, requests: "all" } },
    secrets,
    log,
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
  const passed = new Set<string>(serviceToken === null ? [] : [serviceToken.reveal()]);
  opened.defer(() => {
    const known = [...never, ...passed, ...database.secrets()];
    refuseLeaks(text(), [...known, ...(options.secrets?.() ?? [])]);
  });
  const closing = opened.move();

  return {
    folder,
    config,
    storageSettings: { DATA_DIR: folder, JWT_SECRET: jwtSecret, ...storage.settings },
    services,
    clock,
    log,
    fetch: async (path, init) => {
      const request = new Request(`http://localhost${path}`, init);
      for (const secret of secretsOfRequest(request, init?.body)) passed.add(secret);
      const response = await app.fetch(request);
      for (const secret of await secretsOfAnswer(response)) passed.add(secret);
      return withEnd(response);
    },
    // Not before a test asks: this makes the routes of all protocols, which takes as long as everything else.
    get routes() {
      return app.routes().map(nameOf);
    },
    get apiRoutes() {
      return app
        .routes()
        .filter(({ isOfProtocol }) => !isOfProtocol)
        .map(nameOf);
    },
    get aliases() {
      return new Map(
        app
          .routes()
          .flatMap((route) =>
            route.alias === null ? [] : [[nameOf(route), `${route.method} ${route.alias}`]],
          ),
      );
    },
    listen: () => {
      const server = startServer({ config, secrets, mailTexts, checks, installation, services, log });
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
  };
}

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
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

/** A stream of events has no end: its beginning stands for it. */
async function withEnd(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null || !headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new Response(value ?? null, { status, headers });
}

/** What may stand neither in an answer nor in the log, whatever happens. */
export const never: readonly string[] = ["$argon2", jwtSecret, "-----BEGIN PRIVATE KEY-----"];

/** The passwords in a body of JSON, wrong ones included. Short ones and "password" itself stand in other texts by chance. */
export function passwordsIn(body: unknown): readonly string[] {
  const fields = typeof body === "string" ? body.matchAll(/"(?:new)?password":"([^"\\]{8,})"/g) : [];
  return Array.from(fields, ([, password = ""]) => password).filter((text) => text !== "password");
}

/** What proves who somebody is: in headers, bodies, queries, and in paths that links in mails lead to. */
function secretsOfRequest({ url, headers }: Request, body: unknown): readonly string[] {
  const { pathname, searchParams } = new URL(url);
  const [token = ""] = (headers.get("authorization") ?? "").split(" ").slice(-1);
  const [, inPath = ""] = /^\/mail\/.+\/([^/]+)$/.exec(pathname) ?? [];
  const inCookies = (headers.get("cookie") ?? "").split("; ").map((pair) => pair.replace(/^[^=]*=/, ""));
  const inQuery = ["code", "state", "token", "serverId"].map((name) => searchParams.get(name) ?? "");
  return [
    ...passwordsIn(body),
    ...longEnough([token, inPath, ...inCookies, ...inQuery]),
    ...secretFields(body),
  ];
}

async function secretsOfAnswer(response: Response): Promise<readonly string[]> {
  const cookies = response.headers.getSetCookie().map((line) => line.replace(/^[^=]*=|;.*$/g, ""));
  if (!response.headers.get("content-type")?.startsWith("application/json")) return longEnough(cookies);
  return [...longEnough(cookies), ...secretFields(await response.clone().text())];
}

function secretFields(json: unknown): readonly string[] {
  const fields =
    /"(?:jwt|secret|token|accessToken|serverId|code|conn_id|passphrase|message)":\s*"?([^",}\\]+)/g;
  return longEnough(
    typeof json === "string" ? Array.from(json.matchAll(fields), ([, value = ""]) => value) : [],
  );
}

/** What is shorter stands in other texts by chance. */
function longEnough(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.length >= 10);
}

function refuseLeaks(log: string, secrets: readonly string[]): void {
  const leaked = secrets.filter((secret) => log.includes(secret));
  if (leaked.length > 0) throw new Error(`the log holds ${leaked.join(", ")}`);
}

export type FakeClock = Clock & { readonly advance: (seconds: number) => void };

/** A clock far from the machine's, so that code that asks that one is found out. */
function fakeClock(): FakeClock {
  let now = Date.UTC(2100, 0, 1) / 1000;
  // Between two seconds, as the machine's is.
  let steady = 1.75;
  return {
    // Whole, as the machine's; tenths of a second do not add up exactly.
    nowSeconds: () => Math.floor(now + 0.001),
    steadySeconds: () => steady,
    // Set back, the clock shows an earlier time, although no time has passed.
    advance: (seconds) => {
      now += seconds;
      steady += Math.max(0, seconds);
    },
  };
}

/** Real Argon2id, at a cost that no attacker would fear. */
export const cheapHasher: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 }),
  verify: (password, hash) => Bun.password.verify(password, hash),
  needsRehash: (hash) => !hash.includes("$m=8,t=1,"),
  kindOf: argon2Hasher.kindOf,
  dummy: (kind) => argon2Hasher.dummy(kind ?? "$argon2id$v=19$m=8,t=1,p=1$"),
};

function collectLog() {
  const lines: LogLine[] = [];
  const requests: LogLine[] = [];
  let text = "";
  const log: Logger = createLogger({
    level: "debug",
    format: "json",
    write: (line) => {
      text += line;
      const parsed: LogLine = JSON.parse(line);
      (parsed.message === "request" ? requests : lines).push(parsed);
    },
  });
  return {
    log,
    take: (): readonly LogLine[] => lines.splice(0),
    takeRequests: (): readonly LogLine[] => requests.splice(0),
    text: () => text,
  };
}
