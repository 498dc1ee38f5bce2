import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import type { Sender } from "../sql/sender.ts";

/**
 * Sends statements to one handle, each prepared once: the texts are those of the stores, so they are few.
 * SQLite answers at once; only the type waits, as it has to on PostgreSQL.
 */
export function openSender(client: Database): Sender {
  const prepared = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  const prepare = (text: string) => {
    const statement = client.prepare<unknown, SQLQueryBindings[]>(numbered(text));
    prepared.set(text, statement);
    return statement;
  };
  return {
    dialect: "sqlite",
    send: async (text, values) =>
      // Stores give what columns hold: texts, numbers, flags and nulls.
      (prepared.get(text) ?? prepare(text)).values(...(values as SQLQueryBindings[])),
  };
}

/** SQLite's numbers of values begin with another sign. */
export function numbered(text: string): string {
  return text.replaceAll(/\$(\d+)/g, "?$1");
}
