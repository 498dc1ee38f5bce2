/** Doctor looks for the server where it listens, and at the certificate that it shows there. */
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { serveFolder } from "../../src/adapters/sqlite/folder-lock.ts";
import { makeCertificate, type Certificate } from "../support/certificates.ts";
import { openHarness } from "../support/harness.ts";
import { asSomebody, noSomebody } from "../support/somebody.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
type Finding = { check: string; state: string; message: string; remedy: string | null };
let folder: Folder;
let certificate: Certificate;
let other: Certificate;

beforeAll(async () => {
  folder = await temporaryFolder();
  certificate = await makeCertificate(folder.path, "served", 30);
  other = await makeCertificate(folder.path, "other", 30);
});
afterAll(() => folder[Symbol.asyncDispose]());

async function examine(environment: Record<string, string>, dataDir = join(folder.path, "none")) {
  const { out } = await run(["doctor", "--json", "--data-dir", dataDir], {
    environment: { PORT: "0", ...environment },
  });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return (check: string) => findings.filter((one) => one.check === check);
}

const look = async (environment: Record<string, string>) => (await examine(environment))("certificate");

const onSocket = () => ({
  // A socket's whole path has 107 bytes at most, of which the folder takes its part.
  LISTEN_UNIX: join(folder.path, `${crypto.randomUUID().slice(0, 8)}.sock`),
  PUBLIC_URL: "https://skins.invalid",
});

const tlsOf = ({ certFile, keyFile }: Certificate) => ({ TLS_CERT: certFile, TLS_KEY: keyFile });

describe("a server that speaks https", () => {
  test("is found on its port, whatever name its certificate has, and needs no proxy", async () => {
    const settings = { ...tlsOf(certificate), PUBLIC_URL: "https://skins.invalid" };
    await using harness = await openHarness({ settings });
    const { port } = new URL(harness.listen().address);
    using _served = serveFolder(harness.folder);
    const of = await examine({ ...settings, PORT: port }, harness.folder);
    expect(of("port")).toMatchObject([
      { state: "ok", message: `a cloakroom answers on port ${port} by https` },
    ]);
    expect(JSON.stringify(of("settings"))).not.toContain("TRUSTED_PROXIES");
  });

  test("is not found where another program speaks plain HTTP", async () => {
    using plain = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const of = await examine({ ...tlsOf(certificate), PORT: String(plain.port) });
    expect(of("port")).toMatchObject([
      {
        state: "problem",
        message: `cannot listen on 127.0.0.1, port ${plain.port}: it is in use; choose another with --port`,
      },
    ]);
  });

  test("with a certificate of its own making is refused at its public address, in plain words", async () => {
    await using harness = await openHarness({ settings: { ...tlsOf(certificate), PUBLIC_URL: undefined } });
    const PUBLIC_URL = harness.listen().address;
    expect((await examine({ PUBLIC_URL }))("public address")).toEqual([
      {
        check: "public address",
        state: "problem",
        message: `${PUBLIC_URL} shows a certificate that no authority vouches for which this machine trusts`,
        remedy: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
      },
    ]);
  });
});

describe("a server on a socket file", () => {
  test("is found there, whatever the port is, and needs no trusted proxy", async () => {
    const settings = onSocket();
    await using harness = await openHarness({ settings });
    harness.listen();
    using _served = serveFolder(harness.folder);
    const of = await examine(settings, harness.folder);
    expect(of("port")).toMatchObject([
      { state: "ok", message: `a cloakroom answers on ${settings.LISTEN_UNIX}` },
    ]);
    expect(JSON.stringify(of("settings"))).not.toContain("TRUSTED_PROXIES");
  });

  test("that is not there is to be started, although another answers on the port", async () => {
    using stranger = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const settings = onSocket();
    const of = await examine({ ...settings, PORT: String(stranger.port) });
    expect(of("port")).toMatchObject([
      { state: "warning", message: `no server answers on ${settings.LISTEN_UNIX}` },
    ]);
  });

  test("that is another program's is a problem", async () => {
    const settings = onSocket();
    using _stranger = Bun.serve({ unix: settings.LISTEN_UNIX, fetch: () => new Response("hello") });
    expect((await examine(settings))("port")).toMatchObject([
      { state: "problem", remedy: "end it, or choose another LISTEN_UNIX" },
    ]);
  });
});

test.skipIf(noSomebody !== null)(
  "a server on a socket file that this user may not open is not said to be down",
  async () => {
    const settings = onSocket();
    using _server = Bun.serve({ unix: settings.LISTEN_UNIX, fetch: () => new Response() });
    await chmod(settings.LISTEN_UNIX, 0);
    const { stdout } = await Bun.$`${asSomebody} ${program} doctor --json`
      .env({ ...settings, DATA_DIR: join(folder.path, "none") })
      .nothrow()
      .quiet();
    const { findings } = JSON.parse(stdout.toString()) as { findings: Finding[] };
    expect(findings.filter(({ check }) => check === "port")).toEqual([
      {
        check: "port",
        state: "warning",
        message: `this user may not use ${settings.LISTEN_UNIX}`,
        remedy: "run doctor as the service's user",
      },
    ]);
  },
);

const dayMs = 24 * 60 * 60 * 1000;

describe("doctor says that the certificate", () => {
  test.each([
    ["is good", 1, "ok", "it is good until 20"],
    ["ends within a third of its time", 21, "warning", "TLS_CERT ends at 20"],
    ["has ended", 31, "problem", "TLS_CERT ended at 20"],
    ["is not good yet", -1, "problem", "TLS_CERT is good only from 20"],
  ])("%s", async (_, days, state, words) => {
    setSystemTime(Date.now() + days * dayMs);
    try {
      expect(await look(tlsOf(certificate))).toMatchObject([
        { state, message: expect.stringContaining(words) },
      ]);
    } finally {
      setSystemTime();
    }
  });

  test.each(["https://localhost:8443", "https://127.0.0.1"])("names %s", async (PUBLIC_URL) => {
    expect(await look({ ...tlsOf(certificate), PUBLIC_URL })).toMatchObject([{ state: "ok" }]);
  });

  test.each(["skins.invalid", "127.0.0.2", "[::1]"])("does not name %s", async (host) => {
    expect(await look({ ...tlsOf(certificate), PUBLIC_URL: `https://${host}` })).toMatchObject([
      {
        state: "warning",
        message: expect.stringMatching(
          /^the certificate of TLS_CERT does not name .*, the host of PUBLIC_URL, but DNS:localhost/,
        ),
      },
    ]);
  });

  test.each([
    ["does not fit its key", () => ({ ...tlsOf(certificate), TLS_KEY: other.keyFile })],
    ["is none", () => ({ ...tlsOf(certificate), TLS_CERT: join(import.meta.dir, "run-program.ts") })],
    ["is not there", () => ({ ...tlsOf(certificate), TLS_CERT: join(folder.path, "gone.crt") })],
  ])("%s", async (_, settings) => {
    expect(await look(settings())).toMatchObject([
      { state: "problem", message: expect.stringContaining("cannot be used: ") },
    ]);
  });

  test("is missing where no address is set", async () => {
    expect(await look({})).toMatchObject([
      { state: "ok", message: expect.stringContaining("no certificate is set") },
    ]);
  });
});
