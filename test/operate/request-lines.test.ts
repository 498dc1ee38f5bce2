/**
 * Requests cannot fill the log: of one route and status it has a bounded number of lines in a second, and the
 * number of the others.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { temporaryFolder } from "../cli/run-program.ts";
import { openHarness } from "../support/harness.ts";
import type { LogLine } from "../support/collected-log.ts";
import { addMember, edit } from "../support/members.ts";
import { program } from "../support/program.ts";
import { limits } from "../../src/kernel/limits.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

/** Runs the program for as long as `work` asks it, and gives back all that it logged. */
async function logOf(settings: Readonly<Record<string, string>>, work: (address: string) => Promise<void>) {
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", LOG_LEVEL: "debug", ...settings },
    stdout: "pipe",
    stderr: "pipe",
  });
  const log = new Response(child.stderr).text();
  const { value } = await child.stdout.getReader().read();
  const [, address = ""] = / listening on (\S+)/.exec(new TextDecoder().decode(value)) ?? [];
  await work(address);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const lines = (await log).trim().split("\n");
  return lines.map((line): LogLine => JSON.parse(line));
}

/** So many that a second sees more of them than it may have lines. */
const times = 1500;

async function ask(address: string, path: string, method = "GET"): Promise<void> {
  for (let sent = 0; sent < times; sent += 50) {
    const some = Array.from({ length: 50 }, () => fetch(address + path, { method }));
    for (const answer of await Promise.all(some)) await answer.bytes();
  }
}

test.each([
  ["unknown paths", "/api/nowhere", { level: "info", route: "unknown", status: 404 }],
  ["requests without a session", "/api/home", { level: "info", route: "/api/home", status: 401 }],
  ["health checks", "/health/live", { level: "debug", route: "/health/live", status: 200 }],
])(
  "a flood of %s has some lines, the count of the others, and hides no other request",
  async (_, path, kind) => {
    const lines = await logOf({}, async (address) => {
      await ask(address, path);
      await fetch(`${address}/api/admin/users`);
    });
    const ofFlood = lines.filter(({ route, status }) => route === kind.route && status === kind.status);
    const ofOne = ofFlood.filter(({ message }) => message === "request");
    const ofMore = ofFlood.filter(({ message }) => message === "more requests");
    expect(ofOne.length).toBeGreaterThanOrEqual(limits.requestLinesMax);
    expect(ofOne.length).toBeLessThan(times);
    expect(ofMore.length).toBeGreaterThan(0);
    expect(ofMore.length).toBeLessThan(limits.requestLinesMax / 2);
    for (const line of ofMore) expect(line).toEqual({ ...line, ...kind, count: expect.any(Number) });
    const counted = ofMore.reduce((sum, { count }) => sum + Number(count), 0);
    expect(ofOne.length + counted).toBe(times);
    expect(lines.filter(({ route }) => route === "/api/admin/users")).toMatchObject([{ status: 401 }]);
  },
);

test("a flood of failures has some lines with their causes, and the count of the others", async () => {
  let isBroken = false;
  const beforeTransaction = async () => {
    if (isBroken) throw new Error("the disk is broken");
  };
  await using harness = await openHarness({ beforeTransaction });
  const alice = await addMember(harness, "Alice");
  isBroken = true;
  const select = () =>
    edit(harness, alice, "POST /api/home/edit/skin/select", {
      skinid: "8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b",
    });
  const found: LogLine[] = [];
  const lines = (message: string) => found.filter((line) => line.message === message);
  const counted = () => lines("more requests failed").reduce((sum, { count }) => sum + Number(count), 0);
  for (let sent = 0; sent < times; sent += 50) {
    const some = Array.from({ length: 50 }, () => select());
    for (const answer of await Promise.all(some)) expect(answer.status).toBe(500);
  }
  while (lines("request failed").length + counted() < times) {
    await Bun.sleep(20);
    found.push(...harness.takeComplaints());
  }
  expect(lines("request failed").length + counted()).toBe(times);
  expect(lines("request failed").length).toBeGreaterThanOrEqual(limits.requestLinesMax);
  expect(lines("more requests failed").length).toBeGreaterThan(0);
  const [first, more] = [lines("request failed")[0], lines("more requests failed")[0]];
  expect(first).toMatchObject({ level: "error", error: { message: "the disk is broken" } });
  expect(more).toMatchObject({ level: "error", route: first?.["route"], count: expect.any(Number) });
});

test("nothing is counted where requests have no lines", async () => {
  const lines = await logOf({ LOG_REQUESTS: "none" }, (address) => ask(address, "/api/nowhere"));
  expect(lines.filter((line) => "route" in line)).toEqual([]);
});
