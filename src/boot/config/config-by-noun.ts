/** The configuration that settings make, one function for each noun. */
import { join } from "node:path";
import { accentColours } from "../../domain/model/accent.ts";
import type { Rules } from "../../domain/model/rules.ts";
import type { Logo } from "../logo-file.ts";
import type { TlsFiles } from "../tls-files.ts";
import { bucketOf, type BucketAccess } from "./backup-settings.ts";
import { protocolsOf } from "./protocol-settings.ts";
import type { SettingValues } from "./settings.ts";
import type { ProviderSetting } from "./social-settings.ts";
import { storageConfig } from "./storage-settings.ts";

/** Values that several settings give together, or a file. */
type Combined = {
  readonly social: readonly ProviderSetting[];
  readonly bucketAccess: BucketAccess | null;
  /** Null without one, and where no server starts. */
  readonly logo: Logo | null;
};

/** Makes the configuration of one run, frozen. */
export function configOf(
  values: SettingValues,
  { social, bucketAccess, logo }: Combined,
  logsToTerminal: boolean,
) {
  return Object.freeze({
    ...addressConfig(values),
    ...communityConfig(values, logo),
    /** Absolute. */
    dataDir: values.DATA_DIR,
    ...storageConfig(values, bucketAccess),
    ...clientConfig(values),
    rules: rulesConfig(values),
    ...protocolConfig(values),
    renderCacheBytes: values.RENDER_CACHE_BYTES,
    mail: mailConfig(values),
    /** The providers of social login; the first is the default. */
    social: Object.freeze(social),
    /** Whether a code without a state is accepted, for websites that begin the sign-in themselves. */
    socialBareCodes: values.SOCIAL_BARE_CODES,
    backup: backupConfig(values, bucketAccess),
    log: logConfig(values, logsToTerminal),
    metrics: metricsConfig(values),
  });
}

/** Where the server listens and by which addresses it is known. */
function addressConfig(values: SettingValues) {
  return {
    host: values.HOST,
    /** 0 takes a free one. */
    port: values.PORT,
    /** Absolute path of the socket to listen on instead; null: host and port. */
    socketFile: values.LISTEN_UNIX,
    /** Null: plain HTTP. */
    tls: tlsOf(values),
    /** Without trailing slash; null: the address that the server listens on. */
    publicUrl: values.PUBLIC_URL,
    /** Without trailing slash; null: the public URL. */
    siteUrl: values.SITE_URL,
  };
}

/**
 * The files of the certificate; null: plain HTTP. A setting with a fault of its own is missing in `values`.
 */
export function tlsOf({
  TLS_CERT: certFile = null,
  TLS_KEY: keyFile = null,
}: Partial<SettingValues>): TlsFiles | null {
  return certFile === null || keyFile === null ? null : Object.freeze({ certFile, keyFile });
}

/** What pages and mails show of the community. */
function communityConfig(values: SettingValues, logo: Logo | null) {
  const { COMMUNITY_TEXT: text, COMMUNITY_LINKS: links, COMMUNITY_ACCENT: accent } = values;
  return {
    /** The community's name on pages and in mails; null: the host of the site's address. */
    communityName: values.COMMUNITY_NAME,
    /** The web console; null: it is off. */
    console: values.CONSOLE ? Object.freeze({ text, links: Object.freeze(links ?? []), logo }) : null,
    /** The community's colour; null: our own. */
    accent: accent === null ? null : accentColours(accent),
  };
}

/** Which clients the server trusts, and how much of each it takes. */
function clientConfig(values: SettingValues) {
  return {
    /** Proxies whose `X-Forwarded-For` is believed. */
    trustedProxies: Object.freeze(values.TRUSTED_PROXIES ?? []),
    /** Idle connections that one address may have; 0: any number. */
    connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
    /** Web pages that may use the API; `*` for all of them. */
    corsOrigins: Object.freeze(values.CORS_ORIGINS ?? []),
    /** Multiplies every limit on attempts and mailed codes; 0 turns them off. */
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    /** Whether the answers for known and unknown mail addresses are the same. */
    uniformAnswers: values.PRIVACY_UNIFORM_ANSWERS,
  };
}

const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/** What people may do. */
function rulesConfig(values: SettingValues): Rules {
  const isLimited = values.RATE_LIMIT_FACTOR !== 0;
  return Object.freeze({
    accounts: Object.freeze({ deleteSeconds: values.ACCOUNT_DELETE_DAYS * daySeconds }),
    names: Object.freeze({
      pattern: values.USERNAME_PATTERN,
      holdSeconds: values.NAME_HOLD_DAYS * daySeconds,
      renameSeconds: isLimited ? values.RENAME_HOURS * hourSeconds : 0,
    }),
    players: Object.freeze({ max: values.PLAYERS_MAX, uuids: values.PLAYER_UUIDS }),
    game: Object.freeze({
      serverName: values.SERVER_NAME,
      skinDomains: Object.freeze(values.SKIN_DOMAINS ?? []),
      passwordIntervalMs: isLimited ? values.YGGDRASIL_PASSWORD_INTERVAL_MS : 0,
      checksAddress: values.YGGDRASIL_ADDRESS_CHECK,
    }),
    textures: Object.freeze({
      skinWidthMax: values.SKIN_WIDTH_MAX,
      bytesMax: values.TEXTURE_BYTES_MAX,
      wardrobeMax: values.WARDROBE_MAX,
    }),
  });
}

/** The protocols by which games, launchers and services know the server. */
function protocolConfig(values: SettingValues) {
  return {
    protocols: protocolsOf(values.PROTOCOLS, () => values.AURORA_SECRET !== null),
    /** The file of a launch server's public key; null: it may not upload. */
    gravitKeyFile: values.GRAVIT_KEY_FILE,
    auroraSecret: values.AURORA_SECRET,
    webhooks: Object.freeze({
      urls: Object.freeze(values.WEBHOOK_URLS ?? []),
      /** Null: a key in the data folder. */
      secret: values.WEBHOOK_SECRET,
    }),
  };
}

function mailConfig(values: SettingValues) {
  return Object.freeze({
    /** Null: mails are written to files. */
    smtp: values.SMTP_URL,
    /** Null: made from the host of the site's address. */
    from: values.MAIL_FROM,
    perSecondMax: values.MAIL_PER_SECOND_MAX,
  });
}

function backupConfig(values: SettingValues, bucketAccess: BucketAccess | null) {
  return Object.freeze({
    /** Null: no backups are scheduled. */
    schedule: values.BACKUP_SCHEDULE,
    keep: values.BACKUP_KEEP,
    dir: values.BACKUP_DIR ?? join(values.DATA_DIR, "backups"),
    passphrase: values.BACKUP_PASSPHRASE,
    /** Null: backups go to `dir`. */
    bucket: bucketOf(values, bucketAccess),
  });
}

function logConfig(values: SettingValues, logsToTerminal: boolean) {
  return Object.freeze({
    level: values.LOG_LEVEL,
    format: values.LOG_FORMAT ?? (logsToTerminal ? "pretty" : "json"),
    requests: values.LOG_REQUESTS,
  });
}

/** Where metrics are served; null: nowhere. */
function metricsConfig({ METRICS_HOST: host, METRICS_PORT: port }: SettingValues) {
  return port === null ? null : Object.freeze({ host, port });
}
