/*
 * Real servers for tests: one of each kind a test run, which the parallel processes of `bun test` share and
 * the first test that wants it starts. They end with the run, also when it is killed.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startTimeOf, type KeptServer, type RunProcess } from "./server-keeper.ts";

const startSeconds = 60;
const pollMs = 50;
const keeperFile = join(import.meta.dir, "server-keeper.ts");

export const isRoot = process.getuid?.() === 0;

/** What a server run by root gives up, since PostgreSQL refuses to run as root. */
export const ordinary = { uid: 65_534, gid: 65_534 } as const;

export const setpriv = Bun.which("setpriv");

/** Whether every user may pass through the folders above this path. */
export function isOpenToAll(path: string): boolean {
  const parent = dirname(path);
  return parent === path || ((statSync(parent).mode & 0o001) !== 0 && isOpenToAll(parent));
}

/** Returns the folder of this run, which only servers and their states are in. */
export function runFolder(): string {
  const { pid, startedAt } = runProcess();
  const temporary = isRoot && !isOpenToAll(join(tmpdir(), "file")) ? "/tmp" : tmpdir();
  const folder = join(temporary, `cloakroom-run-${pid}-${startedAt}`);
  mkdirSync(folder, { recursive: true });
  // The product narrows the mask of the process, and servers run as another user.
  chmodSync(folder, 0o755);
  return folder;
}

/** That of `bun test`, whose workers may come and go. */
function runProcess(): RunProcess {
  const pid = process.env["BUN_TEST_WORKER_ID"] === undefined ? process.pid : process.ppid;
  const startedAt = startTimeOf(pid);
  if (startedAt === null) throw new Error("the test run has ended");
  return { pid, startedAt };
}

export type SharedServer<State> = {
  /** One word, which names its folder. */
  readonly name: string;
  /** Starts the server with `startKept`, and returns how it is reached, as JSON can hold it. */
  readonly start: (folder: string) => Promise<State>;
};

/**
 * Starts the server unless a process of this run has started it, and returns how it is reached. Fails in
 * every process of the run when it did not start.
 */
export async function sharedServer<State>({ name, start }: SharedServer<State>): Promise<State> {
  const folder = join(runFolder(), name);
  const outcomeFile = `${folder}.json`;
  if (await isMadeHere(folder)) {
    removeLeftovers();
    await writeOutcome(
      outcomeFile,
      await start(folder).then(
        (state) => ({ state }),
        (error: unknown) => ({ failed: String(error) }),
      ),
    );
  }
  // The boundary: `writeOutcome` wrote it, in this process or in another one of the run.
  const outcome = (await readOutcome(outcomeFile, name)) as Outcome<State>;
  if ("failed" in outcome) throw new Error(`${name} did not start: ${outcome.failed}`);
  return outcome.state;
}

type Outcome<State> = { readonly state: State } | { readonly failed: string };

/** Whether this process made the folder: only one can. */
async function isMadeHere(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    await chmod(folder, 0o755);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** It holds passwords, so it is readable to its owner alone; it appears whole. */
async function writeOutcome(path: string, outcome: Outcome<unknown>): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(outcome), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function readOutcome(path: string, name: string): Promise<unknown> {
  if (await becomes(async () => existsSync(path))) return JSON.parse(await readFile(path, "utf8"));
  throw new Error(`${name} was not there after ${startSeconds} s`);
}

/** Removes the folders of runs that have ended and whose keepers were killed. */
function removeLeftovers(): void {
  const temporary = dirname(runFolder());
  for (const name of readdirSync(temporary)) {
    const [, pid, startedAt] = /^cloakroom-run-(\d+)-(\w+)$/.exec(name) ?? [];
    if (pid === undefined || startTimeOf(Number(pid)) === startedAt) continue;
    try {
      rmSync(join(temporary, name), { recursive: true, force: true });
    } catch {
      // Another user's, or its keeper is at it.
    }
  }
}

export type ServerCommand = Pick<KeptServer, "command" | "log" | "signal"> & {
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether it runs as `ordinary` where the tests run as root. */
  readonly givesUpRoot?: boolean;
  /** Asked until it is true. */
  readonly isReady: () => Promise<boolean>;
};

export type RunningServerProcess = AsyncDisposable & {
  /** Of the server itself. */
  readonly pid: number;
  /** Whether it has ended, by itself or by anyone's signal. */
  readonly hasEnded: () => boolean;
};

/** Begins a command that ends when its keeper is killed, where the system can do that. */
function endingWithParent(signal: KeptServer["signal"]): readonly string[] {
  return setpriv === null ? [] : [setpriv, "--pdeathsig", signal];
}

/** Begins a command that runs without root's rights. */
export function asOrdinary(): readonly string[] {
  if (!isRoot) return [];
  if (setpriv === null) throw new Error("setpriv is missing");
  return [setpriv, `--reuid=${ordinary.uid}`, `--regid=${ordinary.gid}`, "--clear-groups"];
}

/**
 * Starts a server that ends with the run, or when it is disposed of, and waits until it is ready. Fails with
 * what it printed when it ends instead.
 */
export async function startKept(given: ServerCommand): Promise<RunningServerProcess> {
  const { command, log, signal, environment = {}, givesUpRoot = false, isReady } = given;
  await writeFile(log, "", { mode: 0o600 });
  for (const ending of ["ended", "pids"]) await rm(`${log}.${ending}`, { force: true });
  const kept: KeptServer = {
    run: runProcess(),
    runFolder: runFolder(),
    command: [...endingWithParent(signal), ...(givesUpRoot ? asOrdinary() : []), ...command],
    environment,
    log,
    signal,
  };
  // In a file, because arguments can be read by every user of the machine and the environment holds keys.
  await writeFile(`${log}.given`, JSON.stringify(kept), { mode: 0o600 });
  // A shell is between, so that the keeper is no child of the test: Bun kills those of a test that takes too
  // long.
  const start = ["sh", "-c", '"$@" &', "sh", process.execPath, keeperFile, `${log}.given`];
  const shell = Bun.spawn(start, { stdio: ["ignore", "ignore", "ignore"], detached: true });
  await shell.exited;
  const hasEnded = () => existsSync(`${log}.ended`);
  const isStarted = () => existsSync(`${log}.pids`);
  const fault = await startFault(async () => isStarted() && (await isReady()), hasEnded);
  if (fault !== null) throw new Error(`${fault}: ${await readFile(log, "utf8")}`);
  const [keeper, pid] = JSON.parse(await readFile(`${log}.pids`, "utf8"));
  return {
    pid,
    hasEnded,
    [Symbol.asyncDispose]: async () => {
      if (hasEnded()) return;
      process.kill(keeper, "SIGTERM");
      if (!(await becomes(async () => hasEnded()))) throw new Error(`process ${pid} has not ended`);
    },
  };
}

async function startFault(isReady: () => Promise<boolean>, hasEnded: () => boolean): Promise<string | null> {
  const isSettled = await becomes(async () => hasEnded() || (await isReady()));
  if (hasEnded()) return "it ended";
  return isSettled ? null : `it was not ready after ${startSeconds} s`;
}

/** Whether this becomes true in time. */
async function becomes(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < (startSeconds * 1000) / pollMs; tries++) {
    if (await isSo()) return true;
    await Bun.sleep(pollMs);
  }
  return false;
}

/** Returns a port that is free now. Another process may take it first: who needs it tries again. */
export function freePort(): number {
  using listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  return listener.port;
}
