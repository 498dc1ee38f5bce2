/**
 * Signing in at a provider through two nodes: each step may reach the other one (docs/contract/social.md).
 */
import { expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { publicUrl } from "../support/harness.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openBrowser } from "../support/social/browser.ts";
import { startProvider } from "../support/social/provider-server.ts";
import { discordShape } from "../support/social/provider-shapes.ts";
import { metaOf, redirectUri, settingsOf, type SocialUser } from "../support/social/social-world.ts";
import { openTwoNodes, post } from "./two-nodes.ts";

if (postgresMissing !== null) console.error(`NOT RUN: social sign-ins on two nodes (${postgresMissing})`);

test.skipIf(postgresMissing !== null)(
  "a person signs in, registers and comes back, by turns at two nodes",
  async () => {
    await using provider = startProvider(discordShape, redirectUri);
    await using nodes = await openTwoNodes(settingsOf(discordShape.name, provider.url));
    let turn = 0;
    const asked: string[] = [];
    const browser = openBrowser({
      fetch: (path, init) => {
        asked.push(path);
        return nodes.both[(turn += 1) % 2 === 0 ? 0 : 1].fetch(path, init);
      },
    });

    const first = await browser.open(`${publicUrl}/auth/social/login`);
    expect(first.response.status).toBe(404);
    expect(asked.map((path) => path.split("?")[0])).toEqual(["/auth/social/login", "/auth/social/callback"]);
    const { data } = await readJson<Envelope<{ user: SocialUser }>>(first.response);

    const path = "/api/auth/register/social";
    const made = await Promise.all(nodes.both.map((node) => post(node, path, { meta: metaOf(data.user) })));
    const [done, ...refused] = made.toSorted((one, other) => one.status - other.status);
    expect(done?.status).toBe(200);
    for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400);
    for (const { status } of refused) expect(status).toBeLessThan(500);

    // The code and the state were used at one node, so neither takes them again.
    for (const node of nodes.both) {
      const headers = { cookie: browser.cookiesFor(first.url) };
      expect((await node.fetch(asked[1] ?? "", { headers })).status).toBe(400);
    }

    const again = await browser.open(`${publicUrl}/auth/social/login`);
    expect(again.response.status).toBe(200);
    expect(provider.takeFaults()).toEqual([]);
  },
);
