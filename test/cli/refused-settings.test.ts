/* What serve refuses, doctor calls a problem, in the same words; and what both only warn of. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, chown, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { makeCertificate } from "../support/certificates.ts";
import { asSomebody, isRoot, nobody, noSomebody } from "../support/somebody.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

type Finding = { check: string; state: string; message: string; remedy: string | null };
type Settings = Record<string, string>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  if (isRoot) await chmod(folder.path, 0o755);
});
afterAll(() => folder[Symbol.asyncDispose]());

const newPath = () => join(folder.path, crypto.randomUUID().slice(0, 8));
const socketSettings = (LISTEN_UNIX: string) => ({ LISTEN_UNIX, PUBLIC_URL: "https://skins.invalid" });

async function fileWith(text: string): Promise<string> {
  const path = newPath();
  await Bun.write(path, text);
  return path;
}

async function linkTo(target: string): Promise<string> {
  const path = newPath();
  await symlink(target, path);
  return path;
}

/** Runs the program as a user whom modes bind. */
async function runAsSomebody(command: string, DATA_DIR: string) {
  const { exitCode, stdout, stderr } = await Bun.$`${asSomebody} ${program} ${command}`
    .env({ PATH: process.env["PATH"] ?? "", PORT: "0", DATA_DIR })
    .nothrow()
    .quiet();
  return { code: exitCode, said: stdout.toString() + stderr.toString() };
}

/** Another community's server. It is killed when the scope ends. */
async function otherServer(): Promise<Disposable & { readonly port: string }> {
  const child = Bun.spawn([...program, "serve", "--data-dir", newPath()], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", PROTOCOLS: "none" },
    stdout: "pipe",
    stderr: "ignore",
  });
  const { value } = await child.stdout.getReader().read();
  const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(new TextDecoder().decode(value)) ?? [];
  return { port, [Symbol.dispose]: () => child.kill("SIGKILL") };
}

/** Closes each connection without a word. */
function mute(): Disposable & { readonly port: number } {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: (socket) => void socket.end(), data: () => {} },
  });
  return { port: server.port, [Symbol.dispose]: () => server.stop(true) };
}

/** Settings that serve refuses, and a part of what it says. */
const refused: readonly (readonly [string, () => Promise<Settings>, string])[] = [
  ["a port that is no number", async () => ({ PORT: "x" }), "PORT (environment)"],
  ["a secret that repeats itself", async () => ({ JWT_SECRET: "x".repeat(40) }), "JWT_SECRET (environment)"],
  ["a protocol without its secret", async () => ({ PROTOCOLS: "aurora" }), "AURORA_SECRET must be given"],
  ["a bucket without keys", async () => ({ S3_BUCKET: "backups" }), "S3_ACCESS_KEY_ID"],
  ["a logo that is no picture", async () => ({ COMMUNITY_LOGO: await fileWith("x") }), "COMMUNITY_LOGO"],
  ["a logo that is gone", async () => ({ COMMUNITY_LOGO: newPath() }), "COMMUNITY_LOGO"],
  [
    "a file without a key as that of a LaunchServer",
    async () => ({ GRAVIT_KEY_FILE: await fileWith("x") }),
    "GRAVIT_KEY_FILE",
  ],
  ["a certificate that is gone", async () => ({ TLS_CERT: newPath(), TLS_KEY: newPath() }), "TLS_CERT"],
  [
    "a key of another certificate",
    async () => {
      const [one, other] = [
        await makeCertificate(folder.path, "one", 30),
        await makeCertificate(folder.path, "other", 30),
      ];
      return { TLS_CERT: one.certFile, TLS_KEY: other.keyFile };
    },
    "cannot be used",
  ],
  [
    "an address of another machine",
    async () => ({ HOST: "192.0.2.1", PORT: "3999" }),
    "cannot listen on 192.0.2.1",
  ],
  [
    "an address of another machine for metrics",
    async () => ({ METRICS_HOST: "192.0.2.1", METRICS_PORT: "3999" }),
    "cannot listen on 192.0.2.1, port 3999",
  ],
  [
    "one port for two things",
    async () => ({ PORT: "3998", METRICS_PORT: "3998" }),
    "METRICS_PORT must not be PORT",
  ],
  [
    "a file in the place of the secrets",
    async () => {
      const DATA_DIR = newPath();
      await Bun.write(join(DATA_DIR, "secrets"), "");
      return { DATA_DIR };
    },
    "secrets/jwt-secret cannot be read or made",
  ],
  [
    "a socket file that is another file",
    async () => socketSettings(await fileWith("x")),
    "is there and is no socket",
  ],
  [
    "a socket file in a folder that is not there",
    async () => socketSettings(join(newPath(), "s")),
    "no such file or folder",
  ],
  [
    "the root as data folder",
    async () => ({ DATA_DIR: "/" }),
    'DATA_DIR (environment) is "/": must be a folder of its own',
  ],
  ...["/etc", "/usr", "/home", "/root", "/tmp", "/var/lib", "/tmp/../etc/", "/proc"].map(
    (DATA_DIR) =>
      [
        `${DATA_DIR} as data folder`,
        async () => ({ DATA_DIR }),
        `DATA_DIR (environment) is "${DATA_DIR}"`,
      ] as const,
  ),
  [
    "a link to a folder of the system as data folder",
    async () => ({ DATA_DIR: await linkTo("/usr/lib") }),
    "/usr/lib is the system's",
  ],
  [
    "a data folder below a file",
    async () => ({ DATA_DIR: join(await fileWith(""), "data") }),
    "cannot be used: a part of its path is no folder",
  ],
  [
    "mail texts in another form",
    async () => {
      const DATA_DIR = newPath();
      await Bun.write(join(DATA_DIR, "mail-templates/en.toml"), "x");
      return { DATA_DIR };
    },
    "mail-templates/en.toml",
  ],
  [
    "a default skin that is no picture",
    async () => {
      const DATA_DIR = newPath();
      await Bun.write(join(DATA_DIR, "default-skins/slim.png"), "x");
      return { DATA_DIR };
    },
    "slim.png",
  ],
];

