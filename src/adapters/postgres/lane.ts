import { refusals } from "../../domain/model/refusals.ts";
import type { Connection } from "./connection.ts";
import { createSession } from "./session.ts";

/** Statements that share a connection at one time: each waits for the answers to those before it. */
const sharedMax = 8;
/** The window of statements that share a connection because they came together, in milliseconds: about one turn of the event loop. */
const togetherMs = 0.2;

/**
 * How a work uses a connection: `held` for itself, as a transaction does; `together` with what comes at the same time, as reads do;
 * `apart`, as a write that stands alone: it may wait for a standby, so only what finds all connections busy is sent behind it.
 */
export type Manner = "held" | "together" | "apart";

/** A place for a connection, of a fixed number. */
export type Slot = {
  /** Null until a first statement needs it, and after it has ended. */
  connection: Connection | null;
  /** Statements that are under way, or 1 while a transaction has the connection for itself. */
  users: number;
  isHeld: boolean;
  /** One of its statements may wait for more than the server's answer. */
  isApart: boolean;
  /** Takes nothing new: its connection is closed when the last of its users has left. */
  isStale: boolean;
  /** What transactions of this place send through. */
  readonly session: ReturnType<typeof createSession>;
  /** Until then (`performance.now()`) it opens no connection, because the server takes no more. */
  restsUntil: number;
};

type Waiting = {
  readonly since: number;
  readonly manner: Manner;
  readonly enter: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
};

export type LaneBounds = {
  readonly slots: number;
  /** What may wait for a connection, and for how long. */
  readonly waitingMax: number;
  readonly waitMs: number;
  /** Whether the driver sends statements of one connection, and reads their answers, together: it does so with prepared ones. */
  readonly joins: boolean;
};

/** Connections for one kind of work. What comes when all are busy waits for its turn. */
export type Lane = ReturnType<typeof createLane>;

export function createLane(bounds: LaneBounds) {
  const slots = Array.from({ length: bounds.slots }, newSlot);
  const waiting: Waiting[] = [];

  const dispatch = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const free = bestOf(slots, next.manner, bounds.joins);
      if (free === null) return;
      waiting.shift();
      next.enter(enter(free, next.manner));
    }
  };

  const refuse = (most = waiting.length, reason = refusals.unavailable): void => {
    for (const one of waiting.splice(0, most)) one.refuse(reason());
  };

  return {
    slots,
    /**
     * A slot, once there is one. Fails with unavailable when too much waits, or it waited for too long, and at once while all slots
     * rest.
     */
    take: (manner: Manner): Slot | Promise<Slot> => {
      const free = waiting.length === 0 ? bestOf(slots, manner, bounds.joins) : null;
      if (free !== null) return enter(free, manner);
      if (waiting.length >= bounds.waitingMax || slots.every(rests)) throw refusals.busy();
      const { promise, resolve, reject } = Promise.withResolvers<Slot>();
      waiting.push({ since: performance.now(), manner, enter: resolve, refuse: reject });
      return promise;
    },
    leave: (slot: Slot): void => {
      slot.users -= 1;
      slot.isHeld = false;
      if (slot.users === 0) slot.isApart = false;
      if (slot.users === 0 && slot.isStale) drop(slot);
      dispatch();
    },
    /** Closes connections that nothing uses, and the others when they are used no more: they may have ended, too. */
    renew: (): void => {
      for (const slot of slots) {
        if (slot.users > 0) slot.isStale = true;
        else drop(slot);
      }
    },
    /**
     * The server refuses further connections: no connection is opened for so long. Returns whether the lane has others, open or about
     * to be; without one, all that waits is refused.
     */
    rest: (ms: number): boolean => {
      const closed = slots.filter(isClosed);
      for (const slot of closed) slot.restsUntil = performance.now() + ms;
      const hasOthers = closed.length < slots.length;
      if (!hasOthers) refuse(waiting.length, refusals.busy);
      return hasOthers;
    },
    /** Refuses all that waits: there is no server. */
    refuse: () => refuse(),
    /** Refuses what has waited for too long. */
    refuseLate: (now: number): void => {
      const late = waiting.findIndex(({ since }) => now - since < bounds.waitMs);
      refuse(late === -1 ? waiting.length : late);
      // Slots that rested may take something again.
      dispatch();
    },
    /** Closes every connection at once: all that is under way fails. */
    close: (): void => {
      for (const slot of slots) drop(slot);
    },
    stats: () => ({
      open: slots.filter(({ connection }) => connection?.isOpen()).length,
      inUse: slots.filter(({ users }) => users > 0).length,
      waiting: waiting.length,
    }),
  };
}

function newSlot(): Slot {
  return {
    connection: null,
    users: 0,
    isHeld: false,
    isApart: false,
    isStale: false,
    restsUntil: 0,
    session: createSession(),
  };
}

function enter(slot: Slot, manner: Manner): Slot {
  slot.users += 1;
  slot.isHeld = manner === "held";
  slot.isApart ||= manner === "apart";
  return slot;
}

function drop(slot: Slot): void {
  slot.connection?.close();
  slot.connection = null;
  slot.isStale = false;
}

/**
 * For a read the connection that one was just sent through; else an open one that is idle, one to open, or the least busy one. For
 * a transaction only one that is idle.
 */
function bestOf(slots: readonly Slot[], manner: Manner, joins: boolean): Slot | null {
  const usersMax = manner === "held" ? 1 : sharedMax;
  let best: Slot | null = null;
  for (const slot of slots) {
    if (slot.isHeld || slot.isStale || slot.users >= usersMax) continue;
    if (joins && manner === "together" && wasJustUsed(slot)) return slot;
    if (!isOpen(slot) && slot.restsUntil > performance.now()) continue;
    if (best === null || isBetter(slot, best)) best = slot;
  }
  return best;
}

/** Only if the oldest of its statements is that young: behind a slow one no other is sent. */
function wasJustUsed({ connection, isApart }: Slot): boolean {
  if (isApart) return false;
  const since = connection?.waitsSince() ?? null;
  return since !== null && performance.now() - since < togetherMs;
}

function isBetter(slot: Slot, best: Slot): boolean {
  return slot.users < best.users || (slot.users === best.users && isOpen(slot) && !isOpen(best));
}

function isClosed({ connection }: Slot): boolean {
  return connection === null || connection.hasEnded();
}

/** It has no connection, and opens none for now. */
function rests(slot: Slot): boolean {
  return isClosed(slot) && slot.restsUntil > performance.now();
}

function isOpen({ connection }: Slot): boolean {
  return connection?.isOpen() ?? false;
}
