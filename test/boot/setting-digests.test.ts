/* By what nodes compare their settings. */
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/boot/config.ts";
import type { SettingDigests } from "../../src/boot/config/setting-digests.ts";
import { settings } from "../../src/boot/config/settings.ts";
import { projectRoot } from "../tidy/project-files.ts";

type Environment = Readonly<Record<string, string>>;

const secret = "correct horse battery staple, twice";

async function digestsOf(environment: Environment): Promise<SettingDigests> {
  const given = { JWT_SECRET: secret, ...environment };
  const { digests } = await loadConfig({
    flags: {},
    environment: given,
    file: null,
    logsToTerminal: false,
  });
  return digests();
}

/** The names whose digests differ. */
async function differing(one: Environment, other: Environment): Promise<readonly string[]> {
  const [first, second] = [await digestsOf(one), await digestsOf(other)];
  return Object.keys(first).filter((name) => first[name] !== second[name]);
}

const isShared = (name: string) => settings[name as keyof typeof settings].compared !== null;
const sharedNames = Object.keys(settings).filter(isShared);
const ownNames = Object.keys(settings).filter((name) => !isShared(name));

/** Whether a name of the guide, which may end with `*`, is this setting's. */
const covers = (pattern: string, name: string) =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;

const license = join(projectRoot, "LICENSE");
const readme = join(projectRoot, "README.md");

/** Of each setting that nodes share, two values that are not alike. */
const samples: Readonly<Record<string, readonly [string, string]>> = {
  PUBLIC_URL: ["https://skins.example.org", "https://skins.example.com"],
  SITE_URL: ["https://www.example.org", "http://www.example.org"],
  COMMUNITY_NAME: ["Ours", "ours"],
  COMMUNITY_TEXT: ["Hello", "Hello!"],
  COMMUNITY_LINKS: ["A=https://a.example/,B=https://b.example/", "B=https://b.example/,A=https://a.example/"],
  COMMUNITY_LOGO: [license, readme],
  COMMUNITY_ACCENT: ["#0f766e", "#0f766f"],
  CONSOLE: ["true", "false"],
  BLOBS: ["s3://skins/textures", "s3://skins/texture"],
  PICTURE_MAX_AGE: ["60", "61"],
  SERVICE_API_TOKEN: ["qwJ3-mZx8-Lk2p-Vb7n-Tr5y-Gh1s-Df4a", "qwJ3-mZx8-Lk2p-Vb7n-Tr5y-Gh1s-Df4b"],
  SMTP_URL: ["smtp://cloak:word@mail.example.org", "smtp://cloak:other@mail.example.org"],
  MAIL_FROM: ["Ours <noreply@example.org>", "noreply@example.org"],
  MAIL_PER_SECOND_MAX: ["10", "11"],
  SOCIAL_PROVIDERS: ["discord,github,google,twitch,oidc", "github,discord,google,twitch,oidc"],
  SOCIAL_BARE_CODES: ["true", "false"],
  ...Object.fromEntries(
    ["DISCORD", "GITHUB", "GOOGLE", "TWITCH", "OIDC"].flatMap((provider) => [
      [`SOCIAL_${provider}_CLIENT_ID`, ["id", "other"]],
      [`SOCIAL_${provider}_CLIENT_SECRET`, ["secret", "other"]],
      [`SOCIAL_${provider}_BASE_URL`, ["https://one.example.org", "https://two.example.org"]],
    ]),
  ),
  SOCIAL_OIDC_ISSUER: ["https://id.example.org", "https://id.example.org/"],
  SOCIAL_OIDC_NAME: ["Guild", "guild"],
  CORS_ORIGINS: ["https://www.example.org", "*"],
  RATE_LIMIT_FACTOR: ["1", "0.5"],
  PRIVACY_UNIFORM_ANSWERS: ["false", "true"],
  NAME_HOLD_DAYS: ["30", "31"],
  ACCOUNT_DELETE_DAYS: ["7", "8"],
  RENAME_HOURS: ["24", "25"],
  USERNAME_PATTERN: ["^[a-z]{3,16}$", "^[a-z]{3,17}$"],
  PLAYERS_MAX: ["1", "2"],
  PLAYER_UUIDS: ["random", "offline"],
  PROTOCOLS: ["yggdrasil,aurora", "yggdrasil"],
  SERVER_NAME: ["One", "Another"],
  SKIN_DOMAINS: ["textures.example.org", ".example.org"],
  YGGDRASIL_PASSWORD_INTERVAL_MS: ["1000", "1001"],
  YGGDRASIL_ADDRESS_CHECK: ["true", "false"],
  GRAVIT_KEY_FILE: [license, readme],
  AURORA_SECRET: ["qwJ3-mZx8-Lk2p-Vb7n-Tr5y-Gh1s-Df4a", "qwJ3-mZx8-Lk2p-Vb7n-Tr5y-Gh1s-Df4b"],
  WEBHOOK_URLS: ["https://a.example/hook", "https://b.example/hook"],
  WEBHOOK_SECRET: [
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw4567",
  ],
  SKIN_WIDTH_MAX: ["1024", "1025"],
  TEXTURE_BYTES_MAX: ["1048576", "1048577"],
  WARDROBE_MAX: ["50", "51"],
  BACKUP_SCHEDULE: ["30 4 * * *", "30 5 * * *"],
  BACKUP_KEEP: ["7", "8"],
  BACKUP_PASSPHRASE: ["a passphrase of ours", "another passphrase of ours"],
  S3_BUCKET: ["backups", "backup"],
  S3_ENDPOINT: ["https://s3.example.org", "https://s3.example.com"],
  S3_REGION: ["eu-1", "eu-2"],
  S3_PREFIX: ["a", "b"],
};

