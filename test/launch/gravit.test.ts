/** GravitLauncher: textures, uploads by a signed token, and the core `http` of LaunchServers 5.2 to 5.4. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { loadConfig } from "../../src/boot/config.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import { createPlayer } from "../../src/domain/players/create-player.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { readJson } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, addSkin, allowPlayers, grantCape, type Member } from "../support/members.ts";
import { capePng, sha256, skinPng } from "../support/textures.ts";

const keys = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const others = generateKeyPairSync("ec", { namedCurve: "prime256v1" });

let folder: string;
let harness: Harness;
let anna: Member;
let service: string;
let weak: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloakroom-launch-"));
  const keyFile = join(folder, "ecdsa_id.pub");
  await writeFile(keyFile, keys.publicKey.export({ type: "spki", format: "der" }));
  harness = await openHarness({ settings: { GRAVIT_KEY_FILE: keyFile, PLAYERS_MAX: "5" } });
  anna = await addMember(harness, "Anna");
  await createPlayer(harness.services, commandLine, {
    identifier: anna.uuid,
    name: "AnnasSecond",
    uuid: null,
  });
  service = (await createToken(harness.services, commandLine, "launch", ["launcher"])).token;
  weak = (await createToken(harness.services, commandLine, "weak", ["find"])).token;
});
afterEach(() => harness.takeComplaints());
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

type Claims = { readonly iss?: string; readonly sub?: string; readonly uuid?: string };

function sign(claims: Claims, { key = keys.privateKey, end = 600 } = {}): Promise<string> {
  return new SignJWT({ iss: "LaunchServer", ...claims })
    .setProtectedHeader({ alg: "ES256" })
    .setExpirationTime(harness.services.clock.nowSeconds() + end)
    .sign(key);
}

/** A token by hand, of whatever algorithm it says. One that brings its key is signed by that. */
async function forge(
  header: { readonly alg: string; readonly jwk?: object },
  more: object = {},
): Promise<string> {
  const claims = { iss: "LaunchServer", uuid: anna.uuid, exp: harness.clock.nowSeconds() + 600, ...more };
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const key = header.jwk ? others.privateKey : keys.privateKey;
  const secret = keys.publicKey.export({ type: "spki", format: "pem" });
  const signatures: Readonly<Record<string, () => Buffer>> = {
    ES256: () => createSign("SHA256").update(text).sign({ key, dsaEncoding: "ieee-p1363" }),
    HS256: () => createHmac("sha256", secret).update(text).digest(),
  };
  return `${text}.${signatures[header.alg]?.().toString("base64url") ?? ""}`;
}

function upload(kind: string, token: string, file: Uint8Array, options?: string): Promise<Response> {
  const form = new FormData();
  if (options !== undefined) form.set("options", options);
  form.set("file", new File([new Uint8Array(file)], "file"));
  const headers = { authorization: `Bearer ${token}` };
  return harness.fetch(`/api/gravit/upload/${kind}`, { method: "POST", headers, body: form });
}

type User = { readonly username: string; readonly permissions: { readonly roles: readonly string[] } };
/** The fields of the answers that tests look at. */
type Answer = Partial<User> & {
  readonly minecraftAccessToken: string;
  readonly oauthAccessToken: string;
  readonly session: { readonly user: User; readonly expireIn: number };
};
type Looks = Record<string, { url: string; digest: string; metadata?: { model: string } }>;
const texturesOf = async (player: string, query = ""): Promise<Looks> =>
  readJson(await harness.fetch(`/api/gravit/textures/${player}${query}`));

describe("textures", () => {
  test("are found by name and by uuid, dashed or not, with digests in hex or Base64", async () => {
    const member = await addMember(harness, "Looks");
    const file = skinPng(7);
    await addSkin(harness, member, { file, slim: "true" });
    const stored = await (await harness.fetch(`/api/skin/standart/${member.uuid}`)).bytes();
    const hex = await texturesOf("lOOKS");
    expect(Object.keys(hex)).toEqual(["SKIN"]);
    expect(hex["SKIN"]).toEqual({
      url: expect.stringMatching(/^https?:\/\/.+\/textures\/[0-9a-f]{64}$/),
      digest: sha256(stored),
      metadata: { model: "slim" },
    });
    expect(await texturesOf(member.uuid)).toEqual(hex);
    expect(await texturesOf(member.uuid.replaceAll("-", ""))).toEqual(hex);
    const base64 = await texturesOf("Looks", "?digest=base64");
    expect(base64["SKIN"]?.digest).toBe(Buffer.from(sha256(stored), "hex").toString("base64url"));
  });

  test.each([
    ["an unknown name", "Stranger", 200, {}],
    ["an unknown uuid", "6f1a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b", 200, {}],
    ["what is no name", "%21%21", 400, { error: expect.stringContaining("uuid"), code: 400 }],
    ["another digest", "Anna?digest=md5", 400, { error: "digest: must be hex or base64", code: 400 }],
  ])("of %s", async (_, player, status, body) => {
    const response = await harness.fetch(`/api/gravit/textures/${player}`);
    expect(response.status).toBe(status);
    expect(await readJson<unknown>(response)).toEqual(body);
  });
});

