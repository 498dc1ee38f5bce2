import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { startProvider } from "../support/social/provider-server.ts";
import { discordShape } from "../support/social/provider-shapes.ts";
import { settingsOf } from "../support/social/social-world.ts";
import { isRoot, nobody, somebodyGetsToFolders } from "../support/somebody.ts";
import { sizeOf, skinPng } from "../support/textures.ts";

setDefaultTimeout(60_000);

// The binary has to work for somebody who owns nothing but one folder; root would not notice where it writes
// elsewhere.
const ordinaryUser = isRoot && somebodyGetsToFolders ? { uid: nobody, gid: nobody } : {};

let binary: string;
const folders: string[] = [];

beforeAll(async () => {
  binary = process.env["TEST_PROGRAM"] ?? (await build());
});

async function build(): Promise<string> {
  const folder = await makeFolder();
  const child = Bun.spawn([process.execPath, "tools/build.ts", "--out-dir", folder], { stderr: "inherit" });
  expect(await child.exited).toBe(0);
  return join(folder, "cloakroom");
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** An empty folder that belongs to the ordinary user. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-binary-"));
  folders.push(folder);
  await chmod(folder, 0o755);
  if (ordinaryUser.uid) await chown(folder, ordinaryUser.uid, ordinaryUser.gid);
  return folder;
}

function start(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  return Bun.spawn([binary, ...args], { cwd, env, ...ordinaryUser, stdin: "ignore", stderr: "pipe" });
}

async function run(cwd: string, ...args: readonly string[]) {
  const child = start(cwd, args);
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, err };
}

/** Reads without closing the stream, which would break the pipe of a program that still runs. */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  return text.split("\n")[0] ?? "";
}

async function signIn(url: string, username: string, password: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ username, password });
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return `Bearer ${data.jwt}`;
}

function upload(url: string, authorization: string, file: Uint8Array): Promise<Response> {
  const body = new FormData();
  body.append("skin", new File([new Uint8Array(file)], "skin.png"));
  return fetch(`${url}/api/home/edit/upload`, { method: "POST", headers: { authorization }, body });
}

test("it knows its version, its commit and its runtime", async () => {
  const folder = await makeFolder();
  const { exitCode, out } = await run(folder, "version", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toEqual({
    version: manifest.version,
    commit: expect.stringMatching(/^[0-9a-f]{12}$|^unknown$/),
    bun: manifest.dependencies.bun,
    platform: `${process.platform}-${process.arch}`,
  });
});

test("its help names every command, and asking leaves nothing behind", async () => {
  const folder = await makeFolder();
  const { exitCode, out } = await run(folder, "--help");
  expect(exitCode).toBe(0);
  for (const command of ["serve", "migrate", "user create", "skin add", "cape add", "render", "version"]) {
    expect(out).toContain(command);
  }
  expect(await readdir(folder)).toEqual([]);
});

test("it ignores what lies around in the folder where it starts", async () => {
  const folder = await makeFolder();
  await Bun.write(join(folder, ".env"), "LOG_LEVEL=nonsense\n");
  await Bun.write(join(folder, "bunfig.toml"), `preload = ["./absent.ts"]\n`);
  await Bun.write(join(folder, "package.json"), "not JSON");
  expect(await run(folder, "migrate")).toMatchObject({ exitCode: 0, err: "" });
});

test("it serves the console from an empty folder, with every file that the pages load", async () => {
  const folder = await makeFolder();
  await using server = start(folder, ["serve"], { PORT: "0" });
  const url = (await firstLine(server.stdout)).split(" ").at(-1);
  const seen = new Set<string>();
  for (const path of ["/", "/login", "/home", "/admin/users/1"]) {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
    const page = await answer.text();
    expect(page).toContain('<script type="application/json" id="community">');
    for (const [, file = ""] of page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)) seen.add(file);
  }
  // Scripts name those that they load later.
  for (const file of seen) {
    const text = await (await fetch(url + file, { headers: { "accept-encoding": "identity" } })).text();
    for (const [, later = ""] of text.matchAll(/"(\/console\/assets\/[^"]+)"/g)) seen.add(later);
  }
  expect(seen.size).toBeGreaterThan(5);
  for (const file of seen) {
    const plain = await fetch(url + file, { headers: { "accept-encoding": "identity" } });
    const packed = await fetch(url + file, { headers: { "accept-encoding": "zstd" } });
    expect([file, plain.status, packed.status]).toEqual([file, 200, 200]);
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await packed.text()).toBe(await plain.text());
  }
  expect((await fetch(`${url}/console/assets/manifest.json`)).status).toBe(404);
  // Besides the data folder nothing is written.
  expect(await readdir(folder)).toEqual(["data"]);
  server.kill();
  expect(await server.exited).toBe(0);
});

