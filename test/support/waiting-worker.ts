/* Answers statements for waiting-postgres.ts, which waits for each. */
import { SQL } from "bun";
import type { MessagePort } from "node:worker_threads";

export type Question = {
  readonly url: string;
  /** Null closes the connection. */
  readonly statement: string | null;
};

export type Answer = { readonly rows: readonly unknown[] } | { readonly failed: string };

/** The first message says where answers go. */
export type Start = { readonly port: MessagePort; readonly flag: Int32Array };

declare const self: Worker;

const connections = new Map<string, SQL>();
let start: Start | null = null;

self.addEventListener("message", ({ data }: MessageEvent<Start | Question>) => {
  if ("port" in data) start = data;
  else void answer(data).then(send);
});

function send(found: Answer): void {
  if (start === null) return;
  start.port.postMessage(found);
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
