import { SQL } from "bun";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { lentDatabase } from "../support/lent-postgres.ts";
import { openPostgresProxy } from "../support/postgres-proxy.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { skinPng } from "../support/textures.ts";
import { nodeSecret, openNodes, until, type NodeProcess, type Nodes } from "./node-processes.ts";

if (postgresMissing !== null) console.error(`NOT RUN: two nodes on one database (${postgresMissing})`);

const anna = { username: "Anna", password: "x7-Kq!m2-anna" };
const account = ["--mail", "anna@example.org", "--username", anna.username, "--password", anna.password];
const newSecret = "another secret that every node will have";

async function signIn(node: NodeProcess): Promise<string> {
  const { status, data } = await node.ask("POST /api/auth/login", { json: anna });
  expect(status).toBe(200);
  return String(Object(data).jwt);
}

function uploadOf(seed: number): FormData {
  const form = new FormData();
  form.set("skin", new File([new Uint8Array(skinPng(seed))], "skin.png"));
  return form;
}

const complaintsOf = async (node: NodeProcess) =>
  (await node.log())
    .filter(({ level }) => level === "warn" || level === "error")
    .map(({ message }) => message);

describe.skipIf(postgresMissing !== null)("two nodes", () => {
  let stack: AsyncDisposableStack;
  let nodes: Nodes;
  let [one, two]: NodeProcess[] = [];
  const both = (): readonly [NodeProcess, NodeProcess] => {
    if (one === undefined || two === undefined) throw new Error("the nodes have not started");
    return [one, two];
  };
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    nodes = stack.use(await openNodes(stack.use(await emptyDatabase()).url));
  }, 60_000);
  // A test may have killed one.
  const running = async (name: string, node?: NodeProcess) =>
    node === undefined || node.hasEnded() ? nodes.start(name) : node;
  beforeEach(async () => {
    [one, two] = await Promise.all([running("one", one), running("two", two)]);
  }, 60_000);
  const leading = async (): Promise<string> => {
    const names: string[] = [];
    await until(async () => {
      const name = await nodes.leader();
      if (name !== null) names.push(name);
      return name !== null;
    });
    return names[0] ?? "";
  };
  afterAll(() => stack[Symbol.asyncDispose]());

  test("start at once on an empty database: both serve, one leads, and both have the same keys", async () => {
    for (const node of both()) expect(await node.ask("GET /health/ready")).toMatchObject({ status: 200 });
    await leading();
    const { out } = await nodes.command(["nodes", "--json"]);
    expect(JSON.parse(out)).toMatchObject([
      { name: "one", alive: true, schema: expect.any(Number) },
      { name: "two", alive: true, schema: expect.any(Number) },
    ]);
    // Another test may have replaced the key a moment ago.
    await until(async () => {
      const answers = await Promise.all(both().map((node) => node.ask("GET /api/yggdrasil")));
      const [first, second] = answers.map(({ text }) => Object(JSON.parse(text)).signaturePublickey);
      expect(first).toStartWith("-----BEGIN PUBLIC KEY-----");
      return first === second;
    });
  }, 60_000);

  test("have one community: what is changed, revoked or rotated on one shows on the other", async () => {
    const [here, there] = both();
    const made = await nodes.command(["user", "create", ...account, "--json"]);
    expect(made).toMatchObject({ code: 0, error: "" });
    const { uuid } = JSON.parse(made.out);
    const token = await signIn(here);
    expect(await there.ask("GET /api/home", { token })).toMatchObject({ status: 200 });
    const shown = () =>
      there.ask(`GET /api/yggdrasil/sessionserver/session/minecraft/profile/${uuid.replaceAll("-", "")}`);
    const before = await shown();
    expect(await here.ask("POST /api/home/edit/upload", { form: uploadOf(1), token })).toMatchObject({
      status: 200,
    });
    await until(async () => (await shown()).text !== before.text);
    expect(await there.ask("POST /api/auth/logout", { token })).toMatchObject({ status: 200 });
    expect(await here.ask("GET /api/home", { token })).toMatchObject({ status: 401 });
    const key = () => here.ask("GET /api/yggdrasil");
    const former = await key();
    expect(await nodes.command(["key", "rotate"])).toMatchObject({ code: 0 });
    await until(async () => (await key()).text !== former.text);
  }, 60_000);

  test("keep each other's secret: a node or command with another one is refused, and so is a rotation meanwhile", async () => {
    const words = "JWT_SECRET is another one than that which this database was used with";
    expect(await nodes.refused({ JWT_SECRET: newSecret })).toMatchObject({
      code: 1,
      error: expect.stringContaining(words),
    });
    expect(await nodes.command(["user", "list"], { JWT_SECRET: newSecret })).toMatchObject({
      code: 1,
      error: expect.stringContaining(words),
    });
    expect(await nodes.command(["secret", "rotate"])).toMatchObject({ code: 1 });
  }, 60_000);

  test("have one leader: the other one leads when it is stopped, and it does nothing more when it wakes up", async () => {
    const [here, there] = both();
    const first = await leading();
    const [leader, other, otherName] = first === "one" ? [here, there, "two"] : [there, here, "one"];
    leader.signal("SIGSTOP");
    await until(async () => (await nodes.leader()) === otherName, 500);
    leader.signal("SIGCONT");
    await until(async () => (await complaintsOf(leader)).includes("this node no longer leads"));
    expect(await nodes.leader()).toBe(otherName);
    expect(await complaintsOf(other)).not.toContain("this node no longer leads");
    expect(await leader.ask("GET /health/ready")).toMatchObject({ status: 200 });
  }, 120_000);

  test("have a leader again when it is killed", async () => {
    const first = await leading();
    const [here, there] = both();
    const killed = first === "one" ? here : there;
    killed.signal("SIGKILL");
    await until(async () => killed.hasEnded());
    await until(async () => ![null, first].includes(await nodes.leader()), 500);
  }, 120_000);
});

