/** Settings of social login: several providers, and everything that can be wrong with them, at once. */
import { describe, expect, test } from "bun:test";
import { ConfigError, loadConfig, type LoadedConfig } from "../../src/boot/config.ts";

function load(environment: Record<string, string>): Promise<LoadedConfig> {
  return loadConfig({ flags: {}, environment, file: null, logsToTerminal: false });
}

async function faultsOf(environment: Record<string, string>): Promise<readonly string[]> {
  const error = await load(environment).then(
    () => null,
    (cause: unknown) => cause,
  );
  return error instanceof ConfigError ? error.faults : [`no ConfigError but ${String(error)}`];
}

const discord = { SOCIAL_DISCORD_CLIENT_ID: "d", SOCIAL_DISCORD_CLIENT_SECRET: "discord's secret" };
const oidc = {
  SOCIAL_OIDC_CLIENT_ID: "o",
  SOCIAL_OIDC_CLIENT_SECRET: "the issuer's secret",
  SOCIAL_OIDC_ISSUER: "https://issuer.example/",
};

test("several providers, in the order in which they are named", async () => {
  const given = { SOCIAL_PROVIDERS: "oidc, discord", ...discord, ...oidc };
  const { config, withoutEffect } = await load({
    ...given,
    SOCIAL_DISCORD_BASE_URL: "https://discord.example/",
  });
  const secret = expect.anything();
  expect(config.social).toEqual([
    {
      provider: "oidc",
      label: "issuer.example",
      clientId: "o",
      clientSecret: secret,
      baseUrl: null,
      issuer: "https://issuer.example/",
    },
    {
      provider: "discord",
      label: "Discord",
      clientId: "d",
      clientSecret: secret,
      baseUrl: "https://discord.example",
      issuer: "https://discord.example",
    },
  ]);
  expect(config.social.map(({ clientSecret }) => clientSecret.reveal())).toEqual([
    "the issuer's secret",
    "discord's secret",
  ]);
  expect(withoutEffect).toEqual([]);
});

test.each([
  ["Guild account", "Guild account"],
  ["  Общий вход ", "Общий вход"],
  ["👩\u200d🚀 Space", "👩\u200d🚀 Space"],
  ["𠮷".repeat(40), "𠮷".repeat(40)],
])("an issuer is called %p", async (given, label) => {
  const { config } = await load({ SOCIAL_PROVIDERS: "oidc", ...oidc, SOCIAL_OIDC_NAME: given });
  expect(config.social).toMatchObject([{ provider: "oidc", label }]);
});

test.each([
  " ",
  "x".repeat(41),
  "two\nlines",
  "a bell\u0007",
  "turned\u202e",
  "half \ud83e",
  "\u200b\u200b",
  "…",
])("an issuer cannot be called %p", async (given) => {
  const faults = await faultsOf({ SOCIAL_PROVIDERS: "oidc", ...oidc, SOCIAL_OIDC_NAME: given });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toStartWith("SOCIAL_OIDC_NAME");
  expect(faults[0]).toContain("must be one line of at most 40 characters");
});

test("client secrets stay out of everything that is printed", async () => {
  const loaded = await load({ SOCIAL_PROVIDERS: "discord", ...discord });
  const printed = [JSON.stringify(loaded), Bun.inspect(loaded, { depth: 9 })].join("\n");
  expect(printed).toContain('"clientId":"d"');
  expect(printed).not.toContain("discord's secret");
});

test("settings of a provider that is not named have no effect, and are reported", async () => {
  const { config, withoutEffect } = await load({ SOCIAL_PROVIDERS: "discord", ...discord, ...oidc });
  expect(config.social).toHaveLength(1);
  expect([...withoutEffect].sort()).toEqual(Object.keys(oidc).sort());
});

test.each([
  ["discord", undefined, "https://discord.com"],
  ["github", undefined, "https://github.com"],
  ["google", undefined, "https://accounts.google.com"],
  ["twitch", undefined, "https://id.twitch.tv"],
  ["github", "https://github.com/", "https://github.com"],
  ["github", "HTTPS://Git.Example.org:443/a/", "https://git.example.org/a"],
])("the people of %s at %p are vouched for by %s", async (provider, baseUrl, issuer) => {
  const prefix = `SOCIAL_${provider.toUpperCase()}`;
  const access = { [`${prefix}_CLIENT_ID`]: "c", [`${prefix}_CLIENT_SECRET`]: "s" };
  const place = baseUrl === undefined ? {} : { [`${prefix}_BASE_URL`]: baseUrl };
  const { config } = await load({ SOCIAL_PROVIDERS: provider, ...access, ...place });
  expect(config.social).toMatchObject([{ provider, issuer }]);
});

