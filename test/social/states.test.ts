/** What each state of a sign-in answers, and what is logged of it (docs/contract/social.md#callback). */
import { afterAll, describe, expect, test } from "bun:test";
import { secretOf } from "../../src/boot/secrets.ts";
import { openSocial } from "../../src/boot/compose.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { issueConnection } from "../../src/domain/social/pending.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { jwtSecret, publicUrl, siteUrl } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { homeStatus, profileOf } from "../support/registration.ts";
import { expectError } from "../support/scenario.ts";
import { openBrowser } from "../support/social/browser.ts";
import {
  create,
  createAccount,
  lineOf,
  link,
  meet,
  metaOf,
  newPerson,
  openSocialWorld,
  redirectUri,
  signInSocially,
  type SignedIn,
  type SocialUser,
} from "../support/social/social-world.ts";

const world = await openSocialWorld();
afterAll(() => world[Symbol.asyncDispose]());
const { harness, provider } = world;

const newcomer = (person: Readonly<Record<string, unknown>> = {}): string => newPerson(world, person);

const tokenPath = "/api/oauth2/token";
const profilePath = "/api/v10/users/@me";

describe("a person whom no account is linked to", () => {
  test("is answered 404 with the profile, and a number that allows to link it", async () => {
    const id = newcomer();
    const response = await signInSocially(world);
    const line = lineOf(harness, response);
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.getSetCookie()).toEqual([]);
    const body = await readJson<Envelope<{ user: SocialUser }>>(response);
    expect(body).toEqual({
      error: true,
      msg: expect.stringMatching(/create one, or link yours/),
      url: null,
      data: {
        user: {
          id,
          username: `nelly${id}`,
          avatar: `https://cdn.discordapp.com/avatars/${id}/8342729096ea3675442027381ff50dfe.png`,
          conn_id: expect.any(Number),
        },
      },
    });
    expect(Number.isSafeInteger(body.data.user.conn_id)).toBe(true);
    expect(body.data.user.conn_id).toBeGreaterThan(0);
    expect(line).toMatchObject({ level: "info", provider: "discord", route: "/auth/social/callback" });
    expect(JSON.stringify(line)).not.toContain(String(body.data.user.conn_id));
  });

  test("is asked again after the account was deleted", async () => {
    const id = newcomer();
    const jwt = await createAccount(world);
    const { Username } = await profileOf(harness, { authorization: `Bearer ${jwt}` });
    await deleteAccount(harness.services, commandLine, String(Username));
    expect(harness.database.everything()["identities"]).not.toContainEqual(
      expect.objectContaining({ subject: id }),
    );
    expect((await meet(world)).id).toBe(id);
    expect(await homeStatus(harness, jwt)).toBe(401);
  });
});

describe("a person whose account is linked", () => {
  test("is signed in", async () => {
    const id = newcomer();
    await createAccount(world);
    const response = await signInSocially(world);
    expect(response.status).toBe(200);
    const body = await readJson<Envelope<SignedIn>>(response);
    expect(body).toEqual({
      error: false,
      msg: "Login successful",
      url: `${siteUrl}/home`,
      data: {
        jwt: expect.any(String),
        userid: id,
        username: `nelly${id}`,
        avatar: expect.stringContaining(id),
      },
    });
    expect(await homeStatus(harness, body.data.jwt)).toBe(200);
  });

  test("is shown in the profile, as of the last sign-in", async () => {
    const id = newcomer();
    const authorization = `Bearer ${await createAccount(world)}`;
    const first = { userid: id, username: `nelly${id}`, avatar: expect.stringContaining("8342729096ea") };
    expect(await profileOf(harness, { authorization })).toMatchObject({
      Social_integration: true,
      Social: first,
    });
    newcomer({ id, username: "nelly.new", avatar: null });
    await signInSocially(world);
    expect(await profileOf(harness, { authorization })).toMatchObject({
      Social_integration: true,
      Social: { userid: id, username: "nelly.new", avatar: "" },
    });
  });
});

