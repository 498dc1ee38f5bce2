/** The first administrator, by the link that the server prints (docs/contract/console.md#set-up). */
import { describe, expect, test } from "bun:test";
import { setLevel } from "../../src/domain/members/levels.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser, ownHeaders, secureName, type ConsoleSession } from "../support/console.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { send } from "../support/registration.ts";
import { expectError, play, type Scenario } from "../support/scenario.ts";
import { run } from "../cli/run-program.ts";
import { isLeftOut } from "../support/storages.ts";

const olga = { mail: "olga@example.org", username: "Olga", password: "a password of hers" };
const badLink = "This link is not valid, was used, or is of an earlier start of the server";

/** A server that has begun the set-up, as `serve` does. */
async function openNew(settings: Record<string, string> = {}) {
  const harness = await openHarness({ settings });
  const secret = await harness.services.setup.begin();
  if (secret === null) throw new Error("There is an administrator");
  return { harness, secret, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
}

function refused(json: unknown, status = 403, msg: Scenario["msg"] = badLink): Scenario {
  const request = "POST /console/setup";
  const answerHeaders = { "set-cookie": null };
  return { name: "", request, headers: ownHeaders, json, status, msg, answerHeaders };
}

async function whoAmI(harness: Harness, cookie: string): Promise<number> {
  const headers = { ...ownHeaders, cookie: `${secureName}=${cookie}` };
  return (await harness.fetch("/api/admin/users", { headers })).status;
}

describe("the link", () => {
  test("ends the session that the browser had", async () => {
    await using world = await openNew();
    const { harness, secret } = world;
    const member = await addMember(harness, "Before");
    const [before, browser] = [openConsoleBrowser(harness), openConsoleBrowser(harness)];
    await before.signIn(member);
    for (const [name, value] of before.cookies) browser.cookies.set(name, value);
    expect((await browser.send("POST /console/setup", { ...olga, secret })).status).toBe(200);
    expect((await browser.visitor())?.username).toBe("Olga");
    expect(await before.visitor()).toBeNull();
  });

  test("makes an administrator who is complete, and signs the browser in", async () => {
    await using world = await openNew();
    const { harness, secret } = world;
    expect(secret).toMatch(/^[\w-]{43}$/);
    const browser = openConsoleBrowser(harness);
    const response = await browser.send("POST /console/setup", { ...olga, secret });
    expect(response.status).toBe(200);
    const { msg, url, data } = await readJson<Envelope<ConsoleSession>>(response);
    expect([msg, url]).toEqual(["The administrator was made", null]);
    expect(data).toMatchObject({ username: "Olga", perms: 3, finished: true, mail: olga.mail });
    expect(data.expires_at).toBe(harness.clock.nowSeconds() + 2 * 60 * 60);
    expect(await whoAmI(harness, browser.cookies.get(secureName) ?? "")).toBe(200);
    const [account] = harness.database.everything()["accounts"] ?? [];
    expect(account).toMatchObject({ level: 3, mail_verified: 1, registration: "complete" });
    const [entry] = harness.database.everything()["audit_entries"] ?? [];
    expect(entry).toMatchObject({ issuer: "console", action: "user.create" });
    expect(JSON.stringify(harness.database.everything())).not.toContain(secret);
    expect(harness.database.mails()).toEqual([]);
  });

  test("works once", async () => {
    await using world = await openNew();
    const { harness, secret } = world;
    expect((await openConsoleBrowser(harness).send("POST /console/setup", { ...olga, secret })).status).toBe(
      200,
    );
    const again = { mail: "eve@example.org", username: "Eve", password: "a password of Eve", secret };
    await play(harness, refused(again));
    expect(await harness.services.setup.isOpen()).toBe(false);
    expect(await harness.services.setup.begin()).toBeNull();
  });

  test("makes one administrator of two attempts at once", async () => {
    await using world = await openNew();
    const { harness, secret } = world;
    const people = ["Anna", "Berta", "Carla", "Dora"].map((username) => ({
      mail: `${username}@example.org`,
      username,
      password: "a password of hers",
      secret,
    }));
    const answers = await Promise.all(
      people.map((person) => openConsoleBrowser(harness).send("POST /console/setup", person)),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "403", "403", "403"]);
    expect(harness.countRows("accounts")).toBe(1);
    expect(harness.countRows("sessions")).toBe(1);
  });

  test.each([
    ["nothing", ""],
    ["another secret of its length", "x".repeat(43)],
    ["a prefix of it", "PREFIX"],
    ["more than it", "LONGER"],
    ["a very long text", "x".repeat(4000)],
  ])("is refused with %s", async (_, text) => {
    await using world = await openNew();
    const { harness, secret } = world;
    const given = text.replace("PREFIX", secret.slice(0, 42)).replace("LONGER", `${secret}A`);
    await play(harness, refused({ ...olga, secret: given }));
    expect(await harness.services.setup.isOpen()).toBe(true);
  });

  test.each([
    ["a weak password", { password: "short" }, 400, /^password: /],
    ["a common password", { password: "password123" }, 400, /^password: /],
    ["a malformed address", { mail: "olga" }, 400, /^mail: /],
    ["a malformed name", { username: "O" }, 400, /^username: /],
    ["a reserved name", { username: "admin" }, 400, /^username: /],
    ["a name that is taken", { username: "Taken" }, 409, /^username: is taken/],
    ["an address that is taken", { mail: "Taken@example.org" }, 409, /^mail: /],
    ["a name that is no text", { username: 7 }, 400, /^username: /],
  ])("stays good after %s", async (_, fault, status, msg) => {
    await using world = await openNew();
    const { harness, secret } = world;
    await addMember(harness, "Taken");
    await play(harness, refused({ ...olga, secret, ...fault }, status, msg));
    const response = await openConsoleBrowser(harness).send("POST /console/setup", { ...olga, secret });
    expect(response.status).toBe(200);
  });

  test("says nothing of names and addresses to those who have it not", async () => {
    await using world = await openNew();
    const { harness } = world;
    await addMember(harness, "Taken");
    await play(harness, refused({ ...olga, username: "Taken", secret: "not it" }));
    await play(harness, refused({ ...olga, password: "short", secret: "not it" }));
  });

  test("is not held up by a stranger who registered the address before", async () => {
    await using world = await openNew();
    const { harness, secret } = world;
    await send(harness, "POST /api/auth/register", { mail: olga.mail, password: "a password of Eve" });
    const response = await openConsoleBrowser(harness).send("POST /console/setup", { ...olga, secret });
    expect(response.status).toBe(200);
    expect(harness.countRows("accounts")).toBe(1);
  });

  test("cannot be guessed often", async () => {
    await using world = await openNew({ RATE_LIMIT_FACTOR: "1" });
    const { harness, secret } = world;
    for (let guess = 0; guess < 5; guess++)
      await play(harness, refused({ ...olga, secret: `guess ${guess}` }));
    const limited = await openConsoleBrowser(harness).send("POST /console/setup", { ...olga, secret });
    expect(limited.headers.get("retry-after")).toMatch(/^\d+$/);
    await expectError(limited, 429);
    harness.clock.advance(61);
    expect((await openConsoleBrowser(harness).send("POST /console/setup", { ...olga, secret })).status).toBe(
      200,
    );
  });

  test("is logged when it is wrong, with the address and without the text", async () => {
    await using world = await openNew();
    const { harness } = world;
    await openConsoleBrowser(harness).send("POST /console/setup", {
      ...olga,
      secret: "a wrong secret of somebody",
    });
    const line = harness.takeLog().find(({ message }) => message === "password refused");
    expect(line).toMatchObject({ route: "/console/setup", client: "127.0.0.1" });
  });

  test.skipIf(isLeftOut("sqlite", "all nodes show one link"))(
    "of an earlier begin is worthless",
    async () => {
      await using world = await openNew();
      const { harness, secret } = world;
      const next = await harness.services.setup.begin();
      expect(next).not.toBe(secret);
      await play(harness, refused({ ...olga, secret }));
      expect(
        (await openConsoleBrowser(harness).send("POST /console/setup", { ...olga, secret: next })).status,
      ).toBe(200);
    },
  );
});

