import { PlainError } from "../../../kernel/errors.ts";
import { databaseMs, leaseSeconds, prolongMs } from "./lease.ts";
import type { Sender } from "../../sql/sender.ts";

/** How long after its last sign a node counts as running. */
export const aliveSeconds = 15;
/** How often a node gives a sign. */
const beatMs = 4_000;
/** Rows of nodes that ended without a word are shown for a day. */
const keptSeconds = 24 * 60 * 60;
/**
 * A leader whose lease ends sooner has missed two prolongations: it is away, also while no other node may
 * lead yet.
 */
const leadMsMin = leaseSeconds * 1000 - 2 * prolongMs;
/**
 * Releases whose schema is older write no digests, and leave in a row what a former node of the name wrote.
 */
const settingsSchema = 3;

/** A node of the community, as `cloakroom nodes` lists it. */
export type Node = {
  readonly name: string;
  readonly version: string;
  /** The number of migrations that its release knows. */
  readonly schema: number;
  /** Unix milliseconds, by the database's clock. */
  readonly startedAt: number;
  /** Since its last sign. */
  readonly silentSeconds: number;
  readonly isAlive: boolean;
  readonly leads: boolean;
  /** Digests of the settings that all nodes share, by name; null for a release that writes none. */
  readonly settings: Readonly<Record<string, string>> | null;
};

type OwnNode = Pick<Node, "name" | "version" | "schema"> & {
  readonly settings: Readonly<Record<string, string>>;
};

/**
 * All nodes, by name: those that run, and for a day those that ended without a word. Reads schemas without
 * `settings` as well.
 */
export async function listNodes(sender: Sender): Promise<readonly Node[]> {
  const rows = await sender.send(
    `SELECT nodes.name, version, schema, started_at, (${databaseMs} - seen_at) / 1000,
       EXISTS (SELECT 1 FROM leases WHERE leases.name = 'leader' AND until > ${databaseMs} + $1
         AND holder = nodes.name || '/' || started_at),
       to_jsonb(nodes) ->> 'settings'
     FROM nodes ORDER BY nodes.name`,
    [leadMsMin],
  );
  return rows.map(([name, version, schema, startedAt, silent, leads, settings]) => {
    const isAlive = Number(silent) < aliveSeconds;
    return {
      name: String(name),
      version: String(version),
      schema: Number(schema),
      startedAt: Number(startedAt),
      silentSeconds: Math.max(0, Number(silent)),
      isAlive,
      leads: isAlive && leads === true,
      settings: Number(schema) < settingsSchema ? null : parseSettings(settings),
    };
  });
}

function parseSettings(text: unknown): Node["settings"] {
  if (typeof text !== "string") return null;
  return Object.fromEntries(
    text.split(",").map((part): [string, string] => {
      const [name = "", digest = ""] = part.split("=");
      return [name, digest];
    }),
  );
}

function settingsText(settings: OwnNode["settings"]): string {
  return Object.entries(settings)
    .map(([name, digest]) => `${name}=${digest}`)
    .join();
}

/** Fails with conflict while a node runs: what replaces or removes rows that it relies on would break it. */
export async function refuseLiveNodes(sender: Sender): Promise<void> {
  const alive = (await listNodes(sender)).filter(({ isAlive }) => isAlive).map(({ name }) => name);
  if (alive.length === 0) return;
  throw new PlainError(
    "conflict",
    `${alive.join(", ")} ${alive.length === 1 ? "serves" : "serve"} from this database: stop every node first` +
      ` (one that was killed counts for ${aliveSeconds} seconds)`,
  );
}

/** This process among the nodes. */
export type Membership = AsyncDisposable & {
  /**
   * What the leader's lease calls it: no other process has this name, not even the next one of the same node.
   */
  readonly holder: string;
};

/** How a node reaches the list of nodes. */
export type NodeTable = {
  /** For single statements. */
  readonly sender: Sender;
  /** Runs the work in a serializable transaction, again after a conflict. */
  readonly atOnce: (work: (session: Sender) => Promise<void>) => Promise<void>;
};

