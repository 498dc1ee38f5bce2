/** Where an issuer may send us: no nearer to this machine than it is itself. */
import { afterAll, describe, expect, test } from "bun:test";
import { resolveHost } from "../../src/adapters/oauth/host-places.ts";
import { openHarness } from "../support/harness.ts";
import { startFakeIssuer } from "../support/social/fake-issuer.ts";
import { lineOf, settingsOf } from "../support/social/social-world.ts";

/** Names of a network that tests have to themselves. */
const names: Readonly<Record<string, readonly string[]>> = {
  "issuer.example": ["192.0.43.7"],
  "public.example": ["192.0.43.8", "2001:500:88:200::8"],
  "here.example": ["127.0.0.1"],
  "here6.example": ["::1"],
  "link.example": ["169.254.169.254"],
  "inside.example": ["10.0.0.6"],
  "inside6.example": ["fd00::6"],
  "partly.example": ["192.0.43.9", "192.168.1.1"],
  "sso.corp": ["10.0.0.5"],
};

/**
 * A service whose issuer has this name, and is found here. What it says of itself is kept once it was usable.
 */
async function openWorld(issuer: string) {
  await using opened = new AsyncDisposableStack();
  const fake = opened.use(await startFakeIssuer());
  const { SOCIAL_OIDC_BASE_URL: _, ...access } = settingsOf("oidc", "");
  const settings = { ...access, SOCIAL_OIDC_ISSUER: issuer, SOCIAL_OIDC_BASE_URL: fake.url };
  const asked: string[] = [];
  const resolveHost = async (name: string) => {
    asked.push(name);
    return names[name] ?? [];
  };
  const harness = opened.use(await openHarness({ settings, resolveHost }));
  const closing = opened.move();
  return {
    asked,
    /** Begins a login at the issuer, which names this host for one of its endpoints: the status, and why. */
    begin: async (endpoint: string, host: string) => {
      Object.assign(fake.answers.metadata, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        [endpoint]: `https://${host}/x`,
      });
      const response = await harness.fetch("/auth/social/login");
      return [response.status, lineOf(harness, response)?.["reason"]] as const;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function expectSent(issuer: string, endpoint: string, host: string): Promise<void> {
  await using world = await openWorld(issuer);
  expect(await world.begin(endpoint, host)).toEqual([302, undefined]);
}

const elsewhere = "https://issuer.example";
const endpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"];

const machine = [
  "localhost",
  "localhost.",
  "LocalHost..",
  "evil.localhost",
  "evil.localhost.",
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "１２７.0.0.1",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "0",
  "0.0.0.0",
  "0.1.2.3",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:1::1]",
  "[64:ff9b:1::127.0.0.1]",
  // Teredo: the server's address, and the client's with its bits inverted.
  "[2001:0:7f00:1::f5ff:fffe]",
  "[2001:0:c000:2b08::80ff:fffe]",
  "224.0.0.1",
  "255.255.255.255",
  "[ff02::1]",
  "here.example",
  "here6.example",
  "here.example.",
];
const link = [
  "169.254.169.254",
  "2852039166",
  "[::ffff:169.254.169.254]",
  "[fe80::1]",
  "[febf::1]",
  "link.example",
];
const network = [
  "10.0.0.1",
  "10.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "192.0.0.1",
  "198.18.0.1",
  "[::ffff:10.0.0.1]",
  "[64:ff9b::10.0.0.1]",
  "[64:ff9b:1::10.0.0.1]",
  "[64:ff9b:1::192.0.43.8]",
  "[64:ff9b:1:ffff::1]",
  "[2002:a00:1::1]",
  "[2001:0:c000:2b08::f5ff:fffe]",
  "[2001:0:c000:2b08::3fff:d4f7]",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "192.88.99.1",
  "198.19.255.255",
  "[100::1]",
  "[100:0:0:1::1]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:2f:ffff::1]",
  "[2001:3f::1]",
  "[2001:db8::1]",
  "[3fff:fff::1]",
  "[5f00::1]",
  "[4000::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[fec0::1]",
  "inside.example",
  "inside6.example",
  "partly.example",
];
const internet = [
  "192.0.43.8",
  "172.32.0.1",
  "100.128.0.1",
  "[2001:500:88:200::8]",
  "[64:ff9b::192.0.43.8]",
  "[2002:c000:2b08::1]",
  "192.31.196.1",
  "192.52.193.1",
  "192.175.48.1",
  "[2001:3::1]",
  "[2001:4:112::1]",
  "[2001:1:0::1]",
  "[2620:4f:8000::1]",
  "[2a00:1450:4001::1]",
  "public.example",
  "nowhere.example",
  "localhost.example",
  "notlocalhost",
];

const never = () => new Promise<never>(() => {});
const refused = (endpoint: string) => [502, `no usable ${endpoint} in the issuer's configuration`] as const;

describe("an issuer of the Internet", async () => {
  const world = await openWorld(elsewhere);
  afterAll(() => world[Symbol.asyncDispose]());

  test.each([...machine, ...link, ...network])("may not send us to %s", async (host) => {
    expect(await world.begin("token_endpoint", host)).toEqual(refused("token_endpoint"));
  });

  test.each(endpoints)("may not by its %s", async (endpoint) => {
    expect(await world.begin(endpoint, "[::ffff:127.0.0.1]")).toEqual(refused(endpoint));
  });

  test.each([...internet, "issuer.example", "issuer.example:8443"])("may send us to %s", (host) =>
    expectSent(elsewhere, "token_endpoint", host),
  );
});

describe("an issuer of an own network", async () => {
  const world = await openWorld("https://sso.corp");
  afterAll(() => world[Symbol.asyncDispose]());

  test.each([...machine, ...link])("may not send us to %s", async (host) => {
    expect(await world.begin("jwks_uri", host)).toEqual(refused("jwks_uri"));
  });

  test.each(["10.0.0.1", "inside6.example", "public.example", "sso.corp"])("may send us to %s", (host) =>
    expectSent("https://sso.corp", "jwks_uri", host),
  );
});

test.each(["127.0.0.1", "here6.example", "169.254.169.254", "10.0.0.1", "public.example"])(
  "an issuer of this machine, which settings alone can name, may send us to %s",
  (host) => expectSent("https://localhost", "userinfo_endpoint", host),
);

test("a name without an answer is waited for no longer than an answer", async () => {
  await using fake = await startFakeIssuer();
  const { SOCIAL_OIDC_BASE_URL: _, ...access } = settingsOf("oidc", "");
  const settings = { ...access, SOCIAL_OIDC_ISSUER: elsewhere, SOCIAL_OIDC_BASE_URL: fake.url };
  await using harness = await openHarness({ settings, resolveHost: never, socialTimeLimitMs: 50 });
  Object.assign(fake.answers.metadata, { issuer: elsewhere });
  const response = await harness.fetch("/auth/social/login");
  expect(response.status).toBe(502);
  expect(lineOf(harness, response)).toMatchObject({ reason: "no answer in time" });
});

test("the system's own names count", async () => {
  const addresses = await resolveHost("localhost");
  expect(addresses).not.toEqual([]);
  expect(addresses.filter((address) => !/^(?:127\.|::1$)/.test(address))).toEqual([]);
});

test("a name is asked for before anything is sent there, and this machine's own never", async () => {
  await using world = await openWorld(elsewhere);
  await world.begin("token_endpoint", "x.localhost.");
  expect(world.asked).toEqual(["issuer.example"]);
  await world.begin("token_endpoint", "public.example");
  expect(world.asked).toEqual(["issuer.example", "issuer.example", "public.example"]);
});