async function findingsOf(environment: Settings) {
  const { code, out } = await run(["doctor", "--json"], { environment });
  return { code, findings: (JSON.parse(out) as { findings: Finding[] }).findings };
}

describe("serve refuses, and doctor finds in the same words,", () => {
  test.each(refused)("%s", async (_, settings, words) => {
    const environment = { PORT: "0", DATA_DIR: newPath(), ...(await settings()) };
    const served = await run(["serve"], { environment });
    expect({ started: served.out, failed: served.code > 0 }).toEqual({ started: "", failed: true });
    expect(served.error).toContain(words);
    const { code, findings } = await findingsOf(environment);
    const problems = findings.filter(({ state }) => state === "problem").map(({ message }) => message);
    expect(code).toBe(1);
    const same = problems.filter((message) => message.includes(words) && served.error.includes(message));
    expect({ said: served.error, problems, same: same.length }).toMatchObject({ same: 1 });
  });

  test.skipIf(noSomebody !== null)("a data folder that may not be made", async () => {
    const above = newPath();
    await mkdir(above);
    await chmod(above, 0o555);
    const DATA_DIR = join(above, "data");
    const words = `the data folder ${DATA_DIR} cannot be used: this user may not write there; check who owns it`;
    for (const command of ["serve", "doctor"]) {
      const { code, said } = await runAsSomebody(command, DATA_DIR);
      expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(words) });
    }
  });

  test.each(["a server of another data folder", "a program that speaks no HTTP"])(
    "the port of %s",
    async (holder) => {
      using held = holder.startsWith("a server") ? await otherServer() : mute();
      const environment = { PORT: String(held.port), DATA_DIR: newPath() };
      const words = `cannot listen on 127.0.0.1, port ${held.port}: it is in use`;
      const served = await run(["serve"], { environment });
      expect({ code: served.code, said: served.error.includes(words) }).toEqual({ code: 1, said: true });
      const { code, findings } = await findingsOf(environment);
      expect(code).toBe(1);
      expect(findings).toContainEqual(
        expect.objectContaining({ state: "problem", message: expect.stringContaining(words) }),
      );
    },
  );

  test.skipIf(!isRoot)("root in another user's data folder", async () => {
    const DATA_DIR = newPath();
    await run(["user", "create", "--mail", "a@example.org", "--data-dir", DATA_DIR]);
    await chown(join(DATA_DIR, "cloakroom.db"), nobody, nobody);
    const words = `the data folder ${DATA_DIR} belongs to user ${nobody}`;
    const environment = { PORT: "0", DATA_DIR };
    const served = await run(["serve"], { environment });
    expect({ code: served.code, said: served.error.includes(words) }).toEqual({ code: 1, said: true });
    const { code, findings } = await findingsOf(environment);
    expect({
      code,
      said: findings.some((one) => one.state === "problem" && one.message.startsWith(words)),
    }).toEqual({
      code: 1,
      said: true,
    });
  });
});

/** A data folder of a server that has run once. */
async function usedFolder(): Promise<string> {
  const path = newPath();
  await run(["user", "create", "--mail", "a@example.org", "--data-dir", path]);
  await run(["webhook", "secret", "--data-dir", path]);
  return path;
}

