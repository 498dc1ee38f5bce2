/** The module `myhttp` of GravitLauncher's LaunchServers from 5.5 on, by the bytes that it sends. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { readJson } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "../support/members.ts";
import { capePng, sha256, skinPng } from "../support/textures.ts";

let harness: Harness;
let anna: Member;
let service: string;
let weak: string;
beforeAll(async () => {
  harness = await openHarness();
  anna = await addMember(harness, "Anna");
  service = (await createToken(harness.services, commandLine, "launch", ["launcher"])).token;
  weak = (await createToken(harness.services, commandLine, "weak", ["find"])).token;
});
afterEach(() => harness.takeComplaints());
afterAll(() => harness[Symbol.asyncDispose]());

/** As the module's requester sends it. */
function ask(path: string, body?: string, token: string | null = service, on = harness): Promise<Response> {
  const headers = {
    "content-type": "application/json; charset=UTF-8",
    accept: "application/json",
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  const method = body === undefined ? "GET" : "POST";
  return on.fetch(`/api/gravit/myhttp/${path}`, { method, headers, ...(body !== undefined && { body }) });
}

type Session = { readonly accessToken: string; readonly refreshToken: string; readonly expire: number };

const signIn = (login: string, password: string) => ask("authorize", JSON.stringify({ login, password }));
const failureOf = async (response: Response) => [response.status, await readJson<unknown>(response)];

const playerOf = ({ name, uuid }: Member, roles: readonly string[] = []) => ({
  username: name,
  uuid,
  permissions: [],
  roles,
  assets: {},
  banned: false,
});

test("a player signs in, comes back, refreshes, joins and is checked", async () => {
  const member = await addMember(harness, "Gamer", { level: 3 });
  const user = playerOf(member, ["administrator"]);
  const opened = await readJson<Session>(await signIn("gamer", member.password));
  expect(opened as unknown).toEqual({
    id: member.account.uuid,
    accessToken: expect.stringMatching(/^[0-9a-f]{64}$/),
    refreshToken: opened.accessToken,
    expire: 15 * 24 * 60 * 60,
    user,
  });

  harness.clock.advance(60);
  const back = await ask("token", `{"accessToken":"${opened.accessToken}"}`);
  expect(await readJson<unknown>(back)).toEqual({ ...opened, expire: opened.expire - 60 });

  const renewed = await readJson<Session>(await ask("refresh", `{"refreshToken":"${opened.refreshToken}"}`));
  expect(renewed).toEqual({ ...opened, accessToken: renewed.accessToken, refreshToken: renewed.accessToken });
  expect(renewed.accessToken).not.toBe(opened.accessToken);
  expect(await failureOf(await ask("token", `{"accessToken":"${opened.accessToken}"}`))).toEqual([
    401,
    { error: "auth.tokenexpired", code: 1001 },
  ]);
  expect(await failureOf(await ask("refresh", `{"refreshToken":"${opened.refreshToken}"}`))).toEqual([
    401,
    { error: "auth.invalidtoken", code: 1002 },
  ]);

  const question = '{"username":"Gamer","serverId":"-abc"}';
  expect(await failureOf(await ask("check", question))).toEqual([
    404,
    { error: "This player has not joined", code: 404 },
  ]);
  const joining = `{"username":"Gamer","uuid":"${member.uuid}","accessToken":"${renewed.accessToken}","serverId":"-abc"}`;
  const joined = await ask("join", joining);
  // Java cannot make the module's class of an answer from any body.
  expect([joined.status, await joined.text()]).toEqual([204, ""]);
  expect(await readJson<unknown>(await ask("check", question))).toEqual(user);
  // The same joins as those of the other protocols.
  const asked = "/api/yggdrasil/sessionserver/session/minecraft/hasJoined?username=Gamer&serverId=-abc";
  expect((await harness.fetch(asked)).status).toBe(200);
});

test("players are found by name and UUID, with digests in hex", async () => {
  const member = await addMember(harness, "Looks");
  const skin = await addSkin(harness, member, { file: skinPng(7), slim: "true" });
  const cape = await grantCape(harness, [member], capePng(8));
  await wearCape(harness, member, skin, cape);
  const stored = await (await harness.fetch(`/api/skin/standart/${member.uuid}`)).bytes();
  const url = expect.stringMatching(/^https?:\/\/.+\/textures\/[0-9a-f]{64}$/);
  const found = await readJson<unknown>(await ask("user?username=Looks"));
  expect(found).toEqual({
    ...playerOf(member),
    assets: {
      SKIN: { url, digest: sha256(stored), metadata: { model: "slim" } },
      CAPE: { url, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  });
  expect(await readJson<unknown>(await ask(`user?uuid=${member.uuid}`))).toEqual(found);
});

const stranger = "6f1a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b";

test.each([
  ["an unknown name", "user?username=Stranger"],
  // `URLEncoder` of Java writes a space so.
  ["a name with a space", "user?username=Two+Words"],
  ["an unknown UUID", `user?uuid=${stranger}`],
  ["what is no UUID", "user?uuid=Anna"],
  ["nothing", "user"],
])("%s is no player", async (_, path) => {
  expect(await failureOf(await ask(path))).toEqual([404, { error: "auth.usernotfound", code: 404 }]);
});

test("a wrong password and an unknown player are answered alike", async () => {
  for (const login of ["Anna", "Stranger"]) {
    harness.clock.advance(5);
    expect(await failureOf(await signIn(login, "a wrong password"))).toEqual([
      403,
      { error: "auth.wrongpassword", code: 403 },
    ]);
  }
});

test("the code for a second step, which the module sends beside the password, is not read", async () => {
  harness.clock.advance(5);
  const { name: login, password } = anna;
  expect((await ask("authorize", JSON.stringify({ login, password, totpCode: "123456" }))).status).toBe(200);
});

test("many tries at one name are refused for a while, and say so to the player", async () => {
  const settings = { RATE_LIMIT_FACTOR: "1", SERVICE_API_TOKEN: "a-service-token-of-forty-characters-000" };
  await using limited = await openHarness({ settings });
  const tries = Array.from({ length: 8 }, () =>
    ask("authorize", '{"login":"Anna","password":"x"}', settings.SERVICE_API_TOKEN, limited),
  );
  const refused = (await Promise.all(tries)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(await readJson<unknown>(refused[0]!)).toEqual({
    error: expect.stringMatching(/try again/),
    code: 429,
  });
});

test.each<readonly [string, string, string, number]>([
  ["no login", "authorize", '{"password":"x"}', 400],
  [
    "the older core's password",
    "authorize",
    '{"login":"Anna","password":{"type":"plain","password":"x"}}',
    400,
  ],
  ["a list", "authorize", "[]", 400],
  ["what is no JSON", "authorize", "{", 400],
  ["no token", "token", "{}", 400],
  ["no UUID", "join", '{"username":"Anna","accessToken":"x","serverId":"a"}', 400],
  [
    "a made-up token",
    "join",
    `{"username":"Anna","uuid":"${stranger}","accessToken":"x","serverId":"a"}`,
    403,
  ],
  ["an unknown call", "hardware", "{}", 404],
  ["a large body", "authorize", `{"login":"Anna","password":"${"x".repeat(70_000)}"}`, 413],
])("refuses %s", async (_, path, body, status) => {
  const response = await ask(path, body);
  expect(response.status).toBe(status);
  expect(await readJson<object>(response)).toEqual({
    error: expect.stringMatching(/\w/),
    code: expect.any(Number),
  });
});

describe.each<readonly [string, () => string | undefined]>([
  ["authorize", () => JSON.stringify({ login: "Anna", password: anna.password })],
  ["token", () => '{"accessToken":"x"}'],
  ["refresh", () => '{"refreshToken":"x"}'],
  ["join", () => "{}"],
  ["check", () => "{}"],
  ["user?username=Anna", () => undefined],
])("%s", (path, body) => {
  test("asks for a service token with the right", async () => {
    for (const [token, status] of [
      [null, 401],
      ["made up", 401],
      [anna.jwt, 401],
      [weak, 403],
    ] as const) {
      const response = await ask(path, body(), token);
      expect(response.status).toBe(status);
      // No launcher takes this for an ended token.
      expect(await readJson<object>(response)).toMatchObject({ code: status });
    }
  });
});

async function upload(kind: string, token: string, png: Uint8Array): Promise<Response> {
  const form = new FormData();
  form.set("options", '{"modelSlim":true}');
  form.set("file", new File([new Uint8Array(png)], "file"));
  const headers = { authorization: `Bearer ${token}` };
  return harness.fetch(`/api/gravit/upload/${kind}`, { method: "POST", headers, body: form });
}

describe("an upload with the token of the sign-in", () => {
  test("dresses the player of the token, without a launch server's key", async () => {
    const member = await addMember(harness, "Painter");
    await grantCape(harness, [member], capePng(61));
    const { accessToken } = await readJson<Session>(await signIn("Painter", member.password));
    const skin = await upload("skin", accessToken, skinPng(61));
    expect([skin.status, await readJson<object>(skin)]).toMatchObject([200, { metadata: { model: "slim" } }]);
    expect((await upload("cape", accessToken, capePng(61))).status).toBe(200);
    const shown = await readJson<{ assets: object }>(await ask("user?username=Painter"));
    expect(Object.keys(shown.assets)).toEqual(["SKIN", "CAPE"]);
    expect((await upload("cape", accessToken, capePng(62))).status).toBe(403);
  });

  test.each([
    ["no token", () => ""],
    ["a made-up token", () => "0".repeat(64)],
    ["a service token", () => service],
    ["a web session's token", () => anna.jwt],
  ])("is refused with %s", async (_, token) => {
    expect((await upload("skin", token(), skinPng(63))).status).toBe(401);
  });
});
