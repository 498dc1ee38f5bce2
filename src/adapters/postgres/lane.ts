import { refusals } from "../../domain/model/refusals.ts";
import type { Connection } from "./connection.ts";

/** Statements that share a connection at one time: each waits for the answers to those before it. */
const sharedMax = 8;

/** A place for a connection, of a fixed number. */
export type Slot = {
  readonly connection: Connection;
  /** Statements that are under way, or 1 while a transaction has the connection for itself. */
  users: number;
  held: boolean;
};

type Waiting = {
  readonly holds: boolean;
  readonly enter: (slot: Slot) => void;
};

/** Connections for one kind of work. What comes when all are busy waits its turn, up to a bound. */
export function createLane(slots: readonly Slot[], waitingMax: number) {
  const waiting: Waiting[] = [];

  const choose = (holds: boolean): Slot | null => {
    let best: Slot | null = null;
    for (const slot of slots) {
      if (slot.held || slot.users >= (holds ? 1 : sharedMax)) continue;
      if (best === null || slot.users < best.users) best = slot;
      if (best.users === 0) break;
    }
    return best;
  };
  const enter = (slot: Slot, holds: boolean): Slot => {
    slot.users += 1;
    slot.held = holds;
    return slot;
  };
  const take = (holds: boolean): Slot | Promise<Slot> => {
    const slot = waiting.length === 0 ? choose(holds) : null;
    if (slot !== null) return enter(slot, holds);
    if (waiting.length >= waitingMax) throw refusals.unavailable();
    return new Promise((resolve) => waiting.push({ holds, enter: resolve }));
  };
  const leave = (slot: Slot): void => {
    slot.users -= 1;
    slot.held = false;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const free = choose(next.holds);
      if (free === null) return;
      waiting.shift();
      next.enter(enter(free, next.holds));
    }
  };

  return {
    /** Runs what may share its connection with other statements, or what needs one for itself. */
    use: async <T>(holds: boolean, work: (slot: Slot) => Promise<T>): Promise<T> => {
      const slot = await take(holds);
      try {
        return await work(slot);
      } finally {
        leave(slot);
      }
    },
    waiting: () => waiting.length,
    inUse: () => slots.reduce((sum, { users }) => sum + (users > 0 ? 1 : 0), 0),
  };
}
