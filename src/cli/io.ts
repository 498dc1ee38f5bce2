import { readEnvironment } from "../boot/config.ts";
import type { TextSink } from "../boot/log-output.ts";
import { AppError, codeOf } from "../kernel/errors.ts";
import { readLine } from "./read-line.ts";

/** What a command touches of the world around the process, so that tests can stand in for it. */
export type Io = {
  /** Results. */
  readonly out: (text: string) => void;
  /** Long results: resolves when the reader has taken the text, so that none of it piles up. False: nobody reads on. */
  readonly stream: (text: string) => Promise<boolean>;
  /** Problems. */
  readonly error: (text: string) => void;
  /** Where the log of a server goes: problems as well, but without waiting for who reads them. */
  readonly openLog: () => TextSink;
  /** One line from standard input, not shown while it is typed. */
  readonly readSecret: (prompt: string) => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
};

export function processIo(): Io {
  process.stdout.on("error", reportLost);
  return {
    out: (text) => void process.stdout.write(text),
    stream: streamTo(() => Bun.stdout.writer()),
    error: (text) => void process.stderr.write(text),
    openLog: () => Bun.stderr.writer(),
    readSecret: readLine,
    environment: readEnvironment(),
    outIsTerminal: process.stdout.isTTY,
    errorIsTerminal: process.stderr.isTTY,
  };
}

/** A server goes on without its first line; a command has failed that gave no result. */
function reportLost(cause: Error): void {
  if (isEndOfReader(cause)) return;
  process.stderr.write(`cloakroom: ${lostText(cause)}\n`);
  process.exitCode = 1;
}

function isEndOfReader(cause: unknown): boolean {
  return codeOf(cause) === "EPIPE";
}

function lostText(cause: unknown): string {
  return `the result cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`;
}

/** Whoever pipes into `head` closes the pipe early: that is an end, not a fault. */
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
      throw new AppError("internal", lostText(cause), { cause });
    }
  };
}
