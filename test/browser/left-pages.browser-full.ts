/**
 * Pages that are left open, or left and shown again: they keep no session alive and show no ended one.
 * `bun run test:browser`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addMember } from "../support/members.ts";
import { heading, memberButton } from "../support/page-parts.ts";

let served: Console;
beforeAll(async () => {
  served = await openConsole();
});
afterAll(() => served[Symbol.asyncDispose]());

/** Set by the test: a page that loads again loses it. */
const mark = "window.isTheSame = true";
const isMarked = "window.isTheSame === true";
const isSeen = "!document.documentElement.hidden";
/** What a browser does that keeps the page in its memory. The driver turns that memory off. */
const happens = (event: "pagehide" | "pageshow") =>
  `dispatchEvent(new PageTransitionEvent("${event}", { persisted: true }))`;

/** Opens a member's page, and leaves it as browsers do that keep it for "Back". */
async function leave(page: Page): Promise<void> {
  await page.goto("/home/account");
  await heading(page, "Account").waitFor();
  await memberButton(page).waitFor();
  await page.evaluate(mark);
  await page.evaluate(happens("pagehide"));
  expect(await page.evaluate<boolean>(isSeen)).toBe(false);
}

describe("a page that Back shows from the browser's memory", () => {
  test("stays hidden until the server has said whose session it is, and then is as it was", async () => {
    const member = await addMember(served.harness, "Kept");
    await using visitor = await served.visit({ as: member });
    const { page } = visitor;
    await leave(page);
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<Readonly<Record<string, string>>>();
    await page.route("**/console/session", async (route) => {
      asked.resolve(route.request().headers());
      await held.promise;
      await route.continue();
    });
    await page.evaluate(happens("pageshow"));
    expect((await asked.promise)["x-cloakroom-background"]).toBe("1");
    expect(await page.evaluate<boolean>(isSeen)).toBe(false);
    held.resolve();
    await page.locator("html:not([hidden])").waitFor();
    expect(await page.evaluate<boolean>(isMarked)).toBe(true);
    await memberButton(page).waitFor();
  });

  test.each([
    ["the session has ended", null],
    ["another person has signed in", "Other"],
  ])("shows nothing of it when %s", async (_, name) => {
    const member = await addMember(served.harness, `Left${name ?? ""}`);
    await using visitor = await served.visit({ as: member, expects: /status of 401/ });
    const { page, context } = visitor;
    await leave(page);
    const headers = { "X-Cloakroom-Console": "1" };
    await context.request.delete("/console/session", { headers });
    if (name !== null) {
      const { password } = await addMember(served.harness, name);
      await context.request.post("/console/session", { headers, data: { username: name, password } });
    }
    const loaded = page.waitForEvent("load");
    await page.evaluate(happens("pageshow"));
    await loaded;
    if (name === null) await heading(page, "Sign in").waitFor();
    else await page.getByText(`${name}@example.org`).first().waitFor();
    expect(await page.evaluate<boolean>(isMarked)).toBe(false);
    expect(await page.getByText(member.mail).count()).toBe(0);
  });
});

test("watching mails on their way is no use of the session", async () => {
  const chief = await addMember(served.harness, "Watching", { level: 3 });
  const authorization = chief.authorization;
  await served.harness.fetch("/api/admin/mail", {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ subject: "News", message: "There is news." }),
  });
  await using visitor = await served.visit({ as: chief, expects: /status of 401/ });
  const { page } = visitor;
  const answered = () => page.waitForResponse("**/api/admin/mail?*");
  const [first] = await Promise.all([answered(), visitor.open("/admin/mail")]);
  expect(first.request().headers()["x-cloakroom-background"]).toBeUndefined();
  for (let hour = 0; hour < 2; hour++) {
    const looked = await answered();
    expect(looked.request().headers()["x-cloakroom-background"]).toBe("1");
    served.harness.clock.advance(60 * 60 + 1);
  }
  await page.waitForURL("**/login?next=%2Fadmin%2Fmail");
});
