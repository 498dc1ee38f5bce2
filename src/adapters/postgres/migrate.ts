/** Brings a database's schema up to date, while other nodes may do the same or serve. */
import { setTimeout as pause } from "node:timers/promises";
import { PlainError } from "../../kernel/errors.ts";
import type { ServerSession } from "./connections/connection.ts";
import { stateOf } from "./connections/faults.ts";
import { holdLease, leaseOf, type Lease } from "./cluster/lease.ts";
import { migrations, type Migration } from "./migrations.ts";
import { refuseMoving } from "./move/moving.ts";
import { listNodes } from "./cluster/nodes.ts";
import { firstTables, positionText, readPosition, refuseNewer, type SchemaPosition } from "./schema-mark.ts";
import { addSearchIndex, withoutSearchIndex } from "./search-index.ts";
import type { Sender } from "../sql/sender.ts";
import { openWorkSession, type NotedDatabase, type Patience } from "./connections/work-session.ts";

/** What bringing the schema up to date needs. */
export type SchemaWork = {
  /** A connection of its own, whose statements may take long. */
  readonly session: ServerSession;
  /** Tries once to take the lease of migrations; null while another node has it. */
  readonly hold: () => Promise<AsyncDisposable | null>;
  /** Shows the operator what this waits for, and what the database lacks. */
  readonly say: (text: string) => void;
  /** Ends waiting. */
  readonly stopping?: AbortSignal | undefined;
};

/** How long another node's work on the schema is waited for. */
const waitSecondsMax = 60;
const pauseMilliseconds = 500;

/** As of a database in a file; this one is never copied first. */
export type MigrationReport = { readonly applied: readonly string[]; readonly copy: null };

type MigrationOptions = Pick<SchemaWork, "say" | "stopping"> & {
  /** Names this process to the other nodes. */
  readonly holder: string;
  readonly patience?: Patience;
};

/** See `migrateSchema`. */
export async function migratePostgres(
  database: NotedDatabase,
  { holder, say, patience, stopping }: MigrationOptions,
): Promise<MigrationReport> {
  await using opened = new AsyncDisposableStack();
  const session = opened.use(await openWorkSession(database, patience, "writes"));
  await refuseMoving(session);
  let lease: Lease | null = null;
  const hold = async (): Promise<AsyncDisposable | null> => {
    // A connection of its own: it is prolonged while a statement runs on the other one.
    lease ??= leaseOf(opened.use(await openWorkSession(database)), "migrations", holder);
    return holdLease(lease);
  };
  return await migrateSchema({ session, hold, say, stopping });
}

/** Makes the schema of a database that a move fills: no node is there to wait for. */
export async function migrateMoved(session: ServerSession): Promise<void> {
  const alone: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };
  await migrateSchema({ session, hold: () => Promise.resolve(alone), say: () => undefined });
}

/** See `planSchema`. */
export async function planPostgres(database: NotedDatabase): Promise<MigrationReport> {
  await using session = await openWorkSession(database);
  return await planSchema(session);
}

/** What `migrateSchema` would do. Changes nothing. */
export async function planSchema(sender: Sender, all = migrations): Promise<MigrationReport> {
  const position = await readPosition(sender);
  if (position !== null) refuseNewer(position, all.length);
  return { applied: all.slice(position?.complete ?? 0).map(({ name }) => name), copy: null };
}

/**
 * Runs every statement that the database has not seen, each in a transaction that also notes it, so that a
 * killed node's work is continued. One node does it; the others wait, and fail with conflict after 60 s.
 * Fails with conflict as well for a database that is not cloakroom's or that a newer release wrote, and while
 * a node runs that could not work with the next schema.
 */
