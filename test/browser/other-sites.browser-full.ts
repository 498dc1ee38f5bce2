/**
 * What pages of other sites can do with a browser in which an administrator is signed in
 * (SECURITY.md#browsers): `bun run test:browser`. Another port of the same host is the same site, so the
 * browser sends the cookie there, `SameSite=Strict` or not; another name is another site.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addMember, edit, type Member } from "../support/members.ts";

let world: Console;
let admin: Member;
let elsewhere: Bun.Server<undefined>;
beforeAll(async () => {
  world = await openConsole({ settings: { CORS_ORIGINS: "*" } });
  admin = await addMember(world.harness, "Olga", { level: 3 });
  await edit(world.harness, admin, "POST /api/admin/outbox/test", {});
  const script = Bun.file(new URL("../support/other-site.js", import.meta.url));
  const page = new Response(
    '<!doctype html><title>Elsewhere</title><body><script src="/script.js"></script>',
    {
      headers: { "content-type": "text/html" },
    },
  );
  const routes = { "/": page, "/script.js": new Response(await script.text()) };
  elsewhere = Bun.serve({ port: 0, hostname: "127.0.0.1", routes });
});
afterAll(async () => {
  await elsewhere.stop(true);
  await world[Symbol.asyncDispose]();
});

const sites = {
  "the same site": () => `http://127.0.0.1:${elsewhere.port}/`,
  "another site": () => `http://localhost:${elsewhere.port}/`,
} as const;

const eve = { username: "Eve", password: "a password of Eve" };
const changes = [
  ["POST", "/api/admin/tokens", { name: "stolen" }],
  ["POST", "/api/admin/mail", { subject: "a", message: "b" }],
  // Routes that take no body, or need none: no content type stands in the way.
  ["POST", "/api/admin/outbox/test", null],
  ["POST", "/api/admin/outbox/1/retry", null],
  ["DELETE", "/api/admin/user/1", {}],
  ["DELETE", "/console/session", null],
  ["POST", "/console/session", eve],
  ["POST", "/console/setup", { secret: "x", mail: "eve@example.org", ...eve }],
  ["POST", "/console/social", { action: "create" }],
] as const;
const reads = [
  "/api/home",
  "/api/admin/users",
  "/api/admin/audit",
  "/console/session",
  "/console/community",
  "/home",
];

/** Calls a function of the other page's script. */
function call<Answer>(page: Page, name: string, given: unknown): Promise<Answer> {
  return page.evaluate<Answer>(`${name}(${JSON.stringify(given)})`);
}

describe.each(Object.entries(sites))("a page of %s", (_, siteOf) => {
  test("changes nothing and reads nothing, however it sends it", async () => {
    const { harness, address } = world;
    await using visitor = await world.visit({ as: admin, expects: /./ });
    const { page } = visitor;
    const before = harness.database.everything();
    harness.takeRequests();
    await page.goto(siteOf());
    expect(await call<string[]>(page, "attack", { address, changes, reads })).toEqual([]);
    const actions = changes.map(([, path]) => address + path);
    await call(page, "sendForms", actions);
    expect(harness.database.everything()).toEqual(before);
    // Not kept from the server by the browser alone: requests arrived, and were refused.
    const posts = harness.takeRequests().filter(({ method }) => method === "POST");
    expect(posts.length).toBeGreaterThan(4 * changes.length);
    expect(posts.map(({ status }) => Number(status)).filter((status) => status < 400)).toEqual([]);
    await visitor.open("/admin");
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  });

  test("frames no page, and holds no window of one", async () => {
    const { address } = world;
    await using visitor = await world.visit({ as: admin, expects: /./ });
    const { page, context } = visitor;
    await page.goto(siteOf());
    const opening = context.waitForEvent("page");
    const isHeld = await call<boolean>(page, "hold", `${address}/admin`);
    const opened = await opening;
    await opened.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(await opened.evaluate<boolean>("opener === null")).toBe(true);
    expect(isHeld).toBe(false);
    expect(page.frames().map((frame) => frame.url())).not.toContain(`${address}/admin`);
  });

  test("begins no social login: its link leads to the sign-in page", async () => {
    const { address } = world;
    await using visitor = await world.visit({ expects: /./ });
    const { page } = visitor;
    await page.goto(siteOf());
    await call(page, "location.assign", `${address}/auth/social/login?to=console&next=/home`);
    await page.waitForURL(`${address}/login?next=%2Fhome`);
  });
});

describe.each(Object.entries(sites))("without CORS a page of %s", (_, siteOf) => {
  test("spends no limit of its visitor, however it sends", async () => {
    await using limited = await openConsole({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const { harness, address } = limited;
    const member = await addMember(harness, "Nina");
    await using visitor = await limited.visit({ expects: /./ });
    const { page } = visitor;
    harness.takeRequests();
    await page.goto(siteOf());
    const login = { username: "Nina", password: "a wrong password" };
    const posts = [
      ["/api/auth/login", login],
      ["/api/auth/register", { mail: "nina@example.org", password: "a password of hers" }],
      ["/api/auth/forgetpass", { mail: member.mail }],
      ["/api/yggdrasil/authserver/authenticate", login],
    ] as const;
    await call(page, "flood", { address, posts, times: 25 });
    const statuses = harness
      .takeRequests()
      .filter(({ method }) => method === "POST")
      .map(({ status }) => Number(status));
    expect(statuses.length).toBeGreaterThan(25 * posts.length);
    expect(new Set(statuses)).toEqual(new Set([403, 415]));
    for (const [path, body] of posts) {
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      };
      expect((await fetch(address + path, init)).status).not.toBe(429);
    }
  });
});
