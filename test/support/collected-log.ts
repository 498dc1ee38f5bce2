import { createLogger, type Logger } from "../../src/kernel/log.ts";

export type LogLine = { readonly level: string; readonly message: string } & Readonly<
  Record<string, unknown>
>;

/** A log in memory. `take` gives the lines since the last call, without those of requests. */
export function collectLog() {
  const lines: LogLine[] = [];
  const requests: LogLine[] = [];
  let text = "";
  const log: Logger = createLogger({
    level: "debug",
    format: "json",
    write: (line) => {
      text += line;
      const parsed: LogLine = JSON.parse(line);
      (parsed.message === "request" ? requests : lines).push(parsed);
    },
  });
  return {
    log,
    take: (): readonly LogLine[] => lines.splice(0),
    takeRequests: (): readonly LogLine[] => requests.splice(0),
    text: () => text,
  };
}
