/**
 * Settings that would harm an operator without a word: they are refused, or a start and doctor warn of them.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ConfigError, loadConfig, type LoadedConfig } from "../../src/boot/config.ts";
import { settingTraps } from "../../src/boot/config/traps.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

function load(environment: Record<string, string>): Promise<LoadedConfig> {
  return loadConfig({ flags: {}, environment, file: null, logsToTerminal: false });
}

async function trapsOf(environment: Record<string, string>): Promise<readonly string[]> {
  return settingTraps(await load(environment)).map(({ message }) => message);
}

async function faultsOf(environment: Record<string, string>): Promise<readonly string[]> {
  const cause = await load(environment).catch((error: unknown) => error);
  return cause instanceof ConfigError ? cause.faults : [];
}

describe("TRUSTED_PROXIES", () => {
  test.each([
    "0.0.0.0/0",
    "0.0.0.0/1,128.0.0.0/1",
    "10.0.0.1, 0.0.0.0/0",
    "8.0.0.0/7",
    "::/0",
    "2000::/3",
    "2a00::/12",
    "::ffff:0:0/96",
    "::ffff:0.0.0.0/97",
    "::ffff:0:0/90",
    "::/80",
    "fc00::/6",
  ])("%s is refused: anybody could choose an address", async (TRUSTED_PROXIES) => {
    const [fault = "", ...more] = await faultsOf({ TRUSTED_PROXIES });
    expect(fault).toStartWith(
      `TRUSTED_PROXIES (environment) is "${TRUSTED_PROXIES}": must name the proxies alone; `,
    );
    expect(fault).toContain("lets any stranger choose the address that counts as the client's");
    expect(more).toEqual([]);
  });

  test.each([
    "127.0.0.1",
    "127.0.0.0/8,::1",
    "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10",
    "fc00::/7,fd00::/8,fe80::/10",
    "104.16.0.0/13,2400:cb00::/32,2a06:98c0::/29",
    "::ffff:10.0.0.0/104",
  ])("%s is taken: proxies have such addresses", async (TRUSTED_PROXIES) => {
    expect(await faultsOf({ TRUSTED_PROXIES })).toEqual([]);
  });
});

/** The settings that are secrets, and what each is made of where a generator gives a text. */
const secretSettings = ["JWT_SECRET", "SERVICE_API_TOKEN", "AURORA_SECRET", "WEBHOOK_SECRET"] as const;
type SecretSetting = (typeof secretSettings)[number];
const secretTexts: Readonly<Record<SecretSetting, (text: string) => string>> = {
  JWT_SECRET: (text) => text,
  SERVICE_API_TOKEN: (text) => text,
  AURORA_SECRET: (text) => text.replaceAll(/[^\w-]/g, "_"),
  WEBHOOK_SECRET: (text) => `whsec_${text.replaceAll(/[^A-Za-z0-9+/]/g, "/")}`,
};

