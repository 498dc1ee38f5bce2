import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { migrations } from "../../src/adapters/sqlite/migrations.ts";
import {
  changeDatabase,
  putOldDatabase,
  filesOf,
  makeData,
  rowsOf,
  texturesOf,
} from "../backup/data-world.ts";
import { openableAddresses } from "../../src/boot/setup-links.ts";
import { openMailServer, openScriptedServer } from "../mail/mail-server.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

/** What a server for all addresses hands out without PUBLIC_URL. */
const [openAddress] = openableAddresses(
  { host: "0.0.0.0", publicUrl: null },
  "https://0.0.0.0",
  networkInterfaces,
);

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
type Finding = { check: string; state: string; message: string; remedy: string | null };
let folder: Folder;
let full: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  await makeData(full);
  for (const path of [full, join(full, "secrets")]) await chmod(path, 0o700);
  await chmod(join(full, "secrets/jwt-secret"), 0o600);
});
afterAll(() => folder[Symbol.asyncDispose]());

async function copyOfData(): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await cp(full, dataDir, { recursive: true });
  return dataDir;
}

async function examine(dataDir: string, environment: Record<string, string> = {}) {
  const { code, out, error } = await run(["doctor", "--json", "--data-dir", dataDir], {
    environment: { PORT: "0", ...environment },
  });
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  return { code, ok, error, findings, of: (check: string) => findings.filter((one) => one.check === check) };
}

describe("doctor", () => {
  test("finds no problem where there is none, changes nothing, and ends with 0", async () => {
    const before = { rows: rowsOf(full), files: await filesOf(full) };
    const { code, ok, error, findings } = await examine(full);
    expect({ code, ok, error }).toEqual({ code: 0, ok: true, error: "" });
    expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
    expect({ rows: rowsOf(full), files: await filesOf(full) }).toEqual(before);
  });

  test("looks at all that an operator can mend", async () => {
    const { findings } = await examine(full);
    expect([...new Set(findings.map(({ check }) => check))]).toEqual([
      "settings",
      "data folder",
      "secrets",
      "disk",
      "database",
      "textures",
      "default skins",
      "mail texts",
      "clock",
      "mail server",
      "passwords",
      "social accounts",
      "players",
      "outbox",
      "certificate",
      "port",
      "public address",
      "launchers",
      "backups",
      "open files",
    ]);
    for (const { state, remedy } of findings) expect(remedy === null).toBe(state === "ok");
  });

  test("says it in words, with what to do in a line of its own", async () => {
    const { out } = await run(["doctor", "--data-dir", full, "--port", "0"]);
    expect(out).toContain("ok       database: ");
    expect(out).toContain("warning  settings: no backups are scheduled\n         -> set BACKUP_SCHEDULE");
  });

  test("works before the first start, and leaves no folder behind", async () => {
    const dataDir = join(folder.path, "not yet");
    const { of } = await examine(dataDir);
    expect(of("data folder")).toMatchObject([{ state: "warning" }]);
    expect(of("database")).toMatchObject([{ state: "ok", message: "there is no database yet" }]);
    expect(await filesOf(dataDir).catch(() => null)).toBeNull();
  });

  test("names every fault of the settings, and ends with 1", async () => {
    const { code, findings } = await examine(full, {
      PORT: "x",
      JWT_SECRET: "hush hush",
      S3_BUCKET: "backups",
    });
    expect(code).toBe(1);
    expect(findings.map(({ message }) => message.split(" ")[0])).toEqual([
      "PORT",
      "JWT_SECRET",
      "S3_ACCESS_KEY_ID",
      "S3_SECRET_ACCESS_KEY",
    ]);
    expect(JSON.stringify(findings)).not.toContain("hush hush");
  });
});

