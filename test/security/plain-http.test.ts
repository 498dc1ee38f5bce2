/*
 * A client that speaks plain HTTP by mistake has to notice: a redirect would hide that its token was sent in
 * clear.
 */
import { afterAll, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const origin = "https://skins.example.org";
const harness = await openHarness({ settings: { PUBLIC_URL: origin } });
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Chief", { level: 3 });

const routes = harness.routes.map((route) => route.split(" ", 2) as [string, string]); // "METHOD /path"

test("no address redirects a request over plain HTTP to https", async () => {
  const redirects: string[] = [];
  for (const [method, path] of routes) {
    const answer = await harness.fetch(
      `http://skins.example.org${path.replaceAll(/:\w+/g, "1").replace("*", "x")}`,
      {
        method,
        redirect: "manual",
        headers: {
          authorization: chief.authorization,
          host: "skins.example.org",
          "x-forwarded-proto": "http",
          "upgrade-insecure-requests": "1",
        },
      },
    );
    const location = answer.headers.get("location") ?? "";
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304 && location.startsWith(origin))
      redirects.push(`${method} ${path}: ${answer.status} to ${location}`);
    await answer.body?.cancel();
  }
  expect(routes.length).toBeGreaterThan(100);
  expect(redirects).toEqual([]);
});
