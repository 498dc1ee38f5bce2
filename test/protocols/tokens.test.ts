/**
 * A token opens only what it is for: the website's, the game's and a service's do not stand in for one
 * another.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readJson } from "../support/answers.ts";
import type { Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { isOfProtocol, openProtocols, pathOf, type ProtocolWorld } from "./protocol-world.ts";

const serviceToken = "a service's token of more than thirty-two characters";

let world: ProtocolWorld;
let harness: Harness;
let anna: Member;
beforeAll(async () => {
  world = await openProtocols({ settings: { SERVICE_API_TOKEN: serviceToken } });
  ({ harness } = world);
  anna = await addMember(harness, "Anna", { level: 3 });
});
afterAll(() => world[Symbol.asyncDispose]());

const root = "/api/yggdrasil";

function post(path: string, body: unknown): Promise<Response> {
  return harness.fetch(`${root}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function signIn({ name, password }: Member): Promise<string> {
  const response = await post("/authserver/authenticate", { username: name, password });
  return (await readJson<{ accessToken: string }>(response)).accessToken;
}

const ask = (route: string, token: string | null): Promise<Response> => {
  const [method = "", pattern = ""] = route.split(" ");
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  return harness.fetch(pathOf(pattern), { method, headers });
};

/** Routes that answer 401 to a stranger. */
async function guarded(isMeant: (path: string) => boolean): Promise<readonly string[]> {
  const meant = harness.routes.filter((route) => isMeant(route.split(" ")[1] ?? ""));
  const statuses = await Promise.all(meant.map(async (route) => (await ask(route, null)).status));
  return meant.filter((_, at) => statuses[at] === 401);
}

async function opened(routes: readonly string[], token: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const route of routes) if ((await ask(route, token)).status !== 401) found.push(route);
  return found;
}

const damaged = (token: string): readonly string[] => [
  token.slice(0, -1),
  `${token}x`,
  token.slice(1),
  token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase(),
  token.split("").toReversed().join(""),
  ` ${token.slice(0, 4)}`,
];

test("the game's addresses take a game's token, and neither the website's nor a service's", async () => {
  const routes = await guarded((path) => path.startsWith(root));
  expect(routes.length).toBeGreaterThan(20);
  expect(await opened(routes, anna.jwt)).toEqual([]);
  expect(await opened(routes, serviceToken)).toEqual([]);
  const token = await signIn(anna);
  for (const wrong of damaged(token)) expect(await opened(routes.slice(0, 3), wrong)).toEqual([]);
  expect((await opened(routes, token)).length).toBe(routes.length);
});

test("the API takes no game's token, wherever it asks for one", async () => {
  const routes = await guarded((path) => path.startsWith("/api/") && !isOfProtocol(path));
  expect(routes.length).toBeGreaterThan(40);
  expect(await opened(routes, await signIn(anna))).toEqual([]);
});

test.each(["validate", "refresh"])("%s takes neither the website's token nor a service's", async (call) => {
  const token = await signIn(anna);
  for (const accessToken of [anna.jwt, serviceToken, ...damaged(token)]) {
    const response = await post(`/authserver/${call}`, { accessToken });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 403,
      body: { error: "ForbiddenOperationException", errorMessage: "Invalid token." },
    });
  }
  expect((await post("/authserver/validate", { accessToken: token })).status).toBe(204);
});

test("joining takes a game's token of that player alone", async () => {
  const bert = await addMember(harness, "Bert");
  const selectedProfile = anna.uuid.replaceAll("-", "");
  const join = (accessToken: string) =>
    post("/sessionserver/session/minecraft/join", { accessToken, selectedProfile, serverId: "-123abc" });
  const own = await signIn(anna);
  for (const accessToken of [anna.jwt, serviceToken, await signIn(bert), ...damaged(own)]) {
    const response = await join(accessToken);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 403,
      body: { error: "ForbiddenOperationException", errorMessage: "Invalid token." },
    });
  }
  expect((await join(own)).status).toBe(204);
});

test("a refreshed token ends the one before, at every address", async () => {
  const before = await signIn(anna);
  const { accessToken } = await readJson<{ accessToken: string }>(
    await post("/authserver/refresh", { accessToken: before }),
  );
  const routes = await guarded((path) => path.startsWith(root));
  expect(await opened(routes, before)).toEqual([]);
  expect((await post("/authserver/validate", { accessToken })).status).toBe(204);
  expect((await post("/authserver/refresh", { accessToken: before })).status).toBe(403);
  expect((await post("/authserver/validate", { accessToken })).status).toBe(204);
});

test("neither tokens nor serverIds are stored or logged", async () => {
  const token = await signIn(anna);
  const serverId = "-7c9d5b0044c130109a5d7b5fb5c317c02b4e28c1";
  await post("/sessionserver/session/minecraft/join", {
    accessToken: token,
    selectedProfile: anna.uuid.replaceAll("-", ""),
    serverId,
  });
  const query = `username=Anna&serverId=${serverId}`;
  const joined = await harness.fetch(`${root}/sessionserver/session/minecraft/hasJoined?${query}`);
  expect(joined.status).toBe(200);
  await harness.fetch(
    `${root}/sessionserver/session/minecraft/hasJoined?username=Nobody&serverId=${serverId}`,
  );
  await post("/authserver/validate", { accessToken: `${token}x` });
  const log = JSON.stringify([...harness.takeRequests(), ...harness.takeLog()]);
  expect(log).toContain("hasJoined");
  const stored = await storedBytes(harness.folder);
  for (const secret of [token, serverId]) {
    expect(log).not.toContain(secret);
    expect(stored.includes(secret)).toBe(false);
  }
});

async function storedBytes(folder: string): Promise<Buffer> {
  const names = ["cloakroom.db", "cloakroom.db-wal"];
  const files = names.map(async (name) => {
    const file = Bun.file(`${folder}/${name}`);
    return (await file.exists()) ? Buffer.from(await file.bytes()) : Buffer.alloc(0);
  });
  return Buffer.concat(await Promise.all(files));
}
