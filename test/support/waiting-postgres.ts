/*
 * PostgreSQL as bun:sqlite is: a statement returns its rows, and the test stands still meanwhile. So the same
 * tests read both engines past the service. A thread asks, since no driver does it without the event loop.
 */
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import type { Answer, Answered, Asked, Question, Start } from "./waiting-worker.ts";

const waitMs = 20_000;

export type WaitingPostgres = Disposable & {
  /** Returns the rows as objects. int8 is a number. */
  readonly rows: (statement: string) => readonly Readonly<Record<string, unknown>>[];
  readonly change: (statement: string) => void;
};

/** Connects when the first statement is asked. */
export function openWaiting(url: string): WaitingPostgres {
  return {
    rows: (statement) => {
      // The boundary: of rows, JSON holds the columns that the statement names.
      const [row] = ask({ url, statement: `SELECT json_agg(one)::text AS json FROM (${statement}) one` });
      const { json } = row as { readonly json: string | null };
      return json === null ? [] : JSON.parse(json);
    },
    change: (statement) => void ask({ url, statement }),
    [Symbol.dispose]: () => void ask({ url, statement: null }),
  };
}

type Thread = Start & { readonly worker: Worker };

let thread: Thread | null = null;
let asked = 0;

function ask(question: Question): readonly unknown[] {
  thread ??= startThread();
  const { worker, port, flag } = thread;
  const number = ++asked;
  Atomics.store(flag, 0, 0);
  worker.postMessage({ ...question, number } satisfies Asked);
  if (Atomics.wait(flag, 0, 0, waitMs) === "timed-out") throw new Error(`no answer to ${question.statement}`);
  const answer = receive(port, number);
  if (answer === null) throw new Error(`the answer to ${question.statement} did not arrive`);
  if ("failed" in answer) throw new Error(`${answer.failed}: ${question.statement}`);
  return answer.rows;
}

/**
 * The flag may come before the message. Answers to earlier questions, which were given up, are passed over.
 */
function receive(port: Start["port"], number: number): Answer | null {
  for (let tries = 0; tries < waitMs; tries++) {
    // The boundary: waiting-worker.ts sends nothing else.
    const received: { readonly message: Answered } | undefined = receiveMessageOnPort(port);
    if (received?.message.number === number) return received.message.answer;
    if (received === undefined) Bun.sleepSync(1);
  }
  return null;
}

function startThread(): Thread {
  const { port1, port2 } = new MessageChannel();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("waiting-worker.ts", import.meta.url));
  worker.unref();
  worker.postMessage({ port: port2, flag }, [port2]);
  return { worker, port: port1, flag };
}
