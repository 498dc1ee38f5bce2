/* The server that takes writes is killed under two nodes, and its synchronous standby is promoted. */
import { startReplicatedPostgres } from "../support/replicated-postgres.ts";
import type { NodeProcess } from "../nodes/node-processes.ts";
import { openWrittenNodes, type WrittenNodes } from "./written-nodes.ts";

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
  await Promise.race([written.failure, written.end()]);
  const { wrong } = await written.look();
  const logs = await Promise.all(pairOfNodes.map((node) => node.log()));
  return {
    wrong,
    answered: written.ledger.counts().answered,
    ...written.crowd.counts(),
    outageMs: firstAfter.map((at) => Math.round(at - killedAt)),
    afterPromotionMs: firstAfter.map((at) => Math.round(at - promotedAt)),
    pictures: pictures.answered(),
    picturesRefused: pictures.refused,
    complaints: logs.flat().flatMap(({ level, message }) => (level === "error" ? [message] : [])),
  };
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
