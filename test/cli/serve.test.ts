import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { readdir, stat, rm } from "node:fs/promises";
import { join } from "node:path";
import packageJson from "../../package.json";
import { openScriptedServer } from "../mail/mail-server.ts";
import { makeData } from "../backup/data-world.ts";
import { makeCertificate } from "../support/certificates.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { run, runProcess, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;

beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

/** Starts the program and waits for its first line. The process is killed when the scope ends before it. */
function start(args: readonly string[], environment: Record<string, string> = {}) {
  return startCommand([...program, ...args], folder.path, environment);
}

async function startCommand(command: readonly string[], cwd: string, environment: Record<string, string>) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const log = child.stderr.text();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  // The link of the set-up may come with it.
  const [firstLine = ""] = new TextDecoder().decode(value).split(/(?<=\n)/);
  const address = / listening on (.+)\n$/.exec(firstLine)?.[1] ?? "";
  return {
    firstLine,
    address,
    stop: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return { code: await child.exited, log: await log };
    },
    [Symbol.dispose]: () => child.kill("SIGKILL"),
  };
}

/** A body that comes in two parts. */
function slowly(first: string, between: Promise<void>, second: string): ReadableStream {
  return new ReadableStream({
    start: async (controller) => {
      controller.enqueue(new TextEncoder().encode(first));
      await between;
      controller.enqueue(new TextEncoder().encode(second));
      controller.close();
    },
  });
}

/** The log of a server that starts on the data folder and is stopped. */
async function logOf(dataDir: string): Promise<string> {
  using server = await start(["serve", "--data-dir", dataDir]);
  return (await server.stop("SIGTERM")).log;
}

