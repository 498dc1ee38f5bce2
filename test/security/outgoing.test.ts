/** Whom the service speaks to, and how sure it is of them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { httpWebhooks } from "../../src/adapters/webhook-http/http-webhook.ts";
import { makeData } from "../backup/data-world.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { openMailServer } from "../mail/mail-server.ts";
import { confirmMail, openWorld } from "../mail/outbox-world.ts";
import { makeCertificate, type Certificate } from "../support/certificates.ts";
import { openHarness } from "../support/harness.ts";
import { settingsOf } from "../support/social/social-world.ts";
import { readProjectFiles } from "../tidy/project-files.ts";

/** Each way that Bun, Node and our packages have to open a connection. */
const waysOut = [
  /(?<![.\w])fetch\(/,
  /\bBun\.(?:connect|udpSocket|s3|sql|redis)\b|new (?:WebSocket|S3Client|SQL|RedisClient)\(/,
  /\b(?:connect|createConnection|Socket)\b[^;]*from "node:(?:net|tls)"/,
  /(?:import|getBuiltinModule)\("node:(?:net|tls)"/,
  /\bnodeParts\.tls\b/,
  /(?:from |import\(|getBuiltinModule\()"node:(?:dgram|dns(?:\/promises)?|http2?|https)"/,
  /(?:from |import\()"nodemailer(?!\/lib\/mail-composer")/,
];

// What runs in browsers is held by the pages' policy: `connect-src 'self'`.
test("no other file of the server can reach another machine", () => {
  const files = readProjectFiles(/^src\/(?!web\/).*\.ts$/).filter(({ text }) =>
    waysOut.some((way) => way.test(text)),
  );
  expect(files.map(({ path }) => path).toSorted()).toEqual([
    "src/adapters/backup-s3/bucket-target.ts",
    "src/adapters/blob-s3/bucket-requests.ts",
    "src/adapters/mail-smtp/smtp-session.ts",
    // Asks the system for the addresses of hosts that an issuer names.
    "src/adapters/oauth/host-places.ts",
    "src/adapters/oauth/provider-http.ts",
    // Connects to the database that the settings name.
    "src/adapters/postgres/connections/connection.ts",
    // Connects to the database of another system that the operator names for an import.
    "src/adapters/sources/server-database.ts",
    "src/adapters/webhook-http/http-webhook.ts",
    // Looks whether another program listens on its socket file.
    "src/boot/listen-faults.ts",
    // Hands requests to the function that answers them, which Bun calls `fetch`.
    "src/boot/listener.ts",
    // Reads a certificate and its key by `node:tls`, which connects to nothing there.
    "src/boot/tls-files.ts",
    // Loads `node:tls` for it.
    "src/kernel/node-parts.ts",
    // The commands health and doctor ask this service itself, doctor also the bucket that the settings name.
    "src/operate/ask-server.ts",
    "src/operate/doctor/backups.ts",
    // Asks the public address, as launchers do.
    "src/operate/doctor/launchers.ts",
  ]);
});

describe("a server with an untrusted certificate", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let certificate: Certificate;
  let asked: string[];
  beforeAll(async () => {
    folder = await temporaryFolder();
    certificate = await makeCertificate(folder.path, "somebody");
  });
  afterAll(() => folder[Symbol.asyncDispose]());
  const pretend = () => {
    asked = [];
    return Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { cert: Bun.file(certificate.certFile), key: Bun.file(certificate.keyFile) },
      fetch: ({ method }) => {
        asked.push(method);
        return new Response();
      },
    });
  };

  test("gets no code and no secret of a social login", async () => {
    using server = pretend();
    const settings = settingsOf("discord", `https://localhost:${server.port}`);
    await using harness = await openHarness({ settings });
    const response = await harness.fetch("/auth/social/callback?code=a-code");
    expect(response.status).toBe(502);
    expect(harness.takeComplaints()).toMatchObject([{ reason: expect.stringMatching(/CERT/) }]);
    expect(asked).toEqual([]);
  });

  test.each([
    ["over TLS from the first byte", { secure: true }, {}],
    ["over STARTTLS", { secure: false }, {}],
    ["that offers no TLS", { secure: false }, { disabledCommands: ["STARTTLS"] }],
  ])("is given no mail, and signed in to by no password: %s", async (_, { secure }, offers) => {
    const seen: string[] = [];
    await using server = await openMailServer({
      cert: await Bun.file(certificate.certFile).text(),
      key: await Bun.file(certificate.keyFile).text(),
      secure,
      disabledCommands: [],
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: ({ username }, __, done) => {
        seen.push(username ?? "");
        done(null, { user: username ?? "" });
      },
      ...offers,
    });
    await using world = await openWorld();
    await world.post(confirmMail);
    // The system takes it for this machine; the program does not know that.
    const elsewhere = { host: "0.0.0.0", port: server.port, secure };
    await world.sendAll(world.toServer({ ...elsewhere, credentials: { user: "me", password: "secret" } }));
    expect({ seen, mails: server.mails }).toEqual({ seen: [], mails: [] });
    expect(await world.entries()).toMatchObject([{ state: "waiting", attempts: 1 }]);
  });

  test("hears of no event", async () => {
    using server = pretend();
    const message = { id: "evt_1", timestamp: 1, signature: "v1,c2lnbmF0dXJl", body: "{}" };
    const { signal } = new AbortController();
    const reason = await httpWebhooks()(`https://localhost:${server.port}/`, message, signal);
    expect(reason).toMatch(/^no connection: .*CERT/);
    expect(asked).toEqual([]);
  });

  test("is given no backup", async () => {
    using server = pretend();
    const dataDir = join(folder.path, "data");
    await makeData(dataDir);
    const environment = {
      S3_ENDPOINT: `https://localhost:${server.port}`,
      S3_BUCKET: "backups",
      S3_ACCESS_KEY_ID: "key-id",
      S3_SECRET_ACCESS_KEY: "a secret of the bucket",
    };
    const { code, error } = await run(["backup", "--data-dir", dataDir], { environment });
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(/CERT/) });
    expect(asked).toEqual([]);
  });
});
