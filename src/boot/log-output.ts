import type { LogLevel } from "../kernel/log.ts";
import { within } from "../kernel/within.ts";

/** Where text leaves the process. Both functions may wait for the reader. */
export type TextSink = {
  readonly write: (text: string) => unknown;
  readonly flush: () => unknown;
};

/** Writes log lines. Disposing of it waits a moment for lines that are not written yet. */
export type LogOutput = AsyncDisposable & {
  readonly write: (line: string, level: LogLevel) => void;
};

/** How long lines of requests may wait, so that many are written by one call. */
const gatherMs = 100;
/** Characters that are written without waiting for more. */
const batchSize = 64 * 1024;
/** Characters that may wait for the reader: some 5,000 lines of requests. */
const waitingMax = 1024 * 1024;
/** How long the end of the process may wait for the reader. */
const closeMs = 1000;

/**
 * Writes lines in batches, warnings and faults at once. A slow reader delays nothing: lines that find no more
 * room are dropped, and `onDropped` gets their number as soon as there is room again.
 */
export function openLogOutput(sink: TextSink, onDropped: (lines: number) => void): LogOutput {
  let waiting = "";
  let dropped = 0;
  let timer: Timer | undefined;
  let leaving: Promise<void> | null = null;

  const leave = async (): Promise<void> => {
    while (waiting !== "") {
      const text = waiting;
      waiting = "";
      reportDropped();
      await sink.write(text);
      await sink.flush();
    }
  };
  const reportDropped = (): void => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // A reader that has gone is no reason to stop serving.
    leaving ??= Promise.resolve()
      .then(leave)
      .catch(() => undefined)
      .finally(() => (leaving = null));
  };

  // A process that ends with a fault still writes what the reader takes at once.
  const writeNow = (): void => {
    if (waiting === "") return;
    void sink.write(waiting);
    void sink.flush();
  };
  process.on("exit", writeNow);

  return {
    write: (line, level) => {
      if (waiting.length + line.length > waitingMax) {
        dropped += 1;
        return;
      }
      waiting += line;
      const isUrgent = level === "warn" || level === "error" || waiting.length >= batchSize;
      if (isUrgent) flush();
      else timer ??= setTimeout(flush, gatherMs);
    },
    [Symbol.asyncDispose]: async () => {
      flush();
      await within(closeMs, leaving ?? Promise.resolve(), () => undefined);
      process.off("exit", writeNow);
    },
  };
}
