/**
 * A token counts where its session was opened for alone: the console's in its cookie, a program's in
 * `Authorization` (SECURITY.md#browsers).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser, ownHeaders, secureName } from "../support/console.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

const chief = await addMember(harness, "Chief", { level: 3 });
const browser = openConsoleBrowser(harness);
await browser.signIn(chief);
const consoleToken = browser.cookies.get(secureName) ?? "";

const inHeader = (token: string) => ({ authorization: `Bearer ${token}` });
const inCookie = (token: string) => ({ ...ownHeaders, cookie: `${secureName}=${token}` });

const requests = ["GET /api/home", "GET /api/home/sessions", "GET /api/admin/users", "POST /api/auth/logout"];

describe.each(requests)("%s", (request) => {
  const send = async (headers: Readonly<Record<string, string>>) => {
    const [method = "", path = ""] = request.split(" ");
    const before = harness.countRows("sessions");
    const answer = await harness.fetch(path, { method, headers });
    expect(harness.countRows("sessions")).toBe(before);
    const { msg } = await readJson<Envelope<unknown>>(answer);
    return [answer.status, msg];
  };

  test("refuses the console's token in Authorization", async () => {
    expect(await send(inHeader(consoleToken))).toEqual([
      401,
      "The console's token counts in its cookie alone; sign in by POST /api/auth/login",
    ]);
  });

  test("refuses a program's token in the cookie", async () => {
    expect(await send(inCookie(chief.jwt))).toEqual([
      401,
      "This token counts in the Authorization header alone; sign in on the console's page",
    ]);
  });

  test.skipIf(request.startsWith("POST"))("takes each where it belongs", async () => {
    expect((await send(inHeader(chief.jwt)))[0]).toBe(200);
    expect((await send(inCookie(consoleToken)))[0]).toBe(200);
  });
});

test("a program's token in the cookie is no visitor, and signing in or out with it does not end its session", async () => {
  const planted = openConsoleBrowser(harness);
  planted.cookies.set(secureName, chief.jwt);
  expect(await planted.visitor()).toBeNull();
  expect(planted.cookies.size).toBe(0);
  for (const act of [() => planted.signIn(chief), () => planted.send("DELETE /console/session")]) {
    planted.cookies.set(secureName, chief.jwt);
    expect((await act()).ok).toBe(true);
    expect((await harness.fetch("/api/home", { headers: inHeader(chief.jwt) })).status).toBe(200);
  }
});
