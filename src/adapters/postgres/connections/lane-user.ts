import { refusals } from "../../../domain/model/refusals.ts";
import { behalf } from "../../../kernel/on-behalf.ts";
import type { ServerHost } from "../../../kernel/server-address.ts";
import type { Connection } from "./connection.ts";
import { StatementFault } from "./faults.ts";
import type { Asking, Lane, Slot } from "./lane.ts";
import { deadlineMs, type LaneName, type Lanes } from "./lanes.ts";
import type { ServerWatch } from "./server-watch.ts";

/** How long no connection is opened to a server that takes no more. */
const restMs = 1000;
/** Servers may end connections as fast as they are opened. */
const openingsMax = 3;

type Use = {
  readonly watch: ServerWatch;
  readonly lanes: Lanes;
  readonly open: (name: LaneName, host: ServerHost) => Connection;
};

/** Runs work with a connection of a lane, which is opened for it where it has to be. */
export function laneUser({ watch, lanes, open }: Use) {
  const opened = async (name: LaneName, lane: Lane, slot: Slot): Promise<Connection> => {
    const server = watch.current;
    if (server === null) throw refusals.unavailable();
    if (slot.connection?.hasEnded() === true) slot.connection = null;
    const connection = (slot.connection ??= open(name, server.host));
    try {
      await connection.open();
    } catch (error) {
      if (slot.connection === connection) slot.connection = null;
      const isFull = error instanceof StatementFault && error.kind === "full";
      if (isFull && !lane.rest(restMs)) throw error;
      if (!isFull) watch.suspect();
      throw new NotOpened(error, isFull);
    }
    return connection;
  };

  return async <T>(
    name: LaneName,
    wanted: Pick<Asking, "manner" | "goesOn">,
    work: (connection: Connection, slot: Slot) => Promise<T>,
  ): Promise<T> => {
    const lane = lanes[name];
    const asking = { ...wanted, waiter: behalf() };
    const deadline = performance.now() + deadlineMs[name];
    for (let openings = 0; ;) {
      const ready = watch.ready();
      const { standing } = ready instanceof Promise ? await ready : ready;
      if (standing.isReadOnly && wanted.manner !== "together") throw refusals.readsOnly();
      const taken = lane.take(asking);
      const slot = taken instanceof Promise ? await taken : taken;
      try {
        const open = slot.connection?.isOpen() === true ? slot.connection : await opened(name, lane, slot);
        return await work(open, slot);
      } catch (error) {
        if (!(error instanceof NotOpened)) throw error;
        // Places that the server refused rest, so that these come to an end.
        if (!error.isFull) openings += 1;
        if (openings === openingsMax || performance.now() > deadline) throw error.cause;
      } finally {
        lane.leave(slot);
      }
    }
  };
}

/** Nothing was sent, because no connection could be opened. */
class NotOpened extends Error {
  /** The server takes no more, and the lane has others. */
  readonly isFull: boolean;

  constructor(cause: unknown, isFull: boolean) {
    super("No connection could be opened", { cause });
    this.isFull = isFull;
  }
}
