/** What the game asks of its services. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPublicKey, createVerify, type KeyObject } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { Waiters } from "../../src/kernel/waiters.ts";
import { readJson } from "../support/answers.ts";
import { openHarness, publicUrl, siteUrl, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { addGamer, ask, idOf, root, signInToGame, type Gamer } from "./world.ts";

let harness: Harness;
let anna: Gamer;
/** A token that no player is bound to: there are two to choose from. */
let unbound: string;
beforeAll(async () => {
  harness = await openHarness({ settings: { SERVER_NAME: "Our Server", SKIN_DOMAINS: ".example.net" } });
  anna = await addGamer(harness, "Anna");
  unbound = await signInToGame(harness, anna.member.mail, anna.member.password);
});
afterAll(() => harness[Symbol.asyncDispose]());

const places = ["/minecraftservices", ""];

async function announcedKey(): Promise<KeyObject> {
  const { signaturePublickey } = await readJson<{ readonly signaturePublickey: string }>(
    await ask(harness, "GET "),
  );
  return createPublicKey(signaturePublickey);
}

test.each(["", "/"])("the root%s says who this is, and by which key it signs", async (end) => {
  const answer = await harness.fetch(root + end);
  const body = await readJson<Readonly<Record<string, unknown>>>(answer);
  expect(Object.keys(body)).toEqual(["meta", "skinDomains", "signaturePublickey"]);
  expect(body["meta"]).toStrictEqual({
    serverName: "Our Server",
    implementationName: "cloakroom",
    implementationVersion: "0.0.0-test",
    links: { homepage: siteUrl, register: `${siteUrl}/register` },
    "feature.non_email_login": true,
    "feature.legacy_skin_api": true,
    "feature.enable_profile_key": true,
  });
  expect(body["skinDomains"]).toEqual(["skins.example.org", ".example.net"]);
  expect(body["signaturePublickey"]).toMatch(
    /^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/,
  );
});

test("pages and what is not there say where the protocol lives, answers of the API do not", async () => {
  const header = "x-authlib-injector-api-location";
  for (const path of [
    "/",
    "/swagger",
    "/nothing",
    "/api/nothing",
    "/api/yggdrasil/nothing",
    `/textures/${"0".repeat(64)}`,
  ]) {
    const { headers } = await harness.fetch(path);
    expect([path, headers.get(header)]).toEqual([path, `${publicUrl}/api/yggdrasil`]);
  }
  expect((await harness.fetch("/health/live")).headers.get(header)).toBeNull();
  await using off = await openHarness({ settings: { PROTOCOLS: "csl" } });
  expect((await off.fetch("/")).headers.get(header)).toBeNull();
  const unknown = await off.fetch(root);
  expect([unknown.status, Object.keys(await readJson<object>(unknown))]).toEqual([
    404,
    Object.keys(await readJson<object>(await off.fetch("/api/nothing"))),
  ]);
});

test.each([
  [
    "below a path is part of where the protocol lives",
    "https://example.org/skins",
    "https://example.org/skins/api/yggdrasil",
  ],
  ["that no setting says leaves a path", undefined, "/api/yggdrasil"],
])("a public address %s", async (_, given, location) => {
  await using other = await openHarness({ settings: { PUBLIC_URL: given } });
  for (const path of ["/", "/login", "/nothing", "/api/yggdrasil/nothing"]) {
    const { headers } = await other.fetch(path);
    expect([path, headers.get("x-authlib-injector-api-location")]).toEqual([path, location]);
  }
});

const enabled = (value: boolean) => ({ enabled: value });
const attributes = {
  privileges: {
    onlineChat: enabled(true),
    multiplayerServer: enabled(true),
    multiplayerRealms: enabled(false),
    telemetry: enabled(false),
    optionalTelemetry: enabled(false),
  },
  profanityFilterPreferences: { profanityFilterOn: false },
  banStatus: { bannedScopes: {} },
};
const entitlements = {
  items: [
    { name: "product_minecraft", signature: "" },
    { name: "game_minecraft", signature: "" },
  ],
  signature: "",
  keyId: "1",
};