export type NodeRules = {
  /**
   * Fails with conflict where this node must not serve beside these, which run: at its start all others,
   * later those that started before it.
   */
  readonly refuse: (others: readonly Node[]) => void;
  /** Before each sign. Fails with conflict where this node must not go on. */
  readonly onBeat: () => Promise<void>;
  /** After each sign. */
  readonly onNodes: (nodes: readonly Node[]) => void;
  /** A sign, or what belongs to it, failed: the next one tries again. */
  readonly onFault: (error: unknown) => void;
};

/**
 * Enters the nodes and gives a sign every few seconds, until it is disposed of, which takes the row away.
 * Resolves to null while another node that runs has the name; fails with what `refuse` does. A node that runs
 * is never refused for one that started later, whichever is the first to be back after an outage of the
 * database.
 */
export async function enterNodes(
  { sender, atOnce }: NodeTable,
  own: OwnNode,
  { refuse, onBeat, onNodes, onFault }: NodeRules,
): Promise<Membership | null> {
  const { name } = own;
  const rivals = (nodes: readonly Node[], since: number | null): readonly Node[] =>
    nodes.filter(
      (node) =>
        node.isAlive && node.name !== name && (since === null || isBefore(node, { name, startedAt: since })),
    );
  // Of two that enter at once, one runs again and finds the other.
  const enter = async (since: number | null): Promise<number | null> => {
    let entered: number | null = null;
    await atOnce(async (session) => {
      refuse(rivals(await listNodes(session), since));
      entered = await insertNode(session, own, since);
    });
    return entered;
  };
  const startedAt = await enter(null);
  if (startedAt === null) return null;
  const look = async (): Promise<void> => {
    const nodes = await listNodes(sender);
    onNodes(nodes);
    // One that started before this one may have been silent when this one entered.
    refuse(rivals(nodes, startedAt));
  };
  const beat = async (): Promise<void> => {
    await onBeat();
    const found = await sender.send(
      `UPDATE nodes SET seen_at = ${databaseMs}
       WHERE name = $1 AND started_at = $2 AND seen_at > ${databaseMs} - $3 RETURNING name`,
      [name, startedAt, aliveSeconds * 1000],
    );
    // Silent for so long that others did not count with it: the same row again, unless another node has the
    // name by now.
    if (found.length === 0) await enter(startedAt);
    await look();
  };
  let beating: Promise<unknown> = look().catch(onFault);
  const timer = setInterval(() => {
    beating = beat().catch(onFault);
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

type Start = Pick<Node, "name" | "startedAt">;

/** Of two that started in one moment, the name decides. */
function isBefore(one: Start, other: Start): boolean {
  return one.startedAt === other.startedAt ? one.name < other.name : one.startedAt < other.startedAt;
}

/**
 * Resolves to the time of the start, by which two processes of one name differ; null while another one that
 * runs has the name.
 */
async function insertNode(
  sender: Sender,
  { name, version, schema, settings }: OwnNode,
  startedAt: number | null,
): Promise<number | null> {
  const [row] = await sender.send(
    `INSERT INTO nodes (name, version, schema, started_at, seen_at, settings)
     VALUES ($1, $2, $3, coalesce($4, ${databaseMs}), ${databaseMs}, $5)
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, schema = excluded.schema,
       started_at = excluded.started_at, seen_at = excluded.seen_at, settings = excluded.settings
     WHERE nodes.seen_at <= ${databaseMs} - $6 RETURNING started_at`,
    [name, version, schema, startedAt, settingsText(settings), aliveSeconds * 1000],
  );
  return row === undefined ? null : Number(row[0]);
}

/** Removes the rows of nodes that have been silent for a day. The leader does. */
export async function pruneNodes(sender: Sender): Promise<void> {
  await sender.send(`DELETE FROM nodes WHERE seen_at < ${databaseMs} - $1`, [keptSeconds * 1000]);
}
