/** The program as it is run, on data of its own. */
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { program } from "../support/program.ts";

export type ServerProcess = AsyncDisposable & {
  readonly address: string;
  readonly folder: string;
  readonly environment: Record<string, string>;
};

/** Starts the server with these settings beside the usual ones. */
export async function startServer(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const folder = await temporaryFolder();
  const environment = { DATA_DIR: join(folder.path, "data"), PORT: "0", LOG_LEVEL: "error", ...settings };
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", ...environment },
  });
  const stop = async () => {
    child.kill();
    await child.exited;
    await folder[Symbol.asyncDispose]();
  };
  for await (const chunk of child.stdout) {
    const address = /listening on (\S+)/.exec(new TextDecoder().decode(chunk))?.[1];
    if (address !== undefined)
      return { address, folder: folder.path, environment, [Symbol.asyncDispose]: stop };
  }
  throw new Error("The server ended before it listened");
}
