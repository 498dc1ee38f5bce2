/* Faults of a community of one data folder. */
import { Database } from "bun:sqlite";
import { chmod, chown, cp, mkdir, open, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { putOldDatabase } from "../../backup/data-world.ts";
import { run } from "../../cli/run-program.ts";
import { openMailServer, openScriptedServer } from "../../mail/mail-server.ts";
import { mountSmallDisk } from "../../faults/small-disk.ts";
import { testBucket, type TestBucket } from "../../support/bucket.ts";
import { holdClosedPort } from "../../support/closed-port.ts";
import { nobody } from "../../support/somebody.ts";
import { makeAuthority } from "./authority.ts";
import { firstTexture, type Planted, type World, leadElsewhere } from "./planted.ts";

const daily = { BACKUP_SCHEDULE: "@daily" };
const dayMs = 24 * 60 * 60 * 1000;

/** Does the first command of a remedy, as a person does who pastes it. */
const paste = (remedy: string) => Bun.$`sh -c ${remedy.split(";")[0] ?? ""}`.quiet();

/** To where doctor's own machine goes by another way than to itself: what counts as local is not checked. */
const notLocal = "0.0.0.0";

const lostTexture = (plant: (path: string) => Promise<unknown>): Planted => ({
  runs: true,
  plant: async (world) => void (await plant(firstTexture(world))),
  finds: [
    "textures",
    "problem",
    /^1 of 4 textures are missing or damaged/,
    /cloakroom fsck lists and repairs/,
  ],
});

/** A mail server whose certificate is refused. */
const mailByTls = (days: number, names: string, message: RegExp, remedy: RegExp): Planted => ({
  plant: async ({ folder, use }) => {
    const { certFile, keyFile } = await (await makeAuthority(folder)).sign("mail", names, days);
    const tls = { cert: await Bun.file(certFile).text(), key: await Bun.file(keyFile).text() };
    const server = use(await openMailServer({ ...tls, secure: true }));
    return { SMTP_URL: `smtps://${notLocal}:${server.port}`, MAIL_FROM: "a@example.org" };
  },
  manner: (folder) => ({ authorities: join(folder, "authority.crt") }),
  finds: ["mail server", "problem", message, remedy],
});

const mailThat = (
  script: Parameters<typeof openScriptedServer>[0],
  message: RegExp,
  remedy: RegExp,
): Planted => ({
  plant: async ({ use }) => {
    const server = use(await openScriptedServer(script));
    return { SMTP_URL: `smtp://user:secret@127.0.0.1:${server.port}`, MAIL_FROM: "a@example.org" };
  },
  finds: ["mail server", "problem", message, remedy],
});

/** TLS_CERT and TLS_KEY of the server. */
const ownCertificate = (days: number, names: string) => async (folder: string) => {
  const { certFile, keyFile } = await (await makeAuthority(folder)).sign("own", names, days);
  return { TLS_CERT: certFile, TLS_KEY: keyFile };
};

/** A proxy before the server of this world, at PUBLIC_URL. */
const behindProxy = (
  { server, use }: World,
  answer: (request: Request, pass: () => Promise<Response>) => Promise<Response> | Response,
) => {
  const proxy = use(
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) =>
        answer(request, () =>
          fetch(`${server?.url}${new URL(request.url).pathname}`, { redirect: "manual" }),
        ),
    }),
  );
  return { PUBLIC_URL: `http://127.0.0.1:${proxy.port}` };
};

const bucketThat = (
  plant: (bucket: TestBucket) => Record<string, string>,
  message: RegExp,
  remedy: RegExp,
): Planted => ({
  plant: async ({ use }) => {
    const bucket = use(await testBucket());
    return {
      BLOBS: bucket.url,
      S3_ENDPOINT: bucket.endpoint,
      S3_REGION: bucket.region,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      ...plant(bucket),
    };
  },
  finds: ["bucket", "problem", message, remedy],
});

