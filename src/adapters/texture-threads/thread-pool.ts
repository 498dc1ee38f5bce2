import { availableParallelism } from "node:os";
import { AppError } from "../../kernel/errors.ts";
import { createGate, type Gate } from "../../kernel/gate.ts";
import type { TaskCall, TaskInput, TaskName, TaskResult } from "./tasks.ts";
import { type ThreadLimits, workerEntry, WorkerThread } from "./worker-thread.ts";

export type ThreadPoolOptions = ThreadLimits & {
  /** Worker threads at most. */
  readonly threads: number;
  /** Tasks that wait for a thread at most; one more fails with `limited`. */
  readonly waitingMax: number;
  /** The code of a thread. */
  readonly entry: URL;
};

const defaults: ThreadPoolOptions = {
  // One core is left to those who answer requests; more than four threads only cost memory.
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  // A page full of heads that were never drawn fits; the last waits for a second or so.
  waitingMax: 256,
  // The longest picture, a first one of the finest skin, takes three seconds of an idle core, and many times that of one
  // that others keep busy; this is for one that never ends.
  taskMilliseconds: 60_000,
  // A thread that starts anew has to work out every 3D view again, so a quiet minute does not end it.
  idleMilliseconds: 5 * 60_000,
  entry: workerEntry,
};

/** Whoever still waits when the server stops has done nothing wrong, and neither has the server. */
const closing = {
  code: "limited",
  message: "The server is stopping: try again in a few seconds",
} as const;

/** Worker threads that do what would hold the event loop. */
export type ThreadPool = AsyncDisposable & {
  /** Has a thread do a task. Fails as the task does, and with `limited` when too many wait already. */
  readonly run: <Name extends TaskName>(name: Name, ...input: TaskInput<Name>) => Promise<TaskResult<Name>>;
};

/** Opens a pool. Its threads start when they are first needed; disposing of it stops them and refuses what waits. */
export function openThreadPool(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  return new WorkerPool({ ...defaults, ...options });
}

class WorkerPool implements ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #gate: Gate;
  readonly #threads = new Set<WorkerThread>();
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#gate = createGate({
      atOnceMax: options.threads,
      waitingMax: options.waitingMax,
      refusal: "Too many pictures are being made right now: try again in a few seconds",
    });
  }

  async run<Name extends TaskName>(name: Name, ...input: TaskInput<Name>): Promise<TaskResult<Name>> {
    const call: TaskCall<Name> = { name, input };
    const result = await this.#gate(() => this.#freeThread().run(call));
    // The thread runs the very function whose type this is.
    return result as TaskResult<Name>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const thread of this.#threads) thread.stop({ refusal: closing });
  }

  /** The gate lets no more through than there may be threads, so when all are busy there is room for another. */
  #freeThread(): WorkerThread {
    if (this.#closed) throw new AppError(closing.code, closing.message);
    return [...this.#threads].find((thread) => !thread.busy) ?? this.#startThread();
  }

  #startThread(): WorkerThread {
    const thread = new WorkerThread(this.#options.entry, this.#options, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }
}