describe("the first administrator of another way closes it", () => {
  test("made by a command in another process", async () => {
    await using world = await openNew();
    const { harness, secret } = world;
    expect(await harness.services.setup.isOpen()).toBe(true);
    const admin = "user create --admin --mail chief@example.org --username Chief".split(" ");
    const made = await run([...admin, "--password", "a password of the chief"], {
      environment: harness.storageSettings,
    });
    expect(made.code).toBe(0);
    await play(harness, refused({ ...olga, secret }));
    expect(await harness.services.setup.isOpen()).toBe(false);
  });

  test.each([
    ["for good", null],
    ["for an hour", 3600],
  ])("made by a change of level %s", async (_, seconds) => {
    await using world = await openNew();
    const { harness, secret } = world;
    const { account } = await addMember(harness, "Chief");
    const expiresAt = seconds === null ? null : harness.clock.nowSeconds() + seconds;
    await setLevel(harness.services, commandLine, { account: account.id, level: 3, expiresAt });
    await play(harness, refused({ ...olga, secret }));
    // One that is taken back does not open it again.
    await harness.services.transact(system, ({ accounts }) =>
      accounts.updateAccount(account.id, { permanentLevel: 1, temporaryLevel: null }),
    );
    await play(harness, refused({ ...olga, secret }));
  });

  test("whose registration is not finished", async () => {
    await using world = await openNew();
    const { harness, secret } = world;
    await addMember(harness, "Chief", { level: 3, finished: false });
    await play(harness, refused({ ...olga, secret }));
  });

  test("while an attempt is under way", async () => {
    let make: (() => Promise<unknown>) | null = null;
    await using harness = await openHarness({ beforeTransaction: async () => void (await make?.()) });
    const secret = await harness.services.setup.begin();
    make = () => {
      make = null;
      return addMember(harness, "Chief", { level: 3 });
    };
    const answer = await openConsoleBrowser(harness).send("POST /console/setup", { ...olga, secret });
    await expectError(answer, 403, /^This link is not valid/);
  });
});

test("before it has begun, every secret is refused", async () => {
  await using harness = await openHarness();
  expect(await harness.services.setup.isOpen()).toBe(false);
  await play(harness, refused({ ...olga, secret: "" }));
  await play(harness, refused({ ...olga, secret: "x".repeat(43) }));
});

test("another site's page cannot send it, even with the secret", async () => {
  await using world = await openNew();
  const { harness, secret } = world;
  const foreign = { ...ownHeaders, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  await play(harness, {
    ...refused(
      { ...olga, secret },
      403,
      `Only the console's own pages may do this: open them at ${publicUrl}`,
    ),
    headers: foreign,
  });
  expect(await harness.services.setup.isOpen()).toBe(true);
});
