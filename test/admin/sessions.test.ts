/** Where users are signed in, and when they were last here (docs/contract/admin.md#sessions). */
import { afterAll, describe, expect, test } from "bun:test";
import { setLevel } from "../../src/domain/members/levels.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, signIn, type Member } from "../support/members.ts";
import { send } from "../support/registration.ts";
import { play } from "../support/scenario.ts";

type Session = { readonly id: string; readonly kind: string; readonly current: boolean };

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Chief", { level: 3 });
const moderator = await addMember(harness, "Moderata", { level: 2 });

async function dataOf<Data>(
  path: string,
  member: Member = moderator,
  world: Harness = harness,
): Promise<Data> {
  const response = await world.fetch(path, { headers: { authorization: member.authorization } });
  expect(response.status).toBe(200);
  return (await readJson<Envelope<Data>>(response)).data;
}

const sessionsOf = ({ name }: Member) => dataOf<readonly Session[]>(`/api/admin/user/${name}/sessions`);

/** Signs in as a launcher does, and returns the token. */
async function playGame({ mail, password }: Member): Promise<string> {
  const json = {
    username: mail,
    password,
    clientToken: "a launcher",
    agent: { name: "Minecraft", version: 1 },
  };
  const response = await send(harness, "POST /api/yggdrasil/authserver/authenticate", json);
  expect(response.status).toBe(200);
  return (await readJson<{ accessToken: string }>(response)).accessToken;
}

const statusOf = async (authorization: string) =>
  (await harness.fetch("/api/home", { headers: { authorization } })).status;

