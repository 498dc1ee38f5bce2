/** AuroraLauncher: five calls whose address holds a secret. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readJson } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "../support/members.ts";

const secret = "aurora-secret-of-more-than-32-characters";

let harness: Harness;
let anna: Member;
beforeAll(async () => {
  harness = await openHarness({ settings: { AURORA_SECRET: secret }, secrets: () => [secret] });
  anna = await addMember(harness, "Anna");
});
afterEach(() => harness.takeComplaints());
afterAll(() => harness[Symbol.asyncDispose]());

function ask(call: string, json: unknown, at = secret, on = harness): Promise<Response> {
  return on.fetch(`/api/aurora/${at}/${call}`, { method: "POST", body: JSON.stringify(json) });
}

type Answer = { readonly result: { readonly accessToken: string } };

const answerTo = async (call: string, json: unknown): Promise<unknown> => readJson(await ask(call, json));

test("a player signs in, joins, and is found by the game server", async () => {
  const member = await addMember(harness, "Gamer");
  const skin = await addSkin(harness, member, { slim: "true" });
  const cape = await grantCape(harness, [member]);
  await wearCape(harness, member, skin, cape);
  const login = { login: "gamer", password: member.password };
  const signedIn = await readJson<Answer>(await ask("auth", login));
  const { result } = signedIn;
  expect(signedIn as unknown).toEqual({
    success: true,
    result: { username: "Gamer", userUUID: member.uuid, accessToken: expect.any(String) },
  });
  const looks = {
    skinUrl: expect.stringMatching(/\/textures\/[0-9a-f]{64}$/),
    isAlex: true,
    capeUrl: expect.stringMatching(/\/textures\/[0-9a-f]{64}$/),
  };
  const join = { accessToken: result.accessToken, userUUID: member.uuid, serverID: "-5f3a" };
  expect(await answerTo("hasJoined", { username: "Gamer", serverID: "-5f3a" })).toEqual({
    success: false,
    error: expect.any(String),
  });
  expect(await answerTo("join", join)).toEqual({ success: true, result: true });
  expect(await answerTo("hasJoined", { username: "Gamer", serverID: "-5f3a" })).toEqual({
    success: true,
    result: { userUUID: member.uuid, ...looks },
  });
  expect(await answerTo("profile", { userUUID: member.uuid.replaceAll("-", "") })).toEqual({
    success: true,
    result: { username: "Gamer", ...looks },
  });
});

test.each([
  ["an object", { usernames: ["anna", "Stranger", "!!"] }],
  ["the bare list of release 0.0.4", ["anna", "Stranger", "!!"]],
])("profiles takes %s", async (_, json) => {
  expect(await answerTo("profiles", json)).toEqual({
    success: true,
    result: [{ id: anna.uuid, name: "Anna" }],
  });
});

test("wrong passwords and unknown players are answered alike", async () => {
  const answers: unknown[] = [];
  for (const login of ["Anna", "Stranger"]) {
    harness.clock.advance(5);
    answers.push(await answerTo("auth", { login, password: "a wrong password" }));
  }
  expect(answers[0]).toEqual({ success: false, error: "Invalid username or password" });
  expect(answers[1]).toEqual(answers[0]);
});

test.each<readonly [string, string, unknown, number]>([
  ["no body", "auth", undefined, 400],
  ["null", "auth", null, 400],
  ["a number for the password", "auth", { login: "Anna", password: 5 }, 400],
  ["no uuid", "profile", { userUUID: "Anna" }, 400],
  ["an unknown uuid", "profile", { userUUID: "6f1a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b" }, 403],
  ["a hundred and one names", "profiles", { usernames: Array.from({ length: 101 }, () => "Anna") }, 400],
  ["a made-up token", "join", { accessToken: "x", userUUID: "", serverID: "a" }, 400],
  ["an unknown call", "logout", {}, 404],
])("%s is a failure in the protocol's form", async (_, call, json, status) => {
  const response = await ask(call, json);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ success: false, error: expect.any(String) });
});

test("without the secret every address is unknown", async () => {
  const unknown = await harness.fetch("/api/nothing/here", { method: "POST" });
  const expected = [unknown.status, await unknown.text()];
  for (const [at, method] of [
    ["x", "POST"],
    [`${secret}x`, "POST"],
    [secret.slice(1), "POST"],
    [secret.toUpperCase(), "POST"],
    ["x", "GET"],
  ] as const) {
    const response = await harness.fetch(`/api/aurora/${at}/auth`, {
      method,
      ...(method === "POST" && { body: "{}" }),
    });
    expect([response.status, await response.text()]).toEqual(expected as [number, string]);
    expect(response.headers.get("allow")).toBeNull();
  }
  await using off = await openHarness();
  expect((await ask("auth", {}, secret, off)).status).toBe(404);
});

test.each<readonly [string, () => object]>([
  ["auth", () => ({ login: "Anna", password: anna.password })],
  ["hasJoined", () => ({ username: "Anna", serverID: "abc" })],
  ["join", () => ({ accessToken: "x", userUUID: anna.uuid, serverID: "abc" })],
  ["profile", () => ({ userUUID: anna.uuid })],
  ["profiles", () => ({ usernames: ["Anna"] })],
])("without the secret %s is unknown, also with all that it asks for", async (call, json) => {
  const response = await ask(call, json(), `${secret.slice(0, -1)}x`);
  const unknown = await harness.fetch("/api/nothing/here", { method: "POST" });
  expect([response.status, await response.text()]).toEqual([404, await unknown.text()]);
});

test("the log names the pattern of the address, never the secret", async () => {
  await ask("auth", { login: "Anna", password: "a wrong password" });
  const lines = JSON.stringify(harness.takeLog());
  expect(lines).toContain("/api/aurora/:secret/auth");
  expect(lines).not.toContain(secret);
});
