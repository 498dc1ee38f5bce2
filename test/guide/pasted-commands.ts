/* The commands of pages, as an operator pastes them beside a server. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { program } from "../support/program.ts";
import { projectRoot } from "../tidy/project-files.ts";

export type PastedServer = AsyncDisposable & { readonly folder: string; readonly address: string };

/**
 * The program as an operator runs it, in a folder of its own with two pictures. All pages sign in within
 * seconds, so limits are off.
 */
export async function startPastedServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<PastedServer> {
  const folder = await temporaryFolder();
  await cp(join(projectRoot, "docs/examples/scout.png"), join(folder.path, "skin.png"));
  await cp(join(projectRoot, "docs/examples/cape.png"), join(folder.path, "cape.png"));
  const environment = { PORT: "0", LOG_LEVEL: "error", RATE_LIMIT_FACTOR: "0", ...settings };
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const address = /http:\/\/\S+/.exec(new TextDecoder().decode(value))?.[0] ?? "";
  const stop = async () => {
    child.kill();
    await child.exited;
    await folder[Symbol.asyncDispose]();
  };
  return { folder: folder.path, address, [Symbol.asyncDispose]: stop };
}

/** The shell blocks of a page, in their order. Blocks in lists are indented. */
export function commandsOf(text: string): string {
  const blocks = text.matchAll(/^(?<indent> *)```sh\n(?<script>.*?)^ *```$/gms);
  return Array.from(blocks, ({ groups: { indent = "", script = "" } = {} }) =>
    script.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  ).join("\n");
}

/**
 * Runs lines in the folder of the server. A command that fails ends it, and so does an answer that is an
 * error.
 */
export async function paste(
  server: Pick<PastedServer, "folder" | "address">,
  script: string,
): Promise<{ readonly code: number; readonly said: string }> {
  const preparation = [
    "set -e -o pipefail",
    `cloakroom() { ${program.map((part) => `"${part}"`).join(" ")} "$@"; }`,
    // A launcher asks for headers whatever the status is.
    `curl() { case "$1" in -sI) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac; }`,
  ];
  const lines = script.replaceAll("http://127.0.0.1:3000", server.address);
  const shell = Bun.spawn(["bash", "-c", [...preparation, lines].join("\n")], {
    cwd: server.folder,
    env: { PATH: process.env["PATH"] ?? "", CLOAKROOM: server.address, PUBLIC_URL: server.address },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  return { code, said: `${errors}\n${out.slice(-2_000)}` };
}
