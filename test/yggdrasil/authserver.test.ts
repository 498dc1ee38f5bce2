/** Signing in to the game, and its tokens (docs/contract/yggdrasil.md#authserver). */
import { afterAll, describe, expect, test } from "bun:test";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addPlayer, allowPlayers, edit, signIn, type Member } from "../support/members.ts";
import { homeStatus, orderCode, send } from "../support/registration.ts";
import {
  badCredentials,
  badField,
  badToken,
  done,
  enter,
  hasJoined,
  join,
  plain,
  post,
  type SignedIn,
} from "./game-world.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

let count = 0;
const someone = () => addMember(harness, `Gamer${(count += 1)}`);
/** An account with three players, of which the first is the main one. */
async function several() {
  const member = await someone();
  await allowPlayers(harness, member);
  const others = [
    await addPlayer(harness, member, `${member.name}_2`),
    await addPlayer(harness, member, `${member.name}_3`),
  ];
  const profiles = [{ id: plain(member.uuid), name: member.name }];
  for (const { uuid, name } of others) profiles.push({ id: plain(uuid), name });
  return { member, others, profiles };
}

const validate = ({ accessToken }: SignedIn, clientToken?: string) =>
  post(harness, "/authserver/validate", { accessToken, ...(clientToken !== undefined && { clientToken }) });
const refresh = ({ accessToken }: SignedIn, more: object = {}) =>
  post(harness, "/authserver/refresh", { accessToken, ...more });
const signedIn = ({ body }: { readonly body: unknown }) => body as SignedIn; // what these tests look at

