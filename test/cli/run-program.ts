import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../src/cli/io.ts";
import { runCli } from "../../src/cli/run.ts";
import { program } from "../support/program.ts";

export type Outcome = { readonly code: number; readonly out: string; readonly error: string };

/** What a failure says that a command printed as JSON (docs/contract/commands.md). */
export function messageIn({ error }: Outcome): string {
  return String(JSON.parse(error).error.msg);
}

/** The command that makes a member. */
export function userCreation(username: string, password: string): readonly string[] {
  return ["user", "create", "--mail", "a@example.org", "--username", username, "--password", password];
}

/** Runs a command within this process. It sees an empty environment but for what is given. */
export async function run(
  args: readonly string[],
  given: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly secret?: string;
    /**
     * With it the command believes that it has a terminal, and this hears whenever it shows how far it is.
     */
    readonly onProgress?: () => void;
  } = {},
): Promise<Outcome> {
  let out = "";
  let error = "";
  const io: Io = {
    out: (text) => void (out += text),
    stream: async (text) => {
      out += text;
      return true;
    },
    error: (text) => {
      if (text.startsWith("\r")) given.onProgress?.();
      else error += text;
    },
    openLog: () => ({ write: (text) => void (error += text), flush: () => undefined }),
    readSecret: async () => given.secret ?? "",
    environment: given.environment ?? {},
    start: () => ({ command: "cloakroom", folder: process.cwd(), restart: { by: "unknown", command: null } }),
    outIsTerminal: false,
    errorIsTerminal: given.onProgress !== undefined,
    errorIsJournal: false,
  };
  const code = await runCli(args, io);
  return { code, out, error };
}

/** Runs the program as a process of its own in the folder, with a minimal environment. */
export async function runProcess(
  args: readonly string[],
  given: {
    readonly folder: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly input?: string;
  },
): Promise<Outcome> {
  const child = Bun.spawn([...program, ...args], {
    cwd: given.folder,
    env: { PATH: process.env["PATH"] ?? "", ...given.environment },
    stdin: given.input === undefined ? "ignore" : Buffer.from(given.input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, error };
}

/** A folder that is gone when the scope ends. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "cloakroom-cli-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
