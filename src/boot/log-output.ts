import type { LogLevel } from "../kernel/log.ts";

/** Where text leaves the process. Both may wait for the reader. */
export type TextSink = {
  readonly write: (text: string) => unknown;
  readonly flush: () => unknown;
};

/** Takes log lines. Disposing of it waits a moment for what has not left yet. */
export type LogOutput = AsyncDisposable & {
  readonly write: (line: string, level: LogLevel) => void;
};

/** Lines of requests may wait so long, so that many leave by one call. */
const gatherMs = 100;
/** Characters that leave without waiting for more. */
const batchSize = 64 * 1024;
/** Characters that may wait for the reader: some 5,000 lines of requests. */
const waitingMax = 1024 * 1024;
/** How long the end of the process may wait for the reader. */
const closeMs = 1000;

/**
 * Writes lines in batches, warnings and faults at once. A reader that is too slow holds up nobody: lines that find no more
 * room are dropped, and `onDropped` is told how many as soon as there is room again.
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
      tellDropped();
      await sink.write(text);
      await sink.flush();
    }
  };
  const tellDropped = (): void => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // Whoever read the log has gone: that is no reason to stop serving.
    leaving ??= Promise.resolve()
      .then(leave)
      .catch(() => undefined)
      .finally(() => (leaving = null));
  };

  // A process that dies of a fault still says what it has to say, as far as the reader takes it at once.
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
      const late = Promise.withResolvers<void>();
      const timeout = setTimeout(late.resolve, closeMs);
      await Promise.race([leaving, late.promise]);
      clearTimeout(timeout);
      process.off("exit", writeNow);
    },
  };
}
