/** A registration that goes on in the console (docs/contract/console.md#confirmation). */
import { describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser, ownHeaders, secureName, type ConsoleSession } from "../support/console.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { accountOf, ask, orderCode } from "../support/registration.ts";
import { play } from "../support/scenario.ts";

const mail = "nora@example.org";

async function confirm(harness: Harness, code: string, registered = mail) {
  const browser = openConsoleBrowser(harness);
  const response = await browser.send("POST /console/confirm", { code, mail: registered });
  const { data } = await readJson<Envelope<ConsoleSession | null>>(response);
  return { status: response.status, data, cookie: browser.cookies.get(secureName) ?? null, browser };
}

describe("a code of a registration", () => {
  test("opens the session of an account without a player, which may choose its name", async () => {
    await using harness = await openHarness();
    const { status, data, browser } = await confirm(harness, await orderCode(harness, "confirm", mail));
    expect(status).toBe(200);
    expect(data).toMatchObject({ username: "", finished: false, mail, perms: 1 });
    const [session] = harness.database.everything()["sessions"] ?? [];
    expect(session).toMatchObject({ methods: '["mail"]' });
    const name = { username: "Nora", password: "seven horses in the rain" };
    expect((await browser.send("POST /api/home/registerfinish", name)).status).toBe(200);
  });

  test("opens none for an account that was given a level, whose password counts", async () => {
    await using harness = await openHarness();
    const chief = await addMember(harness, "Chief", { level: 3 });
    const code = await orderCode(harness, "confirm", mail);
    const { id: user } = await accountOf(harness, mail);
    await ask(harness, `POST /api/admin/user/role/${user}`, { user, role_level: 2 }, chief);
    const { status, data, cookie } = await confirm(harness, code);
    expect([status, data, cookie]).toEqual([200, null, null]);
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true });
  });

  test("opens none for a person who registered another address: the code is somebody else's", async () => {
    await using harness = await openHarness();
    const code = await orderCode(harness, "confirm", mail);
    const { status, data, cookie } = await confirm(harness, code, "eve@example.org");
    expect([status, data, cookie]).toEqual([200, null, null]);
    expect(harness.countRows("sessions")).toBe(0);
  });

  test("ends the session that the browser had", async () => {
    await using harness = await openHarness();
    const member = await addMember(harness, "Before");
    const [before, browser] = [openConsoleBrowser(harness), openConsoleBrowser(harness)];
    await before.signIn(member);
    for (const [name, value] of before.cookies) browser.cookies.set(name, value);
    const code = await orderCode(harness, "confirm", mail);
    expect((await browser.send("POST /console/confirm", { code, mail })).status).toBe(200);
    expect(await browser.visitor()).toMatchObject({ mail });
    expect(await before.visitor()).toBeNull();
  });

  test("compares addresses as everywhere, whatever the case of letters", async () => {
    await using harness = await openHarness();
    const code = await orderCode(harness, "confirm", mail);
    expect((await confirm(harness, code, mail.toUpperCase())).data).toMatchObject({ mail });
  });

  test("works once, and not for other pages", async () => {
    await using harness = await openHarness();
    const code = await orderCode(harness, "confirm", mail);
    const request = "POST /console/confirm";
    await play(harness, { name: "", request, json: { code, mail }, status: 403 });
    expect((await confirm(harness, code)).status).toBe(200);
    await play(harness, { name: "", request, headers: ownHeaders, json: { code, mail }, status: 400 });
  });
});