const bucketKeys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "a key that is secret" };
const bucket: Environment = { ...bucketKeys, S3_BUCKET: "backups" };
const everything: Environment = {
  ...bucketKeys,
  ...Object.fromEntries(Object.entries(samples).map(([name, [value]]) => [name, value])),
};

describe("a setting", () => {
  test("is marked as shared by nodes, or as the machine's own", () => {
    expect(ownNames).toEqual([
      "HOST",
      "PORT",
      "LISTEN_UNIX",
      "TLS_CERT",
      "TLS_KEY",
      "DATA_DIR",
      "DATABASE_URL",
      "DATABASE_POOL_MAX",
      "DATABASE_PREPARED",
      "DATABASE_READ_URL",
      "NODE_NAME",
      "DRAIN_SECONDS",
      "TRUSTED_PROXIES",
      "CONNECTIONS_PER_ADDRESS",
      "RENDER_CACHE_BYTES",
      "BACKUP_DIR",
      "S3_ACCESS_KEY_ID",
      "S3_SECRET_ACCESS_KEY",
      "LOG_LEVEL",
      "LOG_FORMAT",
      "LOG_REQUESTS",
      "METRICS_PORT",
      "METRICS_HOST",
    ]);
    expect(Object.keys(samples).toSorted()).toEqual(
      sharedNames.filter((name) => name !== "JWT_SECRET").toSorted(),
    );
  });

  test("that is the machine's own is named in the guide for several nodes", async () => {
    const guide = await Bun.file(join(projectRoot, "docs/operate/scale-out.md")).text();
    const [, listed = ""] = /Per machine are([^.]*)\./.exec(guide) ?? [];
    const named = [...listed.matchAll(/`([A-Z0-9_*]+)`/g)].map(([, name = ""]) => name);
    expect(ownNames.filter((name) => !named.some((pattern) => covers(pattern, name)))).toEqual([]);
    expect(named.filter((pattern) => sharedNames.some((name) => covers(pattern, name)))).toEqual([]);
  });

  test.each(Object.keys(samples))(
    "that nodes share has another digest with another value: %s",
    async (name) => {
      const [, other] = samples[name] ?? ["", ""];
      expect(await differing(everything, { ...everything, [name]: other })).toEqual([name]);
    },
  );

  test("that is the machine's own, or of a provider that is not used, is not compared", async () => {
    const own = {
      HOST: "10.0.0.21",
      PORT: "3001",
      DATA_DIR: "/srv/cloakroom",
      NODE_NAME: "node1",
      DRAIN_SECONDS: "5",
      LOG_LEVEL: "debug",
      METRICS_PORT: "9100",
      RENDER_CACHE_BYTES: "1",
    };
    const unused = { SOCIAL_GITHUB_CLIENT_ID: "id" };
    expect(await differing({}, { ...own, ...unused })).toEqual([]);
  });

  test("does not show its value, and says nothing without JWT_SECRET", async () => {
    const digests = await digestsOf(everything);
    expect(Object.keys(digests).toSorted()).toEqual(sharedNames.toSorted());
    for (const digest of Object.values(digests)) expect(digest).toMatch(/^[\w-]{12}$/);
    // Equal values of two settings are no more alike than others.
    expect(new Set(Object.values(digests)).size).toBe(sharedNames.length);
    expect(await differing(everything, { ...everything, JWT_SECRET: `${secret}!` })).toHaveLength(
      sharedNames.length,
    );
    const { digests: none } = await loadConfig({
      flags: {},
      environment: {},
      file: null,
      logsToTerminal: false,
    });
    expect(await none()).toEqual({});
  });
});