describe.skipIf(postgresMissing !== null)("a node", () => {
  test("that is to stop is not ready at once, serves on for DRAIN_SECONDS, and goes off the list", async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const node = await nodes.start("one", { DRAIN_SECONDS: "2" });
    await node.ask("GET /health/ready");
    node.signal("SIGTERM");
    await until(async () => (await node.ask("GET /health/ready")).status === 503);
    expect(await node.ask("GET /health/ready")).toMatchObject({ status: 503, msg: "Not ready: stopping" });
    expect(await node.ask("GET /health/live")).toMatchObject({ status: 200 });
    await until(async () => node.hasEnded());
    expect((await nodes.command(["nodes", "--json"])).out).toBe("[]\n");
    expect((await node.log()).at(-1)).toMatchObject({ message: "stopped", node: "one" });
  }, 60_000);

  test("waits for a database that is not there yet, and says so", async () => {
    await using database = await lentDatabase();
    await using proxy = await openPostgresProxy(database.url);
    proxy.refuse();
    await using nodes = await openNodes(proxy.url);
    const starting = nodes.start("one");
    await until(async () =>
      (await nodes.logged("one")).includes("the database cannot be used yet: this node waits"),
    );
    await proxy.heal();
    const node = await starting;
    await until(async () => (await node.ask("GET /health/ready")).status === 200);
  }, 60_000);

  test("is not ready while its database is away, answers at once, and is ready again by itself", async () => {
    await using database = await lentDatabase();
    await using proxy = await openPostgresProxy(database.url);
    await using nodes = await openNodes(proxy.url);
    const node = await nodes.start("one");
    await until(async () => (await node.ask("GET /health/ready")).status === 200);
    proxy.refuse();
    proxy.cut();
    await until(async () => (await node.ask("GET /health/ready")).status === 503);
    expect(await node.ask("GET /health/ready")).toMatchObject({
      status: 503,
      msg: "Not ready: database",
      data: { database: false, textures: true },
    });
    expect(await node.ask("POST /api/auth/login", { json: anna })).toMatchObject({ status: 503 });
    const said = (await node.log()).filter(({ level }) => level !== "info").map(({ message }) => message);
    expect(said).toContainEqual(expect.stringContaining("all that is not remembered is answered with 503"));
    await proxy.heal();
    await until(async () => (await node.ask("GET /health/ready")).status === 200);
    expect((await node.ask("POST /api/auth/login", { json: anna })).status).not.toBe(503);
  }, 60_000);

  test("does not start on tables that are not cloakroom's", async () => {
    await using database = await emptyDatabase();
    await using sql = new SQL(database.url);
    await sql`CREATE TABLE orders (id int)`;
    await using nodes = await openNodes(database.url);
    expect(await nodes.refused({})).toMatchObject({
      code: 1,
      error: expect.stringContaining('the database holds tables that are not cloakroom\'s ("orders")'),
    });
  }, 60_000);

  test("ends when others brought the database further than it knows", async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const node = await nodes.start("one");
    await using sql = new SQL(database.url);
    const [{ value }] = await sql`SELECT value FROM marks WHERE name = 'schema'`;
    const next = Number.parseInt(value, 10) + 1;
    await sql`UPDATE marks SET value = ${`${next + 1}+0`} WHERE name = 'schema'`;
    await until(() => Promise.resolve(node.hasEnded()));
    expect(await nodes.logged("one")).toContain(
      `the database was written by a newer version (schema ${next + 1}, this program knows ${next - 1}): install that version`,
    );
    expect(await nodes.refused({})).toMatchObject({
      code: 1,
      error: expect.stringContaining("the database was written by a newer version"),
    });
    await sql`UPDATE marks SET value = ${value} WHERE name = 'schema'`;
  }, 60_000);

  test("ends when the database has another secret, which only nodes with the new one may use", async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const node = await nodes.start("one");
    await until(async () => (await nodes.command(["key", "show"])).code === 0);
    const key = await nodes.command(["key", "show"]);
    await using sql = new SQL(database.url);
    // A node that is away for so long counts as ended.
    await until(async () => {
      await sql`UPDATE nodes SET seen_at = 0`;
      return (await nodes.command(["secret", "rotate"], {}, newSecret)).code === 0;
    });
    await until(async () => node.hasEnded());
    expect(await complaintsOf(node)).toContain("this node has to end");
    expect(await nodes.command(["key", "show"], { JWT_SECRET: newSecret })).toEqual(key);
    expect(await nodes.command(["key", "show"], { JWT_SECRET: nodeSecret })).toMatchObject({ code: 1 });
  }, 60_000);
});
