import { join } from "node:path";
import type { AttackJob, AttackResult } from "./attacker.ts";
import type { BaselineAnswer } from "./baseline.ts";
import type { LoadJob, LoadResult } from "./load.ts";
import type { PipelineJob, PipelineResult } from "./pipeliner.ts";

/** Another process of the bench that answers one message with one. Scopes end it. */
export type Peer<Question, Answer> = Disposable & { readonly ask: (question: Question) => Promise<Answer> };

/** Starts a load generator. */
export function startLoad(): Peer<LoadJob, LoadResult> {
  return startPeer("load.ts");
}

/** Starts an attacker. */
export function startAttacker(): Peer<AttackJob, AttackResult> {
  return startPeer("attacker.ts");
}

/** Starts clients that pipeline. */
export function startPipeliner(): Peer<PipelineJob, PipelineResult> {
  return startPeer("pipeliner.ts");
}

/** Starts a bare server; its answer is the port. */
export function startBaseline(): Peer<BaselineAnswer, number> {
  return startPeer("baseline.ts");
}

function startPeer<Question, Answer>(file: string): Peer<Question, Answer> {
  let waiting = Promise.withResolvers<Answer>();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, file)], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (answer: Answer) => waiting.resolve(answer),
    onExit: () => waiting.reject(new Error(`${file} ended before it answered`)),
  });
  return {
    ask: (question) => {
      waiting = Promise.withResolvers();
      child.send(question);
      return waiting.promise;
    },
    [Symbol.dispose]: () => {
      // There is no waiting request; without a listener the rejection would end the bench.
      waiting.promise.catch(() => {});
      child.kill();
    },
  };
}