describe("doctor's settings", () => {
  test.each<[string, Record<string, string>, string, string]>([
    ["no limits", { RATE_LIMIT_FACTOR: "0" }, "warning", "RATE_LIMIT_FACTOR is 0"],
    [
      "an open address without https",
      { PUBLIC_URL: "http://mc.example" },
      "warning",
      "PUBLIC_URL is http://mc.example",
    ],
    [
      "a website without https",
      { SITE_URL: "http://mc.example", PUBLIC_URL: "http://127.0.0.1:9" },
      "warning",
      "SITE_URL is",
    ],
    [
      "a proxy that is not trusted",
      { PUBLIC_URL: "https://127.0.0.1:9" },
      "warning",
      "TRUSTED_PROXIES is not set",
    ],
    [
      "an open address that is not known, over TLS",
      { HOST: "0.0.0.0", TLS_CERT: "gone.crt", TLS_KEY: "gone.key" },
      "warning",
      `texture addresses begin with ${openAddress}`,
    ],
    [
      "a name by plain http, where the console is on",
      { PUBLIC_URL: "http://skins.invalid" },
      "warning",
      "PUBLIC_URL is http://skins.invalid: passwords are sent unencrypted, and whatever listens on this host gets the console's cookie",
    ],
    ["no public address", { HOST: "0.0.0.0" }, "warning", "PUBLIC_URL is not set"],
    ["mails without a sender", { SMTP_URL: "smtp://127.0.0.1:9" }, "problem", "noreply@localhost"],
    ["no mail server", {}, "warning", "SMTP_URL is not set"],
    [
      "a provider that SOCIAL_PROVIDERS leaves out",
      { SOCIAL_GITHUB_CLIENT_ID: "id" },
      "warning",
      "SOCIAL_GITHUB_CLIENT_ID has no effect: SOCIAL_PROVIDERS does not name its provider",
    ],
  ])("name %s", async (_, environment, state, message) => {
    const { of } = await examine(full, environment);
    expect(of("settings")).toContainEqual(
      expect.objectContaining({ state, message: expect.stringContaining(message) }),
    );
  });
});

describe("doctor finds", () => {
  const breaks: [string, string, [state: string, message: string], (dataDir: string) => Promise<unknown>][] =
    [
      [
        "a folder that others can look into",
        "data folder",
        ["warning", "other users"],
        (dir) => chmod(dir, 0o755),
      ],
      [
        "secrets that others can read",
        "secrets",
        ["problem", "can read"],
        (dir) => chmod(join(dir, "secrets/jwt-secret"), 0o644),
      ],
      [
        "a signing key that others can read",
        "secrets",
        ["problem", "can read"],
        async (dir) => {
          await run(["key", "show", "--data-dir", dir]);
          await chmod(join(dir, "secrets/signing-key"), 0o640);
        },
      ],
      [
        "a signing key that cannot sign",
        "secrets",
        ["problem", "signing-key is damaged"],
        (dir) => writeFile(join(dir, "secrets/signing-key"), "no key", { mode: 0o600 }),
      ],
      [
        "a file that is no database",
        "database",
        ["problem", "is no database"],
        (dir) => Bun.write(join(dir, "cloakroom.db"), "x".repeat(9000)),
      ],
      [
        "textures without their database",
        "database",
        ["problem", "there are textures, but no database"],
        (dir) => rm(join(dir, "cloakroom.db")),
      ],
      [
        "the log of a database that is gone",
        "database",
        ["problem", "its log is there, but no database"],
        async (dir) => {
          await rm(join(dir, "textures"), { recursive: true });
          await rename(join(dir, "cloakroom.db"), join(dir, "cloakroom.db-wal"));
        },
      ],
      [
        "a damaged database",
        "database",
        ["problem", "a row of skins refers"],
        async (dir) =>
          changeDatabase(join(dir, "cloakroom.db"), "PRAGMA foreign_keys = OFF; DELETE FROM accounts"),
      ],
      [
        "a database of a newer program",
        "database",
        ["problem", "newer version"],
        async (dir) =>
          changeDatabase(join(dir, "cloakroom.db"), `PRAGMA user_version = ${migrations.length + 1}`),
      ],
      [
        "a database that is not up to date",
        "database",
        ["warning", "older than the program"],
        (dir) => putOldDatabase(dir, migrations.length - 1),
      ],
      [
        "missing and damaged textures",
        "textures",
        ["problem", "missing or damaged"],
        async (dir) => {
          for (const path of await texturesOf(dir)) await rm(path);
        },
      ],
      [
        "a default skin that is no skin",
        "default skins",
        ["problem", "classic.png"],
        (dir) => Bun.write(join(dir, "default-skins/classic.png"), "x"),
      ],
      [
        "mail texts that cannot be used",
        "mail texts",
        ["problem", "mail-templates/en.toml"],
        (dir) => Bun.write(join(dir, "mail-templates/en.toml"), "[confirm]\nx = 1"),
      ],
      [
        "a clock that went back",
        "clock",
        ["problem", "in the future"],
        async (dir) =>
          changeDatabase(join(dir, "cloakroom.db"), "UPDATE accounts SET created_at = 4102444800"),
      ],
      [
        "mails that do not leave",
        "outbox",
        ["problem", "a mail waits to be sent for"],
        async (dir) => changeDatabase(join(dir, "cloakroom.db"), postMail("waiting")),
      ],
      [
        "mails that failed",
        "outbox",
        ["warning", "1 mails failed"],
        async (dir) => changeDatabase(join(dir, "cloakroom.db"), postMail("failed")),
      ],
      [
        "a player in a cape that its account was not granted",
        "players",
        ["problem", "1 player wears a cape without a grant"],
        async (dir) =>
          changeDatabase(
            join(dir, "cloakroom.db"),
            "UPDATE players SET own_cape_id = 1 WHERE name = 'Boris'",
          ),
      ],
      [
        "a restore that was interrupted",
        "data folder",
        ["problem", "interrupted"],
        async (dir) => {
          await mkdir(join(dir, "restoring"));
          await cp(join(dir, "cloakroom.db"), join(dir, "restoring/cloakroom.db"));
        },
      ],
    ];
  test.each(breaks)("%s", async (_, check, [state, message], damage) => {
    const dataDir = await copyOfData();
    await damage(dataDir);
    const { code, of } = await examine(dataDir);
    expect(of(check)).toContainEqual(
      expect.objectContaining({ state, message: expect.stringContaining(message) }),
    );
    expect(code).toBe(state === "problem" ? 1 : 0);
  });
});