/** Faults for which doctor or the test has to be root. */
export const asRoot: Readonly<Record<string, Planted>> = {
  "the disk is full": {
    plant: async ({ use, dataDir }) => {
      const disk = use(await mountSmallDisk(16 << 20));
      await cp(dataDir, join(disk.path, "data"), { recursive: true });
      await disk.leave(0);
      return { DATA_DIR: join(disk.path, "data") };
    },
    finds: ["disk", "problem", /^0 \w+ are free$/, /make room/],
    also: ["database", "port"],
  },
  "a texture of another user": {
    plant: async (world) => {
      await Bun.$`chown -R ${nobody}:${nobody} ${world.dataDir}`.quiet();
      const path = firstTexture(world);
      await chown(path, 0, 0);
      await chmod(path, 0o600);
    },
    manner: () => ({ isSomebody: true }),
    finds: ["textures", "problem", /^1 of 4 textures are missing or damaged; .*EACCES/, /check who owns it/],
  },
  "backups into a folder that the server's user may not write": {
    settings: () => daily,
    plant: async ({ dataDir }) => {
      await Bun.$`chown -R ${nobody}:${nobody} ${dataDir}`.quiet();
      return { BACKUP_DIR: "/etc" };
    },
    manner: () => ({ isSomebody: true }),
    finds: ["backups", "problem", /^BACKUP_DIR \/etc cannot be used: EACCES/, /give it to the server's user/],
  },
};

/** Waits for the signing key that a server makes in its first seconds. Resolves to its file. */
async function madeKey(dataDir: string): Promise<string> {
  const path = join(dataDir, "secrets/signing-key");
  for (let tries = 0; tries < 200 && !(await Bun.file(path).exists()); tries++) await Bun.sleep(100);
  return path;
}

export const onSqlite: Readonly<Record<string, Planted>> = {
  "secrets are deleted beside a running server": {
    runs: true,
    plant: async ({ dataDir }) => {
      await madeKey(dataDir);
      await rm(join(dataDir, "secrets"), { recursive: true });
    },
    finds: [
      "secrets",
      "problem",
      /^secrets\/signing-key is gone: only the server that runs still has it/,
      /^do not restart the server before it is back: cloakroom restore/,
    ],
  },
  "the signing key is deleted beside a running server": {
    runs: true,
    plant: async ({ dataDir }) => rm(await madeKey(dataDir)),
    finds: ["secrets", "problem", /^secrets\/signing-key is gone/, /^do not restart the server/],
  },
  "a secret can be read by others": {
    runs: true,
    plant: ({ dataDir }) => chmod(join(dataDir, "secrets/jwt-secret"), 0o644),
    finds: ["secrets", "problem", /other users of this machine can read .*jwt-secret/, /^chmod go= '/],
    cure: paste,
  },
  "the signing key cannot sign": {
    plant: ({ dataDir }) => writeFile(join(dataDir, "secrets/signing-key"), "no key", { mode: 0o600 }),
    finds: ["secrets", "problem", /signing-key is damaged: delete it/, /./],
  },
  "the data folder can be written by others": {
    runs: true,
    plant: ({ dataDir }) => chmod(dataDir, 0o777),
    finds: ["data folder", "problem", /can write .*: they can replace the database/, /^chmod o-w '/],
    cure: paste,
  },
  "a texture's file is deleted": lostTexture((path) => rm(path)),
  "a texture's file is cut off": lostTexture((path) => truncate(path, 40)),
  "a texture's file has other bytes": lostTexture((path) => writeFile(path, "other bytes")),
  "the database is deleted": {
    plant: ({ dataDir }) => rm(join(dataDir, "cloakroom.db")),
    finds: [
      "database",
      "problem",
      /^there are textures, but no database$/,
      /is the disk mounted\?.*restore a backup/,
    ],
  },
  "a page of the database is damaged": {
    plant: async ({ dataDir }) => {
      await using file = await open(join(dataDir, "cloakroom.db"), "r+");
      await file.write(Buffer.alloc(3000, 0xff), 0, 3000, 100);
    },
    finds: ["database", "problem", /SQLITE_CORRUPT/, /^restore a backup$/],
    also: ["textures", "clock", "social accounts", "players", "outbox"],
  },
  "another program holds the write lock": {
    plant: ({ dataDir, use }) => {
      use(new Database(join(dataDir, "cloakroom.db"))).run("BEGIN IMMEDIATE");
    },
    finds: ["database", "problem", /has held its write lock/, /^end that process/],
  },
  "the schema was changed by hand": {
    runs: true,
    plant: ({ change }) => change("CREATE TRIGGER t AFTER INSERT ON skins BEGIN SELECT 1; END"),
    finds: ["database", "problem", /^its schema was changed: .*trigger/, /./],
  },
  "the database is older than the program": {
    plant: ({ dataDir }) => putOldDatabase(dataDir, 3),
    finds: ["database", "warning", /^it is older than the program by \d+ migrations$/, /cloakroom migrate/],
  },
  "the database is of a newer version": {
    plant: ({ change }) => change("PRAGMA user_version = 9999"),
    finds: ["database", "problem", /^a newer version wrote it$/, /install that version again/],
  },
  "a restore was interrupted": {
    plant: async ({ dataDir }) => {
      await mkdir(join(dataDir, "restoring"));
      await cp(join(dataDir, "cloakroom.db"), join(dataDir, "restoring/cloakroom.db"));
      await writeFile(join(dataDir, "restoring/put-aside-in"), "before-restore-here");
    },
    finds: ["data folder", "problem", /^a restore was interrupted$/, /this finishes it: cloakroom restore '/],
    cure: async (remedy, { dataDir }) => {
      const [, path = ""] = /cloakroom restore '(.*)'$/.exec(remedy) ?? [];
      const { code, error } = await run(["restore", path, "--data-dir", dataDir]);
      if (code !== 0) throw new Error(error);
    },
  },
  "a move into the folder was interrupted": {
    plant: async ({ dataDir }) => {
      for (const name of ["cloakroom.db", "textures"]) await rm(join(dataDir, name), { recursive: true });
      await writeFile(join(dataDir, "moving"), "");
    },
    finds: [
      "data folder",
      "problem",
      /^a move into it was interrupted$/,
      /run the same cloakroom move again/,
    ],
  },
  "the clock is a day behind": {
    manner: () => ({ shiftMs: -dayMs }),
    finds: ["clock", "problem", /^the newest row is from .*, which is in the future$/, /NTP/],
  },
  "the public address has another clock": {
    runs: true,
    // A busy machine still makes the signing key, whose folder is a day old by that clock.
    settings: () => ({ PROTOCOLS: "csl" }),
    plant: ({ server }) => ({ PUBLIC_URL: server?.url ?? "" }),
    manner: () => ({ shiftMs: dayMs }),
    finds: ["public address", "warning", /^its clock and this machine's differ by 86\d\d\d seconds$/, /NTP/],
  },
  "the mail server refuses": mailThat(
    { greeting: "554 no service here" },
    /554 no service here/,
    /check SMTP_URL/,
  ),
  "the mail server refuses the password": mailThat(
    { EHLO: "250-here\r\n250 AUTH PLAIN", "AUTH PLAIN": "535 5.7.8 wrong" },
    /535 5\.7\.8 wrong/,
    /user and password/,
  ),
  "the mail server does not answer": mailThat(
    { greeting: "silence" },
    /^127\.0\.0\.1, port \d+: no answer within 10 seconds$/,
    /check SMTP_URL/,
  ),
  "no mail server listens": {
    plant: async ({ use }) => ({
      SMTP_URL: `smtp://127.0.0.1:${use(await holdClosedPort()).port}`,
      MAIL_FROM: "a@example.org",
    }),
    finds: ["mail server", "problem", /nothing listens there/, /check SMTP_URL: host, port/],
  },
  "the mail server's certificate has expired": mailByTls(
    -1,
    `IP:${notLocal}`,
    /shows a certificate that has expired$/,
    /^its operator has to renew it/,
  ),
  "the mail server's certificate is for another name": mailByTls(
    3,
    "DNS:elsewhere.example.org",
    /shows a certificate for another name$/,
    /^name the host in SMTP_URL as its certificate does$/,
  ),
  "nothing answers at PUBLIC_URL": {
    runs: true,
    plant: async ({ use }) => ({ PUBLIC_URL: `http://127.0.0.1:${use(await holdClosedPort()).port}` }),
    finds: ["public address", "problem", /does not answer: /, /is the server running/],
  },
  "PUBLIC_URL leads to another program": {
    runs: true,
    plant: (world) => behindProxy(world, () => new Response("hello")),
    finds: ["public address", "problem", /answers, but not as cloakroom/, /^set PUBLIC_URL/],
  },
  "PUBLIC_URL leads to another cloakroom": {
    runs: true,
    plant: leadElsewhere,
    finds: ["public address", "problem", /leads to a cloakroom with other data/, /^check DATA_DIR/],
    also: ["launchers"],
  },
  "the proxy keeps /textures for itself": {
    runs: true,
    plant: (world) =>
      behindProxy(world, ({ url }, pass) =>
        new URL(url).pathname.startsWith("/textures/") ? new Response("no", { status: 404 }) : pass(),
      ),
    finds: [
      "public address",
      "problem",
      /is answered by something else \(status 404\)$/,
      /forward every path/,
    ],
  },
  "the server cannot read its textures": {
    runs: true,
    plant: (world) =>
      behindProxy(world, async ({ url }, pass) =>
        new URL(url).pathname.startsWith("/textures/")
          ? Response.json({ error: true, msg: "", url: "", data: null }, { status: 503 })
          : pass(),
      ),
    finds: [
      "public address",
      "problem",
      /answers with status 503 for a texture that is here$/,
      /log says why/,
    ],
  },
  "PUBLIC_URL is plain http": {
    runs: true,
    settings: () => ({ HOST: notLocal }),
    plant: ({ server }) => ({ PUBLIC_URL: server?.url ?? "" }),
    finds: [
      "settings",
      "warning",
      /^PUBLIC_URL is http:.*: passwords are sent unencrypted/,
      /^serve it by https$/,
    ],
    also: ["launchers"],
  },
  "every address is a trusted proxy": {
    plant: () => ({ TRUSTED_PROXIES: "0.0.0.0/0" }),
    finds: ["settings", "problem", /^TRUSTED_PROXIES/, /./],
  },
  "a setting is misspelt": {
    plant: () => ({ PUBLIC_ULR: "https://skins.example.org" }),
    finds: ["settings", "warning", /did you mean PUBLIC_URL/, /give it that name/],
  },
  "TLS_CERT has expired": {
    runs: true,
    settings: ownCertificate(-1, "DNS:localhost,IP:127.0.0.1"),
    finds: [
      "certificate",
      "problem",
      /^the certificate of TLS_CERT ended at /,
      /^renew it: the server takes new files/,
    ],
    cure: async (_, { folder }) =>
      void (await (await makeAuthority(folder)).sign("own", "DNS:localhost,IP:127.0.0.1", 30)),
  },
  "TLS_CERT is for another name": {
    runs: true,
    settings: async (folder) => ({
      ...(await ownCertificate(30, "DNS:elsewhere.example.org")(folder)),
      PUBLIC_URL: "https://skins.invalid",
    }),
    finds: [
      "certificate",
      "warning",
      /does not name skins\.invalid, .*DNS:elsewhere/,
      /^get one for that name/,
    ],
    also: ["public address"],
  },
  "TLS_KEY does not fit": {
    plant: async ({ folder }) => {
      const one = await ownCertificate(30, "DNS:localhost")(folder);
      const other = join(folder, "theirs");
      await mkdir(other);
      return { ...one, TLS_KEY: (await ownCertificate(30, "DNS:localhost")(other)).TLS_KEY };
    },
    finds: ["certificate", "problem", /cannot be used: /, /its own key/],
  },
  "the certificate at PUBLIC_URL has expired": {
    runs: true,
    settings: ownCertificate(-1, "DNS:localhost,IP:127.0.0.1"),
    plant: ({ server }) => ({ PUBLIC_URL: server?.url ?? "" }),
    manner: (folder) => ({ authorities: join(folder, "authority.crt") }),
    finds: [
      "public address",
      "problem",
      /shows a certificate that has expired$/,
      /^renew it, and have the proxy load/,
    ],
    also: ["certificate"],
  },
  "the bucket is missing": bucketThat(
    ({ url, bucket }) => ({ BLOBS: url.replace(bucket, "no-such-bucket") }),
    /404 NoSuchBucket/,
    /^make the bucket, or correct its name in BLOBS$/,
  ),
  "the bucket's key is wrong": bucketThat(
    () => ({ S3_SECRET_ACCESS_KEY: "wrong" }),
    /: 403 SignatureDoesNotMatch/,
    /S3_SECRET_ACCESS_KEY right.*is this machine's clock right/,
  ),
  "the bucket's service is away": {
    plant: async ({ use }) => {
      const endpoint = `http://127.0.0.1:${use(await holdClosedPort()).port}`;
      const keys = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "key" };
      return { BLOBS: "s3://textures/here", ...keys };
    },
    finds: ["bucket", "problem", /cannot be used.*nothing listens there/, /does the service run/],
  },
  "the bucket's certificate has expired": {
    plant: async ({ folder, use }) => {
      const { certFile, keyFile } = await (await makeAuthority(folder)).sign("s3", "IP:127.0.0.1", -1);
      const tls = { cert: Bun.file(certFile), key: Bun.file(keyFile) };
      const service = use(Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response() }));
      const keys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "key" };
      return { BLOBS: "s3://textures/here", S3_ENDPOINT: `https://127.0.0.1:${service.port}`, ...keys };
    },
    manner: (folder) => ({ authorities: join(folder, "authority.crt") }),
    finds: ["bucket", "problem", /shows a certificate that has expired$/, /its operator has to renew it/],
  },
  "backups go into a file": {
    settings: () => daily,
    plant: async ({ folder }) => {
      await writeFile(join(folder, "file"), "");
      return { BACKUP_DIR: join(folder, "file") };
    },
    finds: ["backups", "problem", /cannot be used: .* is no folder$/, /set BACKUP_DIR to a folder/],
  },
  "backups are old": {
    settings: () => daily,
    plant: async ({ dataDir }) => {
      const name = "cloakroom-2020-01-01T00-00-00Z.tar.zst";
      await Bun.write(join(dataDir, "backups", name), Bun.zstdCompressSync("old"));
    },
    finds: ["backups", "problem", /^1 in .*, the newest \d+ hours old$/, /or try cloakroom backup/],
    cure: (_, { dataDir }) => run(["backup", "--data-dir", dataDir]),
  },
  "the newest backup is empty": {
    settings: () => daily,
    plant: async ({ dataDir }) => {
      const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
      await Bun.write(join(dataDir, "backups", `cloakroom-${stamp}Z.tar.zst`), "");
    },
    finds: ["backups", "problem", /is no backup: it is empty$/, /^remove it/],
  },
  "the server may open few files": {
    runs: true,
    openFiles: 1024,
    // As the program itself: a listener of another program is not taken for the server.
    manner: () => ({}),
    finds: ["open files", "warning", /^the server \(process \d+\) may open only 1024 files/, /LimitNOFILE/],
  },
  "another program has the port": {
    plant: ({ use }) => ({
      PORT: String(use(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })).port),
    }),
    finds: ["port", "problem", /./, /end it, or choose another PORT/],
  },
  "mails do not leave": {
    plant: ({ change }) =>
      change(`INSERT INTO outbox (recipient, recipient_key, language, template, content, state, attempts, created_at, due_at)
              VALUES ('a@example.org', 'a@example.org', 'en', 'confirm', '{}', 'waiting', 0, 1, 1)`),
    finds: ["outbox", "problem", /^a mail waits to be sent for/, /cloakroom mail list/],
  },
  "a default skin is no picture": {
    plant: ({ dataDir }) => writeFile(join(dataDir, "default-skins/classic.png"), "x"),
    finds: ["default skins", "problem", /classic\.png/, /./],
  },
};
