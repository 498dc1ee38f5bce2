import type { AppError } from "../../../kernel/errors.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { ClientQueue } from "../../../kernel/client-queue.ts";
import { payerOf } from "../../../kernel/on-behalf.ts";
import { createSlowRefusals } from "../../../kernel/slow-refusals.ts";
import type { Waiter } from "../../../kernel/waiters.ts";
import type { Connection } from "./connection.ts";
import { createSession } from "./session.ts";

/** Statements that share a connection at one time: each waits for the answers to those before it. */
const sharedMax = 8;
/**
 * The window of statements that share a connection because they came together, in milliseconds: about one
 * turn of the event loop.
 */
const togetherMs = 0.2;

/**
 * How a work uses a connection: `held` for itself, as a transaction does; `together` with what comes at the
 * same time, as reads do; `apart`, as a write that stands alone: it may wait for a standby, so only what
 * finds all connections busy is sent behind it.
 */
export type Manner = "held" | "together" | "apart";

/** A place for a connection, of a fixed number. */
export type Slot = {
  /** Null until a first statement needs it, and after it has ended. */
  connection: Connection | null;
  /** Statements that are under way, or 1 while a transaction has the connection for itself. */
  users: number;
  isHeld: boolean;
  /** The client whose transaction has it, while it is held; null: the program's own. */
  holder: Waiter | null;
  /** One of its statements may wait for more than the server's answer. */
  isApart: boolean;
  /** Takes nothing new: its connection is closed when the last of its users has left. */
  isStale: boolean;
  /** What transactions of this place send through. */
  readonly session: ReturnType<typeof createSession>;
  /** Until then (`performance.now()`) it opens no connection, because the server takes no more. */
  restsUntil: number;
};

/** What wants a slot. */
export type Asking = {
  readonly manner: Manner;
  /** The client that it is done for; null: the program itself. */
  readonly waiter: Waiter | null;
  /** A work that was begun before and goes on: it goes before whatever else waits for its client. */
  readonly goesOn?: boolean;
};

type Waiting = Asking & {
  readonly since: number;
  readonly enter: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
};

export type LaneBounds = {
  readonly slots: number;
  /**
   * What may wait for a connection, and for how long. Beyond it the client with the most waiting loses its
   * newest.
   */
  readonly waitingMax: number;
  readonly waitMs: number;
  /**
   * Whether the driver sends statements of one connection, and reads their answers, together: it does so with
   * prepared ones.
   */
  readonly joins: boolean;
};

/**
 * Connections for one kind of work. What comes when all are busy waits, and clients take turns. Transactions
 * of one client leave a fifth of several connections to others, however slow they are.
 */
export type Lane = ReturnType<typeof createLane>;

export function createLane(bounds: LaneBounds) {
  const slots = Array.from({ length: bounds.slots }, newSlot);
  const turns = createTurns(slots, bounds);

  return {
    slots,
    /**
     * A slot, once there is one. Fails with unavailable when too much of its client waits, or it waited for
     * too long, and at once while all slots rest.
     */
    take: turns.take,
    leave: (slot: Slot): void => {
      slot.users -= 1;
      slot.isHeld = false;
      slot.holder = null;
      if (slot.users === 0) slot.isApart = false;
      if (slot.users === 0 && slot.isStale) drop(slot);
      turns.give();
    },
    /**
     * Closes connections that nothing uses, and the others when they are used no more: they may have ended,
     * too.
     */
    renew: (): void => {
      for (const slot of slots) {
        if (slot.users > 0) slot.isStale = true;
        else drop(slot);
      }
    },
    /**
     * The server refuses further connections: no connection is opened for so long. Returns whether the lane
     * has others, open or about to be; without one, all that waits is refused.
     */
    rest: (ms: number): boolean => {
      const closed = slots.filter(isClosed);
      for (const slot of closed) slot.restsUntil = performance.now() + ms;
      const hasOthers = closed.length < slots.length;
      if (!hasOthers) turns.refuse(() => true, refusals.busy);
      return hasOthers;
    },
    /** Refuses all that waits: there is no server. */
    refuse: () => turns.refuse(() => true),
    /** Refuses what has waited for too long. */
    refuseLate: (now: number): void => {
      turns.refuse(({ since }) => now - since >= bounds.waitMs);
      // Slots that rested may take something again.
      turns.give();
    },
    /** Closes every connection at once: all that is under way fails. */
    close: (): void => {
      for (const slot of slots) drop(slot);
    },
    stats: () => ({
      open: slots.filter(({ connection }) => connection?.isOpen()).length,
      inUse: slots.filter(({ users }) => users > 0).length,
      waiting: turns.waiting(),
    }),
  };
}