describe("the server", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "says where it listens, answers, and stops at %s with 0",
    async (signal) => {
      using server = await start(["serve"]);
      expect(server.firstLine).toBe(`cloakroom ${packageJson.version} listening on ${server.address}\n`);
      expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
      const answer = await fetch(`${server.address}/api/nowhere`);
      expect(answer.status).toBe(404);
      expect((await server.stop(signal)).code).toBe(0);
    },
  );

  test("cuts off a mail that hangs while requests may still end", async () => {
    await using mails = await openScriptedServer({ "RCPT TO": "silence" });
    const environment = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: "a@example.org" };
    using server = await start(["serve", "--data-dir", "hanging"], environment);
    const post = (path: string, body: string | ReadableStream) =>
      fetch(server.address + path, { method: "POST", body, headers: { "content-type": "application/json" } });
    const mayGoOn = Promise.withResolvers<void>();
    const answer = post(
      "/api/auth/login",
      slowly('{"username": "nobody",', mayGoOn.promise, '"password": ""}'),
    );
    await post("/api/auth/register", '{"mail": "b@example.org", "password": "a password of hers"}');
    await mails.reached;
    const stopped = server.stop("SIGTERM");
    await mails.left;
    mayGoOn.resolve();
    expect((await answer).status).toBe(401);
    const { code, log } = await stopped;
    expect(code).toBe(0);
    expect(log).toContain("interrupted: the server stops");
  });

  test("stops when the shell of npm start is ended, which need not hand the signal on", async () => {
    const tools = join(projectRoot, "node_modules/.bin");
    const environment = { PATH: `${tools}:${process.env["PATH"]}`, DATA_DIR: join(folder.path, "npm") };
    using server = await startCommand(["sh", "-c", packageJson.scripts.start], projectRoot, environment);
    const { log } = await server.stop("SIGTERM");
    expect(log).toContain('"message":"stopped"');
  });

  test("is what runs without a command", async () => {
    using server = await start(["--host", "localhost"]);
    expect(server.address).toStartWith("http://localhost:");
    expect((await server.stop("SIGTERM")).code).toBe(0);
  });

  test("logs JSON to a file or pipe, and warns about settings without effect", async () => {
    using server = await start(["serve"], { SOCIAL_OIDC_CLIENT_SECRET: "x7-Kq!m2-client" });
    const { log } = await server.stop("SIGTERM");
    const lines = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: "SOCIAL_OIDC_CLIENT_SECRET has no effect: SOCIAL_PROVIDERS does not name its provider",
      }),
    );
    expect(log).not.toContain("x7-Kq!m2-client");
  });

  test("gives identities from before issuers were kept the issuer of its settings; a command gives none", async () => {
    const path = join(folder.path, "linked");
    const access = {
      DATA_DIR: path,
      SOCIAL_PROVIDERS: "github",
      SOCIAL_GITHUB_BASE_URL: "https://git.example.org",
      SOCIAL_GITHUB_CLIENT_ID: "id",
      SOCIAL_GITHUB_CLIENT_SECRET: "a client's secret",
    };
    const user = ["user", "create", "--mail", "a@example.org", "--password", "x7-Kq!m2-linked"];
    expect(await runProcess(user, { folder: folder.path, environment: access })).toMatchObject({ code: 0 });
    using database = new Database(join(path, "cloakroom.db"));
    const row = "account_id, provider, subject, username, avatar, linked_at";
    database.run(`INSERT INTO identities (${row}) SELECT id, 'github', '7', 'a', '', 1 FROM accounts`);
    const issuers = () => database.query("SELECT issuer FROM identities").values();
    const list = ["user", "list"];
    expect(await runProcess(list, { folder: folder.path, environment: access })).toMatchObject({ code: 0 });
    expect(issuers()).toEqual([[""]]);
    using server = await start(["serve"], access);
    const { log } = await server.stop("SIGTERM");
    expect(issuers()).toEqual([["https://git.example.org"]]);
    expect(log).toContain("identities got the issuer");
  });

  test("keeps its data where only its owner reads it", async () => {
    using server = await start(["serve", "--data-dir", "kept"]);
    await server.stop("SIGTERM");
    const modeOf = async (name: string) => ((await stat(join(folder.path, name))).mode & 0o777).toString(8);
    expect(await modeOf("kept")).toBe("700");
    expect(await modeOf("kept/secrets/jwt-secret")).toBe("600");
    expect(await readdir(join(folder.path, "kept"))).toContain("cloakroom.db");
  });

  test("says that a lost secret ends all sessions, and nothing of it at the first start", async () => {
    const words = "everybody has to sign in again";
    expect(await logOf("secretless")).not.toContain(words);
    await rm(join(folder.path, "secretless/secrets/jwt-secret"));
    expect(await logOf("secretless")).toContain(words);
    expect(await logOf("secretless")).not.toContain(words);
  });

  test("says at its start that no texture is there, as when their disk is not mounted", async () => {
    const dataDir = join(folder.path, "textureless");
    await makeData(dataDir);
    const words = "is the disk of the textures mounted?";
    expect(await logOf("textureless")).not.toContain(words);
    await rm(join(dataDir, "textures"), { recursive: true });
    expect(await logOf("textureless")).toContain(words);
  });

  test("does not start on a port that is in use, and says so", async () => {
    using server = await start(["serve"]);
    const port = new URL(server.address).port;
    const args = ["serve", "--port", port, "--data-dir", "another"];
    const { code, out, error } = await runProcess(args, { folder: folder.path });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toContain(`cloakroom: cannot listen on 127.0.0.1, port ${port}: it is in use`);
    expect(error).not.toContain("    at ");
  });

  test("does not start on a folder that another server uses, and doctor names one that listens elsewhere", async () => {
    using server = await start(["serve", "--data-dir", "taken"]);
    const { code, out, error } = await runProcess(["serve", "--port", "0", "--data-dir", "taken"], {
      folder: folder.path,
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(
      /the data folder .*taken cannot be used now: another server is using it; end that one/,
    );
    const doctor = async (...args: readonly string[]) => {
      const { out } = await runProcess(["doctor", "--json", "--data-dir", "taken", ...args], {
        folder: folder.path,
      });
      const { findings }: { findings: { check: string; state: string }[] } = JSON.parse(out);
      return findings.filter(({ check }) => check === "port");
    };
    expect(await doctor("--port", new URL(server.address).port)).toMatchObject([{ state: "ok" }]);
    using closed = await holdClosedPort();
    const unused = String(closed.port);
    expect(await doctor("--port", unused)).toMatchObject([
      {
        state: "problem",
        message: expect.stringMatching(/^a server uses .*taken, but no server answers on port/),
      },
    ]);
    await server.stop("SIGKILL");
    expect(await doctor("--port", unused)).toMatchObject([
      { state: "problem", message: expect.stringContaining("cannot listen on") },
    ]);
    using next = await start(["serve", "--data-dir", "taken"]);
    expect(next.address).not.toBe("");
  });

  test.each([
    // Which of the two depends on whether there is a network.
    [["--host", "nosuch.invalid"], /no address is known for this name|no name server answers now/],
    [
      ["--listen-unix", "nowhere/a.sock", "--public-url", "https://a.example"],
      /a\.sock: no such file or folder/,
    ],
  ])("says why it cannot listen with %j", async (args, reason) => {
    const { code, error } = await runProcess(["serve", "--port", "1", ...args], { folder: folder.path });
    expect(code).toBe(1);
    expect(error).toContain("cloakroom: cannot listen on ");
    expect(error).toMatch(reason);
  });

  test("says in a sentence that no name server answers where HOST is a name", async () => {
    // What Bun throws then; an outage cannot be had here.
    const outage = Object.assign(new Error("EAGAIN: resource temporarily unavailable, listen"), {
      code: "EAGAIN",
    });
    using _down = spyOn(Bun, "serve").mockImplementation(() => {
      throw outage;
    });
    const dataDir = join(folder.path, "outage");
    const { code, error } = await run(["serve", "--host", "skins.example.org", "--data-dir", dataDir]);
    expect(code).toBe(1);
    expect(error).toContain(
      "cloakroom: cannot listen on skins.example.org, port 3000: no name server answers now",
    );
    expect(error).not.toContain("internal fault");
  });

  test("speaks https with a certificate, and says so", async () => {
    const { certFile, keyFile } = await makeCertificate(folder.path, "served");
    using server = await start(["serve", "--tls-cert", certFile, "--tls-key", keyFile]);
    expect(server.firstLine).toMatch(/^cloakroom \S+ listening on https:\/\/127\.0\.0\.1:[1-9]\d*\n$/);
    const answer = await fetch(`${server.address}/api/home`, { tls: { rejectUnauthorized: false } });
    expect(answer.status).toBe(401);
    expect((await server.stop("SIGTERM")).code).toBe(0);
  });

  test("does not start with a certificate that cannot be used, names it beside all other faults, and makes nothing", async () => {
    const args = ["serve", "--tls-cert", "gone.crt", "--tls-key", "gone.key", "--data-dir", "unmade"];
    const pair = `TLS_CERT ${join(folder.path, "gone.crt")} and TLS_KEY ${join(folder.path, "gone.key")}`;
    const alone = await runProcess(args, { folder: folder.path });
    expect(alone).toMatchObject({ code: 2, out: "" });
    expect(alone.error).toStartWith(
      `cloakroom: the settings cannot be used\n  ${pair} cannot be used: ENOENT`,
    );
    expect(alone.error).not.toContain("    at ");
    const among = await runProcess([...args, "--port", "99999"], { folder: folder.path });
    expect(among).toMatchObject({ code: 2, out: "" });
    expect(among.error).toContain("  PORT (--port)");
    expect(among.error).toContain(`  ${pair} cannot be used: ENOENT`);
    expect(await readdir(folder.path)).not.toContain("unmade");
  });

  const behindProxy = { PUBLIC_URL: "https://skins.example.org", LISTEN_UNIX: "a.sock" };

  test("listens on a socket file, also when a server before it was killed, and removes it", async () => {
    const path = join(folder.path, "a.sock");
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      using server = await start(["serve"], behindProxy);
      expect(server.address).toBe(`unix:${path}`);
      expect((await fetch("http://localhost/api/home", { unix: path })).status).toBe(401);
      await server.stop(signal);
    }
    expect(await readdir(folder.path)).not.toContain("a.sock");
  });

  test("does not take a socket file from a server that is running", async () => {
    using server = await start(["serve"], behindProxy);
    const { code, error } = await runProcess(["serve", "--data-dir", "another"], {
      folder: folder.path,
      environment: behindProxy,
    });
    expect(code).toBe(1);
    expect(error).toContain(`cannot listen on ${join(folder.path, "a.sock")}: another program does`);
    const unix = join(folder.path, "a.sock");
    expect((await fetch("http://localhost/api/home", { unix })).status).toBe(401);
    expect((await server.stop("SIGTERM")).code).toBe(0);
  });

  test("says why a socket file cannot be had", async () => {
    const environment = { ...behindProxy, LISTEN_UNIX: "none/a.sock" };
    const { code, error } = await runProcess(["serve"], { folder: folder.path, environment });
    expect(code).toBe(1);
    expect(error).toContain("cloakroom: cannot listen on ");
    expect(error).not.toContain("internal fault");
  });

  test("does not start with wrong settings", async () => {
    const environment = { PORT: "99999", PUBLIC_URL: "nowhere" };
    const { code, out, error } = await runProcess([], { folder: folder.path, environment });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain("PORT (environment)");
    expect(error).toContain("PUBLIC_URL (environment)");
  });

  test("lets commands change its data while it serves", async () => {
    using server = await start(["serve", "--data-dir", "shared"]);
    const args = ["user", "create", "--mail", "a@example.org", "--username", "Anna", "--data-dir", "shared"];
    expect((await runProcess(args, { folder: folder.path })).code).toBe(0);
    const picture = await fetch(`${server.address}/api/skin/head/Anna`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect((await server.stop("SIGTERM")).code).toBe(0);
  });
});