const answers: readonly (readonly [request: string, status: number, body: unknown])[] = [
  ["GET /player/attributes", 200, attributes],
  ["POST /player/attributes", 200, attributes],
  ["GET /privileges", 200, attributes],
  ["GET /privacy/blocklist", 200, { blockedProfiles: [] }],
  ["GET /entitlements/mcstore", 200, entitlements],
  ["GET /entitlements/license", 200, entitlements],
  ["GET /rollout/v1/msamigration", 200, { feature: "msamigration", rollout: false }],
  ["POST /events", 204, null],
  ["GET /minecraft/profile/name/Free/available", 200, { status: "AVAILABLE" }],
  ["GET /minecraft/profile/name/annatwo/available", 200, { status: "DUPLICATE" }],
  ["GET /minecraft/profile/name/admin/available", 200, { status: "NOT_ALLOWED" }],
  ["GET /minecraft/profile/name/x/available", 200, { status: "NOT_ALLOWED" }],
];
const failing: readonly (readonly [request: string, status: number, error: string])[] = [
  ["PUT /minecraft/profile/name/Other", 403, "ForbiddenOperationException"],
  ["POST /presence", 501, "Not Implemented"],
  ["GET /friends", 501, "Not Implemented"],
  ["PUT /friends", 501, "Not Implemented"],
  ["POST /player/report", 501, "Not Implemented"],
  ["POST /authentication/login_with_xbox", 501, "Not Implemented"],
];

test.each(answers)("%s answers", async (request, status, body) => {
  for (const place of places) {
    const answer = await ask(harness, request.replace(" ", ` ${place}`), anna);
    expect(answer.status).toBe(status);
    const text = await answer.text();
    expect(text === "" ? null : JSON.parse(text)).toStrictEqual(body);
  }
});

test.each(failing)("%s fails", async (request, status, error) => {
  for (const place of places) {
    const answer = await ask(harness, request.replace(" ", ` ${place}`), anna);
    expect([answer.status, await readJson<object>(answer)]).toStrictEqual([
      status,
      { error, errorMessage: expect.any(String) as string },
    ]);
  }
});

const guarded = [
  ...answers,
  ...failing,
  ["GET /minecraft/profile"],
  ["GET /minecraft/profile/namechange"],
  ["POST /player/certificates"],
  ["POST /minecraft/profile/skins"],
  ["DELETE /minecraft/profile/skins/active"],
  ["DELETE /minecraft/profile/capes/active"],
  ["PUT /minecraft/profile/capes/active"],
] as const;

test.each(guarded.map(([request]) => request))("%s asks for a game token", async (request) => {
  for (const token of [undefined, anna.member.jwt, "x", "0".repeat(64)]) {
    const answer = await ask(
      harness,
      request.replace(" ", " /minecraftservices"),
      token === undefined ? {} : { token },
    );
    expect(answer.status).toBe(401);
    expect(await readJson<object>(answer)).toStrictEqual({
      error: "Unauthorized",
      errorMessage: expect.any(String) as string,
    });
  }
});

test("the location of every player is trusted", async () => {
  for (const place of ["/api", "/minecraftservices/api", ""])
    expect((await ask(harness, `GET ${place}/user/security/location`, anna)).status).toBe(204);
});

test.each([
  "GET /minecraft/profile",
  "GET /minecraft/profile/namechange",
  "POST /player/certificates",
  "DELETE /minecraft/profile/skins/active",
])("%s is 404 for a token without a player", async (request) => {
  const answer = await ask(harness, request, { token: unbound });
  expect(answer.status).toBe(404);
  expect(Object.keys(await readJson<object>(answer))).toEqual(["error", "errorMessage"]);
});

test("the time of the name is that of the player, or of its last rename", async () => {
  const created = new Date(anna.main.createdAt * 1000).toISOString();
  expect(
    await readJson<unknown>(await ask(harness, "GET /minecraft/profile/namechange", anna)),
  ).toStrictEqual({
    changedAt: created,
    createdAt: created,
    nameChangeAllowed: false,
  });
});

