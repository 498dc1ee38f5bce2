import { expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { refusals } from "../../src/domain/model/refusals.ts";
import { checkAnswers, type CheckedHarness } from "../support/answer-check.ts";
import { openHarness } from "../support/harness.ts";
import {
  addAlias,
  addMember,
  addNameless,
  addPlayer,
  addSharedSkin,
  addSkin,
  allowPlayers,
  claimCode,
  grantCape,
  upload,
  uploadForm,
  type Member,
} from "../support/members.ts";
import { ownHeaders, pageHeaders } from "../support/console.ts";
import { operationsOf, type Operation } from "../support/openapi.ts";
import { orderCode, orderMailCode, send } from "../support/registration.ts";
import { capePng } from "../support/textures.ts";
import { link, openWorld, type Actor, type Play, type World } from "./openapi-world.ts";
import { staffPlays } from "./staff-plays.ts";

const password = "a new password of hers";

/**
 * What cannot be made up from the document alone: everything that succeeds, and failures that have a cause of
 * their own.
 */
const plays: readonly ((world: World) => Play | Promise<Play>)[] = [
  ({ alice }) => signIn(alice.name, alice.password, 200),
  ({ alice }) => signIn(alice.name, "a wrong password", 401),
  ({ alice }) => signIn(alice.name, alice.password, 200, "/console/session"),
  ({ alice }) => signIn(alice.name, "a wrong password", 401, "/console/session"),
  () => ({ request: "DELETE /console/session", status: 204 }),
  async ({ harness }) => {
    await orderCode(harness, "confirm", "pending@example.org", password);
    return signIn("pending@example.org", password, 403);
  },
  () => ({
    request: "POST /api/auth/register",
    json: { mail: "new@example.org", password },
    status: 200,
  }),
  ({ alice }) => ({ request: "POST /api/auth/register", json: { mail: alice.mail, password }, status: 409 }),
  async ({ harness }) => ({
    request: "POST /api/auth/confirm",
    json: { code: await orderCode(harness, "confirm", "carla@example.org") },
    status: 200,
  }),
  async ({ harness }) => ({
    request: "POST /api/auth/claim",
    json: { code: await claimCode(harness, "Claimant"), mail: "claimant@example.net", password },
    status: 200,
  }),
  async ({ alice, harness }) => ({
    request: "POST /api/auth/claim",
    json: { code: await claimCode(harness, "Claimer"), mail: alice.mail, password },
    status: 409,
  }),
  () => ({
    request: "POST /console/register",
    headers: ownHeaders,
    json: { mail: "cora@example.org" },
    status: 200,
  }),
  ({ alice }) => ({
    request: "POST /console/register",
    headers: ownHeaders,
    json: { mail: alice.mail },
    status: 409,
  }),
  async ({ harness }) => ({
    request: "POST /console/confirm/address",
    headers: ownHeaders,
    json: { code: await orderCode(harness, "confirm", "flora@example.org", password) },
    status: 200,
  }),
  async ({ harness }) => ({
    request: "POST /console/confirm",
    headers: ownHeaders,
    json: { code: await orderCode(harness, "confirm", "dora@example.org", password) },
    status: 200,
  }),
  ({ bare }) => ({ request: "POST /api/auth/forgetpass", json: { mail: bare.mail }, status: 200 }),
  async ({ harness, alice }) => ({
    request: "POST /api/auth/forgetpass/validate",
    json: { code: await orderCode(harness, "reset", alice.mail) },
    status: 204,
  }),
  async ({ harness }) => {
    const { mail } = await addMember(harness, "Forgetful");
    const code = await orderCode(harness, "reset", mail);
    return { request: "POST /api/auth/forgetpass/update", json: { code, password }, status: 200 };
  },
  async ({ harness }) => ({
    request: "POST /api/auth/logout",
    actor: await addMember(harness, "Leaver"),
    status: 200,
  }),

  ({ alice }) => ({ request: "GET /api/home", actor: alice, status: 200 }),
  ({ unfinished }) => ({ request: "GET /api/home", actor: unfinished, status: 200 }),
  ({ alice }) => ({ request: "GET /api/home/sessions", actor: alice, status: 200 }),
  ({ alice }) => ({ request: "GET /api/home/sessions?limit=0", actor: alice, status: 400 }),
  async ({ harness, bare }) => ({
    request: `DELETE /api/home/sessions/${await otherSession(harness, bare)}`,
    actor: bare,
    status: 204,
  }),
  ({ nobody, bare }) => ({ request: `DELETE /api/home/sessions/${nobody}`, actor: bare, status: 404 }),
  ({ alice }) => ({ request: "GET /api/home/export", actor: alice, status: 200 }),
  async ({ harness }) => {
    const actor = await addMember(harness, "Longin");
    harness.database.change(`UPDATE sessions SET created_at = 0 WHERE account_id = ${actor.account.id}`);
    return { request: "GET /api/home/export", actor, status: 403 };
  },
  async ({ harness }) => {
    const actor = await addMember(harness, "Parting");
    const json = { password: actor.password };
    return { request: "POST /api/home/delete", actor, json, status: 200 };
  },
  ({ chief }) => ({
    request: "POST /api/home/delete",
    actor: chief,
    json: { password: chief.password },
    status: 409,
  }),
  ({ alice }) => ({ request: "DELETE /api/home/delete", actor: alice, status: 204 }),
  ({ alice, harness }) => {
    addAlias(harness, alice.account, "alice_of_old");
    return { request: "GET /api/home/aliases", actor: alice, status: 200 };
  },
  ({ alice }) => ({ request: "DELETE /api/home/aliases/Alice_of_old", actor: alice, status: 204 }),
  ({ alice }) => ({ request: "DELETE /api/home/aliases/alice_of_old", actor: alice, status: 404 }),
  async ({ harness }) => ({
    request: "DELETE /api/home/aliases/only_way",
    actor: await addNameless(harness, "only_way"),
    status: 409,
  }),
  async ({ harness }) => ({
    request: "POST /api/home/registerfinish",
    actor: await addMember(harness, "newcomer", { finished: false }),
    json: { username: "Newcomer", password },
    status: 200,
  }),
  async ({ harness }) => {
    const actor = await addMember(harness, "unsure", { finished: false });
    const change = { mailVerified: false };
    await updateUser(harness.services, commandLine, { identifier: actor.uuid, change });
    const json = { username: "Unsure", password };
    return { request: "POST /api/home/registerfinish", actor, json, status: 403 };
  },
  ({ alice }) => ({
    request: "POST /api/home/registerfinish",
    actor: alice,
    json: { username: "Alice_2", password },
    status: 409,
  }),
  async ({ harness }) => {
    const actor = await addMember(harness, "Renamer");
    const json = { username: "Renamed", password: actor.password };
    return { request: "PATCH /api/home/edit/username", actor, json, status: 200 };
  },
  ({ alice }) => ({ request: "GET /api/home/players", actor: alice, status: 200 }),
  async ({ harness }) => {
    const actor = await addMember(harness, "Owner");
    await allowPlayers(harness, actor);
    return { request: "POST /api/home/players", actor, json: { name: "Second" }, status: 200 };
  },
  ({ alice }) => ({ request: "POST /api/home/players", actor: alice, json: { name: "Third" }, status: 409 }),
  ({ alice, skin }) => ({
    request: `PATCH /api/home/players/${alice.uuid}`,
    actor: alice,
    json: { skinid: skin, cloakid: "" },
    status: 200,
  }),
  ({ alice, nobody }) => ({
    request: `PATCH /api/home/players/${nobody}`,
    actor: alice,
    json: { skinid: null },
    status: 404,
  }),
  ({ alice, bare }) => ({
    request: `PATCH /api/home/players/${alice.uuid}`,
    actor: alice,
    json: { name: bare.name, password: alice.password },
    status: 409,
  }),
  async ({ harness }) => {
    const actor = await addMember(harness, "Deleter");
    await allowPlayers(harness, actor);
    const { uuid } = await addPlayer(harness, actor, "Deleted");
    const json = { password: actor.password };
    return { request: `DELETE /api/home/players/${uuid}`, actor, json, status: 204 };
  },
  ({ alice }) => ({
    request: `DELETE /api/home/players/${alice.uuid}`,
    actor: alice,
    json: { password: alice.password },
    status: 409,
  }),
  ({ alice, nobody }) => ({
    request: `DELETE /api/home/players/${nobody}`,
    actor: alice,
    json: { password: alice.password },
    status: 404,
  }),
  async ({ harness }) => {
    const actor = await addMember(harness, "Changer");
    const json = { password: actor.password, newpassword: password };
    return { request: "PATCH /api/home/edit/password", actor, json, status: 200 };
  },
  ({ bare }) => ({
    request: "PATCH /api/home/edit/language",
    actor: bare,
    json: { language: "zh-Hans" },
    status: 200,
  }),
  async ({ harness }) => {
    const actor = await addMember(harness, "Mover");
    const json = { mail: "mover@example.net", password: actor.password };
    return { request: "POST /api/home/mail/request", actor, json, status: 200 };
  },
  async ({ harness }) => {
    const actor = await addMember(harness, "Moved");
    const code = await orderMailCode(harness, actor, "moved@example.net");
    const json = { code, password: actor.password };
    return { request: "POST /api/home/mail/validate", actor, json, status: 200 };
  },
  async ({ harness }) => {
    const actor = await addMember(harness, "Unlinker");
    await link(harness, actor, { provider: "discord", subject: "7" });
    return {
      request: "POST /api/home/edit/removesocial",
      actor,
      json: { password: actor.password },
      status: 200,
    };
  },
  ({ alice }) => ({
    request: "POST /api/home/edit/upload",
    actor: alice,
    form: uploadForm({ slim: "false", name: "Diver" }),
    status: 200,
  }),
  ({ alice }) => ({ request: "POST /api/home/edit/upload", actor: alice, json: {}, status: 415 }),
  ({ alice }) => ({
    request: "POST /api/home/edit/upload",
    actor: alice,
    form: uploadForm({ file: new Uint8Array(1_200_000) }),
    status: 413,
  }),
  ({ alice, skin }) => ({
    request: "PUT /api/home/edit/skin",
    actor: alice,
    json: { skinid: skin, name: "Diver" },
    status: 200,
  }),
  ({ alice, skin }) => ({
    request: "POST /api/home/edit/skin/select",
    actor: alice,
    json: { skinid: skin },
    status: 200,
  }),
  async ({ harness }) => ({
    request: "POST /api/home/edit/skin/copy",
    actor: await addMember(harness, "Copier"),
    json: { player: await addSharedSkin(harness) },
    status: 200,
  }),
  async ({ harness, bare }) => ({
    request: "DELETE /api/home/edit/skin",
    actor: bare,
    json: { skinid: await addSkin(harness, bare, {}) },
    status: 204,
  }),

  ({ alice }) => ({ request: `GET /api/skin/launcher/${alice.uuid}`, status: 200 }),
  ({ bare }) => ({ request: `GET /api/skin/launcher/${bare.uuid}`, status: 200 }),
  ({ alice }) => ({ request: `GET /api/skin/launcher/envelope/${alice.uuid}`, status: 200 }),
  ({ nobody }) => ({ request: `GET /api/skin/launcher/envelope/${nobody}`, status: 404 }),
  ({ alice }) => ({ request: `GET /api/skin/head/${alice.uuid}?size=16`, status: 200 }),
  ({ bare }) => ({ request: `GET /api/skin/head/${bare.name}?size=16&type=player`, status: 200 }),
  ({ bare }) => ({ request: `GET /api/skin/head/${bare.uuid}?default=none`, status: 404 }),
  ({ alice }) => ({ request: `GET /api/skin/body/${alice.uuid}?size=16`, status: 200 }),
  ({ nobody }) => ({ request: `GET /api/skin/body/${nobody}`, status: 404 }),
  ({ cape }) => ({ request: `GET /api/skin/cloak/${cape.id}`, status: 200 }),
  ({ nobody }) => ({ request: `GET /api/skin/cloak/${nobody}`, status: 404 }),
  async ({ harness }) => {
    const { id } = await grantCape(harness, [], capePng(2, { wings: true }));
    return { request: `GET /api/skin/elytra/${id}?type=player&size=16`, status: 200 };
  },
  ({ cape }) => ({ request: `GET /api/skin/elytra/${cape.id}`, status: 404 }),
  ({ alice }) => ({ request: `GET /api/skin/standart/cape/${alice.uuid}`, status: 200 }),
  ({ bare }) => ({ request: `GET /api/skin/standart/cape/${bare.uuid}`, status: 404 }),
  ({ bare }) => ({ request: `GET /api/skin/standart/cape/${bare.uuid}?default=transparent`, status: 200 }),
  ({ alice }) => ({ request: `GET /api/skin/standart/${alice.uuid}`, status: 200 }),
  ({ bare }) => ({ request: `GET /api/skin/standart/${bare.uuid}`, status: 200 }),
  ({ nobody }) => ({ request: `GET /api/skin/standart/${nobody}`, status: 404 }),
  ({ skin }) => ({ request: `GET /api/skin/public/${skin}`, status: 200 }),
  ({ nobody }) => ({ request: `GET /api/skin/public/${nobody}`, status: 404 }),
  ({ cape }) => ({ request: `GET /api/skin/public/cape/${cape.uuid}`, status: 200 }),
  ({ nobody }) => ({ request: `GET /api/skin/public/cape/${nobody}`, status: 404 }),
  () => ({ request: "GET /health/live", status: 200 }),
  () => ({ request: "GET /health/ready", status: 200 }),

  ({ skinHash }) => ({ request: `GET /textures/${skinHash}`, status: 200 }),
  () => ({ request: `GET /textures/${"0".repeat(64)}`, status: 404 }),
];

function signIn(username: string, secret: string, status: number, path = "/api/auth/login"): Play {
  return { request: `POST ${path}`, json: { username, password: secret }, status };
}

/** A second sign-in of the member. */
async function otherSession(harness: CheckedHarness, member: Member): Promise<string> {
  await send(harness, "POST /api/auth/login", { username: member.name, password: member.password });
  const sessions = await harness.fetch("/api/home/sessions", {
    headers: { authorization: member.authorization },
  });
  const { data } = (await sessions.json()) as {
    readonly data: readonly { readonly id: string; readonly current: boolean }[];
  };
  return data.find(({ current }) => !current)?.id ?? "";
}

function ask(harness: CheckedHarness, { request, actor, json, form }: Play): Promise<Response> {
  const [method = "", path = ""] = request.split(" ");
  const headers: Record<string, string> = {
    ...pageHeaders(path),
    ...(actor === undefined ? {} : { authorization: actor.authorization }),
    ...(json === undefined ? {} : { "content-type": "application/json" }),
  };
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
  return harness.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Plays a request, and again with the tag that it got. */
async function play(world: World, make: (typeof plays)[number]): Promise<void> {
  const wanted = await make(world);
  const response = await ask(world.harness, wanted);
  expect(`${wanted.request} ${response.status}`).toBe(`${wanted.request} ${wanted.status}`);
  const etag = response.headers.get("etag");
  if (etag === null) return;
  const [, path = ""] = wanted.request.split(" ");
  expect((await world.harness.fetch(path, { headers: { "if-none-match": etag } })).status).toBe(304);
}

/** Failures that follow from what an operation is: made up from the document, for every one of them. */
async function playRefusals(world: World, operation: Operation): Promise<void> {
  const { harness, unfinished, powerless } = world;
  const { method, operation: described } = operation;
  const path = operation.path.replaceAll(/\{\w+\}/g, harmless);
  const token = { ...tokenFor(world, operation), ...pageHeaders(path) };
  const json = { ...token, "content-type": "application/json" };
  // Without a token, whatever it says: one that needs one and does not say so answers what is not described.
  await harness.fetch(path, { method });
  if (described.security?.length && "403" in described.responses) {
    const { authorization } = isForServices(operation) ? powerless : unfinished;
    await harness.fetch(path, { method, headers: { authorization } });
  }
  if (described.requestBody !== undefined) {
    await harness.fetch(path, { method, headers: token, body: "text" });
    await harness.fetch(path, { method, headers: token, body: formOf("other", "x") });
    await harness.fetch(path, { method, headers: json, body: JSON.stringify("x".repeat(600_000)) });
    await harness.fetch(path, { method, headers: json, body: "[]" });
  }
  if (described.parameters !== undefined) {
    await harness.fetch(operation.path.replaceAll(/\{\w+\}/g, "%ff"), { method, headers: token });
  }
}

/** The token of somebody who may do everything that the operation's kind of token allows. */
function tokenFor({ chief, service }: World, operation: Operation): Partial<Actor> {
  if ((operation.operation.security ?? []).length === 0) return {};
  const { authorization } = isForServices(operation) ? service : chief;
  return { authorization };
}

function isForServices({ operation: { security = [] } }: Operation): boolean {
  return security.some((scheme) => "serviceToken" in scheme);
}

function formOf(name: string, value: string): FormData {
  const form = new FormData();
  form.set(name, value);
  return form;
}

/** Well-formed and unknown. */
const harmless = "00000000-0000-4000-8000-000000000000";

/** What only a server in trouble answers. */
const troubles = new Set(["408", "429", "500", "503", "507"]);

const ownTests = new Set(["/console/setup", "/console/social"]);

test("the set-up is answered as described", async () => {
  await using harness = await checkAnswers(await openHarness());
  const { mail } = await addMember(harness, "Alice");
  const secret = await harness.services.setup.begin();
  const administrator = { secret, mail: "olga@example.org", username: "Olga", password };
  const ask = (json: unknown, type = "application/json") =>
    harness.fetch("/console/setup", {
      method: "POST",
      headers: { ...ownHeaders, "content-type": type },
      body: JSON.stringify(json),
    });
  const answers = [
    await ask({ ...administrator, secret: "another" }),
    await ask({ ...administrator, mail }),
    await ask({ ...administrator, username: "O" }),
    await ask("x".repeat(600_000)),
    await ask(administrator, "text/plain"),
    await ask(administrator),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 409, 400, 413, 415, 200]);
  expect(harness.unlikeExamples()).toEqual([]);
});

test("every answer is as it is described, and every answer that is described is given", async () => {
  const world = await openWorld();
  await using harness = world.harness;
  for (const make of [...plays, ...staffPlays]) await play(world, make);
  const operations = operationsOf(harness.document);
  for (const operation of operations) await playRefusals(world, operation);

  // Those of social login need a provider, and the set-up a server without an administrator; tests of their
  // own have them.
  const others = operations.filter(
    ({ path, operation: { tags } }) => tags[0] !== "Social login and linking" && !ownTests.has(path),
  );
  const described = others.flatMap(({ method, path, operation }) =>
    Object.keys(operation.responses)
      .filter((status) => !troubles.has(status))
      .map((status) => `${method} ${path} ${status}`),
  );
  expect(described.filter((answer) => !harness.answered.has(answer))).toEqual([]);
  expect(harness.unlikeExamples()).toEqual([]);
}, 30_000);

test("who asks too often is answered as described", async () => {
  await using harness = await checkAnswers(await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } }));
  const guess = { username: "Nobody", password: "a wrong password" };
  for (let i = 0; i < 6; i++) await send(harness, "POST /api/auth/login", guess);
  expect(harness.answered).toContain("POST /api/auth/login 429");
  expect(harness.unlikeExamples()).toEqual([]);
});

test.each([
  ["a fault", new Error("the disk is on fire"), 500],
  ["a store that is away", refusals.picturesAway(), 503],
  ["a full disk", refusals.noSpace(), 507],
])("%s is answered as described", async (_, error, status) => {
  const put = () => Promise.reject(error);
  await using harness = await checkAnswers(await openHarness({ blobs: { put } }));
  const response = await upload(harness, await addMember(harness, "Alice"), {});
  expect(response.status).toBe(status);
  expect(harness.unlikeExamples()).toEqual([]);
  harness.takeComplaints();
});

test("a service that is not ready says so as described", async () => {
  const storage = { freeSpace: async () => [{ folder: "data", bytes: 0, used: 0 } as const] };
  await using harness = await checkAnswers(await openHarness({ storage }));
  expect((await harness.fetch("/health/ready")).status).toBe(503);
  expect(harness.unlikeExamples()).toEqual([]);
  harness.takeComplaints();
});
