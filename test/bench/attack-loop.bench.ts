/*
 * What others notice of one address that pipelines, and what pacing costs where it does not: the event loop's
 * turns.
 *
 *   bun run bench --only attack-loop
 *   BASELINE=dist/older/cloakroom bun run bench --only attack-loop     and the same of another program
 */
import { openBaseline } from "./baseline-program.ts";
import { startLoad, startPipeliner } from "./peer.ts";
import type { PipelineJob } from "./pipeliner.ts";
import { digits, type Line } from "./report.ts";
import { processorMicroseconds } from "./processor-time.ts";
import { inTurn, median } from "./statistics.ts";
import { createPlayer, type Server, type Subject } from "./subject.ts";

const [attackerAddress, otherAddress] = ["192.0.2.66", "198.51.100.7"];
const calmMilliseconds = 3000;
const attackMilliseconds = 5000;
const pauseMilliseconds = 10;
const rounds = 9;
const roundMilliseconds = 1000;

/**
 * The attacks, and the rate of cached pictures; with `BASELINE` the attacks on that program, and its rate to
 * compare with.
 */
export async function benchLoopAttacks(subject: Subject): Promise<readonly Line[]> {
  await using ours = await open(subject);
  const lines = await attackAll(ours, "");
  const other = await openBaseline(subject);
  if (other === null) {
    console.error("bench: NOT RUN: pipelining against another program (BASELINE names no binary)");
    return lines;
  }
  await using theirs = await open(other);
  return [...lines, ...(await attackAll(theirs, ", before")), ...(await compareCosts(ours, theirs))];
}

type Attacked = AsyncDisposable & {
  readonly server: Server;
  readonly metricsPort: number;
  readonly picture: string;
};

async function open(subject: Subject): Promise<Attacked> {
  const metricsPort = freePort();
  const settings = { TRUSTED_PROXIES: "127.0.0.1", METRICS_PORT: String(metricsPort) };
  const server = await subject.serve(undefined, settings);
  const { uuid } = await createPlayer(subject, server, 1);
  const picture = `/api/skin/head/${uuid}?size=100`;
  return { server, metricsPort, picture, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function freePort(): number {
  using listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  return listener.port;
}

/** Each attack on its own, between two calm times. */
async function attackAll(attacked: Attacked, suffix: string): Promise<readonly Line[]> {
  const { picture, server } = attacked;
  const cached = [requestText(picture, attackerAddress)];
  const unknown = [requestText("/api/nothing", attackerAddress)];
  const ofFour = { port: server.port, pipelined: 1000, connections: 4, milliseconds: attackMilliseconds };
  const attacks: readonly (readonly [string, PipelineJob])[] = [
    ["4 connections, 1,000 pictures each, that hang up", { ...ofFour, requests: cached, manner: "leave" }],
    ["4 connections, 1,000 pictures each, that stay", { ...ofFour, requests: cached, manner: "stay" }],
    [
      "4 connections, 1,000 unknown paths each, that hang up",
      { ...ofFour, requests: unknown, manner: "leave" },
    ],
    ["4 connections, 1,000 unknown paths each, that stay", { ...ofFour, requests: unknown, manner: "stay" }],
    [
      "256 connections, 8 HEADs each, that hang up",
      {
        ...ofFour,
        connections: 256,
        pipelined: 8,
        requests: [requestText(picture, attackerAddress, "HEAD")],
        manner: "leave",
      },
    ],
    [
      "256 connections, one picture or unknown path each, that stay",
      { ...ofFour, connections: 256, pipelined: 1, requests: [...cached, ...unknown], manner: "stay" },
    ],
  ];
  const lines: Line[] = [];
  for (const [what, job] of attacks) lines.push(await attack(attacked, `${what}${suffix}`, job));
  return lines;
}

async function attack(
  { server, metricsPort, picture }: Attacked,
  what: string,
  job: PipelineJob,
): Promise<Line> {
  using attacker = startPipeliner();
  const look = () => askOften(`${server.url}${picture}`);
  await look()(Bun.sleep(500));
  await longestDelay(metricsPort);
  const calm = await look()(Bun.sleep(calmMilliseconds));
  const calmDelay = await longestDelay(metricsPort);
  let result = "";
  const attackIsOver = attacker
    .ask(job)
    .then(({ connections, answers }) => void (result = `${connections} connections, ${answers} answers`));
  const times = await look()(attackIsOver);
  const delay = await longestDelay(metricsPort);
  return {
    measure: `another's cached picture, p90, beside ${what}`,
    goal: { atMost: 20 },
    measured: p90(times) / p90(calm),
    unit: "of calm",
    detail:
      `${spread(calm)} → ${spread(times)} ms (p50, p90, longest), ${times.length} times; ` +
      `longest gap of a timer ${digits(calmDelay)} → ${digits(delay)} ms; ${result}`,
  };
}

/**
 * Asks every few milliseconds until the end. What is still waited for then counts with what it has waited.
 */
function askOften(url: string) {
  return async (until: Promise<unknown>): Promise<readonly number[]> => {
    const over = new AbortController();
    void until.then(() => over.abort());
    const times: number[] = [];
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      const asked = fetch(url, { headers: { "x-forwarded-for": otherAddress } }).then((one) => one.bytes());
      await Promise.race([asked.catch(() => null), until]);
      times.push(performance.now() - startedAt);
      await Bun.sleep(pauseMilliseconds);
    }
    return times;
  };
}

/** How late a timer of the server was at most, in milliseconds, since this was asked before. */
async function longestDelay(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seconds = /^cloakroom_event_loop_delay_seconds\{percentile="100"\} (?<value>\S+)$/m.exec(text);
  return Number(seconds?.groups?.["value"] ?? Number.NaN) * 1000;
}

/**
 * The processor time of cached pictures over keep-alive connections, by two programs in turn: other work
 * disturbs it less than rates.
 */
async function compareCosts(ours: Attacked, theirs: Attacked): Promise<readonly Line[]> {
  using load = startLoad();
  const lines: Line[] = [];
  for (const connections of [1, 64, 512]) {
    const costOf =
      ({ server, picture }: Attacked) =>
      async () => {
        const request = requestText(picture, otherAddress);
        const job = {
          port: server.port,
          request,
          status: 200,
          connections,
          milliseconds: roundMilliseconds,
        } as const;
        const before = await processorMicroseconds(server.pid);
        const { answers } = await load.ask({ ...job, pace: "full" });
        return ((await processorMicroseconds(server.pid)) - before) / answers;
      };
    const { first, second, ratio } = await inTurn(rounds, costOf(theirs), costOf(ours));
    lines.push({
      measure: `cached pictures over ${connections} connections, against before`,
      goal: { atLeast: 0.98 },
      measured: ratio,
      unit: "of bare",
      detail: `${digits(first)} µs of processor before, ${digits(second)} now`,
    });
  }
  return lines;
}

function requestText(path: string, client: string, method = "GET"): string {
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: ${client}\r\n\r\n`;
}

function spread(times: readonly number[]): string {
  return [median(times), p90(times), Math.max(...times)].map(digits).join(", ");
}

function p90(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? Number.NaN;
}
