/** The line with the link of the set-up, by the program itself (docs/contract/console.md#set-up). */
import { afterAll, describe, expect, test } from "bun:test";
import { runProcess, temporaryFolder } from "../cli/run-program.ts";
import { program } from "../support/program.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

/** Starts the server, stops it when it listens, and returns all that it wrote. */
async function serve(environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [seen, rest] = child.stdout.tee();
  await seen.getReader().read();
  child.kill("SIGTERM");
  const [out, log] = await Promise.all([new Response(rest).text(), child.stderr.text(), child.exited]);
  return { lines: out.split("\n").filter(Boolean), log };
}

describe("with a HOST that stands for all addresses", () => {
  const settings = { DATA_DIR: "open", HOST: "0.0.0.0" };

  test("is a line of links that can be opened where the log is JSON", async () => {
    const { lines, log } = await serve({ ...settings, LOG_FORMAT: "json" });
    expect(lines).toHaveLength(2);
    const links = lines[1]?.match(/http:\/\/\S+/g) ?? [];
    expect(lines[1]).toBe(`make the first administrator ${links.map((link) => `at ${link}`).join(" or ")}`);
    expect(links.at(-1)).toMatch(/^http:\/\/localhost:\d+\/setup#[\w-]{43}$/);
    expect(links.length).toBeLessThanOrEqual(4);
    expect(new Set(links.map((link) => new URL(link).hash)).size).toBe(1);
    expect(links.join()).not.toMatch(/0\.0\.0\.0|127\.0\.0\.1/);
    for (const line of log.split("\n").filter(Boolean)) JSON.parse(line);
  });

  test("is a line for each link for people", async () => {
    const { lines } = await serve({ ...settings, LOG_FORMAT: "pretty" });
    const [, first = "", ...others] = lines;
    expect(first).toMatch(/^make the first administrator at http:/);
    for (const line of others) expect(line).toMatch(/^ {2}or at http:\/\/\S+\/setup#[\w-]{43}$/);
    expect(lines.at(-1)).toContain("//localhost:");
  });
});

test("over ssh a person who starts the server for this machine alone reads how to reach it", async () => {
  const ssh = { SSH_CONNECTION: "198.51.100.7 50122 203.0.113.5 22", USER: "anna", DATA_DIR: "ssh" };
  const { lines } = await serve({ ...ssh, LOG_FORMAT: "pretty" });
  expect(lines[2]).toMatch(/ssh -L (?<port>\d+):127\.0\.0\.1:\k<port> anna@203\.0\.113\.5$/);
  expect((await serve({ ...ssh, LOG_FORMAT: "json" })).lines).toHaveLength(2);
});

test("stands on standard output behind the first line while there is no administrator, and in no log", async () => {
  const settings = { DATA_DIR: "new", PUBLIC_URL: "https://skins.example.org" };
  const first = await serve({ ...settings, LOG_LEVEL: "debug" });
  expect(first.lines).toHaveLength(2);
  expect(first.lines[0]).toContain(" listening on ");
  const link = /^make the first administrator at https:\/\/skins\.example\.org\/setup#(?<secret>[\w-]{43})$/;
  const secret = link.exec(first.lines[1] ?? "")?.groups?.["secret"] ?? "none";
  expect(first.log).not.toContain(secret);
  const again = await serve(settings);
  expect(again.lines[1]).toMatch(link);
  expect(again.lines[1]).not.toContain(secret);

  expect((await serve({ ...settings, CONSOLE: "false" })).lines).toHaveLength(1);

  const admin = ["user", "create", "--admin", "--mail", "a@example.org", "--username", "Olga"];
  const made = await runProcess(admin, { folder: folder.path, environment: settings });
  expect(made.code).toBe(0);
  expect((await serve(settings)).lines).toHaveLength(1);
}, 60_000);