test("it serves pictures from an empty folder, and stops cleanly", async () => {
  const folder = await makeFolder();
  const created = await run(
    folder,
    "user",
    "create",
    "--mail",
    "a@b.example",
    "--username",
    "Alice",
    "--password",
    "a long password",
    "--json",
  );
  expect(created).toMatchObject({ exitCode: 0 });
  const { uuid } = JSON.parse(created.out);

  await using server = start(folder, ["serve"], { PORT: "0", NODE_ENV: "production" });
  const line = await firstLine(server.stdout);
  expect(line).toStartWith(`cloakroom ${manifest.version} listening on http://127.0.0.1:`);
  const url = line.split(" ").at(-1);

  // The API's page is made of files that are inside.
  const page = await (await fetch(`${url}/swagger`)).text();
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)];
  expect(files).not.toEqual([]);
  for (const [, file] of files) expect((await fetch(`${url}${file}`)).status).toBe(200);
  const document = (await (await fetch(`${url}/swagger/json`)).json()) as { readonly paths: object };
  expect(document.paths).toHaveProperty(["/api/auth/login"]);

  const head = await fetch(`${url}/api/skin/head/${uuid}?size=64`);
  expect(head.headers.get("x-texture-default")).toMatch(/^(?:classic|slim)$/);
  expect(decodeStoredPng(await head.bytes())).toMatchObject({ width: 64, height: 64 });

  // Large enough for a worker thread, whose code is a file of its own in the binary.
  const body = await fetch(`${url}/api/skin/body/${uuid}?size=1024&type=player`);
  expect(decodeStoredPng(await body.bytes())).toMatchObject({ width: 1024, height: 2048 });

  // A large texture is imported in a worker thread as well.
  const skin = skinPng(3, { width: 1024 });
  const authorization = await signIn(`${url}`, "Alice", "a long password");
  const uploaded = await upload(`${url}`, authorization, skin);
  expect(uploaded.status).toBe(200);
  const stored = await fetch(url + String(uploaded.headers.get("location")));
  const served = await stored.bytes();
  expect(sizeOf(served)).toBe("1024x1024");
  // Compared as bytes: walking two arrays of 4 MB takes longer than an idle connection is kept.
  expect(Buffer.compare(decodeStoredPng(served).data, decodeStoredPng(skin).data)).toBe(0);
  const torn = await upload(`${url}`, authorization, skin.subarray(0, -20));
  expect(torn.status).toBe(400);

  // The web framework says less about malformed requests in production, which must not reach our messages.
  const refused = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{"username":"Alice"}`,
  });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ msg: expect.stringContaining("password") });

  // On connections of their own: one that was idle for long on a busy machine may be closed just now.
  const fresh = { keepalive: false };
  const inFlight = fetch(`${url}/api/skin/body/${uuid}?size=1000&type=player`, fresh);
  await fetch(`${url}/api/skin/head/${uuid}`, fresh);
  server.kill("SIGTERM");
  expect((await inFlight).status).toBe(200);
  expect(await server.exited).toBe(0);
  expect(await readdir(folder)).toEqual(["data"]);
});

test("it carries accounts through their whole life, mails being files", async () => {
  const folder = await makeFolder();
  const settings = { PORT: "0", RATE_LIMIT_FACTOR: "0", SITE_URL: "https://play.example.org" };
  await using server = start(folder, ["serve"], settings);
  const url = String((await firstLine(server.stdout)).split(" ").at(-1));
  let authorization = "";
  let mailsRead = 0;
  const ask = async (request: string, body?: object) => {
    const [method = "", path = ""] = request.split(" ");
    const headers = { "content-type": "application/json", authorization };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return { status: answer.status, envelope: text === "" ? null : JSON.parse(text) };
  };
  const nextMail = async (): Promise<string> => {
    const mails = join(folder, "data", "mail");
    for (;;) {
      const files = (await readdir(mails).catch(() => [])).filter((name) => name.endsWith(".eml")).toSorted();
      const next = files[mailsRead];
      if (next !== undefined) {
        mailsRead += 1;
        return await Bun.file(join(mails, next)).text();
      }
      await Bun.sleep(20);
    }
  };
  const nextCode = async () => /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(await nextMail())?.[0] ?? "";
  const [mail, first, second, third] = [
    "a@example.org",
    "the first password",
    "the second one",
    "the third one",
  ];

  expect(await ask("POST /api/auth/register", { mail, password: first })).toMatchObject({ status: 200 });
  const code = await nextCode();
  const typed = code.toLowerCase().replace("-", " ");
  const uses = await Promise.all([1, 2].map(() => ask("POST /api/auth/confirm", { code: typed })));
  expect(uses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);

  authorization = await signIn(url, mail, first);
  const finish = { username: "Alice", password: first };
  const finished = await Promise.all([1, 2].map(() => ask("POST /api/home/registerfinish", finish)));
  expect(finished.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const rename = { username: "Bella", password: first };
  expect(await ask("PATCH /api/home/edit/username", rename)).toMatchObject({ status: 200 });
  const change = { password: first, newpassword: second };
  expect(await ask("PATCH /api/home/edit/password", change)).toMatchObject({ status: 200 });
  expect(await nextMail()).toContain("password");
  expect(await ask("POST /api/home/mail/request", { mail: "b@example.org", password: second })).toMatchObject(
    {
      status: 200,
    },
  );
  const moved = { code: await nextCode(), password: second };
  expect(await ask("POST /api/home/mail/validate", moved)).toMatchObject({ status: 200 });
  expect(await nextMail()).toContain("To: a@example.org");
  const { envelope } = await ask("GET /api/home");
  expect(envelope).toMatchObject({
    data: { Username: "Bella", Mail: "b@example.org", Mail_verification: 1 },
  });

  expect(await ask("POST /api/auth/forgetpass", { mail: "b@example.org" })).toMatchObject({ status: 200 });
  const reset = { code: await nextCode(), password: third };
  expect(await ask("POST /api/auth/forgetpass/validate", reset)).toMatchObject({ status: 204 });
  expect(await ask("POST /api/auth/forgetpass/update", reset)).toMatchObject({ status: 200 });
  expect(await ask("GET /api/home")).toMatchObject({ status: 401 });
  authorization = await signIn(url, "bella", third);
  expect(await ask("GET /api/home/sessions")).toMatchObject({
    status: 200,
    envelope: { data: [{ current: true }] },
  });

  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  const log = await server.stderr.text();
  for (const secret of [code, moved.code, reset.code, first, second, third])
    expect(log).not.toContain(secret);
});

test("it signs people in through a provider", async () => {
  const publicUrl = "https://skins.example.org";
  await using provider = startProvider(discordShape, `${publicUrl}/auth/social/callback`);
  const settings = { ...settingsOf("discord", provider.url), PORT: "0", PUBLIC_URL: publicUrl };
  await using server = start(await makeFolder(), ["serve"], settings);
  const url = (await firstLine(server.stdout)).split(" ").at(-1) ?? "";

  const comeBack = async () => {
    const away = await fetch(`${url}/auth/social/login`, { redirect: "manual" });
    const back = await fetch(away.headers.get("location") ?? "", { redirect: "manual" });
    const { pathname, search } = new URL(back.headers.get("location") ?? "");
    const [cookie = ""] = (away.headers.get("set-cookie") ?? "").split(";");
    return fetch(url + pathname + search, { headers: { cookie } });
  };
  const unknown = await comeBack();
  expect(unknown.status).toBe(404);
  const { data } = (await unknown.json()) as { data: { user: { id: string; conn_id: number } } };
  const { id, conn_id } = data.user;
  const created = await fetch(`${url}/api/auth/register/social`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ meta: { id, conn_id } }),
  });
  expect(created.status).toBe(200);
  expect(await (await comeBack()).json()).toMatchObject({ error: false, data: { userid: id } });
  expect(provider.takeFaults()).toEqual([]);

  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  const log = await server.stderr.text();
  for (const secret of [...provider.secrets(), String(conn_id)]) expect(log).not.toContain(secret);
});