type Certificate = {
  readonly keyPair: { readonly privateKey: string; readonly publicKey: string };
  readonly publicKeySignature: string;
  readonly publicKeySignatureV2: string;
  readonly expiresAt: string;
  readonly refreshedAfter: string;
};

test("a certificate comes for an empty body of whatever type, and is checked by the announced key", async () => {
  const get = async (place: string): Promise<Certificate> => {
    const answer = await harness.fetch(`${root}${place}/player/certificates`, {
      method: "POST",
      headers: { authorization: `Bearer ${anna.token}`, "content-type": "application/json" },
    });
    expect(answer.status).toBe(200);
    return readJson<Certificate>(answer);
  };
  const [made, same] = [await get("/minecraftservices"), await get("")];
  expect(same).toStrictEqual(made);
  expect(Object.keys(made)).toEqual([
    "keyPair",
    "publicKeySignature",
    "publicKeySignatureV2",
    "expiresAt",
    "refreshedAfter",
  ]);
  for (const time of [made.expiresAt, made.refreshedAfter])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const end = BigInt(Date.parse(made.expiresAt));
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(end);
  const der = Buffer.from(made.keyPair.publicKey.split("\n").slice(1, -2).join(""), "base64");
  const signed = Buffer.concat([Buffer.from(idOf(anna.main), "hex"), bytes, der]);
  const key = await announcedKey();
  const verify = (content: Buffer | string, signature: string) =>
    createVerify("RSA-SHA1").update(content).verify(key, signature, "base64");
  expect(verify(signed, made.publicKeySignatureV2)).toBe(true);
  expect(verify(`${end}${made.keyPair.publicKey}`, made.publicKeySignature)).toBe(true);
});

const endpointNames = (
  "getPublicKeys loginXbox getProfileById verify join updatePresence sendReport getAttributes updateAttributes " +
  "getFriends updateFriends getCertificates getBlocklist getManyByName getByName sendEvents"
).split(" ");

test("all addresses of the discovery are there, and its template of textures is delivery's", async () => {
  const answer = await ask(harness, "GET /discovery/minecraft/client");
  const text = await answer.text();
  const found = [...text.matchAll(/"(?<name>\w+)":\{"uri":"(?<uri>[^"]+)"\}/g)];
  expect(new Set(found.map(({ groups }) => groups?.["name"]))).toEqual(new Set(endpointNames));
  for (const { groups } of found) {
    const uri = groups?.["uri"] ?? "";
    expect(uri.startsWith(`${publicUrl}${root}/`)).toBe(true);
    const path = uri.slice(publicUrl.length).replace(/\{\w+\}/, "Anna");
    // Every method is wrong for nothing: an address that is unknown would be 404 in all of them.
    const statuses = await Promise.all(
      ["GET", "POST", "PUT"].map(async (method) => (await harness.fetch(path, { method })).status),
    );
    expect([uri, statuses.every((status) => status === 404)]).toEqual([uri, false]);
  }
  const { discovery } = JSON.parse(text);
  expect(discovery.profiles.endpoints.getTexture).toEqual({
    validUris: [`${publicUrl}/textures/{textureId}`],
  });
});

test("a member whose registration is unfinished has no player, but asks what all may ask", async () => {
  const member = await addMember(harness, "Newcomer", { finished: false });
  const token = await signInToGame(harness, member.mail, member.password);
  expect((await ask(harness, "GET /minecraft/profile", { token })).status).toBe(404);
  expect((await ask(harness, "GET /privileges", { token })).status).toBe(200);
});

const waiters = () => new Waiters({ client: "another", gone: null });

test("a game that hangs up while it waits for a signature leaves no fault behind", async () => {
  const busy = Array.from({ length: 6 }, () => harness.services.signer.makeKeyPair(waiters()));
  const { signal, abort } = abortable();
  const path = `${root}/session/minecraft/profile/${idOf(anna.second)}?unsigned=false`;
  const asked = harness.fetch(path, { signal });
  await yieldToEventLoop();
  abort();
  expect((await asked).status).toBe(499);
  await Promise.all(busy);
  expect(harness.takeComplaints()).toEqual([]);
  expect((await harness.fetch(path)).status).toBe(200);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