describe.each(secretSettings)("%s", (name) => {
  const textOf = secretTexts[name];

  test.each([
    ["one letter", "x".repeat(32)],
    ["one letter, very often", "x".repeat(4096)],
    ["two letters in turn", "ab".repeat(16)],
    ["a word, again and again", "secret".repeat(6)],
    ["a placeholder, again and again", "change-me-".repeat(4)],
    ["a word, the last time cut off", "passwordpasswordpasswordpasswordpass"],
    ["one letter and a digit", `${"a".repeat(40)}1`],
    ["two letters in a row each", `${"1".repeat(20)}${"2".repeat(20)}`],
    ["the digits, again and again", "0123456789".repeat(4)],
    ["the alphabet and the digits", "abcdefghijklmnopqrstuvwxyz0123456789"],
    ["the alphabet, large and small", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"],
    ["the alphabet backwards", "zyxwvutsrqponmlkjihgfedcba9876543210"],
    ["every second letter, and back", "acegikmoqsuwyACEGIKMOQSUWYacegikmoqsuwy"],
  ])("of %s is refused and not repeated", async (_, secret) => {
    expect(await faultsOf({ [name]: textOf(secret) })).toEqual([
      `${name} (environment) must be random, and repeats itself or counts: openssl rand -hex 32 makes one that is`,
    ]);
  });

  test.each([
    "correct horse battery staple, twice",
    "9f86d081884c7d659a2feaa0c55ad015",
    "40817263549103827465018273645091",
    "Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0",
  ])("%s is taken", async (secret) => {
    expect(await faultsOf({ [name]: textOf(secret) })).toEqual([]);
  });

  test("is taken as any random generator makes it", async () => {
    for (let made = 0; made < 200; made++) {
      const bytes = crypto.getRandomValues(Buffer.alloc(24));
      const digits = Array.from(bytes, (byte) => byte % 10)
        .join("")
        .padEnd(32, bytes.join(""));
      for (const secret of [bytes.toString("base64"), bytes.toString("hex"), digits.slice(0, 32)])
        expect(await faultsOf({ [name]: textOf(secret) })).toEqual([]);
    }
  });
});

/**
 * Variables as they are found on desktops, in containers, under systemd, in clusters and on build machines.
 */
const ordinary = [
  "SHELL PWD OLDPWD LOGNAME HOME LANG LC_ALL TERM USER SHLVL PATH MAIL _ TZ EDITOR PAGER LESS HOSTNAME HOSTTYPE OSTYPE MACHTYPE",
  "HOST PORT HOSTS PORTS POST SORT COST HTTP_HOST HTTP_PORT SERVER_PORT SERVER_NAME PUBLIC_IP PUBLIC_HOST PUBLIC_DIR SITE SITE_NAME",
  "XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS XDG_SESSION_TYPE XDG_RUNTIME_DIR DATADIR_ROOT DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS",
  "SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK GPG_AGENT_INFO LS_COLORS DEBIAN_FRONTEND NODE_ENV NODE_OPTIONS NPM_CONFIG_CACHE",
  "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR SSL_KEY TLS_CA CURL_CA_BUNDLE HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy no_proxy",
  "INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID LISTEN_FDNAMES MAINPID WATCHDOG_USEC STATE_DIRECTORY LOGS_DIRECTORY",
  "KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT_443_TCP_ADDR CLOAKROOM_PORT CLOAKROOM_SERVICE_HOST CLOAKROOM_PORT_3000_TCP",
  "DB_HOST DB_PORT REDIS_URL MYSQL_HOST PGHOST PGPORT PGDATA MAIL_HOST MAIL_PORT MAIL_USER MAIL_DRIVER SMTP_HOST SMTP_PORT SMTP_USER",
  "AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ENDPOINT_URL_S3 S3_KEY S3_URL S3_SECRET BUCKET_NAME BACKUP BACKUPS",
  "CI GITHUB_TOKEN GITHUB_SHA GITHUB_RUN_ID RUNNER_TEMP RUNNER_OS BUILD_ID BUILD_URL JOB_NAME WORKSPACE LOG_FILE LOG_DIR LOGLEVEL_ROOT LOGS",
  "JWT_ISSUER JWT_TTL JWT_KEY SECRET_KEY SECRET_KEY_BASE APP_URL APP_ENV APP_KEY BASE_URL DOMAIN DOMAINS ALLOWED_HOSTS CORS_ALLOWED_ORIGINS",
  "DISCORD_CLIENT_ID GITHUB_CLIENT_ID GITHUB_CLIENT_SECRET GOOGLE_CLIENT_ID OIDC_ISSUER RATE_LIMIT METRICS METRICS_ENABLED COMPUTERNAME",
  "APPDATA LOCALAPPDATA PROGRAMDATA SYSTEMROOT WINDIR COMSPEC PATHEXT USERNAME USERDOMAIN USERPROFILE NUMBER_OF_PROCESSORS PROCESSOR_LEVEL",
].flatMap((line) => line.split(" "));

describe("a name of the environment", () => {
  test.each([
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["PUBLIC_ULR", "PUBLIC_URL"],
    ["PUBLICURL", "PUBLIC_URL"],
    ["PUBLIC_URLS", "PUBLIC_URL"],
    ["public_url", "PUBLIC_URL"],
    ["SMTP_URI", "SMTP_URL"],
    ["JWT_SECERT", "JWT_SECRET"],
    ["MAIL_FORM", "MAIL_FROM"],
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["SOCIAL_PROVIDER", "SOCIAL_PROVIDERS"],
    ["SERVICE_API_TOKENS", "SERVICE_API_TOKEN"],
    ["BACKUP_SHEDULE", "BACKUP_SCHEDULE"],
    ["RATE_LIMT_FACTOR", "RATE_LIMIT_FACTOR"],
    ["SOCIAL_OIDC_CLIENTID", "SOCIAL_OIDC_CLIENT_ID"],
  ])("%s was probably meant as %s", async (name, setting) => {
    const traps = (await trapsOf({ [name]: "x" })).filter((message) => message.includes("did you mean"));
    expect(traps).toEqual([`${name} (environment) is no setting; did you mean ${setting}?`]);
  });

  test("is its owner's business where the setting is given as well", async () => {
    const environment = { SMTP_URI: "x", SMTP_URL: "smtp://127.0.0.1" };
    expect((await load(environment)).misspelt).toEqual([]);
  });

  test("is ordinary in most environments", async () => {
    const { misspelt } = await load({
      ...Object.fromEntries(ordinary.map((name) => [name, "x"])),
      HOST: "127.0.0.1",
      PORT: "1",
    });
    expect(misspelt).toEqual([]);
  });
});

test.each(["a b", "ab\u200b", "service:x", "CLI", "system"])(
  "no pattern of names makes %j somebody's, on the command line or by the API",
  async (username) => {
    const settings = { USERNAME_PATTERN: "^[^@]{1,30}$" };
    const args = [
      "user",
      "create",
      "--mail",
      "a@example.org",
      "--username",
      username,
      "--data-dir",
      folder.path,
    ];
    const { code, error } = await run(args, { environment: settings });
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("username: ") });
    await using harness = await openHarness({ settings });
    const { authorization, password } = await addMember(harness, "Anna");
    const body = JSON.stringify({ username, password });
    const response = await harness.fetch("/api/home/edit/username", {
      method: "PATCH",
      headers: { authorization, "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(400);
  },
);

/** The log of a start that ends because its port is not this user's to have, and what doctor says. */
async function wordsOf(environment: Record<string, string>) {
  const dataDir = `${folder.path}/${crypto.randomUUID()}`;
  const given = { LOG_FORMAT: "json", DATA_DIR: dataDir, ...environment };
  const start = await run(["serve", "--port", "0"], {
    environment: { ...given, HOST: "192.0.2.1", ...environment },
  });
  const doctor = await run(["doctor", "--json", "--port", "0"], { environment: given });
  const { findings }: { findings: { check: string; state: string; message: string; remedy: string }[] } =
    JSON.parse(doctor.out);
  return { start: start.error, findings };
}

describe("a start and doctor warn", () => {
  const behindProxy = { PUBLIC_URL: "https://skins.example.org" };
  test.each<[string, Record<string, string>, string]>([
    ["of a misspelt name", { TRUSTED_PROXY: "10.0.0.1" }, "TRUSTED_PROXY (environment) is no setting"],
    [
      "of a proxy that is not trusted",
      behindProxy,
      "TRUSTED_PROXIES is not set although a proxy stands before",
    ],
    [
      "of players who are sent nowhere",
      { HOST: "192.0.2.1" },
      "PUBLIC_URL is not set: texture addresses begin with http://192.0.2.1",
    ],
    [
      "of a pattern that takes blanks",
      { USERNAME_PATTERN: "^[^@]+$" },
      "USERNAME_PATTERN ^[^@]+$ takes names with",
    ],
    [
      "of a pattern that takes services",
      { USERNAME_PATTERN: "^[a-z:]+$" },
      "USERNAME_PATTERN ^[a-z:]+$ takes",
    ],
    ["of limits that are off", { RATE_LIMIT_FACTOR: "0" }, "RATE_LIMIT_FACTOR is 0"],
  ])("%s", async (_, environment, words) => {
    const { start, findings } = await wordsOf(environment);
    const lines = start.split("\n").filter((line) => line.includes(words));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "warn", remedy: expect.any(String) }),
    ]);
    expect(findings).toContainEqual({
      check: "settings",
      state: "warning",
      message: expect.stringContaining(words),
      remedy: expect.any(String),
    });
  });

  test("of a proxy on this machine at the first request whose client counts, and then no more", async () => {
    await using harness = await openHarness();
    const { address } = harness.listen();
    const ask = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ username: "nobody", password: "x7-Kq!m2-nobody" });
      const type = { "content-type": "application/json" };
      await fetch(`${address}/api/auth/login`, { method: "POST", headers: { ...type, ...headers }, body });
    };
    await ask({});
    expect(harness.takeComplaints()).toEqual([]);
    for (const client of ["203.0.113.9", "203.0.113.10"]) await ask({ "x-forwarded-for": client });
    expect(harness.takeComplaints()).toEqual([
      expect.objectContaining({
        level: "warn",
        message: expect.stringContaining(
          "from this machine with X-Forwarded-For, and TRUSTED_PROXIES does not name it",
        ),
        remedy: expect.stringContaining("TRUSTED_PROXIES=127.0.0.1"),
      }),
    ]);
  });

  test("of a proxy where the server listens on this machine alone and players come by another name", async () => {
    const environment = { PUBLIC_URL: "http://skins.example.org" };
    expect(await trapsOf(environment)).toEqual([expect.stringContaining("TRUSTED_PROXIES is not set")]);
    expect(await trapsOf({ ...environment, TRUSTED_PROXIES: "127.0.0.1" })).toEqual([]);
    expect(await trapsOf({ ...environment, HOST: "192.0.2.1" })).toEqual([]);
  });

  test("of nothing with the default settings", async () => {
    expect(await trapsOf({})).toEqual([]);
    for (const USERNAME_PATTERN of ["^[a-z]+$", "^[\\p{L}\\p{N}_.-]{2,20}$"])
      expect(await trapsOf({ USERNAME_PATTERN })).toEqual([]);
  });
});