test.each<[string, (dir: string) => Promise<unknown>]>([
  ["is none", (dir) => Bun.write(join(dir, "cloakroom.db"), "x".repeat(9000))],
  ["cannot be read", (dir) => rm(join(dir, "cloakroom.db")).then(() => mkdir(join(dir, "cloakroom.db")))],
  ["is not up to date", (dir) => putOldDatabase(dir, 1)],
  ["is not there", (dir) => rm(join(dir, "cloakroom.db"))],
])("doctor says once that a database %s", async (_, damage) => {
  const dataDir = await copyOfData();
  await damage(dataDir);
  const { findings } = await examine(dataDir);
  const checks = findings.map(({ check }) => check);
  expect(checks.filter((check) => check === "database")).toHaveLength(1);
  for (const check of ["textures", "clock", "outbox"]) expect(checks).not.toContain(check);
});

test("doctor says once that the data folder is a file", async () => {
  const dataDir = join(folder.path, "file");
  await Bun.write(dataDir, "");
  const { findings } = await examine(dataDir);
  expect(findings.filter(({ state }) => state === "problem")).toMatchObject([
    { check: "data folder", message: `${dataDir} is a file` },
  ]);
});

const heldFor = "another process has held its write lock for 3 seconds";

describe("doctor's look at the write lock", () => {
  test("is had at one that is not up to date, too", async () => {
    const dataDir = await copyOfData();
    await putOldDatabase(dataDir, 1);
    using other = new Database(join(dataDir, "cloakroom.db"));
    other.run("BEGIN IMMEDIATE");
    expect((await examine(dataDir)).of("database")).toMatchObject([
      { state: "problem", message: heldFor },
      { state: "warning" },
    ]);
  });

  test("names one that another keeps, changes nothing, and leaves it free once it is", async () => {
    const dataDir = await copyOfData();
    const database = join(dataDir, "cloakroom.db");
    using other = new Database(database);
    other.run("BEGIN IMMEDIATE");
    const before = await filesOf(dataDir);
    const locked = await examine(dataDir);
    expect(locked.of("database")).toMatchObject([{ state: "problem", message: heldFor }, { state: "ok" }]);
    expect(locked.code).toBe(1);
    expect(await filesOf(dataDir)).toEqual(before);

    other.run("ROLLBACK");
    expect((await examine(dataDir)).of("database")).toMatchObject([{ state: "ok" }]);
    other.run("PRAGMA busy_timeout = 0");
    expect(() => other.run("BEGIN IMMEDIATE; ROLLBACK")).not.toThrow();
  });
});

