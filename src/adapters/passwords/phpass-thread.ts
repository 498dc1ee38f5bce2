/** Computes phpass in a thread: its loop is ours and would hold up the event loop. */
import type { PhpassCall, PhpassInput, PhpassReply } from "./phpass-digest.ts";

/**
 * The thread's code. In the binary all code is one file at the root, and the build keeps the entry's path.
 */
const entry = new URL(
  Bun.isStandaloneExecutable ? "./adapters/passwords/phpass-worker.ts" : "./phpass-worker.ts",
  import.meta.url,
);

/** An idle thread takes some megabytes, and starting one some 30 ms. */
const idleMilliseconds = 60_000;

/** The thread, while there is one. The queue of hashes bounds how many calls it has. */
let thread: PhpassThread | null = null;
let calls = 0;

/** The digest, as `phpassDigest` computes it. Fails when the thread ends. */
export function phpassInThread(input: PhpassInput): Promise<string> {
  thread ??= new PhpassThread(() => (thread = null));
  return thread.run({ ...input, id: calls++ });
}

/** Never keeps the process alive without a call. */
class PhpassThread {
  readonly #worker = new Worker(entry.href, { ref: false });
  readonly #calls = new Map<number, PromiseWithResolvers<string>>();
  readonly #onEnd: () => void;
  #idle: Timer | undefined;
  #ended = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<PhpassReply>) => this.#finish(data));
    this.#worker.addEventListener("error", ({ message }) => this.#end(message));
    this.#worker.addEventListener("close", () => this.#end("it ended"));
  }

  run(call: PhpassCall): Promise<string> {
    clearTimeout(this.#idle);
    const waiting = Promise.withResolvers<string>();
    this.#calls.set(call.id, waiting);
    this.#worker.ref();
    this.#worker.postMessage(call);
    return waiting.promise;
  }

  #finish({ id, digest }: PhpassReply): void {
    this.#calls.get(id)?.resolve(digest);
    this.#calls.delete(id);
    if (this.#calls.size > 0) return;
    this.#worker.unref();
    this.#idle = setTimeout(() => this.#end("it had nothing to do"), idleMilliseconds).unref();
  }

  /** Another thread may have begun by the time when the end of this one is reported. */
  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#idle);
    this.#onEnd();
    this.#worker.terminate();
    for (const { reject } of this.#calls.values())
      reject(new Error(`The thread of phpass failed: ${reason}`));
    this.#calls.clear();
  }
}
