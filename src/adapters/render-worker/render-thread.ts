import type { PictureJob } from "../../domain/ports.ts";

/** What a render thread answers to a job. */
export type RenderReply = { readonly png: Uint8Array<ArrayBuffer> } | { readonly fault: string };

/** Where the thread's code is. In the binary all code is one file at the root, and the build keeps the entry's path. */
export const workerEntry = new URL(
  Bun.isStandaloneExecutable ? "./adapters/render-worker/worker.ts" : "./worker.ts",
  import.meta.url,
);

export type ThreadLimits = {
  /** A picture that takes longer fails, and its thread is stopped. */
  readonly jobMilliseconds: number;
  /** A thread that has nothing to do for so long is stopped, which gives its memory back. */
  readonly idleMilliseconds: number;
};

/** One worker thread that makes one picture at a time. It never keeps the process alive by itself. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  readonly #onEnd: () => void;
  #job: PromiseWithResolvers<Uint8Array> | null = null;
  #timer: Timer | undefined;
  #crash = "The render thread ended";
  #ended = false;

  /** `onEnd` is called once, when no more work can be given to the thread: it crashed, was stopped or reached a limit. */
  constructor(entry: URL, limits: ThreadLimits, onEnd: () => void) {
    this.#limits = limits;
    this.#onEnd = onEnd;
    this.#worker = new Worker(entry.href, { ref: false });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<RenderReply>) => this.#finish(data));
    this.#worker.addEventListener(
      "error",
      ({ message }) => (this.#crash = `The render thread crashed: ${message}`),
    );
    this.#worker.addEventListener("close", () => this.#end(this.#crash));
  }

  get busy(): boolean {
    return this.#job !== null;
  }

  /** Makes a picture. Only for a thread that is not busy. */
  run(job: PictureJob): Promise<Uint8Array> {
    this.#stopAfter(this.#limits.jobMilliseconds, "The picture took too long");
    this.#job = Promise.withResolvers();
    // A process that waits for a picture stays; one that has nothing else to do may end.
    this.#worker.ref();
    this.#worker.postMessage(job);
    return this.#job.promise;
  }

  /** Ends the thread at once; a job that it has fails. */
  stop(reason: string): void {
    this.#worker.terminate();
    this.#end(reason);
  }

  #stopAfter(milliseconds: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(reason), milliseconds).unref();
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    // First, so that whoever hears of the failed job finds this thread gone.
    this.#onEnd();
    this.#finish({ fault: reason });
    clearTimeout(this.#timer);
  }

  #finish(reply: RenderReply): void {
    const job = this.#job;
    if (!job) return;
    this.#job = null;
    this.#worker.unref();
    this.#stopAfter(this.#limits.idleMilliseconds, "The render thread had nothing to do");
    if ("png" in reply) job.resolve(reply.png);
    else job.reject(new Error(reply.fault));
  }
}