function postMail(state: string): string {
  return `INSERT INTO outbox (recipient, recipient_key, language, template, content, state, attempts, created_at, due_at)
    VALUES ('a@example.org', 'a@example.org', 'en', 'confirm', '{}', '${state}', 0, 1, 1)`;
}

describe("doctor's mail server", () => {
  const password = "a mail password";
  const look = async (url: string) => {
    const { findings, of } = await examine(full, { SMTP_URL: url, MAIL_FROM: "a@example.org" });
    expect(JSON.stringify(findings)).not.toContain(password);
    return of("mail server");
  };

  test("takes the connection, and gets no mail", async () => {
    await using server = await openMailServer();
    expect(await look(`smtp://127.0.0.1:${server.port}`)).toMatchObject([{ state: "ok" }]);
    expect(server.mails).toEqual([]);
  });

  test.each([
    [{ greeting: "554 no service here" }, "554 no service here"],
    [{ EHLO: "250-here\r\n250 AUTH PLAIN", "AUTH PLAIN": "535 5.7.8 wrong" }, "535 5.7.8 wrong"],
  ])("that answers %j is a problem in its own words", async (answers, words) => {
    await using server = await openScriptedServer(answers);
    const url = `smtp://user:${encodeURIComponent(password)}@127.0.0.1:${server.port}`;
    expect(await look(url)).toMatchObject([{ state: "problem", message: expect.stringContaining(words) }]);
  });

  test("that is not there is a problem", async () => {
    using closed = await holdClosedPort();
    expect(await look(`smtp://127.0.0.1:${closed.port}`)).toMatchObject([{ state: "problem" }]);
  });
});

/** A server of ours over the data folder. */
async function serve(dataDir: string) {
  const args = [...program, "serve", "--port", "0", "--data-dir", dataDir];
  const server = Bun.spawn(args, {
    env: { PATH: process.env["PATH"] ?? "" },
    stdout: "pipe",
    stderr: "ignore",
  });
  const { value } = await server.stdout.getReader().read();
  const url = /http:\/\/\S+/.exec(new TextDecoder().decode(value))?.[0] ?? "";
  return { url, port: new URL(url).port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("doctor's addresses", () => {
  test("lead to this server, or to one with other data", async () => {
    await using server = await serve(full);
    const environment = { PUBLIC_URL: server.url, PORT: server.port };
    const own = await examine(full, environment);
    expect(own.of("port")).toMatchObject([{ state: "ok" }]);
    expect(own.of("public address")).toMatchObject([
      { state: "ok", message: `${server.url} leads to this server` },
    ]);
    expect(own.of("launchers")).toMatchObject([
      { state: "warning", message: "games on other machines find no skins at 127.0.0.1" },
      { state: "ok", message: expect.stringContaining("/api/yggdrasil announces skins from 127.0.0.1") },
    ]);

    const other = join(folder.path, "other");
    await run(["user", "create", "--mail", "a@example.org", "--username", "Anna", "--data-dir", other]);
    const file = join(import.meta.dir, "../../docs/examples/scout.png");
    await run(["skin", "add", "--user", "Anna", "--file", file, "--data-dir", other]);
    await run(["key", "show", "--data-dir", other]);
    const found = await examine(other, environment);
    const [finding] = found.of("public address");
    expect(finding).toMatchObject({ state: "problem", message: expect.stringContaining("other data") });
    const announced = { state: "problem", message: expect.stringContaining("announces another key") };
    expect(found.of("launchers").at(-1)).toMatchObject(announced);
  });

  test("are read through a proxy that says no lengths", async () => {
    await using server = await serve(full);
    using proxy = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url, method }) => {
        const address = server.url + new URL(url).pathname;
        return new Response(async function* () {
          yield await (await fetch(address, { method })).bytes();
        });
      },
    });
    const { of } = await examine(full, { PUBLIC_URL: `http://127.0.0.1:${proxy.port}`, PORT: server.port });
    expect(of("launchers").at(-1)).toMatchObject({
      state: "ok",
      message: expect.stringContaining("announces skins from 127.0.0.1"),
    });
  });

  test.each([
    [{ PROTOCOLS: "csl" }, "ok", "yggdrasil is off"],
    [{}, "warning", "PUBLIC_URL is not set"],
    [{ PUBLIC_URL: "http://skins.invalid" }, "warning", "unencrypted"],
  ])("are compared with what launchers read, with %p", async (environment, state, words) => {
    const [finding] = (await examine(full, environment)).of("launchers");
    expect(finding).toMatchObject({ state, message: expect.stringContaining(words) });
  });

  test.each([
    ["something else", () => new Response("hello"), "not as cloakroom"],
    ["a page that moved", () => Response.redirect("http://127.0.0.1:9/"), "not as cloakroom (status 302)"],
    ["another service's JSON", () => Response.json({ error: true }), "not as cloakroom"],
  ])("that lead to %s are a problem", async (_, answer, words) => {
    using stranger = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
    const url = `http://127.0.0.1:${stranger.port}`;
    const { of } = await examine(full, { PUBLIC_URL: url, PORT: String(stranger.port) });
    expect(of("port")).toMatchObject([{ state: "problem" }]);
    expect(of("public address")).toMatchObject([
      { state: "problem", message: expect.stringContaining(words) },
    ]);
    expect(of("launchers").at(-1)).toMatchObject({
      state: "warning",
      message: expect.stringContaining("cannot be read"),
    });
  });

  test("without a server are a problem, and so is a port that no server can have", async () => {
    using closed = await holdClosedPort();
    const port = String(closed.port);
    const { of } = await examine(full, { PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: port });
    expect(of("port")).toMatchObject([
      { state: "problem", message: expect.stringContaining("cannot listen on") },
    ]);
    expect(of("public address")).toMatchObject([{ state: "problem" }]);
  });
});

