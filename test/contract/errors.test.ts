/** Failures (docs/contract/answers.md#statuses). */
import { afterAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import type { TextureFile } from "../../src/kernel/ids.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, upload } from "../support/members.ts";
import { checkHeaders, expectError, play } from "../support/scenario.ts";
import { bitmapHash, skinBitmap, skinPng } from "../support/textures.ts";
import { isLeftOut } from "../support/storages.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");

describe("an unknown address", () => {
  test.each([
    "GET /nowhere",
    "GET /api",
    "GET /api/",
    "GET /robots.txt",
    "POST /api/auth/logins",
    "GET /api/skin",
    "GET /api/skin/head",
    "GET /api/skin/head/",
    "GET /api/skin/head/a/b",
    "GET /api/skin/launcher/a/b",
    "GET /textures",
    "GET /textures/",
    "GET /textures/a/b",
    "GET //api/home",
    "GET /API/HOME",
    "GET /api/home/edit/skin/select/more",
    "GET /%00",
    "GET /%ff",
    "GET /%2e%2e/%2e%2e/etc/passwd",
    "GET /api/skin/..%2f..%2fcloakroom.db",
    "GET /..%2f..%2fcloakroom.db",
    "GET /cloakroom.db",
    "GET /secrets/jwt-secret",
    "GET /__proto__",
    "GET /constructor",
    `GET /${"a".repeat(10_000)}`,
    "DELETE /nothing",
    "OPTIONS /nothing",
    "PATCH /nothing",
  ])("%s is not found", (request) =>
    play(harness, {
      name: "",
      request,
      status: 404,
      data: {},
      hasNot: ["passwd", "proto"],
      answerHeaders: { allow: null },
    }),
  );
});

describe("an address asked in a way that it does not know", () => {
  const routes: readonly (readonly [path: string, allow: string])[] = [
    ["/api/auth/login", "POST"],
    ["/api/auth/logout", "POST"],
    ["/api/auth/register", "POST"],
    ["/api/auth/confirm", "POST"],
    ["/api/auth/forgetpass", "POST"],
    ["/api/auth/forgetpass/validate", "POST"],
    ["/api/auth/forgetpass/update", "POST"],
    ["/api/home/registerfinish", "POST"],
    ["/api/home/edit/username", "PATCH"],
    ["/api/home/edit/password", "PATCH"],
    ["/api/home/mail/request", "POST"],
    ["/api/home/mail/validate", "POST"],
    ["/api/home/sessions", "GET, HEAD"],
    [`/api/home/sessions/${alice.uuid}`, "DELETE"],
    ["/api/home", "GET, HEAD"],
    ["/api/home/edit/upload", "POST"],
    ["/api/home/edit/skin", "PUT, DELETE"],
    ["/api/home/edit/skin/select", "POST"],
    [`/api/skin/launcher/${alice.uuid}`, "GET, HEAD"],
    [`/api/skin/launcher/envelope/${alice.uuid}`, "GET, HEAD"],
    [`/api/skin/head/${alice.uuid}`, "GET, HEAD"],
    [`/api/skin/body/${alice.uuid}`, "GET, HEAD"],
    ["/api/skin/cloak/1", "GET, HEAD"],
    [`/api/skin/standart/${alice.uuid}`, "GET, HEAD"],
    [`/api/skin/standart/cape/${alice.uuid}`, "GET, HEAD"],
    [`/api/skin/public/${alice.uuid}`, "GET, HEAD"],
    [`/api/skin/public/cape/${alice.uuid}`, "GET, HEAD"],
    [`/textures/${"0".repeat(64)}`, "GET, HEAD"],
  ];
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const table = routes.flatMap(([path, allow]) =>
    methods
      .filter((method) => !allow.split(", ").includes(method))
      .map((method) => [method, path, allow] as const),
  );
  test.each(table)("%s %s", async (method, path, allow) => {
    const response = await harness.fetch(path, { method });
    checkHeaders(response, { allow });
    await expectError(response, 405);
    expect(harness.takeComplaints()).toEqual([]);
  });

  test("is answered so also to a member, and with a body", () =>
    play(harness, {
      name: "",
      request: "PATCH /api/home",
      actor: alice,
      json: { perms: 3 },
      status: 405,
      answerHeaders: { allow: "GET, HEAD" },
    }));
});

const { uuid, hash } = await loseFile(await addSkin(harness, alice, { file: skinPng(1) }), 1);

