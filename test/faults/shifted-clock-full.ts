/* The clock of one node's machine is an hour off: what ends, ends when it should, on both nodes. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openNodes, until, type NodeProcess } from "../nodes/node-processes.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { sourceFile } from "../support/program.ts";
import { password } from "./people.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { settingsWith } from "./written-nodes.ts";
import { makeMember, type Member } from "./written-once.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a clock that is off (${postgresMissing})`);

const hourMs = 3_600_000;
const preload = join(import.meta.dir, "shifted-date.ts");
const roleSeconds = 8;

describe.skipIf(postgresMissing !== null).each([
  ["ahead", hourMs],
  ["behind", -hourMs],
] as const)("one node of two, an hour %s", (_, shiftMs) => {
  let stack: AsyncDisposableStack;
  let office: PostOffice;
  let [right, wrong]: NodeProcess[] = [];
  let keeper: Member;
  const both = (): readonly [NodeProcess, NodeProcess] => {
    if (right === undefined || wrong === undefined) throw new Error("the nodes have not started");
    return [right, wrong];
  };
  let member: Member;
  const levelAt = async (node: NodeProcess): Promise<number> => {
    const { data } = await node.ask(`GET /api/admin/user/${member.id}`, { token: keeper.token });
    return Number(Object(data).PermLvl);
  };
  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    office = stack.use(await openPostOffice(Math.random));
    const { url } = stack.use(await lentDatabase());
    const nodes = stack.use(await openNodes(url));
    const settings = { ...settingsWith(office), RATE_LIMIT_FACTOR: "1" };
    const program = [process.execPath, "--preload", preload, sourceFile];
    // The wrong one leads.
    wrong = await nodes.start("wrong", { ...settings, SHIFTED_MS: String(shiftMs) }, program);
    await until(async () => (await nodes.leader()) === "wrong", 500);
    right = await nodes.start("right", settings);
    keeper = await makeMember(nodes, right, "Keeper");
    member = await makeMember(nodes, right, "Member");
  }, 120_000);
  afterEach(() => stack[Symbol.asyncDispose]());

  test("says so, and keeps sessions, codes and mails as the other one does", async () => {
    for (const [here, there] of [both(), both().toReversed()]) {
      if (here === undefined || there === undefined) throw new Error("there are two nodes");
      const mail = `newcomer-${here.address.slice(-5)}@example.org`;
      const code = office.readCodes(mail, "confirm");
      expect(await here.ask("POST /api/auth/register", { json: { mail, password } })).toMatchObject({
        status: 200,
      });
      expect(await there.ask("POST /api/auth/confirm", { json: { code: await code() } })).toMatchObject({
        status: 200,
      });
      const { data, status } = await here.ask("POST /api/auth/login", { json: { username: mail, password } });
      expect(status).toBe(200);
      const token = String(Object(data).jwt);
      for (const node of both()) expect((await node.ask("GET /api/home", { token })).status).not.toBe(401);
    }
    const log = await both()[1].log();
    expect(log.filter(({ message }) => /clock/.test(message))).not.toEqual([]);
  }, 120_000);

  test("ends a role when it should, whichever node gave it", async () => {
    for (const node of both()) {
      const ends = Math.floor(Date.now() / 1000) + roleSeconds;
      const json = { user: member.id, role_level: 2, expired_at: ends };
      const given = await node.ask(`POST /api/admin/user/role/${member.id}`, { json, token: keeper.token });
      expect(given).toMatchObject({ status: 200 });
      const levels = () => Promise.all(both().map((one) => levelAt(one)));
      expect(await levels()).toEqual([2, 2]);
      await until(async () => !(await levels()).includes(2));
      const late = Date.now() / 1000 - ends;
      expect(late).toBeGreaterThan(-2);
      expect(late).toBeLessThan(30);
      expect(await levels()).toEqual([3, 3]);
    }
  }, 120_000);

  test("counts attempts with the other one, and lets go of them when it should", async () => {
    const [here, there] = both();
    const wrongOne = { username: "Keeper", password: "not the password" };
    const told: { readonly status: number; readonly wait: number }[] = [];
    for (let tries = 0; tries < 40 && told.at(-1)?.status !== 429; tries++)
      for (const node of [here, there]) {
        const answer = await fetch(`${node.address}/api/auth/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(wrongOne),
        });
        told.push({ status: answer.status, wait: Number(answer.headers.get("retry-after") ?? 0) });
      }
    const waits = told.filter(({ status }) => status === 429).map(({ wait }) => wait);
    expect(told.map(({ status }) => status).filter((status) => ![401, 429].includes(status))).toEqual([]);
    expect(waits.length).toBeGreaterThan(0);
    // A window of a quarter of an hour at most, and not an hour beside it.
    expect(Math.max(...waits)).toBeLessThanOrEqual(900);
    for (const node of both())
      expect((await node.ask("POST /api/auth/login", { json: wrongOne })).status).toBe(429);
  }, 120_000);
});
