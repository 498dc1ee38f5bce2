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
    result: {
      username: "Gamer",
      userUUID: member.uuid,
      accessToken: expect.any(String),
      clientToken: "",
      selectedProfile: { id: member.uuid.replaceAll("-", ""), name: "Gamer" },
    },
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

test("newer servers sign in as the game writes it, and get their client token back", async () => {
  const member = await addMember(harness, "Newer");
  const json = { username: "Newer", password: member.password, clientToken: "the launcher's own" };
  expect(await answerTo("auth", json)).toEqual({
    success: true,
    result: {
      username: "Newer",
      userUUID: member.uuid,
      accessToken: expect.stringMatching(/^[0-9a-f]{64}$/),
      clientToken: "the launcher's own",
      selectedProfile: { id: member.uuid.replaceAll("-", ""), name: "Newer" },
    },
  });
});

test.each([
  ["an object", { usernames: ["anna", "Stranger", "!!"] }],
  ["the bare list of release 0.0.4", ["anna", "Stranger", "!!"]],
  ["what is no text, and leaves it out", { usernames: [5, null, "anna", { name: "Anna" }, [], true] }],
  ["many names, and reads a hundred", { usernames: ["anna", ...Array.from({ length: 150 }, () => "x")] }],
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
  ["a game server's question without a join", "hasJoined", { username: "Anna", serverID: "x" }, 403],
  ["no login", "auth", { password: "a wrong password" }, 400],
  ["a large body", "auth", { login: "Anna", password: "x".repeat(70_000) }, 413],
  ["an unknown call", "logout", {}, 404],
])("%s is a failure in the protocol's form", async (_, call, json, status) => {
  const response = await ask(call, json);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ success: false, error: expect.stringMatching(/\w/) });
});

const refused = { success: true, result: false };
const noPlayers = { success: true, result: [] };

/** The launcher's server calls these outside of any handler: a failure would end its process. */
test.each<readonly [string, string, () => string, object]>([
  ["a made-up token", "join", () => joining({}), refused],
  ["an ended token", "join", () => joining({ accessToken: "0".repeat(64) }), refused],
  ["a player that is no uuid", "join", () => joining({ userUUID: "" }), refused],
  ["a number for the token", "join", () => joining({ accessToken: 5 }), refused],
  ["a large token", "join", () => joining({ accessToken: "x".repeat(70_000) }), refused],
  ["no body", "join", () => "", refused],
  ["what is no JSON", "join", () => "{", refused],
  ["null", "join", () => "null", refused],
  ["a name that objects inherit", "join", () => '{"__proto__":1}', refused],
  ["no list", "profiles", () => '{"usernames":"Anna"}', noPlayers],
  ["what is no JSON", "profiles", () => "[", noPlayers],
  ["a deep list", "profiles", () => "[".repeat(200) + "]".repeat(200), noPlayers],
  ["a large body", "profiles", () => JSON.stringify(["x".repeat(70_000)]), noPlayers],
])("%s is no failure of %s", async (_, call, body, expected) => {
  const response = await harness.fetch(`/api/aurora/${secret}/${call}`, { method: "POST", body: body() });
  expect([response.status, await response.json()]).toEqual([200, expected]);
});

function joining(given: object): string {
  return JSON.stringify({ accessToken: "made up", userUUID: anna.uuid, serverID: "-5f3a", ...given });
}

test("a token that has ended meanwhile joins no more", async () => {
  const member = await addMember(harness, "Leaver");
  const signedIn = await readJson<Answer>(await ask("auth", { login: "Leaver", password: member.password }));
  const { accessToken } = signedIn.result;
  const join = { accessToken, userUUID: member.uuid, serverID: "-1" };
  expect(await answerTo("join", join)).toEqual({ success: true, result: true });
  const gone = await harness.fetch("/api/yggdrasil/authserver/invalidate", {
    method: "POST",
    body: JSON.stringify({ accessToken }),
  });
  expect(gone.status).toBe(204);
  expect(await answerTo("join", join)).toEqual(refused);
});

const calls: readonly (readonly [string, () => object])[] = [
  ["auth", () => ({ login: "Anna", password: anna.password })],
  ["hasJoined", () => ({ username: "Anna", serverID: "abc" })],
  ["join", () => ({ accessToken: "x", userUUID: anna.uuid, serverID: "abc" })],
  ["profile", () => ({ userUUID: anna.uuid })],
  ["profiles", () => ({ usernames: ["Anna"] })],
];

const wrong = ["x", `${secret}x`, secret.slice(1), `${secret.slice(0, -1)}x`, secret.toUpperCase()];

/** What says the same of each wrong secret says nothing of the right one. */
test.each(calls)("without the secret %s is 404 in a form that ends no server", async (call, json) => {
  const answers = new Set<string>();
  for (const at of wrong) {
    for (const body of [json(), {}]) {
      const response = await ask(call, body, at);
      expect(response.status).toBe(404);
      answers.add(await response.text());
    }
  }
  expect(answers.size).toBe(1);
  const answer: unknown = JSON.parse([...answers][0] ?? "");
  const harmless: Readonly<Record<string, object>> = { join: refused, profiles: noPlayers };
  expect(answer).toEqual(
    harmless[call] ?? { success: false, error: expect.stringContaining("AURORA_SECRET") },
  );
});

test("without the setting there is no such address", async () => {
  await using off = await openHarness();
  const unknown = await off.fetch("/api/nothing/here", { method: "POST" });
  const response = await ask("join", {}, secret, off);
  expect([response.status, await response.text()]).toEqual([404, await unknown.text()]);
});

test.each([
  ["another method", "GET", "auth"],
  ["another call", "POST", "logout"],
  ["an inherited name", "POST", "constructor"],
])("without the secret %s is an unknown address like others", async (_, method, call) => {
  const body = method === "POST" ? { body: "{}" } : {};
  const unknown = await harness.fetch("/api/nothing/here", { method, ...body });
  const expected = [unknown.status, await unknown.text()];
  for (const at of wrong) {
    const response = await harness.fetch(`/api/aurora/${at}/${call}`, { method, ...body });
    expect([response.status, await response.text()]).toEqual(expected as [number, string]);
    expect(response.headers.get("allow")).toBeNull();
  }
});

test("the log names the pattern of the address, never the secret", async () => {
  await ask("auth", { login: "Anna", password: "a wrong password" });
  const lines = JSON.stringify(harness.takeLog());
  expect(lines).toContain("/api/aurora/:secret/auth");
  expect(lines).not.toContain(secret);
});
