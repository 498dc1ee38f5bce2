import type { MadeBackup } from "../jobs/scheduled-backup.ts";
import { AppError } from "../kernel/errors.ts";
import { lowerPriority } from "../kernel/priority.ts";

/** One that hangs (a bucket that says nothing, say) must not keep all that follow from being made. */
const runMs = 6 * 60 * 60 * 1000;
/** How long a backup may take to clean up after it is told to stop. */
const stopMs = 5000;

/**
 * Has a process of its own make the backup that `cloakroom backup` makes: copying a database holds its event loop, and what
 * goes wrong in it must not touch requests. The environment holds this process's settings. Fails with internal, in that
 * process's words.
 */
export async function backUpInProcess(
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  program: readonly string[] = thisProgram(),
): Promise<MadeBackup> {
  const child = Bun.spawn([...program, "backup", "--json"], {
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  lowerPriority(child.pid);
  const stop = () => {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), stopMs).unref();
  };
  const ending = AbortSignal.any([signal, AbortSignal.timeout(runMs)]);
  if (ending.aborted) stop();
  ending.addEventListener("abort", stop, { once: true });
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  ending.removeEventListener("abort", stop);
  if (code !== 0)
    throw new AppError("internal", error.trim().replace(/^cloakroom: /, "") || `it ended with ${code}`);
  const complaints = error.trim() === "" ? {} : { complaints: error.trim().split("\n") };
  return { ...JSON.parse(out), ...complaints };
}

function thisProgram(): readonly string[] {
  return Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];
}
