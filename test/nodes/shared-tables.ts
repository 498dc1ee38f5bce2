import { SQL } from "bun";
import { migrations } from "../../src/adapters/postgres/migrations.ts";
import type { Sender } from "../../src/adapters/sql/sender.ts";
import { refusals } from "../../src/domain/model/refusals.ts";
import { databaseLike } from "../support/postgres.ts";

/** A node's way to the database: it counts what is sent, and can be cut. */
export type NodeSender = Sender & {
  readonly sent: () => number;
  /** Until the result is disposed of, the database cannot be asked. */
  readonly cut: () => Disposable;
};

/** An empty community on PostgreSQL, which several nodes share. */
export async function openSharedTables(): Promise<AsyncDisposable & { readonly join: () => NodeSender }> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await databaseLike({ name: modelName, fill }));
  const closing = opened.move();
  return {
    join: () => {
      const client = new SQL(url, { max: 4 });
      closing.defer(() => client.close({ timeout: 0 }));
      return nodeSender(client);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const statements = migrations.flatMap((migration) => migration.statements);
const modelName = `cloakroom_${Bun.hash(statements.join()).toString(36)}`;

async function fill(url: string): Promise<void> {
  const client = new SQL(url, { max: 1 });
  for (const text of statements) await client.unsafe(text);
  await client.close();
}

function nodeSender(client: SQL): NodeSender {
  let sent = 0;
  let isCut = false;
  return {
    send: async (text, values) => {
      if (isCut) throw refusals.unavailable();
      sent += 1;
      return client.unsafe<unknown[][]>(text, [...values]).values();
    },
    sent: () => sent,
    cut: () => {
      isCut = true;
      return { [Symbol.dispose]: () => void (isCut = false) };
    },
  };
}
