import { createSemaphore, type Semaphore, type SemaphoreOptions } from "../../kernel/semaphore.ts";
import { clientNetworks, type Client } from "./address-limit.ts";

/** Runs a client's work when it is its turn: a few at a time of one address. Fails with limited when too many wait. */
export type InTurn = <T>(client: Client, work: () => Promise<T>) => Promise<T>;

/** Bounds the work of each address, IPv6 by /64, that runs at one time and that waits. Holds no address without work. */
export function createTurns(bounds: SemaphoreOptions): InTurn {
  const turns = new Map<string, { readonly run: Semaphore; count: number }>();

  return async (client, work) => {
    const [network = client.address] = clientNetworks(client);
    const turn = turns.get(network) ?? { run: createSemaphore(bounds), count: 0 };
    turns.set(network, turn);
    turn.count += 1;
    try {
      return await turn.run(work);
    } finally {
      turn.count -= 1;
      if (turn.count === 0) turns.delete(network);
    }
  };
}
