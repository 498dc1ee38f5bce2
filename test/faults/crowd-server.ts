import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The program as a process of its own, on a data folder that goes with it. */
export async function serveForCrowd(command: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-crowd-"));
  const child = Bun.spawn([...command, "serve"], {
    cwd: folder,
    env: { PORT: "0", DATA_DIR: join(folder, "data"), LOG_LEVEL: "error", RATE_LIMIT_FACTOR: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(/:(\d+)\n/.exec(new TextDecoder().decode(value))?.[1]);
  return {
    pid: child.pid,
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
      await rm(folder, { recursive: true });
    },
  };
}
