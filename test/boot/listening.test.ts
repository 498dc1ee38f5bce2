import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  setSystemTime,
  test,
} from "bun:test";
import { copyFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { listen, removeStaleSocket } from "../../src/boot/listener.ts";
import type { RunningServer } from "../../src/boot/server.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { makeCertificate, type Certificate } from "../support/certificates.ts";
import { cheapHasher, openHarness, type Harness, type HarnessOptions } from "../support/harness.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;
let first: Certificate;
let second: Certificate;
/** So long that its file has another size: times of files may tick as slowly as handshakes are made. */
const secondName = "second, and by some letters longer";

beforeAll(async () => {
  folder = await temporaryFolder();
  first = await makeCertificate(folder.path, "first");
  second = await makeCertificate(folder.path, secondName);
});
afterAll(() => folder[Symbol.asyncDispose]());

const unchecked = { tls: { rejectUnauthorized: false } };

/** Lets the service look at its files twice. */
function look(): void {
  jest.advanceTimersByTime(2000);
}

/** Whom the server's certificate is made out to. */
function nameShown({ address }: Pick<RunningServer, "address">): Promise<string> {
  const { port } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false }, () => {
    resolve(String(socket.getPeerCertificate().subject.CN));
    socket.end();
  });
  socket.on("error", reject);
  return promise;
}

describe("over TLS", () => {
  let certFile: string;
  let keyFile: string;
  const install = async (certificate: Certificate) => {
    await copyFile(certificate.certFile, certFile);
    await copyFile(certificate.keyFile, keyFile);
  };
  beforeEach(async () => {
    certFile = join(folder.path, `live-${crypto.randomUUID()}.crt`);
    keyFile = certFile.replace(/crt$/, "key");
    await install(first);
    jest.useFakeTimers();
  });
  afterEach(() => {
    setSystemTime();
    jest.useRealTimers();
  });
  // Connections to a database wait by the timers that stand still here.
  const open = ({ publicUrl, ...options }: HarnessOptions & { readonly publicUrl?: string } = {}) =>
    openHarness({
      ...options,
      on: { database: "sqlite", files: "files" },
      settings: { TLS_CERT: certFile, TLS_KEY: keyFile, PUBLIC_URL: publicUrl },
    });

  test("answers by https, says so, and names itself so", async () => {
    await using harness = await open();
    const server = harness.listen();
    expect(server.address).toMatch(/^https:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(server.publicUrl).toBe(server.address);
    const answer = await fetch(`${server.address}/api/home`, unchecked);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(await nameShown(server)).toBe("first");
  });

  test("has no answer to plain HTTP", async () => {
    await using harness = await open();
    const { port } = new URL(harness.listen().address);
    const asked = fetch(`http://127.0.0.1:${port}/api/home`).then(({ status }) => status);
    expect(await asked.catch(() => "refused")).toBe("refused");
  });

  test("shows a new certificate without a restart, on the same port, and goes on answering", async () => {
    await using harness = await open();
    const server = harness.listen();
    await install(second);
    look();
    expect(await nameShown(server)).toBe(secondName);
    expect((await fetch(`${server.address}/api/home`, unchecked)).status).toBe(401);
    await install(first);
    look();
    expect(await nameShown(server)).toBe("first");
    expect(harness.takeComplaints()).toEqual([]);
  });

  test("takes two files that are written one after the other when both are there", async () => {
    await using harness = await open();
    const server = harness.listen();
    await copyFile(second.certFile, certFile);
    jest.advanceTimersByTime(1000);
    await copyFile(second.keyFile, keyFile);
    look();
    expect(await nameShown(server)).toBe(secondName);
    expect(harness.takeComplaints()).toEqual([]);
  });

  const endedWords = /^the certificate of TLS_CERT ended at 20\S+: clients refuse it$/;
  const namesWords =
    "the certificate of TLS_CERT does not name skins.example.org, the host of PUBLIC_URL, but DNS:localhost, IP Address:127.0.0.1";

  test("warns of a certificate that has ended or is for another name, at the start and when a new one comes", async () => {
    const now = Date.now();
    setSystemTime(now + 3 * 24 * 60 * 60 * 1000);
    await using harness = await open({ publicUrl: "https://skins.example.org" });
    harness.listen();
    const warned = [
      {
        level: "warn",
        message: expect.stringMatching(endedWords),
        remedy: expect.stringContaining("renew it"),
      },
      { level: "warn", message: namesWords, remedy: expect.stringContaining("get one for that name") },
    ];
    expect(harness.takeComplaints()).toMatchObject(warned);
    setSystemTime(now);
    await install(second);
    look();
    expect(harness.takeComplaints()).toMatchObject(warned.slice(1));
  });

  test("ends what it was at when the new one came", async () => {
    const working = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const verify = async () => {
      working.resolve();
      await goOn.promise;
      return false;
    };
    await using harness = await open({ hasher: { ...cheapHasher, verify } });
    const server = harness.listen();
    const answer = fetch(`${server.address}/api/auth/login`, {
      ...unchecked,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "Nobody", password: "wrong password" }),
    });
    await working.promise;
    await install(second);
    look();
    expect(await nameShown(server)).toBe(secondName);
    goOn.resolve();
    expect((await answer).status).toBe(401);
  });

  test("still knows who asked it before the new one came, and before the one after that", async () => {
    await using harness = await open();
    const goOn = Promise.withResolvers<void>();
    const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const listener = listen(harness.config, {
      fetch: async (request) => {
        started[Number(new URL(request.url).pathname.slice(1))]?.resolve();
        await goOn.promise;
        return new Response(listener.peerOf(request));
      },
      error: () => new Response("fault", { status: 500 }),
      log: harness.log,
    });
    const ask = (path: string) => fetch(`${listener.address}/${path}`, unchecked).then((one) => one.text());
    const answers: Promise<string>[] = [];
    for (const [number, name] of [secondName, "first"].entries()) {
      answers.push(ask(String(number)));
      await started[number]?.promise;
      await install(name === secondName ? second : first);
      look();
      expect(await nameShown(listener)).toBe(name);
    }
    goOn.resolve();
    expect(await Promise.all([...answers, ask("new")])).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
    await listener.stop();
  });

  test.each([
    ["a certificate of another key", () => copyFile(second.certFile, certFile)],
    ["what is no certificate", () => writeFile(certFile, "not a certificate")],
    ["an empty file", () => writeFile(keyFile, "")],
    ["a file that is gone", () => rm(keyFile)],
  ])("keeps the old certificate and complains about %s", async (_, spoil) => {
    await using harness = await open();
    const server = harness.listen();
    await spoil();
    look();
    const complaints = harness.takeComplaints();
    expect(complaints).toMatchObject([
      { level: "error", message: "new TLS certificate cannot be used, the old one goes on" },
    ]);
    expect(JSON.stringify(complaints)).not.toContain("PRIVATE KEY");
    expect(await nameShown(server)).toBe("first");
    await install(second);
    look();
    expect(await nameShown(server)).toBe(secondName);
  });

  test.each([
    ["a key of another certificate", () => copyFile(second.keyFile, keyFile)],
    ["no key", () => rm(keyFile)],
  ])("does not start with %s", async (_, spoil) => {
    await spoil();
    await using harness = await open();
    expect(() => harness.listen()).toThrow(/^TLS_CERT .* and TLS_KEY .* cannot be used: /);
  });
});