const url = { PUBLIC_URL: "https://skins.example.org" };
const issuer = {
  SOCIAL_PROVIDERS: "oidc",
  SOCIAL_OIDC_CLIENT_ID: "id",
  SOCIAL_OIDC_CLIENT_SECRET: "secret",
  SOCIAL_OIDC_ISSUER: "https://id.example.org/",
};

test.each<readonly [string, Environment, Environment]>([
  ["a slash at the end", url, { PUBLIC_URL: "https://Skins.example.org/" }],
  [
    "the default",
    {},
    { USERNAME_PATTERN: "^[A-Za-z0-9_]{3,16}$", RATE_LIMIT_FACTOR: "1.0", RENAME_HOURS: "024" },
  ],
  [
    "the order of a list",
    { CORS_ORIGINS: "https://a.example,https://b.example" },
    { CORS_ORIGINS: "https://b.example,https://a.example" },
  ],
  [
    "the order of hosts, protocols and addresses",
    {
      SKIN_DOMAINS: "a.example,b.example",
      PROTOCOLS: "csl,usm",
      WEBHOOK_URLS: "https://a.example,https://b.example",
    },
    {
      SKIN_DOMAINS: "B.example a.example",
      PROTOCOLS: "usm csl",
      WEBHOOK_URLS: "https://b.example/ https://a.example/",
    },
  ],
  [
    "blanks and names in a schedule",
    { BACKUP_SCHEDULE: "30 4 * * MON" },
    { BACKUP_SCHEDULE: " 30  4 * * mon " },
  ],
  ["how many backups are kept, without a schedule", {}, { BACKUP_KEEP: "14" }],
  ["the host of PUBLIC_URL among those of textures", url, { ...url, SKIN_DOMAINS: "skins.example.org" }],
  [
    "that host beside others",
    { ...url, SKIN_DOMAINS: "b.example" },
    { ...url, SKIN_DOMAINS: "Skins.example.org,b.example" },
  ],
  ["an issuer's own address", issuer, { ...issuer, SOCIAL_OIDC_BASE_URL: "https://id.example.org" }],
  [
    "what follows from another setting",
    url,
    { ...url, SITE_URL: "https://skins.example.org/", COMMUNITY_NAME: "skins.example.org" },
  ],
  ["a mail address that follows", url, { ...url, MAIL_FROM: "noreply@skins.example.org" }],
  ["the usual region", bucket, { ...bucket, S3_REGION: "us-east-1" }],
  ["all protocols", {}, { PROTOCOLS: "yggdrasil,csl,usm,ely,legacy,avatars,gravit" }],
])("values that mean the same are alike: %s", async (_, one, other) => {
  expect(await differing(one, other)).toEqual([]);
});

test("PUBLIC_URL is compared as it stands in tokens: not given is another value than the address where a node listens", async () => {
  const listening = { HOST: "127.0.0.1", PORT: "3001" };
  expect(await differing(listening, { HOST: "127.0.0.1", PORT: "3002" })).toEqual([]);
  expect(await differing(listening, { ...listening, PUBLIC_URL: "http://127.0.0.1:3001" })).toEqual([
    "PUBLIC_URL",
  ]);
});

test("our own colour is another one on dark pages than the same colour given", async () => {
  expect(await differing({}, { COMMUNITY_ACCENT: "#0f766e" })).toEqual(["COMMUNITY_ACCENT"]);
});

test("one difference is not reported for what follows from it", async () => {
  const kept = { BACKUP_KEEP: "14", BACKUP_SCHEDULE: "30 4 * * *" };
  expect(await differing({}, kept)).toEqual(["BACKUP_SCHEDULE"]);
  expect(await differing(url, { PUBLIC_URL: "https://skins.example.com" })).toEqual(["PUBLIC_URL"]);
});

test("a file is compared by its content, and not where it cannot be read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-digests-"));
  try {
    const copy = join(folder, "copy");
    await Bun.write(copy, Bun.file(license));
    expect(await differing({ COMMUNITY_LOGO: license }, { COMMUNITY_LOGO: copy })).toEqual([]);
    const missing = await digestsOf({ COMMUNITY_LOGO: join(folder, "none") });
    expect(missing).not.toHaveProperty("COMMUNITY_LOGO");
  } finally {
    await rm(folder, { recursive: true });
  }
});
