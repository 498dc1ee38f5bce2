/**
 * What doctor says of services of others: a refused certificate is named with its own cure, and so is one
 * that does not answer.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../../src/boot/config.ts";
import { checks, runCheck, subjectOf } from "../../../src/operate/doctor/examine.ts";
import { temporaryFolder } from "../../cli/run-program.ts";
import { openMailServer, openScriptedServer } from "../../mail/mail-server.ts";
import { makeCertificate } from "../../support/certificates.ts";
import { examineIn } from "./beside-server.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tls: { readonly cert: string; readonly key: string };
beforeAll(async () => {
  folder = await temporaryFolder();
  const { certFile, keyFile } = await makeCertificate(folder.path, "nobody's");
  tls = { cert: await Bun.file(certFile).text(), key: await Bun.file(keyFile).text() };
});
afterAll(() => folder[Symbol.asyncDispose]());

const keys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "key" };
const untrusted = (by: string) => ({
  state: "problem",
  message: `${by} shows a certificate that no authority vouches for which this machine trusts`,
  remedy: expect.stringMatching(/^if an authority of your own made it, name its certificate in NODE_EXTRA/),
});

describe("a certificate that is refused", () => {
  test("of a mail server is not blamed on SMTP_URL", async () => {
    await using server = await openMailServer({ ...tls, secure: true });
    // It reaches this machine, and does not count as local, where no certificate is checked.
    const SMTP_URL = `smtps://0.0.0.0:${server.port}`;
    const { of } = await examineIn(join(folder.path, "none"), { SMTP_URL, MAIL_FROM: "a@example.org" });
    expect(of("mail server")).toMatchObject([untrusted(`0.0.0.0, port ${server.port}`)]);
  });

  test("of a bucket is not blamed on its keys, for textures and for backups", async () => {
    using service = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response() });
    const S3_ENDPOINT = `https://127.0.0.1:${service.port}`;
    const { of } = await examineIn(join(folder.path, "none"), {
      ...keys,
      S3_ENDPOINT,
      BLOBS: "s3://textures/here",
      S3_BUCKET: "backups",
      BACKUP_SCHEDULE: "@daily",
    });
    expect(of("bucket")).toMatchObject([untrusted(S3_ENDPOINT)]);
    expect(of("backups")).toMatchObject([untrusted(S3_ENDPOINT)]);
  });

  test("at PUBLIC_URL is a warning about launchers as well", async () => {
    using service = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response() });
    const { of } = await examineIn(join(folder.path, "none"), {
      PUBLIC_URL: `https://127.0.0.1:${service.port}`,
    });
    const remedy = expect.stringMatching(
      /^get one from an authority that browsers know; if your own made it/,
    );
    expect(of("public address")).toMatchObject([{ state: "problem", remedy }]);
    expect(of("launchers").at(-1)).toMatchObject({ state: "warning", remedy });
  });
});

test("a mail server that does not answer is named when the time is up", async () => {
  await using server = await openScriptedServer({ greeting: "silence" });
  const loaded = await loadConfig({
    flags: { DATA_DIR: join(folder.path, "none") },
    environment: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "a@example.org" },
    file: null,
    logsToTerminal: false,
  });
  const found = await runCheck(checks, "mail server", {
    subject: subjectOf(loaded, 0, false),
    ms: 100,
    stop: new AbortController().signal,
  });
  expect(found).toMatchObject([
    {
      state: "problem",
      message: `127.0.0.1, port ${server.port}: no answer within 0.1 seconds`,
      remedy: expect.stringMatching(/^check SMTP_URL/),
    },
  ]);
});

test("a move into the folder that was interrupted is a problem, in the words of the start", async () => {
  const dataDir = join(folder.path, "moved");
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(join(dataDir, "moving"), "");
  const { code, of } = await examineIn(dataDir);
  expect({ code, found: of("data folder") }).toMatchObject({
    code: 1,
    found: [
      {
        state: "problem",
        message: "a move into it was interrupted",
        remedy: `a move into ${dataDir} has not finished: run the same cloakroom move again, or remove the folder`,
      },
    ],
  });
  expect(of("database")).toMatchObject([
    { state: "ok", message: expect.stringContaining("waits for the move") },
  ]);
});
