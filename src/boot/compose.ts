/**
 * The one place where ports get their adapters and use cases their ports: for the server, for commands and
 * for tests.
 */
import { freeSpaceOf } from "../adapters/blob-fs/free-space.ts";
import { loadDefaultSkins } from "../adapters/default-skins/default-skins.ts";
import { launchKey, readLaunchKey } from "../adapters/launch-key/launch-key.ts";
import { openProviders } from "../adapters/oauth/providers.ts";
import { argon2Hasher } from "../adapters/passwords/argon2-hasher.ts";
import { createPasswordForms } from "../adapters/passwords/password-forms.ts";
import { openSigner } from "../adapters/rsa/rsa-signer.ts";
import type { Rerun } from "../domain/ports/engine.ts";
import { createPictureRenderer, timePictures } from "../adapters/texture-threads/picture-renderer.ts";
import { createTextureImporter } from "../adapters/texture-threads/texture-importer.ts";
import { openThreadPool, type ThreadPoolOptions } from "../adapters/texture-threads/thread-pool.ts";
import { pagesOf } from "../domain/accounts/pages.ts";
import { createBackupRecord } from "../domain/backup/backup-record.ts";
import { createPasswordThrottle } from "../domain/game/password-throttle.ts";
import { createReadiness } from "../domain/health/readiness.ts";
import { createSetup } from "../domain/members/set-up.ts";
import { createWebhookCounts } from "../domain/events/deliver-events.ts";
import { limitLooks } from "../domain/limits/look-limit.ts";
import { createRateLimits } from "../domain/limits/rate-limits.ts";
import { tokensOfSettings } from "../domain/model/service-token.ts";
import { coloursOf } from "../domain/mail/html.ts";
import type { MailTexts } from "../domain/mail/templates.ts";
import type { OnceStore } from "../domain/ports/once-store.ts";
import type { PasswordHasher } from "../domain/ports/password-hasher.ts";
import type { StorageProbe } from "../domain/ports/storage-probe.ts";
import { trackTokenActivity } from "../domain/services/token-activity.ts";
import { trackSessionActivity } from "../domain/sessions/activity.ts";
import { countedHashes } from "../domain/sessions/hash-counts.ts";
import { createDummyHashes } from "../domain/sessions/dummy-hashes.ts";
import { createTransact } from "../domain/sessions/transact.ts";
import { createLoginStates } from "../domain/social/login-states.ts";
import { createPictures } from "../domain/textures/pictures.ts";
import { bindServices, type ServicePorts } from "../domain/use-cases/services.ts";
import { createApp, type App, type AppOptions } from "../http/app.ts";
import type { ConsoleSettings } from "../http/console/settings.ts";
import type { Site } from "../http/site.ts";
import { namelessIssuer } from "../http/tokens.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/log.ts";
import type { Config } from "./config.ts";
import { consoleOpener } from "./console-files.ts";
import { dataFolder } from "./data-folder.ts";
import { openEngine, type Serving } from "./engines.ts";
import { codeHasher, keyedHash, subscriptionNames, type Secrets } from "./secrets.ts";
import { openOwnTextures } from "./texture-place.ts";
import { version } from "./version.ts";

/** How long all requests of one sign-in may occupy a provider. */
const exchangeMs = 10_000;

/** What tests put in the place of the real thing. */
export type StandIns = {
  readonly clock?: Clock;
  readonly hasher?: PasswordHasher;
  readonly threads?: Partial<ThreadPoolOptions>;
  readonly rerun?: Rerun;
  readonly eventPace?: AppOptions["eventPace"];
  /** Resolves after so many seconds. */
  readonly pause?: (seconds: number) => Promise<void>;
  /** Makes the text of a key that signs profiles. */
  readonly makeSigningKey?: () => Promise<string>;
};

/** What is needed of passwords, and what is known of those that are kept. */
function passwordsOf(hasher: PasswordHasher, given: Omit<Parameters<typeof countedHashes>[0], "hasher">) {
  return {
    hasher,
    passwordForms: createPasswordForms(hasher),
    hashCounts: countedHashes({ ...given, hasher }),
  };
}

