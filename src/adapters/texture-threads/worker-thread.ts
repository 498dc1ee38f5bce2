import { AppError } from "../../kernel/errors.ts";
import type { TaskCall, TaskFailure, TaskReply } from "./tasks.ts";

/**
 * The thread's code. In the binary all code is one file at the root, and the build keeps the entry's path.
 */
export const workerEntry = new URL(
  Bun.isStandaloneExecutable ? "./adapters/texture-threads/worker.ts" : "./worker.ts",
  import.meta.url,
);

export type ThreadLimits = {
  /** A task that takes longer fails, and its thread is stopped. */
  readonly taskMilliseconds: number;
  /** A thread that is idle for so long is stopped, which frees its memory. */
  readonly idleMilliseconds: number;
};

/** One worker thread that does one task at a time. It never keeps the process alive by itself. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  readonly #onEnd: () => void;
  #task: PromiseWithResolvers<unknown> | null = null;
  #timer: Timer | undefined;
  #crash: TaskFailure = { fault: "The worker thread ended" };
  #ended = false;

  /**
   * `onEnd` is called once, when the thread can take no more work: it crashed, was stopped or reached a
   * limit.
   */
  constructor(entry: URL, limits: ThreadLimits, onEnd: () => void) {
    this.#limits = limits;
    this.#onEnd = onEnd;
    this.#worker = new Worker(entry.href, { ref: false });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<TaskReply>) => this.#finish(data));
    this.#worker.addEventListener(
      "error",
      ({ message }) => (this.#crash = { fault: `The worker thread crashed: ${message}` }),
    );
    this.#worker.addEventListener("close", () => this.#end(this.#crash));
  }

  get busy(): boolean {
    return this.#task !== null;
  }

  /** Runs a task in the thread, which must not be busy. */
  run(call: TaskCall): Promise<unknown> {
    this.#stopAfter(this.#limits.taskMilliseconds, { fault: "The task took too long" });
    this.#task = Promise.withResolvers();
    // Keeps the process alive while it waits for the result.
    this.#worker.ref();
    this.#worker.postMessage(call);
    return this.#task.promise;
  }

  /** Ends the thread at once; its task fails with this failure. */
  stop(failure: TaskFailure): void {
    this.#worker.terminate();
    this.#end(failure);
  }

  #stopAfter(milliseconds: number, failure: TaskFailure): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(failure), milliseconds).unref();
  }

  #end(failure: TaskFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    // First, so that the thread is gone when the caller learns of the failure.
    this.#onEnd();
    this.#finish(failure);
    clearTimeout(this.#timer);
  }

  #finish(reply: TaskReply): void {
    const task = this.#task;
    if (!task) return;
    this.#task = null;
    this.#worker.unref();
    this.#stopAfter(this.#limits.idleMilliseconds, { fault: "The worker thread had nothing to do" });
    if ("result" in reply) task.resolve(reply.result);
    else if ("refusal" in reply) {
      task.reject(new AppError(reply.refusal));
    } else task.reject(new Error(reply.fault));
  }
}
