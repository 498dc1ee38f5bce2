import { createLane, type Slot } from "./lane.ts";
import { openConnection, type ConnectionOptions, type Session } from "./connection.ts";
import type { Sender } from "./sender.ts";

/** Statements and transactions that may wait for a connection. */
const waitingMax = 2_000;
/** Connections for background work, beside those for requests. */
const backgroundSlots = 2;

/** Whose work it is: that of a request, which is short, or of a job, which may take longer. */
export type LaneName = "requests" | "background";

export type Pool = AsyncDisposable & {
  /** For reads: one whose connection ended is asked once more. */
  readonly read: Sender;
  /** For writes that are one statement each, which no transaction surrounds. */
  readonly write: Sender;
  /**
   * Gives the work a connection for itself. The session is the same object each time the same place is used, so what is built on
   * it can be kept.
   */
  readonly transaction: <T>(lane: LaneName, work: (session: Session) => Promise<T>) => Promise<T>;
};

export type PoolOptions = ConnectionOptions & { readonly requestSlots: number };

export function openPool(options: PoolOptions): Pool {
  const slotsOf = (count: number): readonly Slot[] =>
    Array.from({ length: count }, () => ({ connection: openConnection(options), users: 0, held: false }));
  const slots = { requests: slotsOf(options.requestSlots), background: slotsOf(backgroundSlots) };
  const lanes = {
    requests: createLane(slots.requests, waitingMax),
    background: createLane(slots.background, waitingMax),
  };
  const sessions = new Map([...slots.requests, ...slots.background].map((slot) => [slot, createSession()]));
  const sender: Sender = {
    send: (text, values) => lanes.requests.use(false, (slot) => slot.connection.send(text, values)),
  };
  return {
    read: sender,
    write: sender,
    transaction: (lane, work) =>
      lanes[lane].use(true, async (slot) => {
        const reserved = await slot.connection.reserve();
        const session = sessions.get(slot);
        if (session === undefined) throw new Error("a slot has no session");
        try {
          return await session.over(reserved, work);
        } finally {
          reserved.release();
        }
      }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...sessions.keys()].map(({ connection }) => connection.close()));
    },
  };
}

/** A session that lasts, over connections that come and go. */
function createSession() {
  let current: Session | null = null;
  const active = (): Session => {
    if (current === null) throw new Error("this transaction has ended");
    return current;
  };
  const session: Session = {
    send: (text, values) => active().send(text, values),
    command: (text) => active().command(text),
  };
  return {
    over: async <T>(reserved: Session, work: (session: Session) => Promise<T>): Promise<T> => {
      current = reserved;
      try {
        return await work(session);
      } finally {
        current = null;
      }
    },
  };
}
