/* Communities on PostgreSQL for benchmarks, each in a database of its own on the server of the tests. */
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { postgresMissing, emptyDatabase } from "../support/postgres.ts";
import { fillAccounts, jwtSecret } from "./accounts-data.ts";
import type { Served } from "./request-costs.ts";
import type { Server, Subject } from "./subject.ts";

/** The same community on both engines. */
export type BothEngines = AsyncDisposable & {
  readonly members: Served["members"];
  readonly onSqlite: () => Promise<Server>;
  /** A further node of the same database. */
  readonly onPostgres: (settings?: Readonly<Record<string, string>>) => Promise<Server>;
  readonly url: string;
};

/** Whether there is no PostgreSQL, and says so. */
export function isPostgresMissing(what: string): boolean {
  if (postgresMissing !== null) console.error(`bench: NOT RUN: ${what} (${postgresMissing})`);
  return postgresMissing !== null;
}

/** Fills a data folder and moves it into a database, as an operator does. */
export async function fillBoth(
  subject: Subject,
  count: { readonly accounts: number; readonly signedIn: number },
): Promise<BothEngines> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await emptyDatabase());
  const folder = join(subject.folder, `both-${crypto.randomUUID().slice(0, 8)}`);
  const [files, node] = [join(folder, "sqlite"), join(folder, "node")];
  await mkdir(node, { recursive: true });
  const members = await fillAccounts(files, { ...count, textureFiles: true });
  await move(subject, { DATA_DIR: files, JWT_SECRET: jwtSecret, MOVE_TO: url });
  await cp(join(files, "textures"), join(node, "textures"), { recursive: true });
  await using sql = new SQL({ url, max: 1 });
  // As the server's own autovacuum does sooner or later.
  await sql.unsafe("VACUUM ANALYZE");
  const closing = opened.move();
  return {
    members,
    url,
    onSqlite: () => subject.serve(files, { JWT_SECRET: jwtSecret }),
    onPostgres: (settings = {}) =>
      subject.serve(node, { DATABASE_URL: url, JWT_SECRET: jwtSecret, ...settings }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Runs the command, and returns its seconds. */
export async function move(subject: Subject, settings: Readonly<Record<string, string>>): Promise<number> {
  const start = performance.now();
  await Bun.$`${subject.binary} move --json`.env({ ...settings }).quiet();
  return (performance.now() - start) / 1000;
}