describe("linking", () => {
  test("signs in, and the person is linked from then on", async () => {
    const id = newcomer();
    const member = await addMember(harness, "Linker");
    const response = await link(harness, member, metaOf(await meet(world)));
    expect(response.status).toBe(200);
    const { url, data } = await readJson<Envelope<SignedIn>>(response);
    expect(url).toBe(`${siteUrl}/home`);
    expect(data).toEqual({
      jwt: expect.any(String),
      userid: id,
      username: `nelly${id}`,
      avatar: expect.stringContaining(id),
    });
    expect(await profileOf(harness, { authorization: `Bearer ${data.jwt}` })).toMatchObject({
      Username: "Linker",
      Social: { userid: id },
    });
    expect((await signInSocially(world)).status).toBe(200);
  });

  test("takes the mail address as well, and an id that is a number", async () => {
    const id = newcomer();
    const { mail, password } = await addMember(harness, "ByMail");
    const { conn_id } = await meet(world);
    const response = await link(harness, { name: mail, password }, { id: Number(id), conn_id });
    expect(response.status).toBe(200);
  });

  test("fails with 401 for a wrong password, and the number stays good", async () => {
    newcomer();
    const member = await addMember(harness, "Forgetful");
    const meta = metaOf(await meet(world));
    await expectError(
      await link(harness, { name: "Forgetful", password: "not the right one" }, meta),
      401,
      /^Invalid username or password$/,
    );
    await expectError(await link(harness, { name: "Nobody_here", password: "not the right one" }, meta), 401);
    expect((await link(harness, member, meta)).status).toBe(200);
  });

  test("fails with 409 when the person is linked elsewhere by now", async () => {
    newcomer();
    const [first, second] = [await addMember(harness, "Quick"), await addMember(harness, "Slow")];
    const early = metaOf(await meet(world));
    expect((await link(harness, first, early)).status).toBe(200);
    const late = await plantConnection(early.id);
    const response = await link(harness, second, late);
    expect(lineOf(harness, response)).toMatchObject({ provider: "discord", level: "info" });
    await expectError(response, 409, /linked to another account already/);
  });

  test("fails with 409 when the account has another identity", async () => {
    newcomer();
    const member = await addMember(harness, "Taken");
    expect((await link(harness, member, metaOf(await meet(world)))).status).toBe(200);
    newcomer();
    const response = await link(harness, member, metaOf(await meet(world)));
    expect(lineOf(harness, response)).toMatchObject({ provider: "discord", level: "info" });
    await expectError(response, 409, /linked to another social account already/);
  });

  test("fails with 403 before registration is finished", async () => {
    newcomer();
    const member = await addMember(harness, "halfway", { finished: false });
    const response = await link(harness, { ...member, name: member.mail }, metaOf(await meet(world)));
    await expectError(response, 403, /^Finish your registration first/);
  });
});

/** A number for somebody who is linked already, as if two of their browsers had come back at once. */
async function plantConnection(subject: string) {
  const { clock, services } = harness;
  const { connectionHash } = openSocial({
    config: harness.config,
    jwtSecret: secretOf(jwtSecret),
    clock,
    once: services.once,
  });
  const person = {
    provider: "discord",
    issuer: world.provider.url,
    subject,
    username: "n",
    avatar: "",
    verifiedMail: null,
  };
  const conn_id = await services.transact(system, (tx) => issueConnection(tx, connectionHash, person));
  return { id: subject, conn_id };
}

describe("a provider that says no", () => {
  test.each(["access_denied", "temporarily_unavailable"])(
    "with %s: 400, the reason in the log",
    async (error) => {
      const browser = openBrowser(harness);
      const { state } = await begin(browser);
      const response = await browser.peek(`${redirectUri}?error=${error}&state=${state}`);
      expect(lineOf(harness, response)).toMatchObject({
        level: "info",
        provider: "discord",
        error_code: error,
      });
      await expectError(response, 400, /^Signing in through discord was refused; begin again$/);
    },
  );

  test("without a state: the same", async () => {
    const response = await harness.fetch("/auth/social/callback?error=access_denied");
    expect(lineOf(harness, response)).toMatchObject({ error_code: "access_denied" });
    await expectError(response, 400);
  });

  test("to a code that was used: 400, and it is asked once", async () => {
    newcomer();
    const browser = openBrowser(harness);
    const code = provider.giveCode(redirectUri);
    expect((await browser.peek(`${redirectUri}?code=${code}`)).status).toBe(404);
    const before = provider.asked.length;
    const response = await browser.peek(`${redirectUri}?code=${code}`);
    expect(provider.asked.slice(before)).toEqual([tokenPath]);
    expect(lineOf(harness, response)).toMatchObject({
      level: "info",
      provider: "discord",
      error_code: "invalid_grant",
    });
    await expectError(response, 400, /was refused/);
  });

  test("to an unknown code: 400", async () => {
    await expectError(await harness.fetch("/auth/social/callback?code=guess"), 400, /was refused/);
  });

  test("to a code that began with another browser's proof: 400", async () => {
    newcomer();
    const stolen = await begin(openBrowser(harness));
    const browser = openBrowser(harness);
    const { state } = await begin(browser);
    const response = await browser.peek(`${redirectUri}?code=${stolen.code}&state=${state}`);
    expect(provider.takeFaults()).toEqual(["code_verifier"]);
    await expectError(response, 400, /was refused/);
  });
});

/** Begins a login and stops where the provider sends the browser back. */
async function begin(browser: ReturnType<typeof openBrowser>): Promise<{ state: string; code: string }> {
  const away = await browser.peek(`${publicUrl}/auth/social/login`);
  const back = await browser.peek(away.headers.get("location") ?? "");
  const { searchParams } = new URL(back.headers.get("location") ?? "");
  return { state: searchParams.get("state") ?? "", code: searchParams.get("code") ?? "" };
}

const jsonType = { "content-type": "application/json" };
const json = (body: unknown, status = 200) => Response.json(body, { status });
const huge = () => new Response(`{"access_token":"${"x".repeat(300_000)}"}`, { headers: jsonType });
const away = () => Response.redirect("https://elsewhere.example/token");
const never = () => new Promise<Response>(() => undefined);
const slowBody = () => {
  const stream = new ReadableStream({ start: (controller) => controller.enqueue('{"access') });
  return new Response(stream, { headers: jsonType });
};

