/** What people may do through two nodes at once, as if there were one (docs/contract/limits.md#attempts). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { ownHeaders } from "../support/console.ts";
import { postgresMissing } from "../support/postgres.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { uploadForm } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";
import { openTwoNodes, post, type Node, type Nodes } from "./two-nodes.ts";

type Entered = { readonly accessToken: string; readonly selectedProfile: { readonly id: string } };

/** Asks so often at once. */
async function statuses(count: number, ask: (n: number) => Promise<Response>): Promise<readonly number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
  return answers.map(({ status }) => status);
}

const passed = (all: readonly number[]) => all.filter((status) => status !== 429).length;

const register = (node: Node, mail: string, address: string) =>
  post(node, "/api/auth/register", { mail, password: "a password that will do" }, address);

if (postgresMissing !== null) console.error(`NOT RUN: limits of two nodes (${postgresMissing})`);

describe.skipIf(postgresMissing !== null)("two nodes", () => {
  let nodes: Nodes;
  beforeAll(async () => {
    nodes = await openTwoNodes();
  });
  afterAll(() => nodes[Symbol.asyncDispose]());

  const nodeAt = (n: number): Node => nodes.both[n % 2 === 0 ? 0 : 1];
  const addMember = async (name: string) => {
    const password = `the password of ${name}`;
    await createAccount(nodes.both[0].services, commandLine, {
      mail: `${name}@example.org`,
      username: name,
      password,
      level: 1,
      mailVerified: true,
    });
    return { name, password };
  };

  test("let five wrong passwords of a person pass, wherever each is sent", async () => {
    const { name, password } = await addMember("Anna");
    const wrong = (n: number) =>
      post(nodeAt(n), "/api/auth/login", { username: name, password: "a wrong password" });
    expect((await statuses(20, wrong)).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 5 }, () => 401),
      ...Array.from({ length: 15 }, () => 429),
    ]);
    const right = (n: number) => post(nodeAt(n), "/api/auth/login", { username: name, password });
    for (const n of [0, 1]) {
      const answer = await right(n);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    }
    nodes.advance(60);
    expect((await right(1)).status).toBe(200);
    expect((await right(0)).status).toBe(200);
  });

  test("let an address register twenty times, and mail an address one code at a time", async () => {
    nodes.advance(3600);
    expect(passed(await statuses(50, (n) => register(nodeAt(n), `a${n}@example.org`, "198.51.100.1")))).toBe(
      20,
    );
    const ofMail = await statuses(30, (n) => register(nodeAt(n), "b@example.org", `203.0.113.${n}`));
    expect(passed(ofMail)).toBe(1);
  });

  test("let an account take its data along three times a day, wherever each is asked for", async () => {
    nodes.advance(3600);
    const { name, password } = await addMember("Eve");
    const { data } = await readJson<Envelope<{ readonly jwt: string }>>(
      await post(nodes.both[0], "/api/auth/login", { username: name, password }),
    );
    const headers = { authorization: `Bearer ${data.jwt}` };
    const all: number[] = [];
    for (let n = 0; n < 5; n++) {
      const answer = await nodeAt(n).fetch("/api/home/export", { headers });
      all.push(answer.status);
      await answer.bytes();
    }
    expect(all).toEqual([200, 200, 200, 429, 429]);
  });

  test("let an account change 30 times a minute what its player shows, wherever each change is sent", async () => {
    nodes.advance(3600);
    const { name, password } = await addMember("Dora");
    const { data } = await readJson<Envelope<{ readonly jwt: string }>>(
      await post(nodes.both[0], "/api/auth/login", { username: name, password }),
    );
    const authorization = `Bearer ${data.jwt}`;
    const skins: string[] = [];
    for (let n = 0; n < 40; n++) {
      if (n % 20 === 0) nodes.advance(60);
      const body = uploadForm({ file: skinPng(n) });
      const answer = await nodeAt(n).fetch("/api/home/edit/upload", {
        method: "POST",
        headers: { authorization },
        body,
      });
      skins.push((answer.headers.get("location") ?? "").replace("/api/skin/public/", ""));
    }
    nodes.advance(60);
    const select = async (n: number) =>
      nodeAt(n).fetch("/api/home/edit/skin/select", {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ skinid: skins[39 - n] }),
      });
    const all: number[] = [];
    for (let n = 0; n < 40; n++) all.push((await select(n)).status);
    // Each node counts for the others after its commit, and so allows one more.
    expect(all).toEqual(Array.from({ length: 40 }, (_, n) => (n < 32 ? 200 : 429)));
    nodes.advance(30);
    expect([(await select(0)).status, (await select(1)).status]).toEqual([429, 429]);
  });

  test("count a body that is refused", async () => {
    nodes.advance(3600);
    for (let n = 0; n < 20; n++)
      expect((await post(nodeAt(n), "/api/auth/login", "nonsense", "198.51.100.2")).status).toBe(400);
    for (const n of [0, 1]) {
      const body = { username: "a", password: "b" };
      expect((await post(nodeAt(n), "/api/auth/login", body, "198.51.100.2")).status).toBe(429);
    }
  });

  test("try an account's password once at a time for launchers", async () => {
    nodes.advance(3600);
    const { name, password } = await addMember("Bea");
    const enter = (n: number) =>
      post(nodeAt(n), "/api/yggdrasil/authserver/authenticate", { username: name, password }, `192.0.2.${n}`);
    const begunAt = nodes.steadySeconds();
    const all = await statuses(20, enter);
    const intervals = nodes.steadySeconds() - begunAt;
    expect(all.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    const right = all.filter((status) => status === 200).length;
    expect(right).toBeGreaterThan(0);
    expect(right).toBeLessThanOrEqual(2 + intervals);
  });

  test("hold no launcher up in a network that signed in through the other, whatever strangers try", async () => {
    nodes.advance(3600);
    const { name, password } = await addMember("Dana");
    const mail = `${name}@example.org`;
    const enter = (n: number, username: string, text: string, address: string) =>
      post(nodeAt(n), "/api/yggdrasil/authserver/authenticate", { username, password: text }, address);
    const web = await post(nodeAt(0), "/api/auth/login", { username: name, password }, "192.0.2.200");
    expect(web.status).toBe(200);
    for (let round = 0; round < 6; round++) {
      const tries = Array.from({ length: 6 }, (_, n) =>
        enter(n, n % 3 === 0 ? mail : name, "a wrong password", `198.51.100.${round * 6 + n}`),
      );
      expect((await enter(round, round % 3 === 0 ? name : mail, password, "192.0.2.200")).status).toBe(200);
      await Promise.all(tries);
      nodes.advance(3);
    }
  });

  test("let a player join through one who plays on a server that asks the other", async () => {
    nodes.advance(3600);
    const { name, password } = await addMember("Cleo");
    const entered = await post(nodes.both[0], "/api/yggdrasil/authserver/authenticate", {
      username: name,
      password,
    });
    const { accessToken, selectedProfile } = await readJson<Entered>(entered);
    const [one, other] = nodes.both;
    for (const [serverId, joins, asks] of [
      ["1a", one, other],
      ["-2b", other, one],
    ] as const) {
      const body = { accessToken, selectedProfile: selectedProfile.id, serverId };
      const join = () => post(joins, "/api/yggdrasil/sessionserver/session/minecraft/join", body);
      const query = `/api/yggdrasil/sessionserver/session/minecraft/hasJoined?username=${name}&serverId=${serverId}`;
      expect((await asks.fetch(query)).status).toBe(204);
      expect((await join()).status).toBe(204);
      expect((await asks.fetch(query)).status).toBe(200);
    }
  });

  test("give the first administrator one link, which both take, once", async () => {
    const [one, other] = nodes.both;
    const [secret, same] = [await one.services.setup.begin(), await other.services.setup.begin()];
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(same).toBe(secret);
    expect(await other.services.setup.fits(String(secret))).toBe(true);
    const setUp = (n: number) =>
      nodeAt(n).fetch("/console/setup", {
        method: "POST",
        headers: {
          ...ownHeaders,
          "content-type": "application/json",
          "x-forwarded-for": `203.0.113.${n}`,
        },
        body: JSON.stringify({
          secret,
          mail: `boss${n}@example.org`,
          username: `Boss_${n}`,
          password: "a password that will do",
        }),
      });
    const made = await statuses(6, setUp);
    expect(made.filter((status) => status === 200)).toHaveLength(1);
    expect(made.filter((status) => status === 403)).toHaveLength(5);
    for (const { services } of nodes.both) expect(await services.setup.isOpen()).toBe(false);
  });
});