describe("uploads", () => {
  test("put a skin on the player of the token, once into the wardrobe", async () => {
    const { uuid, name } = await addMember(harness, "Painter");
    for (const options of ['{"modelSlim":true}', '{"modelSlim":true}']) {
      const response = await upload("skin", await sign({ sub: name, uuid }), skinPng(21), options);
      expect(response.status).toBe(200);
      expect(await readJson<unknown>(response)).toEqual((await texturesOf(uuid))["SKIN"]);
    }
    expect((await texturesOf(uuid))["SKIN"]?.metadata).toEqual({ model: "slim" });
    const member = await harness.services.reads.accounts.findMember({ by: "name", value: "painter" });
    expect(await harness.services.reads.textures.countSkins(member!.account.id)).toBe(1);
    const classic = await upload("skin", await sign({ sub: name }), skinPng(21), "{}");
    expect(classic.status).toBe(200);
    expect(await readJson<unknown>(classic)).toEqual({ ...(await texturesOf(uuid))["SKIN"], metadata: {} });
    expect((await texturesOf(uuid))["SKIN"]).not.toHaveProperty("metadata");
    expect(await harness.services.reads.textures.countSkins(member!.account.id)).toBe(2);
  });

  test("put on a granted cape, and no other", async () => {
    const member = await addMember(harness, "Caped");
    const token = await sign({ uuid: member.uuid });
    await grantCape(harness, [member], capePng(31));
    const worn = await upload("cape", token, capePng(31), "{}");
    expect(worn.status).toBe(200);
    expect(await readJson<unknown>(worn)).toEqual({
      ...(await texturesOf(member.uuid))["CAPE"],
      metadata: {},
    });
    const refused = await upload("cape", token, capePng(32), "{}");
    expect(refused.status).toBe(403);
    expect(await readJson<unknown>(refused)).toEqual({
      error: expect.stringContaining("granted"),
      code: 403,
    });
  });

  test("reach a further player of an account", async () => {
    const member = await addMember(harness, "Sculptor");
    await allowPlayers(harness, member);
    const { name } = await addPlayer(harness, member, "SculptorTwo");
    expect((await upload("skin", await sign({ sub: name }), skinPng(41))).status).toBe(200);
    expect(await texturesOf(name)).toHaveProperty("SKIN");
    expect(await texturesOf("Sculptor")).not.toHaveProperty("SKIN");
  });

  test.each<readonly [string, () => Promise<string>, number]>([
    ["no token", async () => "", 401],
    ["another key's token", () => sign({ uuid: anna.uuid }, { key: others.privateKey }), 401],
    ["an ended token", () => sign({ uuid: anna.uuid }, { end: -1 }), 401],
    ["another issuer's token", () => sign({ uuid: anna.uuid, iss: "Somebody" }), 401],
    ["a service token", async () => service, 401],
    ["a web session's token", async () => anna.jwt, 401],
    ["a token of nobody", () => sign({}), 401],
    ["a token without an end", () => forge({ alg: "ES256" }, { exp: undefined }), 401],
    [
      "a token that is not valid yet",
      () => forge({ alg: "ES256" }, { nbf: harness.clock.nowSeconds() + 300 }),
      401,
    ],
    ["a token without a signature", () => forge({ alg: "none" }), 401],
    ["a token that the public key signed as a secret", () => forge({ alg: "HS256" }), 401],
    [
      "a token that brings its key",
      () => forge({ alg: "ES256", jwk: others.publicKey.export({ format: "jwk" }) }),
      401,
    ],
    ["a uuid and another's name", () => sign({ uuid: anna.uuid, sub: "AnnasSecond" }), 401],
    ["what is no uuid", () => sign({ uuid: "../Anna", sub: "Anna" }), 401],
    ["an unknown player", () => sign({ sub: "Stranger" }), 404],
  ])("with %s change nothing", async (_, token, status) => {
    const response = await upload("skin", await token(), skinPng(51));
    expect(response.status).toBe(status);
    expect(Object.keys(await readJson<object>(response)).sort()).toEqual(["code", "error"]);
  });

  test("by a token that a LaunchServer makes are taken", async () => {
    const token = await forge({ alg: "ES256" });
    expect((await upload("skin", token, skinPng(52))).status).toBe(200);
  });

  test.each([
    ["no picture", new Uint8Array([1, 2, 3]), "{}"],
    ["options that are no JSON", skinPng(61), "slim"],
    ["options that are a list", skinPng(61), "[]"],
    ["a model that is neither true nor false", skinPng(61), '{"modelSlim":"yes"}'],
  ])("with %s are refused", async (_, file, options) => {
    const response = await upload("skin", await sign({ uuid: anna.uuid }), file, options);
    expect(response.status).toBe(400);
    expect(Object.keys(await readJson<object>(response)).sort()).toEqual(["code", "error"]);
  });

  test("take no token that a LaunchServer made before its player was suspended", async () => {
    const { uuid, account } = await addMember(harness, "Banned");
    const token = await sign({ uuid });
    expect((await upload("skin", token, skinPng(1), "{}")).status).toBe(200);
    await suspendUser(harness.services, commandLine, {
      identifier: String(account.id),
      terms: { until: null, reason: "x" },
    });
    for (const kind of ["skin", "cape"]) {
      const response = await upload(kind, token, kind === "skin" ? skinPng(2) : capePng(2));
      const answer = [response.status, await readJson<unknown>(response)];
      expect(answer).toEqual([403, { error: "auth.userblocked", code: 403 }]);
    }
    expect(await harness.services.reads.textures.listSkins(account.id)).toHaveLength(1);
  });

  test("take no LaunchServer's token without the key", async () => {
    await using bare = await openHarness();
    const headers = { authorization: `Bearer ${await sign({ uuid: anna.uuid })}` };
    const response = await bare.fetch("/api/gravit/upload/skin", { method: "POST", headers });
    expect(response.status).toBe(401);
  });
});