describe("doctor's backups", () => {
  test("are a problem when the schedule goes by without them", async () => {
    const dataDir = await copyOfData();
    const environment = { BACKUP_SCHEDULE: "@daily" };
    expect((await examine(dataDir, environment)).of("backups")).toMatchObject([{ state: "warning" }]);
    await Bun.write(
      join(dataDir, "backups/cloakroom-2020-01-01T00-00-00Z.tar.zst"),
      Bun.zstdCompressSync("old"),
    );
    expect((await examine(dataDir, environment)).of("backups")).toMatchObject([{ state: "problem" }]);
    await run(["backup", "--data-dir", dataDir]);
    expect((await examine(dataDir, environment)).of("backups")).toMatchObject([{ state: "ok" }]);
  });

  test("from the future are a problem, and never the newest", async () => {
    const dataDir = await copyOfData();
    const environment = { BACKUP_SCHEDULE: "@daily" };
    const ahead = "cloakroom-2999-01-01T00-00-00Z.tar.zst";
    await Bun.write(join(dataDir, "backups", ahead), "");
    const remedy = "set the clock, remove or rename it";
    const future = { state: "problem", message: `${ahead} is from the future`, remedy };
    expect((await examine(dataDir, environment)).of("backups")).toMatchObject([future, { state: "warning" }]);
    await Bun.write(
      join(dataDir, "backups/cloakroom-2020-01-01T00-00-00Z.tar.zst"),
      Bun.zstdCompressSync("old"),
    );
    expect((await examine(dataDir, environment)).of("backups")).toMatchObject([
      future,
      { state: "problem", message: expect.stringMatching(/^1 in .*, the newest \d+ hours old$/) },
    ]);
  });

  test("of which the newest is incomplete are a warning", async () => {
    const dataDir = await copyOfData();
    const environment = { BACKUP_SCHEDULE: "@daily" };
    await rm(join(dataDir, "textures"), { recursive: true });
    await run(["backup", "--data-dir", dataDir], { environment });
    expect((await examine(dataDir, environment)).of("backups")).toMatchObject([
      { state: "ok" },
      { state: "warning", message: expect.stringContaining("lacks textures that are lost") },
    ]);
  });

  test("in a bucket that is not there are a problem, in the service's words", async () => {
    const refusal = "<Error><Code>NoSuchBucket</Code><Message>There is none</Message></Error>";
    using service = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(refusal, { status: 404, headers: { "content-type": "application/xml" } }),
    });
    const environment = {
      BACKUP_SCHEDULE: "@daily",
      S3_BUCKET: "copies",
      S3_ENDPOINT: `http://127.0.0.1:${service.port}`,
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "key",
    };
    const message = "the bucket copies cannot be listed: There is none (NoSuchBucket)";
    expect((await examine(await copyOfData(), environment)).of("backups")).toMatchObject([
      { state: "problem", message },
    ]);
  });
});