describe("a provider that fails us: 502, and a warning with the cause", () => {
  const token = { access_token: "t", token_type: "Bearer" };

  test.each([
    ["broken", tokenPath, () => json({ error: "server_error" }, 500), "unexpected answer"],
    ["overloaded", tokenPath, () => json({ message: "slow down" }, 429), "unexpected answer"],
    ["unwilling to talk to us", tokenPath, () => json({ error: "invalid_client" }, 401), "unexpected answer"],
    [
      "unwilling, with status 400",
      tokenPath,
      () => json({ error: "invalid_client" }, 400),
      "unexpected answer",
    ],
    ["silent about the token", tokenPath, () => json({ token_type: "Bearer" }), "no access token"],
    ["odd about the token", tokenPath, () => json({ access_token: 7 }), "no access token"],
    ["sly with the token", tokenPath, () => json({ access_token: "a\r\nx: y" }), "no access token"],
    ["answering with a list", tokenPath, () => json([token]), "no access token"],
    ["answering with a page", tokenPath, () => new Response("<html>"), "no JSON (status 200)"],
    [
      "answering with half of it",
      tokenPath,
      () => new Response('{"access_token":', { headers: jsonType }),
      "broken JSON (status 200)",
    ],
    ["answering without end", tokenPath, huge, "more than 262144 bytes"],
    ["sending us on", tokenPath, away, "no JSON (status 302)"],
    ["sending us on for the profile", profilePath, away, "no JSON (status 302)"],
    ["answering with a page for a profile", profilePath, () => new Response("x"), "no JSON (status 200)"],
    ["denying the token that it gave", profilePath, () => json({ message: "401" }, 401), "unexpected answer"],
    ["silent about the id", profilePath, () => json({ username: "n" }), "a profile without an id"],
    ["empty about the id", profilePath, () => json({ id: "" }), "a profile without an id"],
    ["null about the id", profilePath, () => json({ id: null }), "a profile without an id"],
    ["odd about the id", profilePath, () => json({ id: { $ne: "" } }), "a profile without an id"],
    ["long about the id", profilePath, () => json({ id: "9".repeat(256) }), "a profile without an id"],
    ["sly about the id", profilePath, () => json({ id: "1\u0000" }), "a profile without an id"],
    ["half a number for an id", profilePath, () => json({ id: 1.5 }), "a profile without an id"],
  ])("%s", async (_, path, answer, reason) => {
    newcomer();
    const before = harness.database.everything();
    provider.answer(path, answer);
    const response = await signInSocially(world).finally(() => provider.answer(path, null));
    expect(lineOf(harness, response)).toMatchObject({ level: "warn", provider: "discord", reason });
    await expectError(response, 502, /^Signing in through discord does not work at the moment/);
    expect(harness.database.everything()).toEqual(before);
  });

  test.each([
    ["never answering about the token", tokenPath, never],
    ["stopping in the middle of the token", tokenPath, slowBody],
    ["never answering about the profile", profilePath, never],
  ])("%s", async (_, path, answer) => {
    await using slow = await openSocialWorld({ socialTimeLimitMs: 200 });
    slow.provider.answer(path, answer);
    const response = await signInSocially(slow);
    expect(lineOf(slow.harness, response)).toMatchObject({ level: "warn", reason: "no answer in time" });
    await expectError(response, 502, /^Signing in through discord does not work at the moment/);
  });

  test("down", async () => {
    using closed = await holdClosedPort();
    const url = `http://127.0.0.1:${closed.port}`;
    await using down = await openSocialWorld({ settings: { SOCIAL_DISCORD_BASE_URL: url } });
    const response = await down.harness.fetch("/auth/social/callback?code=x");
    expect(lineOf(down.harness, response)).toMatchObject({
      level: "warn",
      reason: expect.stringMatching(/^no connection/),
      url: `${url}${tokenPath}`,
    });
    await expectError(response, 502);
  });
});

describe("what a provider says", () => {
  test("is kept as it can be shown", async () => {
    newcomer({ username: `\u0000${"é".repeat(100)}`, avatar: "../../x" });
    const { username, avatar } = await meet(world);
    expect(username).toBe("é".repeat(64));
    expect(avatar).toMatch(/^https:\/\/cdn\.discordapp\.com\/avatars\/\d+\/\.\.%2F\.\.%2Fx\.png$/);
  });

  test("is the id instead of a name that is missing", async () => {
    const id = newcomer({ username: undefined });
    expect((await meet(world)).username).toBe(id);
  });
});

test("a pending person is swept when the time is over", async () => {
  newcomer();
  const meta = metaOf(await meet(world));
  harness.clock.advance(601);
  await harness.services.transact(system, ({ identities }) =>
    identities.deleteExpiredPending(harness.clock.nowSeconds()),
  );
  expect(harness.countRows("pending_people")).toBe(0);
  expect((await create(harness, meta)).status).toBe(400);
});