describe("authenticate", () => {
  test("opens a session of the only player, by name in any case and by mail address", async () => {
    const member = await someone();
    const profile = { id: plain(member.uuid), name: member.name };
    for (const username of [member.name, member.name.toUpperCase(), member.mail]) {
      expect(await enter(harness, member, { username })).toEqual({
        accessToken: expect.stringMatching(/^[0-9a-f]{64}$/),
        clientToken: expect.stringMatching(/^[0-9a-f]{32}$/),
        availableProfiles: [profile],
        selectedProfile: profile,
      });
    }
  });

  test("names the account when it is asked to, and knows other fields than its own", async () => {
    const { account, name: username, password } = await someone();
    const json = { username, password, requestUser: true, agent: { name: "Minecraft", version: 1 }, x: null };
    const { body } = await post(harness, "/authserver/authenticate", json);
    expect(body).toMatchObject({ user: { id: plain(account.uuid), properties: [] } });
    expect(Object.keys(signedIn({ body }).user as object)).toEqual(["id", "properties"]);
  });

  test("of several players selects the one that is named, and none by the mail address", async () => {
    const { member, others, profiles } = await several();
    expect(await enter(harness, member)).toEqual({
      accessToken: expect.any(String),
      clientToken: expect.any(String),
      availableProfiles: profiles,
    });
    for (const [index, { name }] of [{ name: member.name }, ...others].entries()) {
      const { selectedProfile } = await enter(harness, member, { username: name });
      expect(selectedProfile).toEqual(profiles[index]);
    }
  });

  test("lets an account in that has no player, whose game has none either", async () => {
    const member = await addMember(harness, "nobody-yet", { finished: false });
    const { accessToken, availableProfiles, selectedProfile } = await enter(harness, member);
    expect([availableProfiles, selectedProfile]).toEqual([[], undefined]);
    expect(await validate({ accessToken } as SignedIn)).toEqual(done);
    const json = { accessToken, selectedProfile: plain(member.uuid), serverId: "abc" };
    expect(await post(harness, "/sessionserver/session/minecraft/join", json)).toEqual(badToken);
  });

  test("refuses an account whose address is not confirmed", async () => {
    const password = "the password of nobody";
    await orderCode(harness, "confirm", "unconfirmed@example.org", password);
    const json = { username: "unconfirmed@example.org", password };
    const { status, body } = await post(harness, "/authserver/authenticate", json);
    expect({ status, ...(body as object) }).toMatchObject({
      status: 403,
      error: "ForbiddenOperationException",
    });
  });

  test.each(["", " ", "x", "ё 🎮 \u0001", "x".repeat(512)])(
    "gives the clientToken %j back",
    async (clientToken) => {
      const session = await enter(harness, await someone(), { clientToken });
      expect(session.clientToken).toBe(clientToken);
      expect(await validate(session, clientToken)).toEqual(done);
      expect(signedIn(await refresh(session)).clientToken).toBe(clientToken);
    },
  );

  test.each(["\u0000", "a\u0000b", "\ud800"])("refuses the clientToken %j", async (clientToken) => {
    const { mail, password } = await someone();
    const refused = await post(harness, "/authserver/authenticate", {
      username: mail,
      password,
      clientToken,
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("without NUL");
  });

  test.each([
    ["a wrong password", (member: Member) => ({ username: member.name, password: "a wrong password" })],
    [
      "a password in another case",
      ({ name, password }: Member) => ({ username: name, password: password.toUpperCase() }),
    ],
    ["an unknown name", ({ password }: Member) => ({ username: "Nobody_at_all", password })],
    ["an unknown address", ({ password }: Member) => ({ username: "nobody@example.net", password })],
    ["a name of 10 kB", ({ password }: Member) => ({ username: "x".repeat(10_000), password })],
    ["half a character", ({ password }: Member) => ({ username: "\ud800", password })],
    ["an account's uuid", ({ uuid, password }: Member) => ({ username: uuid, password })],
  ])("refuses %s in the same words", async (_, credentials) => {
    const json = credentials(await someone());
    expect(await post(harness, "/authserver/authenticate", json)).toEqual(badCredentials);
    expect(await post(harness, "/authserver/signout", json)).toEqual(badCredentials);
  });
});

describe("a token", () => {
  test("is good for the launcher that got it, and for one that does not say who it is", async () => {
    const session = await enter(harness, await someone());
    expect(await validate(session)).toEqual(done);
    expect(await validate(session, session.clientToken)).toEqual(done);
    expect(await validate(session, `${session.clientToken}x`)).toEqual(badToken);
    expect(await refresh(session, { clientToken: "another" })).toEqual(badToken);
    expect(await validate(session)).toEqual(done);
  });

  test.each([
    ["cut", (token: string) => token.slice(0, -1)],
    ["longer", (token: string) => `${token}0`],
    ["in capitals", (token: string) => token.toUpperCase()],
    ["with blanks", (token: string) => ` ${token}`],
    ["a hash", (token: string) => new Bun.CryptoHasher("sha256").update(token).digest("hex")],
  ])("is not valid %s", async (_, change) => {
    const session = await enter(harness, await someone());
    const accessToken = change(session.accessToken);
    expect(accessToken).not.toBe(session.accessToken);
    expect(await validate({ ...session, accessToken })).toEqual(badToken);
    expect(await refresh({ ...session, accessToken })).toEqual(badToken);
    expect(await post(harness, "/authserver/invalidate", { accessToken })).toEqual(done);
    expect(await validate(session)).toEqual(done);
  });

  test("ends by a refresh, which keeps clientToken and player", async () => {
    const old = await enter(harness, await someone());
    const fresh = await refresh(old, { requestUser: true });
    expect(fresh).toEqual({
      status: 200,
      body: { ...old, accessToken: expect.not.stringMatching(old.accessToken), user: expect.anything() },
    });
    expect(await validate(old)).toEqual(badToken);
    expect(await refresh(old)).toEqual(badToken);
    expect(await validate(signedIn(fresh))).toEqual(done);
  });

  test("of two refreshes at once one succeeds", async () => {
    const session = await enter(harness, await someone());
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(session)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 403, 403, 403, 403,
    ]);
  });

  test("ends by invalidate and by signout, which ends all of the account and no others", async () => {
    const [member, other] = [await someone(), await someone()];
    const [one, two, three] = [
      await enter(harness, member),
      await enter(harness, member),
      await enter(harness, other),
    ];
    const json = { accessToken: one.accessToken, clientToken: "whatever" };
    expect(await post(harness, "/authserver/invalidate", json)).toEqual(done);
    expect(await post(harness, "/authserver/invalidate", json)).toEqual(done);
    expect([await validate(one), await validate(two)]).toEqual([badToken, done]);
    const credentials = { username: member.name, password: member.password };
    expect(await post(harness, "/signout", credentials)).toEqual(done);
    expect([await validate(two), await validate(three)]).toEqual([badToken, done]);
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test("can only be refreshed after 15 days, and ends after 30", async () => {
    await using world = await openHarness();
    const member = await addMember(world, "Anna");
    const [kept, old] = [await enter(world, member), await enter(world, member)];
    const days = (number: number) => world.clock.advance(number * 86_400);
    const asked = async (path: string, { accessToken }: SignedIn) =>
      (await post(world, path, { accessToken })).status;
    days(15);
    world.clock.advance(-1);
    expect(await asked("/validate", kept)).toBe(204);
    world.clock.advance(1);
    expect([await asked("/validate", kept), (await join(world, kept, "abc")).status]).toEqual([403, 403]);
    const { body } = await post(world, "/refresh", { accessToken: kept.accessToken });
    expect(await asked("/validate", signedIn({ body }))).toBe(204);
    days(15);
    expect(await asked("/refresh", old)).toBe(403);
    expect(await asked("/refresh", signedIn({ body }))).toBe(200);
  });

  test("from before the clock was set back is not valid, and is removed", async () => {
    await using world = await openHarness();
    const session = await enter(world, await addMember(world, "Anna"));
    world.clock.advance(-3600);
    const { status } = await post(world, "/validate", { accessToken: session.accessToken });
    expect(status).toBe(403);
    const log = createLogger({ level: "error", format: "json" });
    await startHousekeeping({ ...world.services, log })[Symbol.asyncDispose]();
    expect(world.countRows("sessions")).toBe(0);
  });

  test("is removed by the sweep after 30 days, and not before", async () => {
    await using world = await openHarness();
    await enter(world, await addMember(world, "Anna"));
    const log = createLogger({ level: "error", format: "json" });
    const sweep = async () => {
      await startHousekeeping({ ...world.services, log })[Symbol.asyncDispose]();
      return world.countRows("sessions");
    };
    world.clock.advance(30 * 86_400);
    expect(await sweep()).toBe(1);
    world.clock.advance(1);
    expect(await sweep()).toBe(0);
  });

  test("ends with the oldest of eleven", async () => {
    const member = await someone();
    const sessions: SignedIn[] = [];
    for (let at = 0; at < 11; at++) sessions.push(await enter(harness, member));
    const answers = await Promise.all(sessions.map((session) => validate(session)));
    expect(answers.map(({ status }) => status)).toEqual([403, ...Array<number>(10).fill(204)]);
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test("ends when the password is changed or reset", async () => {
    const member = await someone();
    const before = await enter(harness, member);
    const newpassword = "another password of hers";
    const { status } = await edit(harness, member, "PATCH /api/home/edit/password", {
      password: member.password,
      newpassword,
    });
    expect(status).toBe(200);
    expect(await refresh(before)).toEqual(badToken);
    const between = await enter(harness, { ...member, password: newpassword });
    const code = await orderCode(harness, "reset", member.mail);
    await send(harness, "POST /api/auth/forgetpass/update", { code, password: member.password });
    expect(await refresh(between)).toEqual(badToken);
  });

  test("can only be refreshed after its player was renamed", async () => {
    const { member, others } = await several();
    const main = await enter(harness, member, { username: member.name });
    const second = await enter(harness, member, { username: others[0]?.name ?? "" });
    const username = `${member.name}_new`;
    const json = { username, password: member.password };
    expect((await edit(harness, member, "PATCH /api/home/edit/username", json)).status).toBe(200);
    expect([await validate(main), await validate(second)]).toEqual([badToken, done]);
    const fresh = signedIn(await refresh(main));
    expect(fresh.selectedProfile).toEqual({ id: plain(member.uuid), name: username });
    expect(await validate(fresh)).toEqual(done);
  });

  test("ends with its player", async () => {
    const { member, others } = await several();
    const [, last] = others;
    const session = await enter(harness, member, { username: last?.name ?? "" });
    const removed = await edit(harness, member, `DELETE /api/home/players/${last?.uuid}`, {
      password: member.password,
    });
    expect(removed.status).toBe(204);
    expect(await refresh(session)).toEqual(badToken);
  });
});

describe("refresh with a player", () => {
  test("binds a token that has none, to a player of the account", async () => {
    const { member, profiles } = await several();
    for (const selectedProfile of profiles) {
      const answer = await refresh(await enter(harness, member), { selectedProfile });
      expect(answer).toMatchObject({ status: 200, body: { selectedProfile, availableProfiles: profiles } });
      expect(await join(harness, signedIn(answer), "abc")).toEqual(done);
    }
  });

  test("takes a dashed id in capitals, without a name", async () => {
    const { member, profiles } = await several();
    const selectedProfile = { id: member.uuid.toUpperCase(), name: null };
    const answer = await refresh(await enter(harness, member), { selectedProfile });
    expect(answer).toMatchObject({ status: 200, body: { selectedProfile: profiles[0] } });
  });

  test.each([
    ["an unknown id", () => ({ id: crypto.randomUUID(), name: "Nobody" }), badField(/^selectedProfile: /)],
    ["another name", ({ uuid }: Member) => ({ id: uuid, name: "Nobody" }), badField(/^selectedProfile: /)],
    [
      "a name in another case",
      ({ uuid, name }: Member) => ({ id: uuid, name: name.toUpperCase() }),
      badField(/^selectedProfile: /),
    ],
    ["no id", ({ name }: Member) => ({ name }), badField(/^selectedProfile: /)],
    ["no UUID", ({ name }: Member) => ({ id: "..", name }), badField(/^selectedProfile/)],
    ["a list", ({ name }: Member) => [name], badField(/^selectedProfile: /)],
  ])("refuses %s, and leaves the token as it was", async (_, profile, refusal) => {
    const { member } = await several();
    const session = await enter(harness, member);
    expect(await refresh(session, { selectedProfile: profile(member) })).toEqual(refusal);
    expect(await validate(session)).toEqual(done);
  });

  test("refuses a player of another account", async () => {
    const { member } = await several();
    const other = await someone();
    const session = await enter(harness, member);
    const selectedProfile = { id: plain(other.uuid), name: other.name };
    expect(await refresh(session, { selectedProfile })).toMatchObject({
      status: 403,
      body: { error: "ForbiddenOperationException" },
    });
    expect(await validate(session)).toEqual(done);
  });

  test("refuses a token that has one, before it looks at the player", async () => {
    const session = await enter(harness, await someone());
    for (const selectedProfile of [session.selectedProfile, { id: crypto.randomUUID(), name: "X" }]) {
      expect(await refresh(session, { selectedProfile })).toEqual({
        status: 400,
        body: {
          error: "IllegalArgumentException",
          errorMessage: "Access token already has a profile assigned.",
        },
      });
    }
    expect(await refresh({ ...session, accessToken: "x" }, { selectedProfile: { id: "x" } })).toEqual(
      badField(/^selectedProfile/),
    );
    expect(await validate(session)).toEqual(done);
  });
});

describe("the list of sessions", () => {
  type Listed = { readonly id: string; readonly kind: string; readonly expires: number };
  const listFor = async ({ authorization }: Member) => {
    const response = await harness.fetch("/api/home/sessions", { headers: { authorization } });
    return (await readJson<Envelope<readonly Listed[]>>(response)).data;
  };

  test("shows game sessions, and ends them", async () => {
    const member = await someone();
    const session = await enter(harness, member);
    const listed = await listFor(member);
    const now = harness.clock.nowSeconds();
    const ends = Object.fromEntries(listed.map(({ kind, expires }) => [kind, expires - now]));
    expect(ends).toEqual({ game: 30 * 86_400, web: 86_400 });
    const id = listed.find(({ kind }) => kind === "game")?.id;
    expect((await edit(harness, member, `DELETE /api/home/sessions/${id}`, {})).status).toBe(204);
    expect(await validate(session)).toEqual(badToken);
    expect((await listFor(member)).map(({ kind }) => kind)).toEqual(["web"]);
  });

  test("holds no token, nor its hash", async () => {
    const member = await someone();
    const { accessToken, clientToken } = await enter(harness, member);
    const text = JSON.stringify(await listFor(member));
    const hash = new Bun.CryptoHasher("sha256").update(accessToken).digest("hex");
    for (const secret of [accessToken, hash, clientToken]) expect(text).not.toContain(secret);
    expect(JSON.stringify(harness.database.everything())).not.toContain(accessToken);
  });

  test("shows when the game was used last", async () => {
    await using world = await openHarness();
    const member = await addMember(world, "Anna");
    const session = await enter(world, member);
    world.clock.advance(600);
    await join(world, session, "abc");
    await world.services.activity.flush();
    const rows = await world.services.reads.sessions.listSessions(
      member.account.id,
      world.clock.nowSeconds(),
    );
    const used = rows.filter(({ kind }) => kind === "game").map((row) => row.lastUsedAt - row.createdAt);
    expect(used).toEqual([600]);
  });
});

test("a game's session is not the website's, nor the other way round", async () => {
  const member = await someone();
  const { accessToken } = await enter(harness, member);
  expect(await homeStatus(harness, accessToken)).toBe(401);
  const jwt = await signIn(harness, member.name, member.password);
  expect(await validate({ accessToken: jwt } as SignedIn)).toEqual(badToken);
});

test("nothing is written for a join and its question", async () => {
  const member = await someone();
  const session = await enter(harness, member);
  const before = harness.database.everything();
  expect(await join(harness, session, "abc")).toEqual(done);
  expect((await hasJoined(harness, { username: member.name, serverId: "abc" })).status).toBe(200);
  await harness.services.activity.flush();
  expect(harness.database.everything()).toEqual(before);
});
