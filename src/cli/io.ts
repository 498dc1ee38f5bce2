import { readEnvironment } from "../boot/config.ts";
import { errorIsJournal, forJournal } from "../boot/journal.ts";
import type { TextSink } from "../boot/log-output.ts";
import type { Start } from "../domain/model/installation.ts";
import { codeOf, PlainError } from "../kernel/errors.ts";
import { ownProcess, startOf } from "./own-start.ts";

/** What a command uses of its process, so that tests can replace it. */
export type Io = {
  /** Results. */
  readonly out: (text: string) => void;
  /**
   * Long results: resolves when the reader has taken the text, so that it does not pile up. False: the reader
   * has gone.
   */
  readonly stream: (text: string) => Promise<boolean>;
  /** Problems. */
  readonly error: (text: string) => void;
  /** Where the log of a server goes: problems too, but a slow reader does not delay the server. */
  readonly openLog: () => TextSink;
  /** One line from standard input, not shown while it is typed. */
  readonly readSecret: (prompt: string) => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How this process was started. */
  readonly start: () => Start;
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** Whether standard error is systemd's journal, in which each line has a priority. */
  readonly errorIsJournal: boolean;
};

/** The streams, environment and terminal of this process. */
export function processIo(): Io {
  const environment = readEnvironment();
  const isJournal = errorIsJournal(environment);
  const error = (text: string) => void process.stderr.write(isJournal ? forJournal(text, "error") : text);
  process.stdout.on("error", (cause) => reportLost(cause, error));
  return {
    out: (text) => void process.stdout.write(text),
    stream: streamTo(() => Bun.stdout.writer()),
    error,
    openLog: () => Bun.stderr.writer(),
    readSecret: readLine,
    environment,
    start: () => startOf(ownProcess(environment, process.stdout.isTTY)),
    outIsTerminal: process.stdout.isTTY,
    errorIsTerminal: process.stderr.isTTY,
    errorIsJournal: isJournal,
  };
}

/** A server continues without its first line; a command whose result is lost has failed. */
function reportLost(cause: Error, report: Io["error"]): void {
  if (isEndOfReader(cause)) return;
  report(`cloakroom: ${lostText(cause)}\n`);
  process.exitCode = 1;
}

/** A reader such as `head` closes the pipe early, which is no fault. */
function isEndOfReader(cause: unknown): boolean {
  return codeOf(cause) === "EPIPE";
}

function lostText(cause: unknown): string {
  return `the result cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`;
}

function streamTo(open: () => Bun.FileSink): Io["stream"] {
  let sink: Bun.FileSink | null = null;
  return async (text) => {
    try {
      sink ??= open();
      await sink.write(text);
      await sink.flush();
      return true;
    } catch (cause) {
      if (isEndOfReader(cause)) return false;
      throw new PlainError("internal", lostText(cause), { cause });
    }
  };
}

/** Passwords have 128 characters at most. A file that is given by mistake is not read to its end. */
const lineBytesMax = 4096;

/**
 * One line from standard input without its line end. At a terminal it prompts, and does not show what is
 * typed.
 */
async function readLine(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return firstLine(stdin);
  stderr.write(prompt);
  stdin.setRawMode(true);
  try {
    return await typedLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.unref();
    stderr.write("\n");
  }
}

async function firstLine(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (bytes.includes("\n")) break;
    if (bytes.length > lineBytesMax)
      throw new PlainError("invalid", "the line on standard input is too long");
  }
  const [line = ""] = bytes.toString("utf8").split("\n");
  return line.replace(/\r$/, "");
}

/** In raw mode the program itself interprets Enter, Backspace and Ctrl-C. */
async function typedLine(keys: AsyncIterable<Uint8Array | string>): Promise<string> {
  let line = "";
  for await (const chunk of keys) {
    for (const key of Buffer.from(chunk).toString("utf8")) {
      if (key === "\r" || key === "\n" || key === "\x04") return line;
      if (key === "\x03") throw new PlainError("invalid", "cancelled");
      if (key === "\x7f" || key === "\b") line = line.slice(0, -1);
      else line += key;
    }
    if (line.length > lineBytesMax) throw new PlainError("invalid", "the line is too long");
  }
  return line;
}