test("a proxy before a server that knows no address of its own is warned of, unless there is no console", async () => {
  const settings = { TRUSTED_PROXIES: "127.0.0.1" };
  expect(await trapsOf(settings)).toEqual([
    expect.stringMatching(/^PUBLIC_URL is not set although a proxy stands before this server/),
  ]);
  expect(await trapsOf({ ...settings, CONSOLE: "false" })).toEqual([]);
  expect(await trapsOf({ ...settings, PUBLIC_URL: "https://skins.example.org" })).toEqual([]);
});

const about = (traps: readonly string[]) => traps.filter((one) => /DATABASE_URL|DRAIN_SECONDS/.test(one));

describe("DATABASE_URL", () => {
  const JWT_SECRET = "correct horse battery staple, twice";
  const url = "postgres://cloak@db.example.org/skins";

  test.each([
    ["require", 1],
    ["verify-ca", 1],
    ["verify-full", 0],
  ])("warns of sslmode=%s where another machine may answer", async (mode, count) => {
    expect(about(await trapsOf({ JWT_SECRET, DATABASE_URL: `${url}?sslmode=${mode}` }))).toHaveLength(count);
  });

  test("warns of a node that closes before its balancer knows", async () => {
    const behind = { JWT_SECRET, DATABASE_URL: url, PUBLIC_URL: "https://skins.example.org" };
    expect(about(await trapsOf(behind))).toEqual([expect.stringContaining("DRAIN_SECONDS is 0")]);
    expect(about(await trapsOf({ ...behind, DRAIN_SECONDS: "10" }))).toEqual([]);
  });
});