describe("a fault", () => {
  test.each([
    `/api/skin/public/${uuid}`,
    `/api/skin/standart/${alice.uuid}`,
    `/api/skin/head/${alice.uuid}`,
    `/api/skin/body/${uuid}?type=player&size=512`,
    `/textures/${hash}`,
  ])("%s answers 500 with a request id that stands in the log, and nothing else", async (path) => {
    harness.takeComplaints();
    const response = await harness.fetch(path, { headers: { authorization: alice.authorization } });
    const id = response.headers.get("x-request-id") ?? "";
    expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    checkHeaders(response, { etag: null, "cache-control": "no-store" });
    const text = await response.clone().text();
    for (const secret of [harness.folder, hash, "missing", "Error:", "    at "])
      expect(text).not.toContain(secret);
    await expectError(response, 500, new RegExp(`^Internal error \\(request ${id}\\)$`));
    const complaints = harness.takeComplaints();
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatchObject({ level: "error", requestId: id });
    expect(JSON.stringify(complaints)).not.toContain(alice.jwt);
  });

  test("is not remembered: the file is served as soon as it is back", async () => {
    const file = skinPng(2);
    const lost = await loseFile(await addSkin(harness, alice, { file }), 2);
    expect((await harness.fetch(`/textures/${lost.hash}`)).status).toBe(500);
    await addSkin(harness, await addMember(harness, "Bob"), { file });
    expect((await harness.fetch(`/textures/${lost.hash}`)).status).toBe(200);
    harness.takeComplaints();
  });
});

describe("a service that is at its end", () => {
  const isOneWriter = isLeftOut("sqlite", "PostgreSQL has no queue of writers; it answers 503");
  test.skipIf(isOneWriter)("answers 429 and when to come again while too many changes wait", async () => {
    const gate = Promise.withResolvers<void>();
    const waiting = Array.from({ length: 2_000 }, () =>
      harness.services.transact(system, () => gate.promise),
    );
    const skinid = uuid;
    const busy = { status: 429, answerHeaders: { "retry-after": /^[1-9][0-9]*$/ }, data: {} } as const;
    const login = { username: "Alice", password: alice.password };
    await play(harness, { name: "", request: "POST /api/auth/login", json: login, ...busy });
    await play(harness, {
      name: "",
      request: "POST /api/home/edit/skin/select",
      actor: alice,
      json: { skinid },
      ...busy,
    });
    gate.resolve();
    await Promise.all(waiting);
    await play(harness, { name: "", request: "POST /api/auth/login", json: login, status: 200 });
  });

  test("answers 507 to an upload when the disk is full, and goes on", async () => {
    const full = new PlainError("no_space", "No space is left");
    await using other = await openHarness({ blobs: { put: () => Promise.reject(full) } });
    const member = await addMember(other, "Alice");
    await expectError(await upload(other, member, { file: skinPng(1) }), 507);
    expect(other.countRows("textures")).toBe(0);
    expect((await other.fetch(`/api/skin/head/${member.uuid}`)).status).toBe(200);
  });

  test("delivers also without memory for pictures", async () => {
    await using other = await openHarness({ settings: { RENDER_CACHE_BYTES: "0" } });
    const member = await addMember(other, "Alice");
    await addSkin(other, member, { file: skinPng(1) });
    for (const path of ["head", "body", "standart"].map((section) => `/api/skin/${section}/${member.uuid}`)) {
      const first = await other.fetch(path);
      const tag = first.headers.get("etag") ?? "";
      const again = await other.fetch(path);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(await again.bytes()).toEqual(await first.bytes());
      expect((await other.fetch(path, { headers: { "if-none-match": tag } })).status).toBe(304);
    }
  });
});

test("errors of delivery differ from a picture by their type", async () => {
  const response = await harness.fetch(`/api/skin/head/${crypto.randomUUID()}`, {
    headers: { accept: "image/png" },
  });
  checkHeaders(response, { "content-type": /^application\/json/, etag: null });
  await expectError(response, 404);
});

/** Removes the file of the skin with this seed behind the service's back. */
async function loseFile(uuid: string, seed: number) {
  const hash = bitmapHash(skinBitmap(seed));
  const [row] = harness.database.rows(`SELECT file FROM textures WHERE hash = '${hash}'`);
  await harness.services.blobs.delete(row?.["file"] as TextureFile);
  return { uuid, hash };
}
