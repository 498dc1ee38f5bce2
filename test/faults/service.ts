/* The service as a process of its own that is killed and started again, over one data folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Answer = {
  readonly status: number;
  readonly msg: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type Request = {
  /** `POST /api/auth/login` */
  readonly line: string;
  readonly json?: object;
  /** In the place of JSON. */
  readonly form?: () => FormData;
  readonly token?: string;
};

/** One run of the program, from its start to its end. */
export type Run = {
  /** Asks this run, or throws when it does not answer. */
  readonly ask: (request: Request) => Promise<Answer>;
  /** From the start of the process to its first answer. */
  readonly readyMs: number;
};

export type Service = AsyncDisposable & {
  readonly dataDir: string;
  /**
   * Asks whichever run is open to everybody, waiting for one. Null when it died before it answered: whether
   * it did what was asked, is unknown.
   */
  readonly ask: (request: Request) => Promise<Answer | null>;
  /** Resolves when the next request is sent. */
  readonly nextRequest: () => Promise<void>;
  /** Starts the program. Only who has this run can ask it until it is opened. */
  readonly start: () => Promise<Run>;
  readonly openToAll: (run: Run) => void;
  /** Ends the run without a word to it. */
  readonly kill: () => Promise<void>;
  /** Asks the run to end; its exit code. */
  readonly stop: () => Promise<number>;
  /** All that any run complained of. */
  readonly complaints: () => string;
};

/** What answers, one process or several. */
export type Served = Pick<Service, "ask">;

/**
 * `command` is the program, from source or compiled; the service has a folder of its own, gone when the scope
 * ends. Mails go to a server on this machine.
 */
export async function openService(
  command: readonly string[],
  smtpPort: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-kill-"));
  const dataDir = join(folder, "data");
  const environment = {
    PATH: process.env["PATH"] ?? "",
    PORT: "0",
    DATA_DIR: dataDir,
    SITE_URL: "https://www.example.org",
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    RATE_LIMIT_FACTOR: "0",
    LOG_LEVEL: "error",
    ...settings,
  };
  let complaints = "";
  let open = Promise.withResolvers<Run>();
  let request = Promise.withResolvers<void>();
  let living: Run | null = null;
  let end: ((signal: NodeJS.Signals) => Promise<number>) | null = null;
  const endWith = async (signal: NodeJS.Signals): Promise<number> => {
    open = Promise.withResolvers();
    living = null;
    const code = (await end?.(signal)) ?? 0;
    end = null;
    return code;
  };

  return {
    dataDir,
    ask: async (asked) => {
      const run = await open.promise;
      request.resolve();
      request = Promise.withResolvers();
      try {
        return await run.ask(asked);
      } catch (error) {
        // Only a death excuses silence.
        if (living === run) throw error;
        return null;
      }
    },
    nextRequest: () => request.promise,
    start: async () => {
      const start = performance.now();
      const child = Bun.spawn([...command, "serve"], {
        cwd: folder,
        env: environment,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const log = child.stderr.text();
      end = async (signal) => {
        child.kill(signal);
        complaints += await log;
        return child.exited;
      };
      const address = await readAddress(child.stdout);
      const ask = (request: Request) => askAt(address, request);
      await ask({ line: "GET /api/home" });
      return { ask, readyMs: performance.now() - start };
    },
    openToAll: (run) => {
      living = run;
      open.resolve(run);
    },
    kill: async () => void (await endWith("SIGKILL")),
    stop: () => endWith("SIGTERM"),
    complaints: () => complaints,
    [Symbol.asyncDispose]: async () => {
      await endWith("SIGKILL");
      await rm(folder, { recursive: true });
    },
  };
}

/** Reads without closing the stream, which would break the pipe of a program that still runs. */
async function readAddress(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const { value } = await stdout.getReader().read();
  const address = / listening on (?<url>http:\S+)\n/.exec(new TextDecoder().decode(value));
  const url = address?.groups?.["url"];
  if (url === undefined) throw new Error("The service does not say where it listens");
  return url;
}

/** Asks once, over a connection of its own. Throws without an answer. */
export async function askAt(address: string, { line, json, form, token }: Request): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const body = form?.() ?? (json === undefined ? null : JSON.stringify(json));
  const response = await fetch(address + path, {
    method,
    // A kept connection that broke would be tried again behind our back.
    keepalive: false,
    headers: {
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === null ? {} : { body }),
  });
  const text = await response.text();
  const { msg = "", data = {} } = (text === "" ? {} : JSON.parse(text)) as Partial<Answer>;
  return { status: response.status, msg, data };
}

/** Asks until there is an answer: `doubtful` where an earlier try was cut off, which may be what worked. */
export async function insist(
  ask: () => Promise<Answer | null>,
): Promise<Answer & { readonly doubtful: boolean }> {
  for (let doubtful = false; ; doubtful = true) {
    const answer = await ask();
    if (answer !== null) return { ...answer, doubtful };
  }
}

/** Throws at an answer with another status. What was cut off has none. */
export function expectStatus(answer: Answer | null, allowed: readonly number[]): void {
  if (answer === null || allowed.includes(answer.status)) return;
  throw new Error(`Answered with ${answer.status} (${answer.msg}), not ${allowed.join(" or ")}`);
}

/**
 * Asks whether requests should come until the answer has this status, which takes as long as an answer may be
 * old.
 */
export async function untilReady({ ask }: Run, status: number): Promise<Answer> {
  for (;;) {
    const answer = await ask({ line: "GET /health/ready" });
    if (answer.status === status) return answer;
    await Bun.sleep(250);
  }
}
