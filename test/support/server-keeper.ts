/*
 * Runs one server for a test run: `bun server-keeper.ts <file>`. The server ends when the run has ended, also
 * when the run was killed, and then the folder of the run goes as well. SIGTERM ends the server alone. When
 * the server ends by itself, so does its keeper.
 */
import { openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";

export type KeptServer = {
  readonly run: RunProcess;
  /** All files of the run's servers. */
  readonly runFolder: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What the server prints. Files beside it end with `.pids` (of the keeper and the server) and `.ended`. */
  readonly log: string;
  /** How it is asked to end. */
  readonly signal: "SIGTERM" | "SIGQUIT" | "SIGKILL";
};

/** The process that stands for a whole test run; a process number may be given out again. */
export type RunProcess = { readonly pid: number; readonly startedAt: string };

const lookMs = 200;
const endMs = 5_000;

if (import.meta.main) {
  // The boundary: `startKept` of run-servers.ts writes it.
  await keep(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as KeptServer);
}

async function keep({ run, runFolder, command, environment, log, signal }: KeptServer): Promise<void> {
  const output = openSync(log, "a");
  const server = Bun.spawn([...command], { env: environment, stdio: ["ignore", output, output] });
  const end = async () => {
    server.kill(signal);
    const killing = setTimeout(() => server.kill("SIGKILL"), endMs);
    await server.exited;
    clearTimeout(killing);
  };
  for (const asked of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(asked, () => void end());
  writeFileSync(`${log}.pids.new`, JSON.stringify([process.pid, server.pid]));
  renameSync(`${log}.pids.new`, `${log}.pids`);
  let runHasEnded = false;
  const looking = setInterval(() => {
    if (startTimeOf(run.pid) === run.startedAt) return;
    runHasEnded = true;
    clearInterval(looking);
    void end();
  }, lookMs);
  await server.exited;
  clearInterval(looking);
  if (runHasEnded) await rm(runFolder, { recursive: true, force: true, maxRetries: 20 });
  else writeFileSync(`${log}.ended`, "");
}

/**
 * When the process started, in the system's own words; null when there is no such process, or only what is
 * left of one.
 */
export function startTimeOf(pid: number): string | null {
  if (process.platform !== "linux") {
    const { stdout } = Bun.spawnSync(["ps", "-o", "lstart=", "-p", String(pid)]);
    return stdout.toString().replaceAll(/\W/g, "") || null;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return "ZX".includes(state) ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}
