/** An account that is suspended on one node while it is used on another. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { readJson } from "../support/answers.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openTwoNodes, post, type Node, type Nodes } from "./two-nodes.ts";

if (postgresMissing !== null) console.error(`NOT RUN: suspensions on two nodes (${postgresMissing})`);

const password = "x7-Kq!m2-anna";
const root = "/api/yggdrasil";

const change = (node: Node, name: string, isSuspended: boolean) =>
  suspendUser(node.services, commandLine, {
    identifier: name,
    terms: isSuspended ? { until: null, reason: "" } : null,
  });
const signIn = (node: Node, username: string) => post(node, "/api/auth/login", { username, password });
const authenticate = (node: Node, username: string) =>
  post(node, `${root}/authserver/authenticate`, { username, password });

describe.skipIf(postgresMissing !== null)("on two nodes", () => {
  let nodes: Nodes;
  beforeAll(async () => void (nodes = await openTwoNodes({ RATE_LIMIT_FACTOR: "1000" })));
  afterAll(() => nodes[Symbol.asyncDispose]());

  let count = 0;
  async function addPlayer() {
    const name = `Player${(count += 1)}`;
    const input = {
      mail: `${name}@example.org`,
      username: name,
      password,
      level: 1,
      mailVerified: true,
    } as const;
    const { account, player } = await createAccount(nodes.both[0].services, commandLine, input);
    return { id: account.id, name, uuid: player?.uuid ?? "" };
  }

  test("sessions, game tokens and joins of one end when the other suspends, and come back on both", async () => {
    const [here, there] = nodes.both;
    const { name, uuid } = await addPlayer();
    const jwt = Object((await readJson<{ data: unknown }>(await signIn(here, name))).data).jwt as string;
    const token = Object(await readJson<unknown>(await authenticate(here, name))).accessToken as string;
    const home = async (node: Node) =>
      (await node.fetch("/api/home", { headers: { authorization: `Bearer ${jwt}` } })).status;
    const join = async (node: Node) => {
      const json = { accessToken: token, selectedProfile: uuid, serverId: "5f3a" };
      return (await post(node, `${root}/sessionserver/session/minecraft/join`, json)).status;
    };
    const hasJoined = async (node: Node) => {
      const path = `${root}/sessionserver/session/minecraft/hasJoined?username=${name}&serverId=5f3a`;
      return (await node.fetch(path)).status;
    };
    const refresh = async (node: Node) =>
      (await post(node, `${root}/authserver/refresh`, { accessToken: token })).status;
    expect([await home(here), await home(there), await join(here)]).toEqual([200, 200, 204]);
    expect([await hasJoined(here), await hasJoined(there)]).toEqual([200, 200]);
    await change(there, name, true);
    for (const node of nodes.both) {
      expect([await home(node), await join(node), await refresh(node)]).toEqual([401, 403, 403]);
      expect(await hasJoined(node)).toBe(204);
      expect((await signIn(node, name)).status).toBe(403);
      expect((await authenticate(node, name)).status).toBe(403);
    }
    await change(here, name, false);
    for (const node of nodes.both) expect((await signIn(node, name)).status).toBe(200);
  });

  test("a sign-in or refresh at the same moment leaves no session behind", async () => {
    const [here, there] = nodes.both;
    for (let turn = 0; turn < 12; turn++) {
      const { id, name } = await addPlayer();
      const token = Object(await readJson<unknown>(await authenticate(here, name))).accessToken as string;
      await Promise.all([
        signIn(here, name),
        signIn(there, name),
        authenticate(here, name),
        post(there, `${root}/authserver/refresh`, { accessToken: token }),
        change(turn % 2 === 0 ? here : there, name, true),
      ]);
      expect(await here.services.reads.sessions.listSessions(id, 0)).toEqual([]);
    }
  }, 60_000);
});
