/*
 * A cluster under Patroni loses its primary in many ways while everything that writes goes on upon two nodes.
 */
import { until, type NodeProcess } from "../nodes/node-processes.ts";
import { startPatroni, type PatroniCluster } from "../support/patroni.ts";
import type { PatroniMember, Timing } from "../support/patroni-member.ts";
import { runHaproxy } from "../support/poolers.ts";
import { freePort } from "../support/run-servers.ts";
import { openWrittenNodes, type WrittenNodes } from "./written-nodes.ts";

/** What happened with one fault. */
export type FaultReport = {
  readonly fault: string;
  /** The longest time without a change that was answered with success, of each node. */
  readonly pauseMs: readonly number[];
  /** Lost, back again, or damaged. */
  readonly wrong: readonly string[];
  readonly primary: "another" | "the same";
};

export type Fault = {
  readonly name: string;
  /** Which member takes writes then. */
  readonly primary: "another" | "the same";
  /** Does it, and resolves when it is in force. */
  readonly happen: (places: Places) => Promise<void>;
  /** What the operator or systemd does afterwards. */
  readonly end: (places: Places) => Promise<void>;
};

/** The members by what they were before the fault. */
export type Places = {
  readonly cluster: PatroniCluster;
  readonly primary: PatroniMember;
  readonly synchronous: PatroniMember;
  readonly other: PatroniMember;
};

export type PatroniRun = {
  readonly way: "host list" | "HAProxy";
  readonly faults: readonly Fault[];
  readonly seed: number;
  readonly timing?: Timing;
};

/**
 * So long a fault lasts that changes no primary: longer than the time after which another member would lead.
 */
const lastingMs = 40_000;
/** They write so long before each fault. */
const quietMs = 5000;

export async function loseInTurn({ way, faults, seed, timing }: PatroniRun): Promise<{
  readonly reports: readonly FaultReport[];
  readonly answered: number;
  readonly complaints: readonly string[];
}> {
  await using cluster = await startPatroni(timing);
  const port = freePort();
  await using _balancer = way === "HAProxy" ? await runHaproxy(port, await cluster.haproxyFile(port)) : null;
  let nodes: readonly NodeProcess[] = [];
  await using written = await openWrittenNodes(
    {
      databaseUrl: way === "HAProxy" ? cluster.urlThrough(port) : cluster.url,
      players: 4,
      newcomersAtOnce: 3,
      seed,
    },
    async (all, settings) =>
      (nodes = await Promise.all(["one", "two"].map((name) => all.start(name, settings)))),
  );
  const reports: FaultReport[] = [];
  for (const fault of faults) {
    const playing = play(fault, { cluster, written, nodes });
    const report = await Promise.race([written.failure, playing]);
    console.log(JSON.stringify(report));
    reports.push(report);
  }
  await Promise.race([written.failure, written.end()]);
  const logs = await Promise.all(nodes.map((node) => node.log()));
  return {
    reports,
    answered: written.ledger.counts().answered,
    complaints: logs.flat().flatMap(({ level, message }) => (level === "error" ? [message] : [])),
  };
}

type Playing = {
  readonly cluster: PatroniCluster;
  readonly written: WrittenNodes;
  readonly nodes: readonly NodeProcess[];
};

async function play(fault: Fault, { cluster, written, nodes }: Playing): Promise<FaultReport> {
  const places = await placesOf(cluster);
  await Bun.sleep(quietMs);
  const from = performance.now();
  await fault.happen(places);
  if (fault.primary === "the same") await Bun.sleep(lastingMs);
  else await until(async () => leaderOf(await cluster.states(), places.primary.name), 200);
  await untilWriting(written, nodes);
  await fault.end(places);
  // The former primary follows by itself.
  const leading = await cluster.untilWhole();
  await untilWriting(written, nodes);
  const to = performance.now();
  const { wrong } = await written.look();
  return {
    fault: fault.name,
    pauseMs: nodes.map((node) => longestPauseMs(written, node, from, to)),
    wrong,
    primary: leading === places.primary ? "the same" : "another",
  };
}

/** Waits until the cluster is whole. */
export async function placesOf(cluster: PatroniCluster): Promise<Places> {
  const primary = await cluster.untilWhole();
  const states = await cluster.states();
  const [synchronous, other] = cluster.members
    .filter((member) => member !== primary)
    .toSorted((one) =>
      states.some(({ name, role }) => name === one.name && role === "sync_standby") ? -1 : 1,
    );
  if (synchronous === undefined || other === undefined) throw new Error("there are no standbys");
  return { cluster, primary, synchronous, other };
}

const leaderOf = (states: Awaited<ReturnType<PatroniCluster["states"]>>, but: string) =>
  states.some(({ name, role, state }) => role === "leader" && state === "running" && name !== but);

/** Waits until both nodes are ready, and have each made a change from now on. */
async function untilWriting(written: WrittenNodes, nodes: readonly NodeProcess[]): Promise<void> {
  const now = performance.now();
  await until(async () => {
    const ready = await Promise.all(nodes.map((node) => node.ask("GET /health/ready")));
    return (
      ready.every(({ status }) => status === 200) &&
      nodes.every((node) => written.crowd.successes.some((one) => one.node === node && one.at > now))
    );
  });
}

function longestPauseMs({ crowd }: WrittenNodes, node: NodeProcess, from: number, to: number): number {
  const times = crowd.successes.flatMap((one) =>
    one.node === node && one.at > from && one.at < to ? [one.at] : [],
  );
  const all = [from, ...times.toSorted((a, b) => a - b), to];
  return Math.round(Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at))));
}
