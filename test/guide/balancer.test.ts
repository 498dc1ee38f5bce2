/*
 * docs/operate/haproxy.cfg, but for names, ports and the user, before two nodes: what people get while the
 * database is away, while nodes are frozen, and while one stops.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder, userCreation } from "../cli/run-program.ts";
import { openNodes, until, type NodeProcess } from "../nodes/node-processes.ts";
import { makeCertificate } from "../support/certificates.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { haproxyMissing, runHaproxy } from "../support/poolers.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { freePort } from "../support/run-servers.ts";
import { projectRoot } from "../tidy/project-files.ts";

const missing = postgresMissing ?? haproxyMissing;
if (missing !== null) console.error(`NOT RUN: HAProxy of the guide (${missing})`);

/** The guide's file for this machine and an ordinary user. */
async function openBalancer(nodes: readonly NodeProcess[]) {
  await using folder = await temporaryFolder();
  const { certFile, keyFile } = await makeCertificate(folder.path, "skins.example.org");
  const pem = (await Bun.file(certFile).text()) + (await Bun.file(keyFile).text());
  const [http, https, metrics] = [freePort(), freePort(), freePort()];
  const text = await Bun.file(join(projectRoot, "docs/operate/haproxy.cfg")).text();
  const [first = "", second = ""] = nodes.map(({ address }) => new URL(address).host);
  const here = text
    .replace("log /dev/log local0", "log stdout format raw local0")
    .replaceAll(/^ +(?:(?:user|group) haproxy|bind :::.*)\n/gm, "")
    .replace("maxconn 8000", "maxconn 200")
    // A machine that is busy with all tests at once is not frozen.
    .replace("timeout connect 2s", "timeout connect 2s\n    timeout check 2s")
    .replaceAll("inter 1s", "inter 500ms")
    .replace("bind :80\n", `bind 127.0.0.1:${http}\n`)
    .replace("bind :443 ssl crt /etc/haproxy/certs/", `bind 127.0.0.1:${https} ssl crt certificate.pem`)
    .replace("bind 127.0.0.1:8404", `bind 127.0.0.1:${metrics}`)
    .replaceAll("node1.example.org:3000", first)
    .replaceAll("node2.example.org:3000", second);
  const running = await runHaproxy(https, here, pem);
  const address = `https://127.0.0.1:${https}`;
  return {
    ask: (path: string, init: RequestInit = {}) =>
      fetch(address + path, { ...init, keepalive: false, tls: { rejectUnauthorized: false } }),
    /** How many nodes of a backend get requests. */
    serving: async (backend: string) => {
      const exposed = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      const found = new RegExp(`^haproxy_backend_active_servers\\{proxy="${backend}"\\} (\\d+)`, "m");
      return Number(found.exec(exposed)?.[1]);
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function openWorld() {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await emptyDatabase());
  const url = new URL(database.url);
  const network = opened.use(
    await openFaultProxy({ target: { host: url.hostname, port: Number(url.port) } }),
  );
  url.port = String(network.port);
  const world = opened.use(await openNodes(url.href));
  const settings = { TRUSTED_PROXIES: "127.0.0.1", DRAIN_SECONDS: "5" };
  const first = await world.start("node1", settings);
  const nodes = [first, await world.start("node2", settings)];
  const made = await world.command(userCreation("Remembered", "correct horse"));
  expect(made).toMatchObject({ code: 0 });
  const balancer = opened.use(await openBalancer(nodes));
  await until(async () => (await balancer.serving("nodes")) === 2);
  const closing = opened.move();
  return { nodes, network, balancer, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** The body of a sign-in, whose end is sent when `ending` resolves. */
const slowBody = (ending: Promise<unknown>) =>
  new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(Buffer.from('{"username":"Remembered",'));
      await ending;
      controller.enqueue(Buffer.from('"password":"not the password"}'));
      controller.close();
    },
  });

test.skipIf(missing !== null)(
  "people get what nodes have while no node is ready, wait for no frozen node, and end what a stopping one has begun",
  async () => {
    await using world = await openWorld();
    const { nodes, network, balancer } = world;
    const isServed = async () => (await balancer.serving("nodes")) === nodes.length;
    const remembered = "/api/skin/head/Remembered?size=64";
    // In turns, so that each node remembers it.
    for (const _ of [1, 2, 3, 4]) expect((await balancer.ask(remembered)).status).toBe(200);

    network.refuse();
    network.cut();
    await until(async () => (await balancer.serving("nodes")) === 0);
    expect((await balancer.ask(remembered)).status).toBe(200);
    const refused = await balancer.ask("/api/skin/head/Another?size=64");
    expect(refused).toMatchObject({ status: 503 });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      msg: expect.stringContaining("The database does not answer"),
    });
    await network.heal();
    await until(isServed);

    for (const node of nodes) node.signal("SIGSTOP");
    const held = [1, 2, 3, 4].map(() => balancer.ask(remembered, { signal: AbortSignal.timeout(30_000) }));
    for (const answer of await Promise.all(held)) expect([502, 503]).toContain(answer.status);
    // The two backends look by themselves, and either may notice first.
    const areAllGone = async () =>
      (await balancer.serving("nodes")) === 0 && (await balancer.serving("unready")) === 0;
    await until(areAllGone);
    const alone = await balancer.ask(remembered);
    expect({ status: alone.status, after: alone.headers.get("retry-after") }).toEqual({
      status: 503,
      after: "5",
    });
    expect(await alone.json()).toMatchObject({ error: true, url: null, data: {} });
    for (const node of nodes) node.signal("SIGCONT");
    await until(isServed);

    const ending = Promise.withResolvers<void>();
    const headers = { "content-type": "application/json" };
    const signIns = [1, 2, 3, 4].map(() =>
      balancer.ask("/api/auth/login", { method: "POST", headers, body: slowBody(ending.promise) }),
    );
    nodes[1]?.signal("SIGTERM");
    await until(async () => (await balancer.serving("nodes")) === 1);
    // Longer than two looks, after which a node that is down would lose its requests.
    await Bun.sleep(1500);
    ending.resolve();
    for (const answer of await Promise.all(signIns)) expect(answer.status).toBe(401);
  },
  120_000,
);
