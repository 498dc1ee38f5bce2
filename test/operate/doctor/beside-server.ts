/* Doctor beside a server: both as processes of their own would run, with the same settings. */
import { program } from "../../support/program.ts";
import { run } from "../../cli/run-program.ts";
import type { NamedFinding } from "../../../src/operate/doctor/examine.ts";

export type Examined = {
  readonly code: number;
  readonly findings: readonly NamedFinding[];
  readonly of: (check: string) => readonly NamedFinding[];
};

/** What doctor finds with these settings and nothing else in the environment. */
export async function examineIn(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Examined> {
  const { code, out, error } = await run(["doctor", "--json", "--data-dir", dataDir], {
    environment: { PORT: "0", ...environment },
  });
  if (out === "") throw new Error(error);
  const { findings } = JSON.parse(out) as { readonly findings: readonly NamedFinding[] };
  return { code, findings, of: (check) => findings.filter((one) => one.check === check) };
}

export type ServedFolder = AsyncDisposable & {
  readonly pid: number;
  /** `http://127.0.0.1:<port>`, or empty on a socket file. */
  readonly url: string;
  /** The settings that doctor needs to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it has logged so far. */
  readonly log: () => string;
};

/** Starts a server over the data folder. It ends when it is disposed of. */
export async function serveIn(
  dataDir: string,
  given: { readonly environment?: Readonly<Record<string, string>>; readonly openFiles?: number } = {},
): Promise<ServedFolder> {
  const { environment = {}, openFiles } = given;
  const limited = openFiles === undefined ? [] : ["sh", "-c", `ulimit -n ${openFiles} && exec "$@"`, "sh"];
  const server = Bun.spawn([...limited, ...program, "serve", "--data-dir", dataDir], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let log = "";
  void server.stderr.pipeTo(
    new WritableStream({ write: (bytes) => void (log += new TextDecoder().decode(bytes)) }),
  );
  const out = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  for (let isEnd = false; !isEnd && !said.includes("\n");) {
    const { value = "", done } = await out.read();
    said += value;
    isEnd = done;
  }
  const [, address = ""] = /listening on (\S+)/.exec(said) ?? [];
  if (address === "") throw new Error(`the server did not start: ${log}`);
  const url = address.startsWith("http") ? address : "";
  return {
    pid: server.pid,
    url,
    environment: { ...environment, ...(url !== "" && { PORT: new URL(url).port }) },
    log: () => log,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