describe("on a socket file", () => {
  let path: string;
  beforeEach(() => void (path = join(folder.path, `${crypto.randomUUID().slice(0, 8)}.sock`)));
  const open = (settings: Record<string, string> = {}): Promise<Harness> =>
    openHarness({ settings: { LISTEN_UNIX: path, ...settings } });

  test("answers there, for its owner and group alone, and removes the file when it stops", async () => {
    await using harness = await open();
    const server = harness.listen();
    expect(server.address).toBe(`unix:${path}`);
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("660");
    expect((await fetch("http://skins.example.org/api/home", { unix: path })).status).toBe(401);
    await server.stop();
    expect(await Bun.file(path).exists()).toBe(false);
  });

  test("takes the client's address from the proxy, because only the proxy can open the file", async () => {
    await using harness = await open({ RATE_LIMIT_FACTOR: "1" });
    harness.listen();
    let last = 401;
    for (let count = 0; count < 100 && last === 401; count++) last = await attempt(path, "203.0.113.9");
    expect(last).toBe(429);
    expect(await attempt(path, "203.0.113.10")).toBe(401);
  });

  test("clears away the file of a server that was killed", async () => {
    const script = `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: () => new Response() }); process.kill(process.pid, "SIGKILL")`;
    await Bun.spawn([process.execPath, "-e", script]).exited;
    expect((await stat(path)).isSocket()).toBe(true);
    await removeStaleSocket(path);
    expect(await stat(path).catch(() => null)).toBeNull();
  });

  test("leaves a file alone that somebody listens on", async () => {
    const server = createServer().listen(path);
    await new Promise((resolve) => server.on("listening", resolve));
    expect(await reasonOf(removeStaleSocket(path))).toContain(
      `cannot listen on ${path}: another program does`,
    );
    expect((await stat(path)).isSocket()).toBe(true);
    server.close();
  });

  test("leaves alone what is no socket", async () => {
    await writeFile(path, "a letter");
    expect(await reasonOf(removeStaleSocket(path))).toContain(`${path} is there and is no socket`);
    expect(await Bun.file(path).text()).toBe("a letter");
  });

  test("has nothing to clear away where nothing is", async () => {
    expect(await removeStaleSocket(path)).toBeUndefined();
  });
});

/** How a sign-in is answered that a proxy hands on for a client. */
async function attempt(path: string, client: string): Promise<number> {
  const { status } = await fetch("http://skins.example.org/api/auth/login", {
    method: "POST",
    unix: path,
    headers: { "content-type": "application/json", "x-forwarded-for": client },
    body: JSON.stringify({ username: crypto.randomUUID(), password: "wrong password" }),
  });
  return status;
}

/** What a promise fails with, in words. */
function reasonOf(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => "it did not fail",
    (cause: unknown) => String(cause),
  );
}
