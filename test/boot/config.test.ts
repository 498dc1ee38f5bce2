import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ConfigError, loadConfig, type ConfigSources } from "../../src/boot/config.ts";
import { settings } from "../../src/boot/config/settings.ts";
import { parseIpNetwork } from "../../src/kernel/ip-address.ts";

const nothing: ConfigSources = { flags: {}, environment: {}, file: null, logsToTerminal: false };

async function withFile<T>(content: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-config-"));
  try {
    const path = join(folder, "cloakroom.toml");
    await Bun.write(path, content);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function faultsOf(sources: Partial<ConfigSources>): Promise<readonly string[]> {
  const error = await loadConfig({ ...nothing, ...sources }).then(
    () => null,
    (cause: unknown) => cause,
  );
  return error instanceof ConfigError ? error.faults : [`no ConfigError but ${String(error)}`];
}

function networks(...texts: readonly string[]) {
  return texts.map(parseIpNetwork);
}

async function configWith(environment: Record<string, string>) {
  return (await loadConfig({ ...nothing, environment })).config;
}

test("has the defaults that operators know", async () => {
  const { config, jwtSecret, serviceToken, withoutEffect } = await loadConfig(nothing);
  expect(config).toEqual({
    host: "127.0.0.1",
    port: 3000,
    socketFile: null,
    tls: null,
    publicUrl: null,
    siteUrl: null,
    communityName: null,
    console: { text: null, links: [], logo: null },
    accent: null,
    dataDir: resolve("data"),
    database: null,
    blobs: null,
    nodeName: null,
    drainSeconds: 0,
    pictureMaxAge: 0,
    trustedProxies: [],
    connectionsPerAddress: 64,
    corsOrigins: [],
    rateLimitFactor: 1,
    uniformAnswers: false,
    rules: {
      accounts: { deleteSeconds: 7 * 24 * 60 * 60 },
      names: {
        pattern: /^[A-Za-z0-9_]{3,16}$/u,
        holdSeconds: 30 * 24 * 60 * 60,
        renameSeconds: 24 * 60 * 60,
      },
      players: { max: 1, uuids: "random" },
      game: { serverName: null, skinDomains: [], passwordIntervalMs: 1000, checksAddress: true },
      textures: { skinWidthMax: 1024, bytesMax: 1_048_576, wardrobeMax: 50 },
    },
    protocols: new Set(["yggdrasil", "csl", "usm", "ely", "legacy", "avatars", "gravit"]),
    gravitKeyFile: null,
    auroraSecret: null,
    webhooks: { urls: [], secret: null },
    renderCacheBytes: 67_108_864,
    mail: { smtp: null, from: null, perSecondMax: 10 },
    social: [],
    socialBareCodes: true,
    backup: { schedule: null, keep: 7, dir: resolve("data/backups"), passphrase: null, bucket: null },
    log: { level: "info", format: "json", requests: "api" },
    metrics: null,
  });
  expect(jwtSecret).toBeNull();
  expect(serviceToken).toBeNull();
  expect(withoutEffect).toEqual([]);
});

test("cannot be changed after reading", async () => {
  const { config } = await loadConfig(nothing);
  expect([config, config.rules.textures, config.log].every(Object.isFrozen)).toBe(true);
});

test("logs in the pretty form on a terminal", async () => {
  const { config } = await loadConfig({ ...nothing, logsToTerminal: true });
  expect(config.log.format).toBe("pretty");
});

describe("of flag, environment, file and default, the first that is given holds", () => {
  test.each([
    ["flag", { flags: { PORT: "1" }, environment: { PORT: "2" }, content: "port = 3" }, 1],
    ["environment", { flags: {}, environment: { PORT: "2" }, content: "port = 3" }, 2],
    ["file", { flags: {}, environment: {}, content: "port = 3" }, 3],
    ["file, for an empty variable", { flags: {}, environment: { PORT: "" }, content: "port = 3" }, 3],
    ["file, for a value in quotes", { flags: {}, environment: {}, content: 'port = "3"' }, 3],
    ["default", { flags: {}, environment: {}, content: "" }, 3000],
  ])("%s", async (_, { flags, environment, content }, port) => {
    await withFile(content, async (file) => {
      const { config } = await loadConfig({ ...nothing, flags, environment, file });
      expect(config.port).toBe(port);
    });
  });
});

describe("takes", () => {
  test.each([
    ["METRICS_PORT", "0", "metrics", { host: "127.0.0.1", port: 0 }],
    ["METRICS_PORT", "9464", "metrics", { host: "127.0.0.1", port: 9464 }],
    ["METRICS_HOST", "0.0.0.0", "metrics", null],
    ["LOG_REQUESTS", "all", "log", { level: "info", format: "json", requests: "all" }],
    ["PORT", "0", "port", 0],
    ["PORT", "65535", "port", 65_535],
    ["HOST", "0.0.0.0", "host", "0.0.0.0"],
    ["HOST", "::1", "host", "::1"],
    ["HOST", "[::1]", "host", "::1"],
    ["HOST", "skins.example.org", "host", "skins.example.org"],
    ["PUBLIC_URL", "https://skins.example.org/", "publicUrl", "https://skins.example.org"],
    ["PUBLIC_URL", "http://EXAMPLE.org:8080/skins//", "publicUrl", "http://example.org:8080/skins"],
    ["SITE_URL", "https://example.org", "siteUrl", "https://example.org"],
    ["DATA_DIR", "/srv/skins", "dataDir", "/srv/skins"],
    ["DATA_DIR", "skins", "dataDir", resolve("skins")],
    ["SKIN_WIDTH_MAX", "64", "rules.textures.skinWidthMax", 64],
    ["SKIN_WIDTH_MAX", "4096", "rules.textures.skinWidthMax", 4096],
    ["TEXTURE_BYTES_MAX", "1024", "rules.textures.bytesMax", 1024],
    ["TEXTURE_BYTES_MAX", "67108864", "rules.textures.bytesMax", 67_108_864],
    ["WARDROBE_MAX", "1", "rules.textures.wardrobeMax", 1],
    ["WARDROBE_MAX", "10000", "rules.textures.wardrobeMax", 10_000],
    ["RENDER_CACHE_BYTES", "0", "renderCacheBytes", 0],
    ["RENDER_CACHE_BYTES", "68719476736", "renderCacheBytes", 68_719_476_736],
    ["TRUSTED_PROXIES", "10.0.0.1", "trustedProxies", networks("10.0.0.1")],
    [
      "TRUSTED_PROXIES",
      "10.0.0.0/8, fd00::/8,::1",
      "trustedProxies",
      networks("10.0.0.0/8", "fd00::/8", "::1"),
    ],
    ["CONNECTIONS_PER_ADDRESS", "0", "connectionsPerAddress", 0],
    ["CONNECTIONS_PER_ADDRESS", "1000000", "connectionsPerAddress", 1_000_000],
    ["RATE_LIMIT_FACTOR", "0", "rateLimitFactor", 0],
    ["RATE_LIMIT_FACTOR", "0.5", "rateLimitFactor", 0.5],
    ["RATE_LIMIT_FACTOR", "1000000", "rateLimitFactor", 1_000_000],
    ["PRIVACY_UNIFORM_ANSWERS", "true", "uniformAnswers", true],
    ["PRIVACY_UNIFORM_ANSWERS", "false", "uniformAnswers", false],
    ["SOCIAL_BARE_CODES", "true", "socialBareCodes", true],
    ["SOCIAL_BARE_CODES", "false", "socialBareCodes", false],
    ["RENAME_HOURS", "0", "rules.names.renameSeconds", 0],
    ["RENAME_HOURS", "8760", "rules.names.renameSeconds", 8760 * 60 * 60],
    ["NAME_HOLD_DAYS", "0", "rules.names.holdSeconds", 0],
    ["NAME_HOLD_DAYS", "3650", "rules.names.holdSeconds", 3650 * 24 * 60 * 60],
    ["ACCOUNT_DELETE_DAYS", "0", "rules.accounts.deleteSeconds", 0],
    ["ACCOUNT_DELETE_DAYS", "365", "rules.accounts.deleteSeconds", 365 * 24 * 60 * 60],
    ["LOG_LEVEL", "debug", "log.level", "debug"],
    ["LOG_FORMAT", "pretty", "log.format", "pretty"],
  ])("%s=%s", async (name, value, path, expected) => {
    expect(await configWith({ [name]: value })).toHaveProperty(path, expected);
  });
});

describe("refuses, naming the setting, its source and the rule", () => {
  const port = "must be a whole number from 0 to 65535";
  const proxies = "must be addresses or networks like 10.0.0.0/8, separated by commas";
  const factor = "must be a number from 0 to 1000000";
  const url = "must be an http:// or https:// address without user name, query or fragment";
  test.each([
    ["PORT", "65536", port],
    ["PORT", "-1", port],
    ["PORT", "80.5", port],
    ["PORT", "0x50", port],
    ["PORT", " 80", port],
    ["HOST", "a b", "must be an IP address or a host name"],
    ["HOST", "http://localhost", "must be an IP address or a host name"],
    ["PUBLIC_URL", "skins.example.org", url],
    ["PUBLIC_URL", "ftp://example.org", url],
    ["PUBLIC_URL", "https://me:word@example.org", url],
    ["PUBLIC_URL", "https://example.org/?a", url],
    ["PUBLIC_URL", "https://example.org/#a", url],
    ["SITE_URL", "//example.org", url],
    ["DATA_DIR", "a\0b", "must be a path"],
    ["SKIN_WIDTH_MAX", "63", "must be a whole number from 64 to 4096"],
    ["SKIN_WIDTH_MAX", "4097", "must be a whole number from 64 to 4096"],
    ["TEXTURE_BYTES_MAX", "1023", "must be a whole number from 1024 to 67108864"],
    ["TEXTURE_BYTES_MAX", "67108865", "must be a whole number from 1024 to 67108864"],
    ["WARDROBE_MAX", "0", "must be a whole number from 1 to 10000"],
    ["WARDROBE_MAX", "10001", "must be a whole number from 1 to 10000"],
    ["RENDER_CACHE_BYTES", "-1", "must be a whole number from 0 to 68719476736"],
    ["RENDER_CACHE_BYTES", "68719476737", "must be a whole number from 0 to 68719476736"],
    ["TRUSTED_PROXIES", "10.0.0.0/33", `${proxies}; "10.0.0.0/33" is none`],
    ["TRUSTED_PROXIES", "10.0.0.0/8;10.1.1.1", `${proxies}; "10.0.0.0/8;10.1.1.1" is none`],
    ["TRUSTED_PROXIES", "10.0.0.0/8,", `${proxies}; "" is none`],
    ["TRUSTED_PROXIES", "::1, proxy.example.org", `${proxies}; "proxy.example.org" is none`],
    ["CONNECTIONS_PER_ADDRESS", "-1", "must be a whole number from 0 to 1000000"],
    ["CONNECTIONS_PER_ADDRESS", "1000001", "must be a whole number from 0 to 1000000"],
    ["RATE_LIMIT_FACTOR", "-1", factor],
    ["RATE_LIMIT_FACTOR", "1000001", factor],
    ["RATE_LIMIT_FACTOR", "1e3", factor],
    ["RATE_LIMIT_FACTOR", "1,5", factor],
    ["RATE_LIMIT_FACTOR", ".5", factor],
    ["RATE_LIMIT_FACTOR", "Infinity", factor],
    ["PRIVACY_UNIFORM_ANSWERS", "yes", "must be true or false"],
    ["RENAME_HOURS", "-1", "must be a whole number from 0 to 8760"],
    ["RENAME_HOURS", "8761", "must be a whole number from 0 to 8760"],
    ["ACCOUNT_DELETE_DAYS", "-1", "must be a whole number from 0 to 365"],
    ["ACCOUNT_DELETE_DAYS", "366", "must be a whole number from 0 to 365"],
    ["NAME_HOLD_DAYS", "-1", "must be a whole number from 0 to 3650"],
    ["NAME_HOLD_DAYS", "3651", "must be a whole number from 0 to 3650"],
    ["NAME_HOLD_DAYS", "1.5", "must be a whole number from 0 to 3650"],
    ["LOG_LEVEL", "verbose", "must be debug or info or warn or error"],
    ["LOG_FORMAT", "xml", "must be pretty or json"],
  ])("%s=%j", async (name, value, rule) => {
    expect(await faultsOf({ environment: { [name]: value } })).toEqual([
      `${name} (environment) is ${JSON.stringify(value)}: ${rule}`,
    ]);
  });

  const form = "must be of ASCII characters, with no blanks around it, and not begin with Bearer";
  test.each([
    ["JWT_SECRET", "x".repeat(31), "must have at least 32 characters"],
    ["SERVICE_API_TOKEN", "x".repeat(31), "must have at least 32 characters"],
    ["SERVICE_API_TOKEN", "é".repeat(32), form],
    ["SERVICE_API_TOKEN", ` ${"x".repeat(32)}`, form],
    ["SERVICE_API_TOKEN", `${"x".repeat(32)}\n`, form],
    ["SERVICE_API_TOKEN", `Bearer ${"x".repeat(32)}`, form],
  ])("%s=%j, without repeating it", async (name, value, rule) => {
    expect(await faultsOf({ environment: { [name]: value } })).toEqual([`${name} (environment) ${rule}`]);
  });
});

test("reports all faults at once, each with its source", async () => {
  await withFile('log_level = "loud"\nprot = 1\nHOST = "x"\nwardrobe_max = [1]\n', async (file) => {
    expect(await faultsOf({ flags: { PORT: "a" }, environment: { SITE_URL: "b" }, file })).toEqual([
      "prot (cloakroom.toml) is no setting; did you mean port?",
      "HOST (cloakroom.toml) is no setting; did you mean host?",
      "WARDROBE_MAX (cloakroom.toml) must be a string or a number",
      'PORT (--port) is "a": must be a whole number from 0 to 65535',
      'SITE_URL (environment) is "b": must be an http:// or https:// address without user name, query or fragment',
      'LOG_LEVEL (cloakroom.toml) is "loud": must be debug or info or warn or error',
    ]);
  });
});

test("says when the file is missing", async () => {
  const [fault = ""] = await faultsOf({ file: "/nowhere/cloakroom.toml" });
  expect(fault).toStartWith("--config /nowhere/cloakroom.toml cannot be read: ");
});

test("says when the file is no TOML", async () => {
  await withFile("port = = 1", async (file) => {
    const [fault = ""] = await faultsOf({ file });
    expect(fault).toStartWith(`--config ${file} cannot be read: `);
  });
});

test.each([
  ["JWT_SECRET", "jwtSecret"],
  ["SERVICE_API_TOKEN", "serviceToken"],
] as const)("keeps %s out of everything that is printed", async (name, key) => {
  const secret = "correct horse battery staple, twice";
  const loaded = await loadConfig({ ...nothing, environment: { [name]: secret } });
  expect(loaded[key]?.reveal()).toBe(secret);
  const printed = [String(loaded[key]), JSON.stringify(loaded), Bun.inspect(loaded)].join("\n");
  expect(printed).not.toContain(secret);
});

test("every setting has a meaning, and every default is a value that it takes", () => {
  for (const setting of Object.values(settings)) {
    expect(setting.meaning.length).toBeGreaterThan(10);
    expect(() => setting.read([])).not.toThrow();
  }
});

describe("USERNAME_PATTERN", () => {
  test.each([
    "^[a-z]+$",
    "^[A-Za-z0-9_]{3,16}$",
    "^[a-z][a-z0-9]*(?:_[a-z0-9]+)?$",
    "^(?:red|blue)[0-9]{1,4}$",
    "^[\\p{L}\\p{N}_]{2,20}$",
    "^[$^(]\\$x$",
    "^(a+)$",
  ])("may be %s", async (pattern) => {
    expect((await configWith({ USERNAME_PATTERN: pattern })).rules.names.pattern.source).toBe(pattern);
  });

  test.each([
    ["[a-z]+", "must begin with ^ and end with $"],
    ["^[a-z]+", "must begin with ^ and end with $"],
    ["^a\\$", "must begin with ^ and end with $"],
    ["^a$|^b$", "must have no $ but the last"],
    ["^a|b$", "must have its alternatives in parentheses, as in ^(?:a|b)$"],
    ["^(a+)+$", "must not repeat a group"],
    ["^(?:a|aa)*$", "must not repeat a group"],
    ["^(?:a|aa){1,9}$", "must not repeat a group"],
    ["^(a)\\1$", "must do without references back to a group"],
    ["^(?<n>a)\\k<n>$", "must do without references back to a group"],
    ["^(?=a)a$", "must do without look-around: (?=, (?!, (?<= and (?<!"],
    ["^(?<!a)a$", "must do without look-around: (?=, (?!, (?<= and (?<!"],
    ["^a*a*a*a*$", "must have fewer open-ended parts or alternatives (+, *, |): it may run too long"],
    [
      "^a{0,64}a{0,64}a{1,}a{5}a?a+$",
      "must have fewer open-ended parts or alternatives (+, *, |): it may run too long",
    ],
    [`^${"a".repeat(255)}$`, "must have at most 256 characters"],
  ])("must not be %s", async (pattern, rule) => {
    expect(await faultsOf({ environment: { USERNAME_PATTERN: pattern } })).toEqual([
      `USERNAME_PATTERN (environment) is ${JSON.stringify(pattern)}: ${rule}`,
    ]);
  });

  test("must be a regular expression", async () => {
    const [fault = ""] = await faultsOf({ environment: { USERNAME_PATTERN: "^[a$" } });
    expect(fault).toStartWith('USERNAME_PATTERN (environment) is "^[a$": must be a regular expression (');
  });
});

describe("settings that go together", () => {
  test.each([
    ["a certificate without a key", { TLS_CERT: "a.crt" }, ["TLS_KEY must be given with TLS_CERT"]],
    ["a key without a certificate", { TLS_KEY: "a.key" }, ["TLS_CERT must be given with TLS_KEY"]],
    [
      "a socket file without a public address",
      { LISTEN_UNIX: "a.sock" },
      ["PUBLIC_URL must be given with LISTEN_UNIX: a socket file has no address for browsers"],
    ],
    [
      "backups among the textures",
      { DATA_DIR: "/srv/data", BACKUP_DIR: "/srv/data/textures/old" },
      ["BACKUP_DIR must not lie in /srv/data/textures, which the server keeps for itself"],
    ],
    [
      "a socket file with TLS",
      { LISTEN_UNIX: "a.sock", PUBLIC_URL: "https://a.example", TLS_CERT: "a.crt", TLS_KEY: "a.key" },
      ["TLS_CERT must not be given with LISTEN_UNIX: there the proxy speaks https"],
    ],
  ])("%s is a fault", async (_, environment, faults) => {
    expect(await faultsOf({ environment })).toEqual(faults);
  });

  test("are reported together with every other fault", async () => {
    const faults = await faultsOf({ environment: { TLS_CERT: "a.crt", LISTEN_UNIX: "a.sock", PORT: "x" } });
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(["PORT", "TLS_KEY", "PUBLIC_URL", "TLS_CERT"]);
  });

  test.each([
    ["not read by commands that only need the settings", { TLS_CERT: "gone.crt" }, false, 0],
    ["read by the server", { TLS_CERT: "gone.crt" }, true, 1],
    ["not looked at without a path", { TLS_CERT: "" }, true, 1],
  ])("that are files are %s", async (_, certificate, serving, count) => {
    const flags = { PORT: "x", TLS_KEY: "gone.key", ...certificate };
    const [port, ...others] = await faultsOf({ flags, serving });
    expect(port).toStartWith("PORT ");
    expect(others).toHaveLength(count);
    for (const fault of others) {
      expect(fault).toStartWith("TLS_CERT ");
      expect(fault).not.toContain("undefined");
    }
  });

  test("are taken when they do", async () => {
    expect(await configWith({ TLS_CERT: "a.crt", TLS_KEY: "/b.key" })).toMatchObject({
      tls: { certFile: resolve("a.crt"), keyFile: "/b.key" },
      socketFile: null,
    });
    expect(await configWith({ LISTEN_UNIX: "a.sock", PUBLIC_URL: "https://a.example" })).toMatchObject({
      tls: null,
      socketFile: resolve("a.sock"),
    });
  });
});

describe("CORS_ORIGINS", () => {
  test.each([
    ["*", ["*"]],
    ["https://www.example.org", ["https://www.example.org"]],
    [
      " HTTPS://WWW.Example.org:443 ,http://localhost:5173",
      ["https://www.example.org", "http://localhost:5173"],
    ],
    ["http://[::1]:8080", ["http://[::1]:8080"]],
  ])("%p is read as browsers say it", async (given, corsOrigins) => {
    expect((await configWith({ CORS_ORIGINS: given })).corsOrigins).toEqual(corsOrigins);
  });

  test.each([
    "www.example.org",
    "https://www.example.org/app",
    "https://www.example.org?x",
    "https://user@www.example.org",
    "https://a.example,*",
    "https://a.example,,https://b.example",
    "https://*.example.org",
    "null",
    "ftp://a.example",
  ])("%p is a fault that names the part", async (given) => {
    const [fault = ""] = await faultsOf({ environment: { CORS_ORIGINS: given } });
    expect(fault).toMatch(/^CORS_ORIGINS \(environment\) is .*: must be \* or origins like /);
  });
});

describe("S3_ENDPOINT", () => {
  const bucket = { S3_BUCKET: "backups", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };

  test.each([
    ["https://s3.example.org/", "https://s3.example.org"],
    ["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
    ["http://[::1]:9000", "http://[::1]:9000"],
  ])("is taken: %s", async (S3_ENDPOINT, endpoint) => {
    expect((await configWith({ ...bucket, S3_ENDPOINT })).backup.bucket).toMatchObject({ endpoint });
  });

  test.each([
    "http://s3.example.org",
    "http://192.0.2.1:9000",
    "http://localhost.example.org",
    "s3.example.org",
  ])("is refused where others could read along: %s", async (S3_ENDPOINT) => {
    const rule =
      "must be an https:// address without user name, query or fragment (http:// on this machine alone)";
    expect(await faultsOf({ environment: { ...bucket, S3_ENDPOINT } })).toEqual([
      `S3_ENDPOINT (environment) is "${S3_ENDPOINT}": ${rule}`,
    ]);
  });
});

test("LISTEN_UNIX is no longer than systems allow", async () => {
  const environment = { PUBLIC_URL: "https://a.example", LISTEN_UNIX: `/${"a".repeat(102)}` };
  expect((await configWith(environment)).socketFile).toHaveLength(103);
  const [fault] = await faultsOf({ environment: { ...environment, LISTEN_UNIX: `/${"a".repeat(103)}` } });
  expect(fault).toContain("must have 103 bytes at most as a whole path");
});
