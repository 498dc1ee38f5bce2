/** The settings of operator.md: one table that reading, messages and help are made from. */
import {
  baseUrl,
  boolean,
  choice,
  decimal,
  host,
  integer,
  ipNetworks,
  jwtSecret,
  origins,
  path,
  sender,
  serviceToken,
  smtpUrl,
  socketFile,
  text,
  usernamePattern,
} from "./kinds.ts";
import { optional, withDefault, type Option } from "./options.ts";

export const settings = {
  HOST: withDefault(host, "127.0.0.1", "address to listen on"),
  PORT: withDefault(integer(0, 65_535), "3000", "port to listen on; 0 takes a free one"),
  LISTEN_UNIX: optional(
    socketFile,
    "socket file to listen on instead of HOST and PORT, for a proxy on this machine; needs PUBLIC_URL",
    "none",
  ),
  TLS_CERT: optional(
    path("FILE"),
    "certificate with its chain (PEM): with TLS_KEY it speaks https itself; a new one is taken without a restart",
    "none",
  ),
  TLS_KEY: optional(path("FILE"), "private key of TLS_CERT (PEM)", "none"),
  PUBLIC_URL: optional(
    baseUrl,
    "base of texture URLs, mail links and redirects",
    "http://HOST:PORT, https with TLS_CERT",
  ),
  SITE_URL: optional(baseUrl, "where the website lives; base of the url values in answers", "PUBLIC_URL"),
  DATA_DIR: withDefault(
    path("DIR"),
    "./data",
    "database, textures, secrets and backups; made with mode 0700",
  ),
  JWT_SECRET: optional(
    jwtSecret,
    "signs session tokens; at least 32 characters. Better not as a flag: other users of the machine see those",
    "made at the first start",
  ),
  SERVICE_API_TOKEN: optional(
    serviceToken,
    "token of a service named default, beside those of token create; at least 32 characters. Better not as a flag",
    "none",
  ),
  SMTP_URL: optional(
    smtpUrl,
    "mail server, smtp://user:password@host:587 or smtps://…; a flag shows the password to other users of the machine",
    "mails become files in DATA_DIR/mail",
  ),
  MAIL_FROM: optional(
    sender,
    "whom mails are from: Name <name@example.org>",
    "noreply@ the host of SITE_URL",
  ),
  MAIL_PER_SECOND_MAX: withDefault(integer(1, 1000), "10", "mails that are sent in one second at most"),
  TRUSTED_PROXIES: optional(
    ipNetworks,
    "proxies whose X-Forwarded-For is believed: addresses and networks, separated by commas",
    "none",
  ),
  CORS_ORIGINS: optional(
    origins,
    "websites whose scripts may use the API from a browser: https://www.example.org,… or *; pictures are open to all",
    "none",
  ),
  RATE_LIMIT_FACTOR: withDefault(
    decimal(0, 1_000_000),
    "1",
    "multiplies every limit on attempts and mailed codes; 0 turns all of them off",
  ),
  PRIVACY_UNIFORM_ANSWERS: withDefault(
    boolean,
    "false",
    "true: registering and resetting answer alike for known and unknown mail addresses",
  ),
  NAME_HOLD_DAYS: withDefault(
    integer(0, 3650),
    "30",
    "days for which only its former owner may take a freed username",
  ),
  USERNAME_PATTERN: withDefault(usernamePattern, "^[A-Za-z0-9_]{3,16}$", "what a username must match, whole"),
  SKIN_WIDTH_MAX: withDefault(integer(64, 4096), "1024", "widest skin or cape that is taken, in pixels"),
  TEXTURE_BYTES_MAX: withDefault(integer(1024, 67_108_864), "1048576", "largest texture file that is taken"),
  WARDROBE_MAX: withDefault(integer(1, 10_000), "50", "skins that one user may keep"),
  RENDER_CACHE_BYTES: withDefault(integer(0, 68_719_476_736), "67108864", "memory for rendered pictures"),
  LOG_LEVEL: withDefault(
    choice("debug", "info", "warn", "error"),
    "info",
    "least that is logged: debug, info, warn, error",
  ),
  LOG_FORMAT: optional(
    choice("pretty", "json"),
    "log lines: pretty or json",
    "pretty on a terminal, else json",
  ),
} as const;

export type SettingName = keyof typeof settings;

/** What each setting's option reads. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Option<infer Value> ? Value : never;
};

/** Settings whose feature comes in a later version. They are taken, so that one file serves both, and warned about. */
const laterSettings = new Set(["SOCIAL_PROVIDERS"]);
const laterProviderSetting = /^SOCIAL_[A-Z0-9]+_(?:CLIENT_ID|CLIENT_SECRET|BASE_URL|ISSUER)$/;

/** How a later setting is taken as a flag: with a value that nobody looks at. */
export const laterOption = optional(text("VALUE"), "has no effect in this version");

export function isLaterSetting(name: string): boolean {
  return laterSettings.has(name) || laterProviderSetting.test(name);
}

export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}

/** Every name that can be suggested to who mistypes one. */
export const settingNames: readonly string[] = [...Object.keys(settings), ...laterSettings];

/** `DATA_DIR` as a flag: `data-dir`. */
export function flagOf(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

/** `data-dir` as a setting: `DATA_DIR`. */
export function settingOf(flag: string): string {
  return flag.toUpperCase().replaceAll("-", "_");
}
