import { availableParallelism } from "node:os";
import type { PictureJob, PictureRenderer } from "../../domain/ports.ts";
import { AppError } from "../../kernel/errors.ts";
import { drawPicture, expectedMilliseconds } from "./draw-picture.ts";
import { RenderThread, type ThreadLimits, workerEntry } from "./render-thread.ts";

export type RenderPoolOptions = ThreadLimits & {
  /** Worker threads at most. */
  readonly threads: number;
  /** Pictures that wait for a thread at most; one more fails with `limited`. */
  readonly queueMax: number;
  /** A picture that is expected to take no longer is made at once, on the caller's thread. */
  readonly inlineMillisecondsMax: number;
  /** The code of a thread. */
  readonly entry: URL;
};

const defaults: RenderPoolOptions = {
  // One core is left to those who answer requests; more than four threads only cost memory.
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  // A page full of heads that were never drawn fits; the last waits for a second or so.
  queueMax: 256,
  inlineMillisecondsMax: 10,
  // The longest picture takes a second on a slow machine at its first time; this is for one that never ends.
  jobMilliseconds: 10_000,
  // A thread that starts anew has to work out every 3D view again, so a quiet minute does not end it.
  idleMilliseconds: 5 * 60_000,
  entry: workerEntry,
};

/** Makes pictures without holding the event loop: small ones on the spot, large ones in worker threads. */
export type RenderPool = AsyncDisposable & {
  /** Fails with `limited` when too many pictures wait already. */
  readonly render: PictureRenderer;
};

/** Opens a pool. Its threads start when they are first needed; disposing of it stops them and refuses what waits. */
export function openRenderPool(options: Partial<RenderPoolOptions> = {}): RenderPool {
  return new ThreadPool({ ...defaults, ...options });
}

type Waiting = PromiseWithResolvers<Uint8Array> & { readonly job: PictureJob };

class ThreadPool implements RenderPool {
  readonly #options: RenderPoolOptions;
  readonly #threads = new Set<RenderThread>();
  readonly #queue: Waiting[] = [];
  #closed = false;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
  }

  readonly render: PictureRenderer = async (job) => {
    if (this.#closed) throw new Error("The render pool is closed");
    if (expectedMilliseconds(job) <= this.#options.inlineMillisecondsMax) return drawPicture(job);
    if (this.#queue.length >= this.#options.queueMax) {
      throw new AppError("limited", "Too many pictures are being made right now: try again in a few seconds");
    }
    const waiting = { ...Promise.withResolvers<Uint8Array>(), job };
    this.#queue.push(waiting);
    this.#serveQueue();
    return waiting.promise;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new Error("The render pool is closed"));
    for (const thread of this.#threads) thread.stop("The render pool is closed");
  }

  #serveQueue(): void {
    const thread = this.#queue.length > 0 && this.#freeThread();
    const next = thread && this.#queue.shift();
    if (!thread || !next) return;
    const settled = thread.run(next.job).then(next.resolve, next.reject);
    void settled.then(() => this.#serveQueue());
  }

  #freeThread(): RenderThread | null {
    const free = [...this.#threads].find((thread) => !thread.busy);
    if (free) return free;
    return this.#threads.size < this.#options.threads ? this.#startThread() : null;
  }

  #startThread(): RenderThread {
    const thread = new RenderThread(this.#options.entry, this.#options, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }
}
