import { availableParallelism } from "node:os";
import { refusals } from "../../domain/model/refusals.ts";
import type { AppError, FailureOptions } from "../../kernel/errors.ts";
import { FairQueue, type Turn } from "../../kernel/fair-queue.ts";
import { limits } from "../../kernel/limits.ts";
import type { TaskCall, TaskInput, TaskName, TaskResult } from "./tasks.ts";
import { type ThreadLimits, workerEntry, WorkerThread } from "./worker-thread.ts";

export type ThreadPoolOptions = ThreadLimits & {
  /** The most worker threads. */
  readonly threads: number;
  /** Tasks that are expected to take longer leave one thread free for shorter ones. */
  readonly largeMilliseconds?: number;
  /** The most tasks that may wait for a thread. */
  readonly waitingMax: number;
  /** The message to clients whose task may not wait. */
  readonly refusal: (options: FailureOptions) => AppError;
  /** The thread's code. */
  readonly entry: URL;
  /** Milliseconds since some moment. */
  readonly now: () => number;
};

const common = {
  taskMilliseconds: limits.taskSecondsMax * 1000,
  entry: workerEntry,
  now: () => performance.now(),
};

/** Pictures and uploads have separate threads, so neither waits for the other. */
export const lanes = {
  pictures: {
    ...common,
    // One core is left to the thread that answers requests. On two cores there are still two threads, so that
    // small pictures need not wait for a large one. More than four only cost memory.
    threads: Math.min(4, Math.max(2, availableParallelism() - 1)),
    // Those that may not be drawn on the event loop either. Two such threads on two cores kept the event loop
    // waiting for the processor: cached pictures took 13 times their calm time in the worst hundredth, and 4
    // with one.
    largeMilliseconds: 10,
    // Each holds a connection; a page full of heads fits twice.
    waitingMax: 512,
    // A new thread takes some 30 ms to start, and an idle one some megabytes.
    idleMilliseconds: 60_000,
    refusal: refusals.picturesBusy,
  },
  imports: {
    ...common,
    // A 1024x1024 texture takes some 40 MB while it is imported.
    threads: 1,
    // Each holds its file, a megabyte unless the settings allow more.
    waitingMax: 32,
    // Uploads are rare, and the thread's memory is large.
    idleMilliseconds: 5000,
    refusal: refusals.importsBusy,
  },
} as const satisfies Readonly<Record<string, ThreadPoolOptions>>;

/** A picture that comes later is of no use to a page. */
const waitMillisecondsMax = 3000;

/** For tasks that still wait when the server stops: a refusal, because neither side made a mistake. */
const closing = refusals.stopping.of();

/** Worker threads for work that would hold up the event loop. */
export type ThreadPool = AsyncDisposable & {
  /**
   * Runs a task in a thread. `read` gets the task's input when its turn has come, so waiting costs no memory.
   * Fails as `read`, the task and a `FairQueue` do.
   */
  readonly run: <Name extends TaskName>(
    turn: Turn,
    name: Name,
    read: () => TaskInput<Name> | Promise<TaskInput<Name>>,
  ) => Promise<TaskResult<Name>>;
};

/**
 * Opens a lane. Its threads start when first needed; disposing of it stops them and refuses waiting tasks.
 */
export function openThreadPool(
  lane: keyof typeof lanes,
  options: Partial<ThreadPoolOptions> = {},
): ThreadPool {
  return new WorkerPool({ ...lanes[lane], ...options });
}

class WorkerPool implements ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #queue: FairQueue;
  readonly #threads = new Set<WorkerThread>();
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    const { threads, ...limits } = options;
    this.#queue = new FairQueue({ ...limits, atOnceMax: threads, waitMillisecondsMax });
  }

  async run<Name extends TaskName>(
    turn: Turn,
    name: Name,
    read: () => TaskInput<Name> | Promise<TaskInput<Name>>,
  ): Promise<TaskResult<Name>> {
    const result = await this.#queue.run(turn, async () => {
      const call: TaskCall<Name> = { name, input: await read() };
      return this.#freeThread().run(call);
    });
    // The thread runs the function that has this type.
    return result as TaskResult<Name>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const thread of this.#threads) thread.stop({ refusal: closing });
  }

  /**
   * The queue runs at most one task for each allowed thread, so when all threads are busy another may start.
   */
  #freeThread(): WorkerThread {
    if (this.#closed) throw refusals.stopping();
    return [...this.#threads].find((thread) => !thread.busy) ?? this.#startThread();
  }

  #startThread(): WorkerThread {
    const thread = new WorkerThread(this.#options.entry, this.#options, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }
}
