/** The lanes of a node, and their deadlines. */
import { createLane, type Lane } from "./lane.ts";

/**
 * Statements and transactions that may wait for a connection: at a thousand a second the last one waits for
 * two seconds.
 */
const waitingMax = 2_000;
/** How often deadlines are looked at. */
const sweepMs = 100;
/**
 * A process that was stopped, or busy for so long, finds answers that came meanwhile: its statements are not
 * late yet.
 */
const lateSweepMs = 600;

/**
 * Whose work it is: that of requests; of jobs, which may take longer; what keeps the node itself going; or
 * its looks at the database.
 */
export type LaneName = "requests" | "jobs" | "node" | "looks";

/** How long a statement may take, and wait for a connection before. */
export const deadlineMs = {
  requests: 3_000,
  jobs: 10_000,
  node: 3_000,
  looks: 3_000,
} as const satisfies Record<LaneName, number>;

/** One for each kind of work, so that no kind waits for another one. */
export type Lanes = Readonly<Record<LaneName, Lane>>;

/** The lanes of a pool, with so many connections for requests. */
export function openLanes(requestSlots: number, prepared: boolean): Lanes {
  const laneOf = (name: LaneName, slots: number) =>
    createLane({ slots, waitingMax, waitMs: deadlineMs[name], joins: prepared });
  return {
    requests: laneOf("requests", requestSlots),
    jobs: laneOf("jobs", 1),
    node: laneOf("node", 1),
    looks: laneOf("looks", 1),
  };
}

export const statsOf = ({ requests, jobs, node, looks }: Lanes) => ({
  requests: requests.stats(),
  jobs: jobs.stats(),
  node: node.stats(),
  looks: looks.stats(),
});

/**
 * Gives up what waits for too long: statements for their answers, with their connection, and work for a
 * connection.
 */
export function sweeper(lanes: Lanes, suspect: () => void): Disposable {
  let last = performance.now();
  const sweep = (): void => {
    const now = performance.now();
    const isLate = now - last > lateSweepMs;
    last = now;
    if (isLate) return;
    for (const name of ["requests", "jobs", "node", "looks"] as const) {
      for (const slot of lanes[name].slots) {
        const since = slot.connection?.waitsSince() ?? now;
        if (now - since < deadlineMs[name]) continue;
        slot.connection?.close();
        slot.connection = null;
        suspect();
      }
      lanes[name].refuseLate(now);
    }
  };
  const timer = setInterval(sweep, sweepMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