describe("the sessions of a user", () => {
  test("are listed as their owner sees them, of the website and of games", async () => {
    const anna = await addMember(harness, "Anna");
    harness.clock.advance(60);
    await playGame(anna);
    const own = await dataOf<readonly Session[]>("/api/home/sessions", anna);
    expect(own.map(({ kind }) => kind)).toEqual(["game", "web"]);
    expect(await sessionsOf(anna)).toEqual(own.map((session) => ({ ...session, current: false })));
    const mine = await sessionsOf(moderator);
    expect(mine.map(({ current }) => current)).toEqual([true]);
  });

  test.each(["web", "game"])("of kind %s end at once, alone, and audited", async (kind) => {
    const bert = await addMember(harness, `Bert_${kind}`);
    const token = await playGame(bert);
    const before = await sessionsOf(bert);
    const ended = before.find((session) => session.kind === kind)!;
    const request = `DELETE /api/admin/user/${bert.account.id}/sessions/${ended.id}`;
    await play(harness, { name: "", actor: chief, request, status: 204 });
    expect(await sessionsOf(bert)).toEqual(before.filter(({ id }) => id !== ended.id));
    expect(await statusOf(bert.authorization)).toBe(kind === "web" ? 401 : 200);
    const valid = await send(harness, "POST /api/yggdrasil/authserver/validate", { accessToken: token });
    expect(valid.status).toBe(kind === "game" ? 403 : 204);
    const [entry] = await dataOf<readonly object[]>(
      `/api/admin/audit?for=${bert.account.id}&action=session.end`,
    );
    expect(entry).toMatchObject({
      iss: "Chief",
      for: bert.account.id,
      detail: { old: { id: ended.id, kind, last_used: harness.clock.nowSeconds() } },
    });
    await play(harness, { name: "again", actor: chief, request, status: 404 });
  });

  test("of somebody else are not theirs", async () => {
    const carl = await addMember(harness, "Carl");
    const [session] = await sessionsOf(carl);
    for (const [user, id, status] of [
      ["Moderata", session!.id, 404],
      ["Nobody", session!.id, 404],
      ["Carl", crypto.randomUUID(), 404],
      ["Carl", "1", 400],
      ["?", session!.id, 400],
    ] as const) {
      const request = `DELETE /api/admin/user/${encodeURIComponent(user)}/sessions/${id}`;
      await play(harness, { name: user, actor: chief, request, status });
    }
    expect(await statusOf(carl.authorization)).toBe(200);
  });

  test("end at the hands of moderators, too", async () => {
    const dora = await addMember(harness, "Dora");
    const [session] = await sessionsOf(dora);
    const request = `DELETE /api/admin/user/Dora/sessions/${session!.id}`;
    await play(harness, { name: "the user", actor: dora, request, status: 403 });
    expect(await statusOf(dora.authorization)).toBe(200);
    await play(harness, { name: "a moderator", actor: moderator, request, status: 204 });
    expect(await statusOf(dora.authorization)).toBe(401);
  });

  const hour = 3600;
  test.each([
    ["a moderator", { level: 2 }, 403],
    ["an administrator", { level: 3 }, 403],
    ["a moderator for an hour", { level: 1, role: { level: 2, for: hour } }, 403],
    ["an administrator who is a player for an hour", { level: 3, role: { level: 1, for: hour } }, 403],
    ["a player", { level: 1 }, 204],
  ] as const)("of %s: a moderator may end those of players alone", async (who, levels, status) => {
    const other = await addMember(harness, `Of_${who.replaceAll(/[^a-z]/g, "").slice(-12)}`, {
      level: levels.level,
    });
    if ("role" in levels) {
      const role = { account: other.account.id, level: levels.role.level };
      await setLevel(harness.services, commandLine, {
        ...role,
        expiresAt: harness.clock.nowSeconds() + levels.role.for,
      });
    }
    const path = `/api/admin/user/${other.account.id}/sessions`;
    const [session] = await sessionsOf(other);
    const one = `DELETE ${path}/${session!.id}`;
    await play(harness, { name: "all of them", actor: moderator, request: `DELETE ${path}`, status });
    if (status === 204) return;
    await play(harness, { name: "one", actor: moderator, request: one, status });
    await play(harness, { name: "an administrator", actor: chief, request: one, status: 204 });
  });

  test("end all at once, and the audit says how many", async () => {
    const eva = await addMember(harness, "Eva");
    await playGame(eva);
    const request = "DELETE /api/admin/user/Eva/sessions";
    await play(harness, { name: "all", actor: moderator, request, status: 204 });
    expect(await sessionsOf(eva)).toEqual([]);
    await play(harness, { name: "again", actor: moderator, request, status: 204 });
    const entries = await dataOf<readonly object[]>(
      `/api/admin/audit?for=${eva.account.id}&action=session.end-all`,
    );
    expect(entries).toMatchObject([{ iss: "Moderata", detail: { old: { sessions: 2 } } }]);
  });

  test("end all but the one that ends them", async () => {
    const boss = await addMember(harness, "Boss", { level: 3 });
    await playGame(boss);
    const request = "DELETE /api/admin/user/Boss/sessions";
    await play(harness, { name: "their own", actor: boss, request, status: 204 });
    expect((await sessionsOf(boss)).map(({ kind }) => kind)).toEqual(["web"]);
  });
});

const lastSeen = async ({ name }: Member) =>
  (await dataOf<{ last_seen: number | null }>(`/api/admin/user/${name}`)).last_seen;

describe("when a user was last seen", () => {
  test("is the last use of a session, and stays when the session ends", async () => {
    const emil = await addMember(harness, "Emil");
    const first = harness.clock.nowSeconds();
    expect(await lastSeen(emil)).toBe(first);
    harness.clock.advance(600);
    await playGame(emil);
    expect(await lastSeen(emil)).toBe(first + 600);
    harness.clock.advance(600);
    expect(await statusOf(emil.authorization)).toBe(200);
    await harness.services.activity.flush();
    expect(await lastSeen(emil)).toBe(first + 1200);
    for (const { id } of await sessionsOf(emil)) {
      const request = `DELETE /api/admin/user/Emil/sessions/${id}`;
      await play(harness, { name: "", actor: chief, request, status: 204 });
    }
    harness.clock.advance(600);
    expect(await lastSeen(emil)).toBe(first + 1200);
    await signIn(harness, emil.mail, emil.password);
    expect(await lastSeen(emil)).toBe(first + 1800);
  });
});
