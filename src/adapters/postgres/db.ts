import { NoopCache } from "drizzle-orm/cache/core";
import type { SQL } from "drizzle-orm";
import { NoopLogger } from "drizzle-orm/logger";
import { PgDialect, type PreparedQueryConfig } from "drizzle-orm/pg-core";
import { PgRemoteDatabase, PgRemoteSession, PreparedQuery, type RemoteCallback } from "drizzle-orm/pg-proxy";
import type { Row, Sender } from "./sender.ts";

/** What stores build statements with. `$client` sends a text as it is, for the few statements of the hottest paths. */
export type Db = PgRemoteDatabase & { readonly $client: Sender };

/** Builds statements whose texts go through the sender. One that ends with `.prepare()` is built once. */
export function openDb(sender: Sender): Db {
  const dialect = new PgDialect();
  const session = new PlainSession(
    async (text, values) => ({ rows: [...(await sender.send(text, values))] }),
    dialect,
  );
  return Object.assign(new PgRemoteDatabase(dialect, session, undefined), { $client: sender });
}

type NoSchema = Record<string, never>;
type PrepareArguments = Parameters<PgRemoteSession<NoSchema, NoSchema>["prepareQuery"]>;

const logger = new NoopLogger();
const cache = new NoopCache();

class PlainSession extends PgRemoteSession<NoSchema, NoSchema> {
  readonly #send: RemoteCallback;

  constructor(send: RemoteCallback, dialect: PgDialect) {
    super(send, dialect, undefined);
    this.#send = send;
  }

  /** For `$count`: rows are arrays here. */
  override async count(query: SQL): Promise<number> {
    const [row] = await this.execute<readonly Row[]>(query);
    return Number(row?.[0]);
  }

  override prepareQuery<T extends PreparedQueryConfig>(
    ...[query, fields, _name, isArrayMode, mapper]: PrepareArguments
  ): PreparedQuery<T> {
    const { sql, params, typings } = query;
    return new PlainQuery<T>(
      this.#send,
      sql,
      params,
      typings,
      logger,
      cache,
      undefined,
      undefined,
      fields,
      isArrayMode,
      mapper,
    );
  }
}

/**
 * drizzle puts the values of a failed statement into its error's message: addresses, hashes, codes. Here the sender's error goes
 * on as it is.
 */
class PlainQuery<T extends PreparedQueryConfig> extends PreparedQuery<T> {
  /** Called by `execute` of the class above, whose types leave it out. */
  queryWithCache<Result>(
    _text: string,
    _values: readonly unknown[],
    query: () => Promise<Result>,
  ): Promise<Result> {
    return query();
  }
}
