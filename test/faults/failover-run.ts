/*
 * The server that takes writes is killed under two nodes, and its synchronous standby is promoted. Then the
 * former one starts by itself, waits for no standby, and is for a while the only one that answers.
 */
import { SQL } from "bun";
import { until } from "../nodes/node-processes.ts";
import { startReplicatedPostgres, type ReplicatedPostgres } from "../support/replicated-postgres.ts";
import type { NodeProcess } from "../nodes/node-processes.ts";
import { openWrittenNodes, settingsWith, type WrittenNodes } from "./written-nodes.ts";

export type FailoverReport = {
  readonly wrong: readonly string[];
  readonly answered: number;
  /** Answered with 503. */
  readonly unavailable: number;
  readonly slowestMs: number;
  /** From the kill, and from the end of the promotion, to each node's first write. */
  readonly outageMs: readonly number[];
  readonly afterPromotionMs: readonly number[];
  readonly pictures: number;
  /** Pictures that were not answered, with the status. */
  readonly picturesRefused: readonly string[];
  /** Whether anything of a node was written to the former primary once it had started again. */
  readonly isFormerWritten: boolean;
  /** What nodes said of it, each once. */
  readonly said: readonly string[];
  /**
   * What \`doctor\` found of the database while both took writes, and while the former one alone answered.
   */
  readonly doctor: readonly string[];
  readonly complaints: readonly string[];
};

/** The next picture is asked for so much later. */
const pictureMs = 20;

export type Failover = {
  readonly players: number;
  readonly newcomersAtOnce: number;
  /** How long they write before and after. */
  readonly writeMs: number;
  /** From the kill to the command to promote. */
  readonly downMs: number;
  readonly seed: number;
};

export async function failOver({ writeMs, downMs, ...crowd }: Failover): Promise<FailoverReport> {
  await using pair = await startReplicatedPostgres();
  await pair.makeDatabase("community");
  let pairOfNodes: readonly NodeProcess[] = [];
  await using written = await openWrittenNodes(
    { ...crowd, databaseUrl: pair.url("community") },
    async (nodes, settings) =>
      (pairOfNodes = await Promise.all(["one", "two"].map((name) => nodes.start(name, settings)))),
  );
  await using pictures = await askForPictures(written, pairOfNodes);
  await Promise.race([written.failure, Bun.sleep(writeMs)]);
  const killedAt = performance.now();
  await pair.primary.kill();
  await Promise.race([written.failure, Bun.sleep(downMs)]);
  await pair.promote();
  const promotedAt = performance.now();
  await Promise.race([written.failure, Bun.sleep(writeMs)]);
  const firstAfter = pairOfNodes.map(
    (node) => written.crowd.successes.find((one) => one.node === node && one.at > promotedAt)?.at ?? Infinity,
  );
  await pictures.end();
  const [, second] = pairOfNodes;
  if (second === undefined) throw new Error("there are two nodes");
  const former = await letFormerReturn(pair, written, second);
  await Promise.race([written.failure, Bun.sleep(writeMs)]);
  await Promise.race([written.failure, written.end()]);
  const { wrong } = await written.look();
  const isFormerWritten = former.before !== (await lastWrites(pair));
  const logs = await Promise.all([...pairOfNodes, former.restarted].map((node) => node.log()));
  return {
    wrong,
    answered: written.ledger.counts().answered,
    ...written.crowd.counts(),
    outageMs: firstAfter.map((at) => Math.round(at - killedAt)),
    afterPromotionMs: firstAfter.map((at) => Math.round(at - promotedAt)),
    pictures: pictures.answered(),
    picturesRefused: pictures.refused,
    isFormerWritten,
    doctor: former.doctor.map((text) => /^problem +database: .*\n.*$/m.exec(text)?.[0] ?? text),
    said: [...new Set(logs.flat().map(({ message }) => message))].filter((one) => one.includes("database")),
    complaints: logs.flat().flatMap(({ level, message }) => (level === "error" ? [message] : [])),
  };
}

/**
 * The former primary starts; then the other one is away for a while, and a node is killed and started
 * meanwhile.
 */
async function letFormerReturn(
  pair: ReplicatedPostgres,
  { nodes, crowd, failure, office }: WrittenNodes,
  node: NodeProcess,
) {
  await pair.primary.start({ synchronous_standby_names: "" });
  const before = await lastWrites(pair);
  // Longer than nodes need to see it.
  await Promise.race([failure, Bun.sleep(7_000)]);
  const doctorOfBoth = await nodes.command(["doctor"]);
  await pair.standby.kill();
  crowd.leave(node);
  node.signal("SIGKILL");
  const restarting = nodes.start("three", settingsWith(office));
  await until(async () => (await nodes.logged("three")).includes("and was replaced by one on timeline 2"));
  await Promise.race([failure, Bun.sleep(3_000)]);
  const doctorOfFormer = await nodes.command(["doctor"]);
  await pair.standby.start();
  const restarted = await restarting;
  crowd.join(restarted);
  return { before, restarted, doctor: [doctorOfBoth.out, doctorOfFormer.out] };
}

/** What every node writes every few seconds, and all members do, as the former primary has it. */
async function lastWrites({ primary, url }: ReplicatedPostgres): Promise<string> {
  const database = new URL(url("community").replace(/,[^/]+/, ""));
  database.port = String(primary.port);
  await using sql = new SQL({ url: database.href, max: 1 });
  const rows = await sql`
    SELECT (SELECT max(seen_at) FROM nodes) AS seen, (SELECT max(until) FROM leases) AS leased,
      (SELECT max(id) FROM change) AS changed, (SELECT count(*) FROM accounts) AS accounts,
      (SELECT max(id) FROM sessions) AS signed_in, (SELECT max(id) FROM outbox) AS mails`;
  return JSON.stringify(rows);
}

/** Asks every node for the same descriptor and pictures, until it ends. */
async function askForPictures({ still }: WrittenNodes, nodes: readonly NodeProcess[]) {
  const [first] = nodes;
  if (first === undefined) throw new Error("there is no node");
  const descriptor = `GET /csl/${still.name}.json`;
  const { text } = await first.ask(descriptor);
  const hash = /[0-9a-f]{64}/.exec(text)?.[0];
  if (hash === undefined) throw new Error(`${still.name} has no skin: ${text}`);
  const lines = [descriptor, `GET /textures/${hash}`, `GET /csl/textures/${hash}`];
  const over = new AbortController();
  const refused: string[] = [];
  let answered = 0;
  const asking = nodes.map(async (node, number) => {
    while (!over.signal.aborted)
      for (const line of lines) {
        const { status } = await node.ask(line);
        if (status === 200) answered += 1;
        else refused.push(`${status} by ${number + 1}: ${line}`);
        await Bun.sleep(pictureMs);
      }
  });
  const end = async () => {
    over.abort();
    await Promise.all(asking);
  };
  return { answered: () => answered, refused, end, [Symbol.asyncDispose]: end };
}