function call(path: string, json?: unknown, token: string | null = service): Promise<Response> {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), "content-type": "application/json" };
  const method = json === undefined ? "GET" : "POST";
  return harness.fetch(`/api/gravit/auth/${path}`, {
    method,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
}

const signInAs = (login: string, password: string, minecraftAccess = true) =>
  call("authorize", {
    login,
    context: { ip: "1.2.3.4" },
    password: { type: "plain", password },
    minecraftAccess,
  });

describe("the core http", () => {
  test("signs a player in, refreshes, joins and is checked", async () => {
    const member = await addMember(harness, "Gamer", { level: 3 });
    const report = await readJson<Answer>(await signInAs("Gamer", member.password));
    const token = report.minecraftAccessToken;
    const user = {
      username: "Gamer",
      uuid: member.uuid,
      serverId: null,
      accessToken: null,
      permissions: { roles: ["administrator"], perms: [] },
      assets: {},
      properties: {},
      hwidId: 0,
    };
    expect(report as unknown).toEqual({
      minecraftAccessToken: expect.any(String),
      oauthAccessToken: token,
      oauthRefreshToken: token,
      oauthExpire: expect.any(Number),
      session: { id: expect.any(String), user, minecraftAccessToken: token, expireIn: expect.any(Number) },
    });
    harness.clock.advance(60);
    expect(await readJson<unknown>(await call("session", undefined, token))).toEqual({
      ...report.session,
      expireIn: report.session.expireIn - 60_000,
    });

    const renewed = await readJson<Answer>(
      await call("refresh", { refreshToken: token, context: null }, null),
    );
    const stale = await call("session", undefined, token);
    expect([stale.status, await readJson(stale)]).toEqual([401, { error: "auth.expiretoken", code: 401 }]);
    const again = await call("refresh", { refreshToken: token }, null);
    expect([again.status, await readJson(again)]).toEqual([401, { error: "auth.invalidtoken", code: 401 }]);

    const joining = {
      username: "Gamer",
      uuid: member.uuid,
      accessToken: renewed.oauthAccessToken,
      serverId: "-abc",
    };
    expect((await call("check", { username: "Gamer", serverId: "-abc" })).status).toBe(404);
    expect((await call("join", joining)).status).toBe(204);
    expect(await readJson<unknown>(await call("check", { username: "Gamer", serverId: "-abc" }))).toEqual(
      user,
    );
    // The same records as those of the other protocols.
    const asked = "/api/yggdrasil/sessionserver/session/minecraft/hasJoined?username=Gamer&serverId=-abc";
    expect((await harness.fetch(asked)).status).toBe(200);
    expect((await harness.fetch(`${asked}&ip=127.0.0.1`)).status).toBe(204);
  });

  test("enters as the named player, else as the main one", async () => {
    const { password, mail } = anna;
    const named = await readJson<Answer>(await signInAs("annassecond", password, false));
    expect(named).toMatchObject({
      minecraftAccessToken: null,
      session: { user: { username: "AnnasSecond" } },
    });
    harness.clock.advance(5);
    const main = await readJson<Answer>(await signInAs(mail, password));
    expect(main.session.user.username).toBe("Anna");
    expect(main.session.user.permissions.roles).toEqual([]);
  });

  test("says the same of a wrong password and of an unknown player", async () => {
    for (const login of ["Anna", "Stranger"]) {
      harness.clock.advance(5);
      const response = await signInAs(login, "a wrong password");
      expect([response.status, await readJson<unknown>(response)]).toEqual([
        403,
        { error: "auth.wrongpassword", code: 403 },
      ]);
    }
  });

  test("many players sign in at once from the launch server's one address", async () => {
    const settings = { RATE_LIMIT_FACTOR: "1", SERVICE_API_TOKEN: "a-service-token-of-forty-characters-000" };
    await using limited = await openHarness({ settings });
    const names = Array.from({ length: 24 }, (_, at) => `Pupil${at}`);
    const pupils: Member[] = [];
    for (const name of names) pupils.push(await addPupil(limited, name));
    const answers = await Promise.all(
      pupils.map(({ name, password }) =>
        limited.fetch("/api/gravit/auth/authorize", {
          method: "POST",
          headers: { authorization: settings.SERVICE_API_TOKEN },
          body: JSON.stringify({ login: name, password: { type: "plain", password } }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  });

  test.each<readonly [string, string, unknown, number]>([
    ["another kind of password", "authorize", { login: "Anna", password: { type: "2fa" } }, 400],
    ["no password", "authorize", { login: "Anna", password: null }, 400],
    ["no login", "authorize", { password: { type: "plain", password: "x" } }, 400],
    ["a list", "authorize", [], 400],
    ["a bad token", "refresh", { refreshToken: "x" }, 401],
    ["another's player", "join", { username: "Anna", accessToken: "x", serverId: "a" }, 403],
    ["an unknown player", "join", { username: "Stranger", accessToken: "x", serverId: "a" }, 403],
    ["hardware", "hardware", {}, 404],
  ])("refuses %s", async (_, path, json, status) => {
    const response = await call(path, json);
    expect(response.status).toBe(status);
    expect(Object.keys(await readJson<object>(response)).sort()).toEqual(["code", "error"]);
  });

  test.each(["authorize", "join", "check"])("%s asks for a service token with the right", async (path) => {
    for (const [token, status] of [
      [null, 401],
      ["made up", 401],
      [anna.jwt, 401],
      [weak, 403],
    ] as const) {
      const response = await call(path, {}, token);
      expect(response.status).toBe(status);
    }
  });

  test("shows strangers no roles, and no player by mail address", async () => {
    const chief = await addMember(harness, "Chief", { level: 2 });
    const rolesAt = async (path: string, token: string | null) =>
      (await readJson<Answer>(await call(path, undefined, token))).permissions?.roles;
    for (const path of ["user/name/chief", "user/login/Chief", `user/uuid/${chief.uuid}`]) {
      expect(await rolesAt(path, null)).toEqual([]);
      expect(await rolesAt(path, weak)).toEqual([]);
      expect(await rolesAt(path, service)).toEqual(["moderator"]);
    }
    const byMail = `user/login/${chief.mail}`;
    expect((await call(byMail, undefined, null)).status).toBe(404);
    expect((await call(byMail)).status).toBe(200);
    const unknown = await call("user/name/Stranger", undefined, null);
    expect([unknown.status, await readJson(unknown)]).toEqual([
      404,
      { error: "auth.usernotfound", code: 404 },
    ]);
    expect(await readJson<unknown>(await call("details", undefined, null))).toEqual({
      details: [{ type: "password" }],
    });
  });
});

async function addPupil(limited: Harness, name: string): Promise<Member> {
  // Their web sessions would count for the same address.
  limited.clock.advance(60);
  return addMember(limited, name);
}

test.each([
  ["a missing file", null, /cannot be used/],
  ["a text that is no key", "no key", /cannot be used/],
  ["a private key", keys.privateKey.export({ type: "pkcs8", format: "pem" }), /private key/],
  [
    "another curve",
    generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey.export({ type: "spki", format: "pem" }),
    /P-256/,
  ],
])("%s is a fault of the settings that names the cure", async (name, content, rule) => {
  const path = join(folder, `${name}.pub`);
  if (content !== null) await writeFile(path, content);
  const sources = { flags: { GRAVIT_KEY_FILE: path }, environment: {}, file: null, logsToTerminal: false };
  const fault = await loadConfig({ ...sources, serving: true }).catch((error: Error) => error.message);
  expect(fault).toMatch(rule);
  expect(fault).toContain("GRAVIT_KEY_FILE");
});
