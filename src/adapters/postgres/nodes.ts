import { AppError } from "../../kernel/errors.ts";
import { databaseMs } from "./lease.ts";
import type { Sender } from "./sender.ts";

/** How long after its last sign a node counts as running. */
const aliveSeconds = 15;
/** How often a node gives a sign. */
const beatMs = 4_000;
/** Rows of nodes that ended without a word are shown for a day. */
const keptSeconds = 24 * 60 * 60;

/** A node of the community, as `cloakroom nodes` lists it. */
export type Node = {
  readonly name: string;
  readonly version: string;
  /** The number of migrations that its release knows. */
  readonly schema: number;
  /** Unix seconds, by the database's clock. */
  readonly startedAt: number;
  /** Since its last sign. */
  readonly silentSeconds: number;
  readonly isAlive: boolean;
  readonly leads: boolean;
};

type OwnNode = Pick<Node, "name" | "version" | "schema">;

/** All nodes, by name: those that run, and for a day those that ended without a word. */
export async function listNodes(sender: Sender): Promise<readonly Node[]> {
  const rows = await sender.send(
    `SELECT nodes.name, version, schema, started_at / 1000, (${databaseMs} - seen_at) / 1000,
       EXISTS (SELECT 1 FROM leases WHERE leases.name = 'leader' AND until > ${databaseMs}
         AND holder = nodes.name || '/' || started_at)
     FROM nodes ORDER BY nodes.name`,
    [],
  );
  return rows.map(([name, version, schema, startedAt, silent, leads]) => ({
    name: String(name),
    version: String(version),
    schema: Number(schema),
    startedAt: Number(startedAt),
    silentSeconds: Math.max(0, Number(silent)),
    isAlive: Number(silent) < aliveSeconds,
    leads: leads === true,
  }));
}

/** Fails with conflict while a node runs: what replaces or removes rows that it relies on would break it. */
export async function refuseLiveNodes(sender: Sender): Promise<void> {
  const alive = (await listNodes(sender)).filter(({ isAlive }) => isAlive).map(({ name }) => name);
  if (alive.length === 0) return;
  throw new AppError(
    "conflict",
    `${alive.join(", ")} ${alive.length === 1 ? "serves" : "serve"} from this database: stop every node first` +
      ` (one that was killed counts for ${aliveSeconds} seconds)`,
  );
}

/** This process among the nodes. */
export type Membership = AsyncDisposable & {
  /** What the leader's lease calls it: no other process has this name, not even the next one of the same node. */
  readonly holder: string;
};

/**
 * Enters the nodes and gives a sign every few seconds, until it is disposed of, which takes the row away. `onBeat` is awaited
 * before each sign. Resolves to null while another node that runs has the name.
 */
export async function enterNodes(
  sender: Sender,
  own: OwnNode,
  onBeat: () => Promise<void>,
): Promise<Membership | null> {
  const startedAt = await insertNode(sender, own);
  if (startedAt === null) return null;
  const { name } = own;
  let beating: Promise<unknown> = Promise.resolve();
  const beat = async (): Promise<void> => {
    await onBeat();
    const found = await sender.send(
      `UPDATE nodes SET seen_at = ${databaseMs} WHERE name = $1 AND started_at = $2 RETURNING name`,
      [name, startedAt],
    );
    // Away for so long that the row was removed: the same row again, unless another node has the name by now.
    if (found.length === 0) await insertNode(sender, own, startedAt);
  };
  const timer = setInterval(() => {
    // The next one tries again; the pool's own line says that the database is away.
    beating = beat().catch(() => undefined);
  }, beatMs);
  return {
    holder: `${name}/${startedAt}`,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await beating;
      await sender
        .send("DELETE FROM nodes WHERE name = $1 AND started_at = $2", [name, startedAt])
        .catch(() => undefined);
    },
  };
}

/** Resolves to the time of the start, by which two processes of one name differ; null while another one that runs has the name. */
async function insertNode(
  sender: Sender,
  { name, version, schema }: OwnNode,
  startedAt: number | null = null,
): Promise<number | null> {
  const [row] = await sender.send(
    `INSERT INTO nodes (name, version, schema, started_at, seen_at)
     VALUES ($1, $2, $3, coalesce($4, ${databaseMs}), ${databaseMs})
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, schema = excluded.schema,
       started_at = excluded.started_at, seen_at = excluded.seen_at
     WHERE nodes.seen_at <= ${databaseMs} - $5 RETURNING started_at`,
    [name, version, schema, startedAt, aliveSeconds * 1000],
  );
  return row === undefined ? null : Number(row[0]);
}

/** Removes the rows of nodes that have been silent for a day. The leader does. */
export async function pruneNodes(sender: Sender): Promise<void> {
  await sender.send(`DELETE FROM nodes WHERE seen_at < ${databaseMs} - $1`, [keptSeconds * 1000]);
}
