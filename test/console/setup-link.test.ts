/** The line with the link of the set-up, by the program itself (docs/contract/console.md#set-up). */
import { afterAll, expect, test } from "bun:test";
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
