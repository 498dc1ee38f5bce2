/**
 * A registration in the console: an address, its code, then name and password
 * (docs/contract/console.md#registration).
 */
import { describe, expect, test } from "bun:test";
import { updateUser } from "../../src/domain/members/administer.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser, ownHeaders, secureName, type ConsoleSession } from "../support/console.ts";
import { openHarness, siteUrl, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import {
  accountOf,
  ask,
  badMails,
  lastCode,
  lastMail,
  orderCode,
  send,
  signInStatus,
} from "../support/registration.ts";
import { play } from "../support/scenario.ts";

const mail = "nora@example.org";
const password = "seven horses in the rain";
const strangers = "what a stranger chose";

/** Registers an address in the console, and gives the code that was mailed. */
async function register(harness: Harness, address = mail): Promise<string> {
  const response = await openConsoleBrowser(harness).send("POST /console/register", { mail: address });
  expect(response.status).toBe(200);
  return lastCode(harness, address);
}

async function confirm(harness: Harness, code: string) {
  const browser = openConsoleBrowser(harness);
  const response = await browser.send("POST /console/confirm", { code });
  const { data } = await readJson<Envelope<ConsoleSession | null>>(response);
  return { status: response.status, data, cookie: browser.cookies.get(secureName) ?? null, browser };
}

type Browser = Awaited<ReturnType<typeof confirm>>["browser"];
const finish = async (browser: Browser, username = "Nora") =>
  (await browser.send("POST /api/home/registerfinish", { username, password })).status;

describe("registering an address in the console", () => {
  test("mails a code, and sets no password", async () => {
    await using harness = await openHarness();
    const response = await openConsoleBrowser(harness).send("POST /console/register", { mail });
    const { url, data } = await readJson<Envelope<unknown>>(response);
    expect([response.status, url, data]).toEqual([200, `${siteUrl}/confirm`, {}]);
    expect(lastMail(harness, mail)).toMatchObject({ template: "confirm" });
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: false, passwordHash: null });
  });

  test("leads to an account whose name and password are chosen together, once", async () => {
    await using harness = await openHarness();
    const { status, data, browser } = await confirm(harness, await register(harness));
    expect(status).toBe(200);
    expect(data).toMatchObject({ username: "", finished: false, mail, perms: 1 });
    const [session] = harness.database.everything()["sessions"] ?? [];
    expect(session).toMatchObject({ methods: '["mail"]' });
    expect(await finish(browser)).toBe(200);
    expect(await signInStatus(harness, "Nora", password)).toBe(200);
    expect(await finish(browser, "Nora2")).toBe(409);
  });

  test("refuses what is no mail address", async () => {
    await using harness = await openHarness();
    for (const [name, bad] of badMails) {
      const scenario = { name, request: "POST /console/register", headers: ownHeaders, json: { mail: bad } };
      await play(harness, { ...scenario, status: 400, msg: /^mail: / });
    }
  });

  test("refuses the address of an account with a name, and requests of other pages", async () => {
    await using harness = await openHarness();
    const nora = await addMember(harness, "Nora");
    const scenario = { name: "", request: "POST /console/register", json: { mail: nora.mail } };
    await play(harness, { ...scenario, headers: ownHeaders, status: 409 });
    await play(harness, { ...scenario, status: 403 });
  });

  test("answers alike where answers are uniform, and mails the owner", async () => {
    await using harness = await openHarness({ settings: { PRIVACY_UNIFORM_ANSWERS: "true" } });
    const nora = await addMember(harness, "Nora");
    const answers = [];
    for (const to of [nora.mail, "unknown@example.org"]) {
      const response = await openConsoleBrowser(harness).send("POST /console/register", { mail: to });
      answers.push([response.status, await response.text()]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(lastMail(harness, nora.mail)).toMatchObject({ template: "already-registered" });
  });

  test("mails a further code to a person who left before choosing a name", async () => {
    await using harness = await openHarness();
    const left = await confirm(harness, await register(harness));
    const again = await confirm(harness, await register(harness));
    expect(again.data).toMatchObject({ mail, finished: false });
    expect(await left.browser.visitor()).toBeNull();
    expect(await finish(left.browser)).toBe(401);
    expect(await finish(again.browser)).toBe(200);
    const json = { mail };
    const scenario = { name: "", request: "POST /console/register", headers: ownHeaders, json };
    await play(harness, { ...scenario, status: 409 });
  });

  test("leaves the password of a confirmed address alone until the code is used", async () => {
    await using harness = await openHarness();
    await ask(harness, "POST /api/auth/confirm", {
      code: await orderCode(harness, "confirm", mail, password),
    });
    const code = await register(harness);
    expect(await signInStatus(harness, mail, password)).toBe(200);
    expect((await confirm(harness, code)).data).toMatchObject({ mail });
    expect(await signInStatus(harness, mail, password)).toBe(401);
  });

  test("leaves no code behind once a name is chosen", async () => {
    await using harness = await openHarness();
    const { browser } = await confirm(harness, await register(harness));
    const late = await register(harness);
    expect(await finish(browser)).toBe(200);
    expect((await confirm(harness, late)).status).toBe(400);
    expect(harness.countRows("codes")).toBe(0);
  });
});

describe("the address of a code", () => {
  const request = "POST /console/confirm/address";

  test("is shown, and uses nothing up", async () => {
    await using harness = await openHarness();
    const json = { code: await register(harness) };
    for (const _ of [1, 2])
      await play(harness, { name: "", request, headers: ownHeaders, json, status: 200, data: { mail } });
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: false });
    expect((await confirm(harness, json.code)).status).toBe(200);
    await play(harness, { name: "", request, headers: ownHeaders, json, status: 200, data: null });
  });

  test("is not shown for a code of another kind, nor to other pages", async () => {
    await using harness = await openHarness();
    const json = { code: await register(harness) };
    await play(harness, { name: "", request, json, status: 403 });
    const other = await addMember(harness, "Other");
    const reset = { code: await orderCode(harness, "reset", other.mail) };
    await play(harness, { name: "", request, headers: ownHeaders, json: reset, status: 200, data: null });
    const wrong = { code: "AAAAA-AAAAA" };
    await play(harness, { name: "", request, headers: ownHeaders, json: wrong, status: 200, data: null });
  });
});

