/* Nodes are killed again and again while everything that writes goes on, over PostgreSQL and a bucket. */
import { SQL } from "bun";
import { lentDatabase } from "../support/lent-postgres.ts";
import { testBucket, type TestBucket } from "../support/bucket.ts";
import type { NodeProcess, Nodes } from "../nodes/node-processes.ts";
import type { StoredFile } from "./examine.ts";
import { randomFrom } from "./random.ts";
import { openWrittenNodes, type WrittenNodes } from "./written-nodes.ts";

export type NodeKills = {
  readonly kills: number;
  readonly players: number;
  readonly newcomersAtOnce: number;
  readonly seed: number;
};

export type NodeKillReport = {
  /** What did not hold, with the number of kills before it was found. */
  readonly wrong: readonly string[];
  readonly kills: number;
  readonly answered: number;
  readonly cutOff: number;
  readonly mails: number;
  /** Mails that came more than once, beyond those that were on their way when their sender was killed. */
  readonly twice: number;
  readonly forgiven: number;
  /** From the kill of a leader to the next one's lease. */
  readonly leaderMs: readonly number[];
  readonly unavailable: number;
  readonly slowestMs: number;
  readonly errors: readonly string[];
};

/** A node lives this long from when the crowd has it. */
const lifeMs = { min: 100, max: 1500 } as const;

type Place = { node: NodeProcess; name: string };

export async function killNodes({ kills, ...given }: NodeKills): Promise<NodeKillReport> {
  const random = randomFrom(given.seed + 1000);
  await using database = await lentDatabase();
  await using bucket = await testBucket();
  await using sql = new SQL({ url: database.url, max: 2 });
  const settings = { BLOBS: bucket.url, ...accessTo(bucket), LOG_LEVEL: "error" };
  const places: Place[] = [];
  const killed: NodeProcess[] = [];
  let started = 0;
  const startNext = async (nodes: Nodes, own: Readonly<Record<string, string>>): Promise<Place> => {
    started += 1;
    const name = `node-${started}`;
    return { name, node: await nodes.start(name, own) };
  };
  let own: Readonly<Record<string, string>> = {};
  await using written = await openWrittenNodes(
    { ...given, databaseUrl: database.url, settings, files: () => objectsOf(bucket) },
    async (nodes, all) => {
      own = all;
      for (let count = 0; count < 2; count++) places.push(await startNext(nodes, own));
      return places.map(({ node }) => node);
    },
  );
  const forgiven = new Set<number>();
  const wrong: string[] = [];
  const leaderMs: number[] = [];
  let done = 0;
  for (; done < kills && wrong.length === 0; done++) {
    await Promise.race([written.failure, Bun.sleep(lifeMs.min + random() * (lifeMs.max - lifeMs.min))]);
    const leader = await leaderName(sql);
    const place = places[random() < 0.5 ? 0 : 1];
    if (place === undefined) throw new Error("there are two nodes");
    await kill(written, place.node);
    killed.push(place.node);
    const at = performance.now();
    await connectionsEnded(sql, place.name);
    for (const id of await mailsOnTheWay(sql)) forgiven.add(id);
    const found = await written.look();
    wrong.push(...found.wrong.map((fault) => `after ${done + 1} kills: ${fault}`));
    Object.assign(place, await startNext(written.nodes, own));
    written.crowd.join(place.node);
    if (leader !== null && !places.some(({ name }) => name === leader))
      leaderMs.push(await nextLeader(sql, at, leader));
  }
  if (wrong.length === 0) {
    await Promise.race([written.failure, written.end()]);
    await mailsSent(sql);
    wrong.push(...(await written.look()).wrong);
  }
  const logs = await Promise.all([...killed, ...places.map(({ node }) => node)].map((node) => node.log()));
  const taken = [...written.office.taken];
  const isForgiven = (messageId: string) => forgiven.has(Number(/^\d+\.(\d+)@/.exec(messageId)?.[1]));
  const counts = written.ledger.counts();
  return {
    wrong,
    kills: done,
    answered: counts.answered,
    cutOff: counts.cutOff,
    mails: taken.length,
    twice: taken.filter(([id, times]) => times > 1 && !isForgiven(id)).length,
    forgiven: forgiven.size,
    leaderMs,
    ...written.crowd.counts(),
    errors: logs.flat().flatMap(({ level, message }) => (level === "error" ? [message] : [])),
  };
}

const accessTo = ({ endpoint, region, accessKeyId, secretAccessKey }: TestBucket) => ({
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
});

async function kill({ crowd }: WrittenNodes, node: NodeProcess): Promise<void> {
  crowd.leave(node);
  node.signal("SIGKILL");
  for (let tries = 0; tries < 200 && !node.hasEnded(); tries++) await Bun.sleep(20);
}

/** What the server still carries out for a node that is gone is over. */
async function connectionsEnded(sql: SQL, node: string): Promise<void> {
  const open = () =>
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${`cloakroom ${node}`}`;
  for (let tries = 0; tries < 500 && (await open()).length > 0; tries++) await Bun.sleep(20);
}

/** Also of the living node: it may end before the answer. */
async function mailsOnTheWay(sql: SQL): Promise<readonly number[]> {
  const rows: readonly { readonly id: number }[] = await sql`
    SELECT id::int FROM outbox WHERE state = 'waiting' AND due_at > created_at`;
  return rows.map(({ id }) => id);
}

async function mailsSent(sql: SQL): Promise<void> {
  for (let tries = 0; tries < 1800; tries++) {
    if ((await sql`SELECT 1 FROM outbox WHERE state = 'waiting'`).length === 0) return;
    await Bun.sleep(100);
  }
  throw new Error("mails still wait to be sent");
}

/** The node of the lease that holds now; null while there is none. */
async function leaderName(sql: SQL): Promise<string | null> {
  const [row] = await sql`
    SELECT holder FROM leases
    WHERE name = 'leader' AND until > extract(epoch FROM clock_timestamp()) * 1000`;
  return row === undefined ? null : String(row.holder).split("/")[0]!;
}

async function nextLeader(sql: SQL, since: number, former: string): Promise<number> {
  for (let tries = 0; tries < 1200; tries++) {
    const leader = await leaderName(sql);
    if (leader !== null && leader !== former) return Math.round(performance.now() - since);
    await Bun.sleep(50);
  }
  return Infinity;
}

async function* objectsOf({ client, prefix }: TestBucket): AsyncIterable<StoredFile> {
  let startAfter: string | undefined;
  for (;;) {
    const page = await client.list({ prefix: `${prefix}/`, ...(startAfter !== undefined && { startAfter }) });
    for (const { key } of page.contents ?? []) {
      const name = key.split("/").at(-1) ?? "";
      // The marker of the community is no texture.
      if (/^[0-9a-f]{64}/.test(name))
        yield { file: name.replace(/\.png$/, ""), bytes: await client.file(key).bytes() };
    }
    const last = page.contents?.at(-1)?.key;
    if (page.isTruncated !== true || last === undefined) return;
    startAfter = last;
  }
}
