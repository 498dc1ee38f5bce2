import { createSemaphores, type SemaphoreOptions } from "../../kernel/semaphore.ts";
import { clientNetworks, type Client } from "./address-limit.ts";

/**
 * Runs a client's work when it is its turn: a few at a time of one address. Fails with limited when too many
 * wait.
 */
export type InTurn = <T>(client: Client, work: () => Promise<T>) => Promise<T>;

/**
 * Bounds the work of each address, IPv6 by /64, that runs at one time and that waits. Holds no address
 * without work.
 */
export function createTurns(bounds: SemaphoreOptions): InTurn {
  const turns = createSemaphores(bounds);

  return (client, work) => {
    const [network = client.address] = clientNetworks(client);
    return turns(network, work);
  };
}