/** Who registers the address, in this order: the console has no password, the API those of these people. */
const registrations = [
  ["a stranger alone", [strangers]],
  ["a stranger, then the owner", [strangers, null]],
  ["the owner, then a stranger", [null, strangers]],
  ["a stranger before and after the owner", [strangers, null, strangers]],
  ["two strangers", [strangers, `${strangers} too`]],
  ["the owner by the API, too", [password, strangers, null]],
] as const;

describe.each(registrations)("an address that was registered by %s", (_, given) => {
  const registerAll = async (harness: Harness) => {
    const codes: string[] = [];
    for (const one of given)
      codes.push(one === null ? await register(harness) : await orderCode(harness, "confirm", mail, one));
    return codes;
  };

  test("belongs to the person who confirms it, by any of the codes: no password of before works", async () => {
    for (const [at] of given.entries()) {
      await using harness = await openHarness();
      const codes = await registerAll(harness);
      const { data, browser } = await confirm(harness, codes[at] ?? "");
      expect(data).toMatchObject({ mail });
      expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true, passwordHash: null });
      expect(harness.countRows("registration_passwords")).toBe(0);
      expect(await signInStatus(harness, mail, strangers)).toBe(401);
      for (const code of codes) expect((await confirm(harness, code)).status).toBe(400);
      expect(await finish(browser)).toBe(200);
      expect(await signInStatus(harness, mail, password)).toBe(200);
      expect(await signInStatus(harness, mail, strangers)).toBe(401);
    }
  });
});

test.each([
  ["before", [strangers, null]],
  ["after", [null, strangers]],
])(
  "a page elsewhere that confirms a code alone sets no stranger's password, registered %s",
  async (_, given) => {
    await using harness = await openHarness();
    let code = "";
    for (const one of given)
      code = one === null ? await register(harness) : await orderCode(harness, "confirm", mail, one);
    const response = await send(harness, "POST /api/auth/confirm", { code });
    expect((await readJson<Envelope<unknown>>(response)).url).toBe(`${siteUrl}/resetpassword`);
    expect(await signInStatus(harness, mail, strangers)).toBe(401);
  },
);

describe("a code of a registration", () => {
  test("opens no session for an account that was given a level, whose password counts", async () => {
    await using harness = await openHarness();
    const chief = await addMember(harness, "Chief", { level: 3 });
    const code = await orderCode(harness, "confirm", mail, password);
    const { id: user } = await accountOf(harness, mail);
    await ask(harness, `POST /api/admin/user/role/${user}`, { user, role_level: 2 }, chief);
    const { status, data, cookie } = await confirm(harness, code);
    expect([status, data, cookie]).toEqual([200, null, null]);
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true });
    expect(await signInStatus(harness, mail, password)).toBe(200);
  });

  test("ends the session that the browser had", async () => {
    await using harness = await openHarness();
    const member = await addMember(harness, "Before");
    const [before, browser] = [openConsoleBrowser(harness), openConsoleBrowser(harness)];
    await before.signIn(member);
    for (const [name, value] of before.cookies) browser.cookies.set(name, value);
    const code = await register(harness);
    expect((await browser.send("POST /console/confirm", { code })).status).toBe(200);
    expect(await browser.visitor()).toMatchObject({ mail });
    expect(await before.visitor()).toBeNull();
  });

  test("opens none that finishes after staff took the confirmation back", async () => {
    await using harness = await openHarness();
    const { browser } = await confirm(harness, await register(harness));
    await updateUser(harness.services, commandLine, { identifier: mail, change: { mailVerified: false } });
    expect(await finish(browser)).toBe(403);
  });

  test("works once, and not for other pages", async () => {
    await using harness = await openHarness();
    const code = await register(harness);
    const request = "POST /console/confirm";
    await play(harness, { name: "", request, json: { code }, status: 403 });
    expect((await confirm(harness, code)).status).toBe(200);
    await play(harness, { name: "", request, headers: ownHeaders, json: { code }, status: 400 });
  });

  test("opens one session where it is used twice at once", async () => {
    await using harness = await openHarness();
    const code = await register(harness);
    const both = await Promise.all([confirm(harness, code), confirm(harness, code)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(harness.countRows("sessions")).toBe(1);
  });
});
