import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

/** A port of the loopback address without a listener. */
export type ClosedPort = Disposable & { readonly port: number };

/**
 * Holds a port on which every connection is refused: this end of a connection has it. One that was only
 * listened on and given back may be another test's by the time that it is asked.
 */
export async function holdClosedPort(): Promise<ClosedPort> {
  const server = createServer((other) => other.on("error", () => undefined).resume());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port: open } = server.address() as AddressInfo; // it listens on a port, so it has one
  const socket = connect(open, "127.0.0.1");
  await once(socket, "connect");
  return {
    port: Number(socket.localPort),
    [Symbol.dispose]: () => {
      socket.destroy();
      server.close();
    },
  };
}
