import { readEnvironment } from "../boot/config.ts";
import { readLine } from "./read-line.ts";

/** What a command touches of the world around the process, so that tests can stand in for it. */
export type Io = {
  /** Results. */
  readonly out: (text: string) => void;
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
    error: (text) => void process.stderr.write(text),
    readSecret: readLine,
    environment: readEnvironment(),
    errorIsTerminal: process.stderr.isTTY,
  };
}
