/** A registration that goes on in the console (docs/contract/console.md#confirmation). */
import { describe, expect, test } from "bun:test";
import { updateUser } from "../../src/domain/members/administer.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser, ownHeaders, secureName, type ConsoleSession } from "../support/console.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { accountOf, ask, orderCode, signInStatus } from "../support/registration.ts";
import { play } from "../support/scenario.ts";

const mail = "nora@example.org";
const password = "seven horses in the rain";
const strangers = "what a stranger chose";

async function confirm(harness: Harness, code: string, typed = password) {
  const browser = openConsoleBrowser(harness);
  const response = await browser.send("POST /console/confirm", { code, password: typed });
  const { data } = await readJson<Envelope<ConsoleSession | null>>(response);
  return { status: response.status, data, cookie: browser.cookies.get(secureName) ?? null, browser };
}

describe("a code of a registration", () => {
  test("opens the session of an account without a player, which may choose its name", async () => {
    await using harness = await openHarness();
    const { status, data, browser } = await confirm(
      harness,
      await orderCode(harness, "confirm", mail, password),
    );
    expect(status).toBe(200);
    expect(data).toMatchObject({ username: "", finished: false, mail, perms: 1 });
    const [session] = harness.database.everything()["sessions"] ?? [];
    expect(session).toMatchObject({ methods: '["mail"]' });
    const name = { username: "Nora", password };
    expect((await browser.send("POST /api/home/registerfinish", name)).status).toBe(200);
  });

  test("opens none for an account that was given a level, whose password counts", async () => {
    await using harness = await openHarness();
    const chief = await addMember(harness, "Chief", { level: 3 });
    const code = await orderCode(harness, "confirm", mail, password);
    const { id: user } = await accountOf(harness, mail);
    await ask(harness, `POST /api/admin/user/role/${user}`, { user, role_level: 2 }, chief);
    const { status, data, cookie } = await confirm(harness, code);
    expect([status, data, cookie]).toEqual([200, null, null]);
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true });
  });

  test.each([
    ["before", [strangers, password]],
    ["after", [password, strangers]],
  ])("opens the one whose password is typed, with a stranger's registration %s", async (_, passwords) => {
    await using harness = await openHarness();
    let code = "";
    for (const given of passwords) code = await orderCode(harness, "confirm", mail, given);
    expect((await confirm(harness, code)).data).toMatchObject({ mail });
    expect(await signInStatus(harness, mail, password)).toBe(200);
    expect(await signInStatus(harness, mail, strangers)).toBe(401);
  });

  test("ends the session that the browser had", async () => {
    await using harness = await openHarness();
    const member = await addMember(harness, "Before");
    const [before, browser] = [openConsoleBrowser(harness), openConsoleBrowser(harness)];
    await before.signIn(member);
    for (const [name, value] of before.cookies) browser.cookies.set(name, value);
    const code = await orderCode(harness, "confirm", mail, password);
    expect((await browser.send("POST /console/confirm", { code, password })).status).toBe(200);
    expect(await browser.visitor()).toMatchObject({ mail });
    expect(await before.visitor()).toBeNull();
  });

  test("opens none of a stranger's registration, and stays good for setting a password", async () => {
    await using harness = await openHarness();
    const code = await orderCode(harness, "confirm", mail, strangers);
    const { status, cookie } = await confirm(harness, code);
    expect([status, cookie]).toEqual([400, null]);
    expect(harness.countRows("sessions")).toBe(0);
    await ask(harness, "POST /api/auth/forgetpass/update", { code, password });
    expect(await signInStatus(harness, mail, password)).toBe(200);
  });

  test("opens none by another password, where staff take a confirmation back meanwhile", async () => {
    let meanwhile: (() => Promise<void>) | null = null;
    await using harness = await openHarness({ beforeTransaction: async () => meanwhile?.() });
    const code = await orderCode(harness, "confirm", mail, strangers);
    const set = async (mailVerified: boolean) => {
      await updateUser(harness.services, commandLine, { identifier: mail, change: { mailVerified } });
    };
    await set(true);
    meanwhile = () => set(false);
    const { status, data, cookie } = await confirm(harness, code);
    expect([status, data, cookie]).toEqual([200, null, null]);
  });

  test("opens none without a password", async () => {
    await using harness = await openHarness();
    const code = await orderCode(harness, "confirm", mail, password);
    const json = { code, mail };
    const request = "POST /console/confirm";
    await play(harness, { name: "", request, headers: ownHeaders, json, status: 400, msg: /^password: / });
  });

  test("works once, and not for other pages", async () => {
    await using harness = await openHarness();
    const code = await orderCode(harness, "confirm", mail, password);
    const request = "POST /console/confirm";
    await play(harness, { name: "", request, json: { code, password }, status: 403 });
    expect((await confirm(harness, code)).status).toBe(200);
    await play(harness, { name: "", request, headers: ownHeaders, json: { code, password }, status: 400 });
  });
});