function missing(name: string, provider: string): string {
  return `${name} must be set, because SOCIAL_PROVIDERS names ${provider}: set it, or take ${provider} out`;
}

describe("a missing setting is reported with its cure", () => {
  const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [
      { SOCIAL_PROVIDERS: "discord" },
      [missing("SOCIAL_DISCORD_CLIENT_ID", "discord"), missing("SOCIAL_DISCORD_CLIENT_SECRET", "discord")],
    ],
    [
      { SOCIAL_PROVIDERS: "github", SOCIAL_GITHUB_CLIENT_ID: "g" },
      [missing("SOCIAL_GITHUB_CLIENT_SECRET", "github")],
    ],
    [
      { SOCIAL_PROVIDERS: "google,twitch", SOCIAL_GOOGLE_CLIENT_SECRET: "g", SOCIAL_TWITCH_CLIENT_ID: "t" },
      [missing("SOCIAL_GOOGLE_CLIENT_ID", "google"), missing("SOCIAL_TWITCH_CLIENT_SECRET", "twitch")],
    ],
    [
      { SOCIAL_PROVIDERS: "oidc", SOCIAL_OIDC_CLIENT_ID: "o", SOCIAL_OIDC_CLIENT_SECRET: "s" },
      [missing("SOCIAL_OIDC_ISSUER", "oidc")],
    ],
    [
      { SOCIAL_PROVIDERS: "discord", SOCIAL_DISCORD_CLIENT_ID: "", SOCIAL_DISCORD_CLIENT_SECRET: "s" },
      [missing("SOCIAL_DISCORD_CLIENT_ID", "discord")],
    ],
  ];
  test.each(cases)("%j", async (environment, faults) => {
    expect(await faultsOf(environment)).toEqual(faults);
  });
});

describe("a wrong setting is reported with the rule", () => {
  const address =
    "must be an https:// address without user name, query or fragment (http:// on this machine alone)";
  const names = "must be some of discord, github, google, twitch, oidc, separated by commas";
  const both = { SOCIAL_PROVIDERS: "discord,oidc", ...discord, ...oidc };
  test.each([
    ["SOCIAL_PROVIDERS", "facebook", names],
    ["SOCIAL_PROVIDERS", "discord,", names],
    ["SOCIAL_PROVIDERS", "Discord", names],
    ["SOCIAL_PROVIDERS", "discord;oidc", names],
    ["SOCIAL_PROVIDERS", "discord,discord", "must name each provider once"],
    ["SOCIAL_OIDC_ISSUER", "issuer.example", address],
    ["SOCIAL_OIDC_ISSUER", "http://issuer.example", address],
    ["SOCIAL_OIDC_ISSUER", "https://me:word@issuer.example", address],
    ["SOCIAL_OIDC_ISSUER", "https://issuer.example?x", address],
    ["SOCIAL_DISCORD_BASE_URL", "http://192.0.2.1", address],
    ["SOCIAL_DISCORD_BASE_URL", "http://localhost.example", address],
    ["SOCIAL_DISCORD_BASE_URL", "file:///etc", address],
  ])("%s=%s", async (name, value, rule) => {
    expect(await faultsOf({ ...both, [name]: value })).toEqual([
      `${name} (environment) is ${JSON.stringify(value)}: ${rule}`,
    ]);
  });

  test.each(["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "https://x.example/a/b"])(
    "%s is fine",
    async (url) => {
      const { config } = await load({ ...both, SOCIAL_DISCORD_BASE_URL: url, SOCIAL_OIDC_ISSUER: url });
      expect(config.social).toMatchObject([{ baseUrl: url }, { issuer: url }]);
    },
  );

  test("all at once", async () => {
    const faults = await faultsOf({
      SOCIAL_PROVIDERS: "discord,oidc",
      SOCIAL_OIDC_ISSUER: "nowhere",
      SOCIAL_OIDC_CLIENT_ID: "o",
      PORT: "x",
    });
    expect(faults.map((fault) => fault.split(" ", 1)[0])).toEqual([
      "PORT",
      "SOCIAL_OIDC_ISSUER",
      "SOCIAL_DISCORD_CLIENT_ID",
      "SOCIAL_DISCORD_CLIENT_SECRET",
      "SOCIAL_OIDC_CLIENT_SECRET",
    ]);
  });
});