export async function migrateSchema(work: SchemaWork, all = migrations): Promise<MigrationReport> {
  const first = await readPosition(work.session);
  if (first !== null) refuseNewer(first, all.length);
  const applied = new Set<string>();
  if (first !== null && first.complete >= all.length) {
    await indexSearches(work, { mayExtend: false });
    return { applied: [], copy: null };
  }
  await makeFirstTables(work.session, all);
  await using _held = await waitFor(work, {
    what: "another node brings the database up to date",
    attempt: work.hold,
  });
  for (;;) {
    const position = (await readPosition(work.session)) ?? { complete: 0, statements: 0 };
    const migration = all[position.complete];
    if (migration === undefined) break;
    if (position.statements === 0) await waitForOldNodes(work, position.complete);
    applied.add(migration.name);
    await runStatement(work.session, migration, position);
    if (position.statements + 1 >= migration.statements.length) await migration.finish?.(work.session);
  }
  await indexSearches(work, { mayExtend: true });
  return { applied: [...applied], copy: null };
}

async function indexSearches(
  { session, say }: SchemaWork,
  how: { readonly mayExtend: boolean },
): Promise<void> {
  if (!(await addSearchIndex(session, how))) say(withoutSearchIndex);
}

/** Of two nodes that make the same table at once, one may fail: the other has made it. */
export async function makeFirstTables(session: Sender, all = migrations): Promise<void> {
  const statements = all.flatMap((migration) => migration.statements);
  for (const table of firstTables) {
    const statement = statements.find((one) => one.startsWith(`CREATE TABLE IF NOT EXISTS "${table}" `));
    if (statement === undefined) throw new Error(`no migration makes the table ${table}`);
    await session.send(statement, []).catch((cause: unknown) => {
      if (!isMade(cause) && stateOf(cause) !== "23505") throw cause;
    });
  }
  await session.send("INSERT INTO marks (name, value) VALUES ('schema', $1) ON CONFLICT DO NOTHING", [
    positionText({ complete: 0, statements: 0 }),
  ]);
}

/** The mark's row keeps other nodes from the same statement, should the lease have ended meanwhile. */
async function runStatement(
  session: ServerSession,
  migration: Migration,
  position: SchemaPosition,
): Promise<void> {
  const statement = migration.statements[position.statements] ?? "";
  const isLast = position.statements + 1 >= migration.statements.length;
  const next = isLast
    ? { complete: position.complete + 1, statements: 0 }
    : { complete: position.complete, statements: position.statements + 1 };
  const note = (): Promise<readonly unknown[]> =>
    session.send("UPDATE marks SET value = $1 WHERE name = 'schema' AND value = $2 RETURNING name", [
      positionText(next),
      positionText(position),
    ]);
  await session.command("BEGIN ISOLATION LEVEL READ COMMITTED");
  try {
    const moved = await note();
    // Another node has run it: the caller reads again how far the database is.
    if (moved.length > 0) await session.send(statement, []);
    await session.command("COMMIT");
  } catch (cause) {
    await session.command("ROLLBACK");
    // Where the statement is kept although its transaction failed, as on engines that run it on its own.
    if (!isMade(cause)) throw cause;
    await note();
  }
}

/** A node runs with its own schema and with the next one, so one that is older has to end first. */
async function waitForOldNodes(work: SchemaWork, complete: number): Promise<void> {
  if (complete === 0) return;
  const old = async (): Promise<string | null> => {
    const nodes = await listNodes(work.session);
    return nodes.find(({ isAlive, schema }) => isAlive && schema < complete)?.name ?? null;
  };
  const name = await old();
  if (name === null) return;
  await waitFor(work, {
    what: `the node ${name} is too old for the next schema`,
    attempt: async () => ((await old()) === null ? true : null),
  });
}

async function waitFor<T>(
  { say, stopping }: SchemaWork,
  { what, attempt }: { readonly what: string; readonly attempt: () => Promise<T | null> },
): Promise<T> {
  const until = performance.now() + waitSecondsMax * 1000;
  for (let isFirst = true; ; isFirst = false) {
    const got = await attempt();
    if (got !== null) return got;
    if (isFirst) say(`${what}: waiting for up to ${waitSecondsMax} s`);
    if (performance.now() >= until)
      throw new PlainError("conflict", `${what}: it took longer than ${waitSecondsMax} s`);
    await pause(pauseMilliseconds, undefined, { signal: stopping });
  }
}

/** What a statement makes is there already: a table or index, a column, a constraint. */
const madeStates = new Set(["42P07", "42701", "42710"]);

function isMade(error: unknown): boolean {
  return madeStates.has(stateOf(error) ?? "");
}
