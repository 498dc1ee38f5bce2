/*
 * Ten wrong settings, each on one of three nodes: a start is refused, or the nodes' logs, `nodes` and doctor
 * name the setting. `bun run test:faults wrong-settings` runs it.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { openNodes, until, type Nodes } from "./node-processes.ts";
import { doctorSays, logSays, oddNodes } from "./wrong-settings.ts";

if (postgresMissing !== null) console.error(`NOT RUN: ten wrong settings (${postgresMissing})`);

const right = {
  PUBLIC_URL: "https://skins.example.org",
  SITE_URL: "",
  COMMUNITY_NAME: "A community",
  TRUSTED_PROXIES: "10.0.0.31",
  SERVICE_API_TOKEN: "qwJ3-mZx8-Lk2p-Vb7n-Tr5y-Gh1s-Df4a",
  SMTP_URL: "smtp://cloak:word@127.0.0.1:1025",
  PROTOCOLS: "yggdrasil,csl",
};

/** What stands in one node's settings instead; empty: the line is missing. */
const named: Readonly<Record<string, string>> = {
  USERNAME_PATTERN: "^[a-z]{3,16}$",
  PLAYER_UUIDS: "offline",
  SITE_URL: "https://www.example.com",
  WARDROBE_MAX: "5",
  SERVICE_API_TOKEN: "qwJ3-mZx8-Lk2p-Vb7n-Tr5y-Gh1s-Df4b",
  SMTP_URL: "",
  PROTOCOLS: "csl",
  NAME_HOLD_DAYS: "3",
  CORS_ORIGINS: "*",
};

describe.skipIf(postgresMissing !== null)("one of three nodes", () => {
  let stack: AsyncDisposableStack;
  let nodes: Nodes;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    nodes = stack.use(await openNodes(stack.use(await emptyDatabase()).url));
    await nodes.start("node1", right);
    await nodes.start("node2", right);
  }, 60_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  test("with another PUBLIC_URL, or without one, does not start", async () => {
    const words = "PUBLIC_URL is another one than that of node1, node2, so sessions of one node";
    for (const url of ["https://skins.example.com", "http://skins.example.org", ""]) {
      const wrong = { ...right, PUBLIC_URL: url };
      expect(await nodes.refused({ ...wrong, NODE_NAME: "node3" })).toMatchObject({
        code: 1,
        error: expect.stringContaining(words),
      });
      expect(await doctorSays(nodes, wrong)).toContainEqual(expect.stringContaining(`problem: ${words}`));
      expect(await oddNodes(nodes)).toEqual({ node1: [], node2: [] });
    }
  }, 120_000);

  test.each(Object.entries(named))(
    "with another %s is named",
    async (name, value) => {
      const wrong = { ...right, [name]: value };
      const difference = `${name} of node3 is not that of node1, node2`;
      const node3 = await nodes.start("node3", wrong);
      try {
        for (const node of ["node1", "node2", "node3"])
          await until(async () => (await logSays(nodes, node)).at(-1) === difference);
        expect(await oddNodes(nodes)).toEqual({ node1: [], node2: [], node3: [name] });
        const said = `${name} of this machine is not that of`;
        expect(await doctorSays(nodes, wrong)).toEqual([`warning: ${said} node1, node2`]);
        expect(await doctorSays(nodes, right)).toEqual([`warning: ${said} node3`]);
      } finally {
        node3.signal("SIGTERM");
        await until(async () => node3.hasEnded());
      }
      // Also while this machine's own node is down.
      expect(await doctorSays(nodes, wrong)).toHaveLength(1);
      expect(await doctorSays(nodes, right)).toEqual([]);
    },
    120_000,
  );
});