/** Gives the slots to what wants them. */
function createTurns(slots: readonly Slot[], { waitingMax, joins }: LaneBounds) {
  const waiting = new ClientQueue<Waiting>();
  const refuseSlowly = createSlowRefusals();
  const heldMax = slots.length === 1 ? 1 : slots.length - Math.ceil(slots.length / 5);

  const mayGo = ({ manner, waiter }: Asking): boolean => {
    const held = manner === "held" ? slots.filter(({ isHeld }) => isHeld) : [];
    // Whose they are is looked at only where it may matter: finding a client takes microseconds.
    if (held.length < heldMax) return true;
    const client = payerOf(waiter);
    return held.filter(({ holder }) => payerOf(holder) === client).length < heldMax;
  };
  const give = (): void => {
    while (waiting.size > 0) {
      const next = waiting.next(mayGo);
      // What waits for an idle slot keeps the others waiting, or it would never find one.
      const free = next && bestOf(slots, next[1].manner, joins);
      if (next === null || free === null) return;
      const [client, one] = next;
      waiting.take(client);
      one.enter(enter(free, one));
    }
  };

  /**
   * Slowly: one that asks again at once, over hundreds of connections, would leave no time for what waits.
   */
  const dropOne = (): void => {
    const dropped = waiting.dropOfBusiest();
    if (dropped !== null) void refuseSlowly(null).then(() => dropped.refuse(refusals.busy()));
  };

  return {
    take: (asking: Asking): Slot | Promise<Slot> => {
      const { manner, waiter, goesOn = false } = asking;
      const free = waiting.size === 0 && mayGo(asking) ? bestOf(slots, manner, joins) : null;
      if (free !== null) return enter(free, asking);
      if (slots.every(rests)) throw refusals.busy();
      const { promise, resolve, reject } = Promise.withResolvers<Slot>();
      const one = { ...asking, since: performance.now(), enter: resolve, refuse: reject };
      waiting.add(payerOf(waiter), one, goesOn ? "first" : "last");
      if (waiting.size > waitingMax) dropOne();
      give();
      return promise;
    },
    /** Gives free slots to what waits. */
    give,
    refuse: (fits: (one: Waiting) => boolean, reason: () => AppError = refusals.unavailable): void => {
      for (const one of waiting.remove(fits)) one.refuse(reason());
    },
    waiting: () => waiting.size,
  };
}

function newSlot(): Slot {
  return {
    connection: null,
    users: 0,
    isHeld: false,
    holder: null,
    isApart: false,
    isStale: false,
    restsUntil: 0,
    session: createSession(),
  };
}

function enter(slot: Slot, { manner, waiter }: Asking): Slot {
  slot.users += 1;
  slot.isHeld = manner === "held";
  slot.holder = slot.isHeld ? waiter : null;
  slot.isApart ||= manner === "apart";
  return slot;
}

function drop(slot: Slot): void {
  slot.connection?.close();
  slot.connection = null;
  slot.isStale = false;
}

/**
 * For a read the connection that one was just sent through; else an open one that is idle, one to open, or
 * the least busy one. For a transaction only one that is idle.
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
