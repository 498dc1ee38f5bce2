/**
 * An account that has a second player is answered exactly as before, wherever it is not asked for by that
 * player.
 */
import { afterAll, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { run } from "../cli/run-program.ts";
import { openWorld, type Actor } from "../http/openapi-world.ts";
import { addMember } from "../support/members.ts";

const world = await openWorld();
const { harness, alice, bare, chief, service, skin } = world;
afterAll(() => harness[Symbol.asyncDispose]());

const asks: readonly (readonly [request: string, actor?: Actor, json?: unknown])[] = [
  ["GET /api/home", alice],
  ["GET /api/home/sessions", alice],
  ["GET /api/admin/users", chief],
  ["GET /api/admin/users?limit=1", chief],
  ["GET /api/admin/users?limit=1&after=1", chief],
  ["GET /api/admin/users?q=ali", chief],
  ["GET /api/admin/users?q=example.org", chief],
  ["GET /api/admin/user/Alice", chief],
  [`GET /api/admin/user/${alice.uuid}`, chief],
  [`GET /api/admin/users/skin/${alice.uuid}`, chief],
  ["GET /api/admin/skins", chief],
  ["GET /api/admin/skins?limit=2", chief],
  ["GET /api/admin/skins?q=skin", chief],
  ["GET /api/admin/allcapes", chief],
  ["GET /api/admin/audit", chief],
  ["GET /api/admin/bans", chief],
  ["POST /api/service/user", service, { Playername: "Alice" }],
  ["POST /api/service/user", service, { Social_id: "80351110224678912" }],
  ["POST /api/service/user", service, { Playername: "Bare", Social_id: "42" }],
  [`GET /api/skin/launcher/${alice.uuid}`],
  [`GET /api/skin/launcher/envelope/${alice.uuid}`],
  [`GET /api/skin/head/${alice.uuid}?size=8`],
  [`GET /api/skin/cloak/${skin}?size=8`],
  [`GET /api/skin/public/${skin}`],
];
const commands = [
  ["user", "list"],
  ["user", "list", "--json"],
  ["user", "list", "--json", "--search", "alice"],
  ["skin", "list", "--json"],
  ["skin", "list", "--user", "Alice", "--json"],
  ["cape", "list", "--json"],
  ["audit", "export"],
] as const;

async function ask(request: string, actor?: Actor, json?: unknown): Promise<string> {
  const [method = "", path = ""] = request.split(" ");
  const type = json === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...(actor && { authorization: actor.authorization }), ...type };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const response = await harness.fetch(path, { method, headers, ...body });
  return `${response.status} ${await response.text()}`;
}

/** Every answer by its question. */
async function answers(): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const [request, actor, json] of asks) {
    found[`${request} ${JSON.stringify(json) ?? ""}`] = await ask(request, actor, json);
  }
  for (const command of commands) {
    const { code, out } = await run(command, { environment: harness.storageSettings });
    found[command.join(" ")] = `${code} ${out}`;
  }
  return found;
}

const before = await answers();
await harness.services.transact(commandLine, async ({ players }) => {
  for (const [name, { account }] of [
    ["Aaron", alice],
    ["Zoe", bare],
  ] as const) {
    await players.insertPlayer({ uuid: newUuid(), accountId: account.id, name, createdAt: 9 });
  }
});
const after = await answers();

test("changes no list, count, search, profile, service answer, picture or export", () => {
  expect(Object.values(before).filter((answer) => !/^(?:200|0) ./.test(answer))).toEqual([]);
  expect(after).toEqual(before);
});

/** A change by the second player's name: whether it is answered with 200, and how many rows it adds. */
async function change(table: string, request: string, json: unknown): Promise<readonly [boolean, number]> {
  const rows = harness.countRows(table);
  const answer = await ask(request, chief, json);
  return [answer.startsWith("200"), harness.countRows(table) - rows];
}

test("doubles no mail, level or grant, and none of their audit entries", async () => {
  const verified = harness.countRows("accounts WHERE mail_verified");
  const letter = { subject: "Hello", message: "To everybody" };
  expect(await change("outbox", "POST /api/admin/mail", letter)).toEqual([true, verified]);
  const { id: user } = alice.account;
  const level = ["POST /api/admin/user/role/Aaron", { user, role_level: 2 }] as const;
  expect(await change("audit_entries", ...level)).toEqual([true, 1]);
  const grant = ["POST /api/admin/user/cape/Aaron", { user, cape: [] }] as const;
  expect(await change("cape_grants", ...grant)).toEqual([true, -1]);
});

async function foundBy(json: unknown) {
  const answer = await ask("POST /api/service/user", world.service, json);
  return JSON.parse(answer.replace("200 ", "")) as { account: { username: string }; social: object };
}

test("is what a service that asks by its name is answered with", async () => {
  const [aaron, main] = [await foundBy({ Playername: "aaron" }), await foundBy({ Playername: "Alice" })];
  expect([aaron.account.username, main.account.username]).toEqual(["Aaron", "Alice"]);
  expect(aaron.social).toEqual(main.social);
  const person = { Social_id: "80351110224678912" };
  expect(await foundBy({ ...person, Playername: "Aaron" })).toEqual(aaron);
  expect(await foundBy(person)).toEqual(main);
});

test("an account is known by its main player's uuid, and found by its own as well", async () => {
  const late = await addMember(harness, "late", { finished: false });
  const uuid = newUuid();
  await harness.services.transact(commandLine, async ({ players }) => {
    const { id } = late.account;
    await players.insertPlayer({ uuid, accountId: id, name: "Late", createdAt: 9 });
  });
  const answered = await Promise.all([
    ask("GET /api/home", late),
    ask(`GET /api/admin/user/${uuid}`, chief),
    ask(`GET /api/admin/user/${late.uuid}`, chief),
    ask(`GET /api/admin/users?q=${late.uuid}`, chief),
    ask("POST /api/service/user", service, { Playername: "Late" }),
    ask(`GET /api/skin/launcher/${late.uuid}`),
  ]);
  for (const answer of answered) {
    expect(answer).toStartWith("200");
    expect(answer).not.toContain(late.uuid);
  }
  expect(answered.slice(0, 5).filter((answer) => !answer.includes(uuid))).toEqual([]);
  expect(answered[5]).toBe(await ask(`GET /api/skin/launcher/${uuid}`));
});
