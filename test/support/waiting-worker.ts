/* Answers statements for waiting-postgres.ts, which waits for each. */
import { SQL } from "bun";
import type { MessagePort } from "node:worker_threads";

export type Question = {
  readonly url: string;
  /** Null closes the connection. */
  readonly statement: string | null;
};

export type Asked = Question & { readonly number: number };

export type Answer = { readonly rows: readonly unknown[] } | { readonly failed: string };

export type Answered = { readonly number: number; readonly answer: Answer };

/** The first message says where answers go. */
export type Start = { readonly port: MessagePort; readonly flag: Int32Array };

declare const self: Worker;

const connections = new Map<string, SQL>();
let start: Start | null = null;

self.addEventListener("message", ({ data }: MessageEvent<Start | Asked>) => {
  if ("port" in data) start = data;
  else void answer(data).then((found) => send({ number: data.number, answer: found }));
});

function send(answered: Answered): void {
  if (start === null) return;
  start.port.postMessage(answered);
  Atomics.store(start.flag, 0, 1);
  Atomics.notify(start.flag, 0);
}

async function answer({ url, statement }: Question): Promise<Answer> {
  try {
    const sql = connections.get(url) ?? new SQL({ url, max: 1, connectionTimeout: 10 });
    connections.set(url, sql);
    if (statement !== null) return { rows: [...(await sql.unsafe(statement))] };
    connections.delete(url);
    await sql.close();
    return { rows: [] };
  } catch (error) {
    return { failed: String(error) };
  }
}