/** Everything that use cases ask for, over one database. */
export type Ports = Awaited<ReturnType<typeof compose>>;

/**
 * Enters the data folder that the settings name, brings the database up to date and opens everything over it.
 * Disposing of the result closes the database and the threads and leaves the folder. `serving` makes this
 * process one of the community's nodes.
 */
export async function compose(config: Config, standIns: StandIns = {}, serving: Serving | null = null) {
  const {
    clock: ownClock = null,
    hasher = argon2Hasher,
    threads,
    rerun,
    makeSigningKey,
    eventPace = {},
    pause = sleep,
  } = standIns;
  const folder = dataFolder(config.dataDir);
  await using opened = new AsyncDisposableStack();
  const storage = opened.use(await openEngine(config, folder, { clock: ownClock, rerun, serving }));
  const pictureThreads = opened.use(openThreadPool("pictures", threads));
  const importThread = opened.use(openThreadPool("imports", threads));
  const defaults = await loadDefaultSkins(folder.defaultSkins);
  const { engine, shared, ...kept } = storage;
  const { reads, atomically, background, changes, onMailDue, onEvents, clock, probe } = engine;
  const textures = await openOwnTextures(config, folder, { engine, serving, closing: opened });
  const limits = createRateLimits({ factor: config.rateLimitFactor, attempts: shared.attempts });
  const transact = limitLooks(createTransact({ atomically, clock }), limits.looks);
  const timed = timePictures(createPictureRenderer(pictureThreads));
  const closing = opened.move();

  return {
    ...kept,
    folder,
    reads,
    /** What the program reads by itself, apart from requests. */
    backgroundReads: background.reads,
    /** What the program changes by itself. It never waits for requests, nor do they for it. */
    backgroundTransact: createTransact({ atomically: background.atomically, clock }),
    looks: engine.looks,
    transact,
    changes,
    onMailDue,
    onEvents,
    webhookTargets: { urls: config.webhooks.urls, counts: createWebhookCounts(config.webhooks.urls) },
    eventPace,
    ...textures,
    ...passwordsOf(hasher, { reads: background.reads, clock }),
    clock,
    defaults,
    importer: createTextureImporter(importThread, config.rules.textures),
    pictures: createPictures({ ...textures, render: timed.render, cacheBytes: config.renderCacheBytes }),
    pictureTimes: timed.times,
    signer: openSigner(kept.keys, makeSigningKey),
    storage: storageProbe(config, folder, probe),
    throttle: createPasswordThrottle({ ...shared, intervalMs: config.rules.game.passwordIntervalMs, pause }),
    joins: shared.joins,
    limits,
    once: shared.once,
    setup: createSetup({ reads, clock, makeSecret: shared.makeSetupSecret }),
    ...usesOf({ atomically: background.atomically, clock }),
    rules: config.rules,
    uniformAnswers: config.uniformAnswers,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Whether the database takes writes, and what space is left on the disks. */
function storageProbe(
  { blobs }: Config,
  { path, textures }: ReturnType<typeof dataFolder>,
  write: StorageProbe["write"],
): StorageProbe {
  return { write, freeSpace: () => freeSpaceOf(path, textures), texturesAreRemote: blobs !== null };
}

/**
 * When sessions and service tokens were used, which is written apart from requests; and how scheduled backups
 * end.
 */
function usesOf(deps: Parameters<typeof createTransact>[0]) {
  const transact = createTransact(deps);
  return {
    activity: trackSessionActivity({ transact }),
    tokenActivity: trackTokenActivity({ transact }),
    backups: createBackupRecord(),
  };
}

const sleep = (seconds: number) => Bun.sleep(seconds * 1000);

/** What the HTTP surface needs beside the services. */
export type Surroundings = {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly mailTexts: MailTexts;
  readonly log: Logger;
  readonly checks: ServicePorts["checks"];
  readonly installation: Site["installation"];
  /** Aborts when the server has the signal to stop. */
  readonly stopping: AbortSignal;
  /** The address of the client that sent a request. */
  readonly clientAddress: (request: Request) => string;
  /** Missing where nothing listens: see `AppOptions`. */
  readonly idleAfter?: (request: Request, seconds: number) => void;
  /** Base of texture addresses. Known only when a port is taken, because `PORT` may be 0. */
  readonly publicUrl: () => string;
  /** What tests put in the place of the real thing. */
  readonly inTests?: Partial<Pick<Site, "version"> & Pick<AppOptions, "surfaces">> &
    Pick<SocialOptions, "timeLimitMs" | "resolve">;
};

/** The HTTP surface over the services. It listens to nothing. */
export function composeApp(services: Ports, surroundings: Surroundings): App {
  const {
    config,
    secrets,
    mailTexts,
    log,
    checks,
    installation,
    clientAddress,
    idleAfter = () => undefined,
    publicUrl,
    stopping,
    inTests = {},
  } = surroundings;
  const site: Site = {
    publicUrl,
    ownOrigin: config.publicUrl === null ? null : new URL(config.publicUrl).origin,
    siteUrl: () => config.siteUrl ?? publicUrl(),
    pages: () => pagesOf(site.siteUrl(), isOurSite(site) ? "#" : "?"),
    communityName: config.communityName,
    colours: coloursOf(config.accent),
    console: consoleParts(config),
    protocols: config.protocols,
    launchKey:
      config.gravitKeyFile === null ? null : launchKey(readLaunchKey(config.gravitKeyFile), services.clock),
    auroraSecret: config.auroraSecret?.reveal() ?? null,
    corsOrigins: config.corsOrigins,
    pictureMaxAge: config.pictureMaxAge,
    version: inTests.version ?? version,
    installation,
  };
  const ports: ServicePorts = {
    ...services,
    ...openSocial({ ...inTests, config, jwtSecret: secrets.jwt, clock: services.clock, once: services.once }),
    dummyHash: createDummyHashes({ ...services, hash: keyedHash(secrets.jwt, "cloakroom dummy hashes") }),
    codes: { hash: codeHasher(secrets.jwt), limitFactor: config.rateLimitFactor },
    subscriptions: subscriptionNames(secrets.jwt),
    settingTokens: tokensOfSettings(secrets.serviceToken?.reveal() ?? null),
    mailTexts,
    checks,
    readiness: createReadiness({ ...services, log, stopping }),
    publicUrl,
    pages: site.pages,
  };
  const { changes, onEvents, eventPace } = services;
  return createApp({
    services: bindServices(ports),
    site,
    log,
    logRequests: config.log.requests,
    clientAddress,
    idleAfter,
    changes,
    onEvents,
    eventPace,
    jwt: { secret: secrets.jwt.reveal(), issuer: config.publicUrl ?? namelessIssuer },
    surfaces: inTests.surfaces ?? [],
  });
}

/** Whether the console is the website that mails lead to. */
function isOurSite({ console, siteUrl, publicUrl }: Site): boolean {
  return console !== null && siteUrl() === publicUrl();
}

function consoleParts({ console, accent, mail }: Config): ConsoleSettings | null {
  return console === null
    ? null
    : { ...console, accent, openFiles: openConsole, hasMail: mail.smtp !== null };
}

/** Of the process, because its code is: tests run many apps. */
const openConsole = consoleOpener();

type SocialOptions = {
  readonly config: Pick<Config, "social" | "socialBareCodes">;
  readonly jwtSecret: Secrets["jwt"];
  readonly clock: Clock;
  readonly once: OnceStore;
  /** How long one sign-in may take. */
  readonly timeLimitMs?: number;
  /** The addresses of a host name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
};

/**
 * What social login needs beside the services. It sends nothing to a provider until a user signs in there.
 */
export function openSocial({
  config,
  jwtSecret,
  clock,
  once,
  timeLimitMs = exchangeMs,
  resolve,
}: SocialOptions) {
  const accesses = config.social.map(({ clientSecret, ...access }) => ({
    ...access,
    clientSecret: clientSecret.reveal(),
  }));
  return {
    providers: openProviders(accesses, { timeLimitMs, ...(resolve && { resolve }) }),
    loginStates: createLoginStates({ hash: keyedHash(jwtSecret, "cloakroom social logins"), clock, once }),
    bareCodes: config.socialBareCodes,
    connectionHash: keyedHash(jwtSecret, "cloakroom social connections"),
  };
}