/** Starts a server, stops it, and returns its log. */
async function logOf(environment: Settings): Promise<readonly Record<string, unknown>[]> {
  const child = Bun.spawn([...program, "serve"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      PORT: "0",
      LOG_FORMAT: "json",
      PROTOCOLS: "none",
      ...environment,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const log = child.stderr.text();
  await child.stdout.getReader().read();
  child.kill("SIGTERM");
  await child.exited;
  const lines = (await log).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

type Damage = (path: string) => Promise<unknown>;
const canWrite = "can write";
/** What serve starts with and says, how bad it is, and what is done to the folder. */
const open: readonly (readonly [string, "problem" | "warning", string, Damage])[] = [
  ["a data folder that everybody may write", "problem", canWrite, (path) => chmod(path, 0o777)],
  ["one that everybody may add files to", "problem", canWrite, (path) => chmod(path, 0o1777)],
  [
    "a database that everybody may write",
    "problem",
    canWrite,
    (path) => chmod(join(path, "cloakroom.db"), 0o666),
  ],
  [
    "secrets that everybody may write",
    "problem",
    canWrite,
    (path) => chmod(join(path, "secrets/webhook-secret"), 0o602),
  ],
  [
    "a folder of secrets that everybody may write",
    "problem",
    canWrite,
    (path) => chmod(join(path, "secrets"), 0o703),
  ],
  ["textures that everybody may write", "problem", canWrite, (path) => chmod(join(path, "textures"), 0o777)],
  ["a data folder that its group may write", "warning", "the group of", (path) => chmod(path, 0o770)],
  ["a data folder that others may read", "warning", "can read", (path) => chmod(path, 0o755)],
  [
    "a secret that others may read",
    "problem",
    "can read",
    (path) => chmod(join(path, "secrets/webhook-secret"), 0o644),
  ],
  [
    "a secret that its group may read",
    "problem",
    "can read",
    (path) => chmod(join(path, "secrets/webhook-secret"), 0o640),
  ],
];
/** Root alone gives files away. */
const given: typeof open = [
  ["a data folder of another user", "warning", "belongs to user", (path) => chown(path, nobody, nobody)],
  [
    "secrets of another user",
    "warning",
    "who can change them",
    (path) => chown(join(path, "secrets/webhook-secret"), nobody, nobody),
  ],
  [
    "textures of another user",
    "warning",
    "who can change them",
    (path) => chown(join(path, "textures"), nobody, nobody),
  ],
];

describe("serve starts, and says in doctor's words, with", () => {
  test.each([...open, ...(isRoot ? given : [])])("%s", async (_, state, words, damage) => {
    const DATA_DIR = await usedFolder();
    await damage(DATA_DIR);
    const { code, findings } = await findingsOf({ PORT: "0", DATA_DIR });
    const found = findings.filter((one) => one.state !== "ok" && one.message.includes(words));
    expect(found).toMatchObject([{ state, message: expect.stringContaining(DATA_DIR) }]);
    expect(code).toBe(state === "problem" ? 1 : 0);
    const [finding] = found;
    expect(await logOf({ DATA_DIR })).toContainEqual(
      expect.objectContaining({
        level: state === "problem" ? "error" : "warn",
        message: finding?.message,
        remedy: finding?.remedy,
      }),
    );
  });

  test("a private key of TLS that others may read, but not one that a group may", async () => {
    const { certFile, keyFile } = await makeCertificate(folder.path, "served", 30);
    const environment = { DATA_DIR: newPath(), TLS_CERT: certFile, TLS_KEY: keyFile };
    for (const [mode, isOpen] of [
      [0o644, true],
      [0o640, false],
    ] as const) {
      await chmod(keyFile, mode);
      const message = `other users of this machine can read ${keyFile}`;
      const lines = (await logOf(environment)).filter((line) => line["message"] === message);
      const { findings } = await findingsOf({ ...environment, PORT: "0" });
      const problems = findings.filter((one) => one.message === message);
      expect({ mode, lines: lines.length, problems: problems.length }).toEqual({
        mode,
        lines: isOpen ? 1 : 0,
        problems: isOpen ? 1 : 0,
      });
    }
  });

  test("a folder above that everybody may write, so that another one can be put in its place", async () => {
    const above = newPath();
    await mkdir(above);
    await chmod(above, 0o777);
    const DATA_DIR = join(above, "data");
    const words = `other users of this machine can write ${above}: `;
    expect(await logOf({ DATA_DIR })).not.toContainEqual(
      expect.objectContaining({ message: expect.stringContaining(words) }),
    );
    expect(await logOf({ DATA_DIR })).toContainEqual(
      expect.objectContaining({ level: "error", message: expect.stringContaining(words) }),
    );
    await chmod(above, 0o1777);
    const { findings } = await findingsOf({ PORT: "0", DATA_DIR });
    expect(findings.filter(({ message }) => message.includes(canWrite))).toEqual([]);
  });

  test("nothing of the kind where the folder is its owner's alone", async () => {
    const DATA_DIR = await usedFolder();
    const words = (await logOf({ DATA_DIR })).map(({ message }) => message);
    expect(words.filter((one) => /can write|can read|belong/.test(String(one)))).toEqual([]);
  });
});
