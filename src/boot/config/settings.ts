/**
 * The settings (docs/guide/settings.md): one table from which reading, messages and help are made, and which
 * says of each whether the nodes of a community share it or each machine has its own.
 */
import { bucketName, cronSchedule, cronWords, keyPrefix, passphrase } from "./backup-settings.ts";
import { communitySettings } from "./community-settings.ts";
import {
  baseUrl,
  boolean,
  choice,
  communityName,
  decimal,
  hiddenText,
  host,
  integer,
  ipNetworks,
  origins,
  path,
  sender,
  smtpUrl,
  socketFile,
  text,
  usernamePattern,
} from "./kinds.ts";
import { perMachine, shared, sharedAs, unordered, type Setting } from "./setting.ts";
import { ownFolder } from "./own-folder.ts";
import { protocolSettings } from "./protocol-settings.ts";
import { jwtSecret, serviceToken } from "./secret-kinds.ts";
import { privateUrl, socialSettings } from "./social-settings.ts";
import { storageSettings } from "./storage-settings.ts";

export const settings = {
  HOST: perMachine.withDefault(host, "127.0.0.1", "address to listen on"),
  PORT: perMachine.withDefault(integer(0, 65_535), "3000", "port to listen on; 0 takes a free one"),
  LISTEN_UNIX: perMachine.optional(
    socketFile,
    "socket file to listen on instead of HOST and PORT, for a proxy on this machine; needs PUBLIC_URL",
    "none",
  ),
  TLS_CERT: perMachine.optional(
    path("FILE"),
    "certificate with its chain (PEM): with TLS_KEY the server speaks https itself; new files need no restart",
    "none",
  ),
  TLS_KEY: perMachine.optional(path("FILE"), "private key of TLS_CERT (PEM)", "none"),
  PUBLIC_URL: shared.optional(
    baseUrl,
    "base of texture URLs, mail links and redirects",
    "http(s)://HOST:PORT; for 0.0.0.0 a network's address",
  ),
  SITE_URL: shared.optional(
    baseUrl,
    "base of links in mails and of url values in answers: a website of your own in the place of the console",
    "PUBLIC_URL",
  ),
  COMMUNITY_NAME: shared.optional(
    communityName,
    "the community's name on pages and in mails, and the sender's if MAIL_FROM has none",
    "the host of SITE_URL",
  ),
  ...communitySettings,
  CONSOLE: shared.withDefault(
    boolean,
    "true",
    "false: no web console, for communities that have a website of their own",
  ),
  DATA_DIR: perMachine.withDefault(
    ownFolder("DIR"),
    "./data",
    "database, textures, secrets and backups; made with mode 0700",
  ),
  ...storageSettings,
  // All are hashed with a key that is made of it: with another one nothing is alike.
  JWT_SECRET: sharedAs(() => null).optional(
    jwtSecret,
    "signs session tokens; at least 32 characters. Better not as a flag, which other users of the machine see",
    "made at the first start; with DATABASE_URL it must be given",
  ),
  SERVICE_API_TOKEN: shared.optional(
    serviceToken,
    "token of a service named default, beside those of token create; at least 32 characters. Better not as a flag",
    "none",
  ),
  SMTP_URL: shared.optional(
    smtpUrl,
    "mail server, smtp://user:password@host:587 or smtps://…; a flag shows the password to other users of the machine",
    "mails become files in DATA_DIR/mail",
  ),
  MAIL_FROM: shared.optional(
    sender,
    "sender of mails: Name <name@example.org>",
    "noreply@ the host of SITE_URL",
  ),
  MAIL_PER_SECOND_MAX: shared.withDefault(
    integer(1, 1000),
    "10",
    "the most mails that are sent in one second",
  ),
  ...socialSettings,
  TRUSTED_PROXIES: perMachine.optional(
    ipNetworks,
    "proxies whose X-Forwarded-For is believed: addresses and networks, separated by commas",
    "none",
  ),
  CONNECTIONS_PER_ADDRESS: perMachine.withDefault(
    integer(0, 1_000_000),
    "64",
    "idle connections that one address may have, trusted proxies apart; beyond it the longest idle ones are closed; 0: any number",
  ),
  CORS_ORIGINS: sharedAs(unordered).optional(
    origins,
    "websites whose scripts may use the API from a browser: https://www.example.org,… or *; pictures are open to all",
    "none",
  ),
  RATE_LIMIT_FACTOR: shared.withDefault(
    decimal(0, 1_000_000),
    "1",
    "multiplies every limit on attempts and mailed codes; 0 turns all of them off",
  ),
  PRIVACY_UNIFORM_ANSWERS: shared.withDefault(
    boolean,
    "false",
    "true: registering, resetting and changing the address answer alike for known and unknown mail addresses",
  ),
  NAME_HOLD_DAYS: shared.withDefault(
    integer(0, 3650),
    "30",
    "days for which only its former owner may take a freed player name",
  ),
  RENAME_HOURS: shared.withDefault(
    integer(0, 8760),
    "24",
    "hours in which a player may change the name once, staff as often as they like; 0: no such limit",
  ),
  ACCOUNT_DELETE_DAYS: shared.withDefault(
    integer(0, 365),
    "7",
    "days for which members can take the deletion of their own account back; 0: it is deleted at once",
  ),
  USERNAME_PATTERN: shared.withDefault(
    usernamePattern,
    "^[A-Za-z0-9_]{3,16}$",
    "what a player name must match, whole",
  ),
  ...protocolSettings,
  SKIN_WIDTH_MAX: shared.withDefault(
    integer(64, 4096),
    "1024",
    "widest skin or cape that is accepted, in pixels",
  ),
  TEXTURE_BYTES_MAX: shared.withDefault(
    integer(1024, 67_108_864),
    "1048576",
    "largest texture file that is accepted, in bytes",
  ),
  WARDROBE_MAX: shared.withDefault(integer(1, 10_000), "50", "skins that one user may keep"),
  RENDER_CACHE_BYTES: perMachine.withDefault(
    integer(0, 68_719_476_736),
    "67108864",
    "memory for rendered pictures, in bytes",
  ),
  BACKUP_SCHEDULE: sharedAs(cronWords).optional(
    cronSchedule,
    "when to make backups, as five fields of cron in the machine's time zone: '30 4 * * *'",
    "never",
  ),
  BACKUP_KEEP: shared.withDefault(
    integer(1, 10_000),
    "7",
    "scheduled backups that are kept; older ones are removed",
  ),
  BACKUP_DIR: perMachine.optional(
    path("DIR"),
    "where scheduled backups are made, and stay without S3_BUCKET",
    "DATA_DIR/backups",
  ),
  BACKUP_PASSPHRASE: shared.optional(
    passphrase,
    "encrypts the secrets in backups, and lets restore see whether a backup was changed; at least 12 characters",
    "none: not encrypted",
  ),
  S3_BUCKET: shared.optional(bucketName, "bucket that scheduled backups go to instead of BACKUP_DIR", "none"),
  S3_ENDPOINT: shared.optional(
    privateUrl,
    "address of the S3 service: https, or http on this machine",
    "Amazon's, by the region",
  ),
  S3_REGION: shared.optional(text("NAME"), "region of the buckets", "us-east-1"),
  S3_ACCESS_KEY_ID: perMachine.optional(
    text("ID"),
    "access key for the buckets of S3_BUCKET and BLOBS",
    "none",
  ),
  S3_SECRET_ACCESS_KEY: perMachine.optional(hiddenText, "its secret; better not as a flag", "none"),
  S3_PREFIX: shared.optional(keyPrefix, "the beginning of the names of backups in the bucket", "none"),
  LOG_LEVEL: perMachine.withDefault(
    choice("debug", "info", "warn", "error"),
    "info",
    "lowest level that is logged: debug, info, warn, error",
  ),
  LOG_FORMAT: perMachine.optional(
    choice("pretty", "json"),
    "log lines: pretty or json",
    "pretty on a terminal, else json",
  ),
  LOG_REQUESTS: perMachine.withDefault(
    choice("all", "api", "none"),
    "api",
    "requests that are logged: all, api (not those that are answered from memory), none",
  ),
  METRICS_PORT: perMachine.optional(
    integer(0, 65_535),
    "port of GET /metrics for Prometheus; 0 takes a free one",
    "none",
  ),
  METRICS_HOST: perMachine.withDefault(host, "127.0.0.1", "address to listen on with METRICS_PORT"),
} as const satisfies Readonly<Record<string, Pick<Setting<never>, "compared">>>;

export type SettingName = keyof typeof settings;

/** The value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}

/** `DATA_DIR` as a flag: `data-dir`. */
export function flagOf(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

/** `data-dir` as a setting: `DATA_DIR`. */
export function settingOf(flag: string): string {
  return flag.toUpperCase().replaceAll("-", "_");
}
