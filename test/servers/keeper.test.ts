/** A server of a test run ends with the run, however that ends. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runFolder, sharedServer, startKept } from "../support/run-servers.ts";
import { startTimeOf } from "../support/server-keeper.ts";

const supportFile = join(import.meta.dir, "../support/run-servers.ts");

/** A test run of its own that starts a server, writes where it is and then waits. */
const anotherRun = `
  const { startKept, runFolder } = await import(${JSON.stringify(supportFile)});
  const log = runFolder() + "/sleeper";
  const { pid } = await startKept({ command: ["sleep", "600"], log, signal: "SIGTERM", isReady: async () => true });
  console.log(JSON.stringify([pid, runFolder()]));
  setInterval(() => undefined, 1000);
`;

async function becomes(isSo: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200 && !isSo(); tries++) await Bun.sleep(50);
  return isSo();
}

test.each(["SIGKILL", "SIGTERM"] as const)("a run that %s ends takes its servers along", async (signal) => {
  const { BUN_TEST_WORKER_ID: _, ...env } = process.env;
  const command = [process.execPath, "-e", anotherRun];
  await using run = Bun.spawn(command, { env, stdio: ["ignore", "pipe", "inherit"] });
  const { value = new Uint8Array() } = await run.stdout.getReader().read();
  const [pid, folder] = JSON.parse(new TextDecoder().decode(value));
  expect([startTimeOf(pid), existsSync(folder)]).toEqual([expect.any(String), true]);
  run.kill(signal);
  await run.exited;
  expect(await becomes(() => startTimeOf(pid) === null && !existsSync(folder))).toBe(true);
});

const sleeper = async (name: string, command: readonly string[]) => {
  const folder = join(runFolder(), `${name}-${crypto.randomUUID()}`);
  await mkdir(folder);
  return { command, log: join(folder, "log"), signal: "SIGTERM", isReady: async () => true } as const;
};

test("a server ends when its test no longer needs it, and its files stay until the run ends", async () => {
  const given = await sleeper("disposed", ["sleep", "600"]);
  const server = await startKept(given);
  expect(server.hasEnded()).toBe(false);
  await server[Symbol.asyncDispose]();
  expect([server.hasEnded(), startTimeOf(server.pid)]).toEqual([true, null]);
  expect(existsSync(dirname(given.log))).toBe(true);
});

test("a server that ends instead of starting is reported with its own words", async () => {
  const given = await sleeper("broken", ["sh", "-c", "echo the port is taken >&2; exit 1"]);
  const starting = startKept({ ...given, isReady: async () => false });
  const reason = await starting.catch((error: unknown) => String(error));
  expect(reason).toContain("the port is taken");
});

test("a server is started once, and every caller gets the same", async () => {
  let started = 0;
  const name = `shared-${crypto.randomUUID()}`;
  const start = async () => ({ port: 1000 + ++started });
  const states = await Promise.all([1, 2, 3].map(() => sharedServer({ name, start })));
  expect(states).toEqual([{ port: 1001 }, { port: 1001 }, { port: 1001 }]);
});

test("a server that does not start fails for every caller", async () => {
  const name = `failed-${crypto.randomUUID()}`;
  const attempt = () =>
    sharedServer({ name, start: () => Promise.reject(new Error("no room")) }).catch((error: unknown) =>
      String(error),
    );
  const reason = `Error: ${name} did not start: Error: no room`;
  expect(await Promise.all([attempt(), attempt()])).toEqual([reason, reason]);
});
