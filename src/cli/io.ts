import { readEnvironment } from "../boot/config.ts";
import { AppError } from "../kernel/errors.ts";
import { readLine } from "./read-line.ts";

/** What a command touches of the world around the process, so that tests can stand in for it. */
export type Io = {
  /** Results. */
  readonly out: (text: string) => void;
  /** Long results: resolves when the reader has taken the text, so that none of it piles up. False: nobody reads on. */
  readonly stream: (text: string) => Promise<boolean>;
  /** Problems. */
  readonly error: (text: string) => void;
  /** One line from standard input, not shown while it is typed. */
  readonly readSecret: (prompt: string) => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly errorIsTerminal: boolean;
};

export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(text),
    stream: streamTo(() => Bun.stdout.writer()),
    error: (text) => void process.stderr.write(text),
    readSecret: readLine,
    environment: readEnvironment(),
    errorIsTerminal: process.stderr.isTTY,
  };
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
      if (cause instanceof Error && "code" in cause && cause.code === "EPIPE") return false;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new AppError("internal", `the result cannot be written: ${reason}`, { cause });
    }
  };
}
