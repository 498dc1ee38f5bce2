import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { openPostgres, type PostgresDatabase } from "../../src/adapters/postgres/database.ts";
import { lentDatabase } from "../support/lent-postgres.ts";

export type TwoDatabases = AsyncDisposable & {
  readonly nodes: readonly [PostgresDatabase, PostgresDatabase];
  /** The address of their database. */
  readonly url: string;
};

/** Two nodes on an empty database of their own. */
export async function openTwoDatabases(): Promise<TwoDatabases> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await lentDatabase());
  const open = async (nodeName: string) => opened.use(await openNode(url, nodeName));
  const nodes = [await open("one"), await open("two")] as const;
  const closing = opened.move();
  return { nodes, url, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

function openNode(url: string, nodeName: string): Promise<PostgresDatabase> {
  const log = { info: () => undefined, warn: () => undefined };
  return openPostgres({
    setting: { address: parseAddress(url), readAddress: null, poolMax: 10, prepared: true },
    nodeName,
    log,
  });
}
