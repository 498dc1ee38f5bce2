/*
 * A network for tests that fails when a test wants it to: a TCP proxy on the loopback address. A filter may
 * read what passes and answer otherwise; postgres-proxy.ts and bucket-proxy.ts have those of both protocols.
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Both ends of a connection through the proxy. */
export type Link = {
  readonly toServer: (bytes: Uint8Array) => void;
  readonly toClient: (bytes: Uint8Array) => void;
  /** Ends the client's side in the ordinary way, after all that was sent. */
  readonly endClient: () => void;
  /** Resets both sides. */
  readonly reset: () => void;
};

/** What is done with the bytes of one connection, in the order in which they come. */
export type Filter = {
  readonly fromClient: (bytes: Buffer) => void;
  readonly fromServer: (bytes: Buffer) => void;
  /** The server has sent all: `endClient` passes that on. */
  readonly serverEnded: () => void;
};

export type FaultProxy = AsyncDisposable & {
  readonly port: number;
  readonly openLinks: () => number;
  /** Resets every connection there is. */
  readonly cut: () => void;
  /**
   * From now on nothing passes, and neither end sees the other one end; connections stay open, new ones are
   * taken as well.
   */
  readonly stall: () => void;
  /** From now on everything takes so much longer, in each direction. */
  readonly slow: (milliseconds: number) => void;
  /** From now on new connections are refused. */
  readonly refuse: () => void;
  /** Ends all of these: what was held back passes. */
  readonly heal: () => Promise<void>;
};

export type ProxyOptions = {
  readonly target: { readonly host: string; readonly port: number };
  /** Without it everything passes as it is. */
  readonly filter?: (link: Link) => Filter;
};

/** Opens a proxy before the target. Disposing of it resets what is connected. */
export async function openFaultProxy({ target, filter = passing }: ProxyOptions): Promise<FaultProxy> {
  const carriers = new Set<Carrier>();
  const weather: Weather = { isStalled: false, delayMs: 0 };
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ ...target, allowHalfOpen: true });
    const carrier = new Carrier({ client, server, weather, gone: () => void carriers.delete(carrier) });
    carriers.add(carrier);
    carrier.start(filter(carrier));
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo; // it listens on a port, so it has one
  const cut = () => {
    for (const carrier of carriers) carrier.reset();
  };
  const refuse = () => {
    if (listener.listening) listener.close();
  };
  return {
    port,
    openLinks: () => carriers.size,
    cut,
    stall: () => {
      weather.isStalled = true;
      for (const carrier of carriers) carrier.hold();
    },
    slow: (milliseconds) => void (weather.delayMs = milliseconds),
    refuse,
    heal: async () => {
      weather.isStalled = false;
      weather.delayMs = 0;
      for (const carrier of carriers) carrier.release();
      if (!listener.listening) await once(listener.listen(port, "127.0.0.1"), "listening");
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      refuse();
    },
  };
}

const passing = ({ toServer, toClient, endClient }: Link): Filter => ({
  fromClient: toServer,
  fromServer: toClient,
  serverEnded: endClient,
});

type Weather = { isStalled: boolean; delayMs: number };

type CarrierOptions = {
  readonly client: Socket;
  readonly server: Socket;
  readonly weather: Readonly<Weather>;
  readonly gone: () => void;
};

/** Carries the bytes of one connection. */
class Carrier implements Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #weather: Readonly<Weather>;
  readonly #gone: () => void;
  /** A side has gone, and the stalled network has kept that from the other one. */
  #isBroken = false;

  constructor({ client, server, weather, gone }: CarrierOptions) {
    this.#client = client;
    this.#server = server;
    this.#weather = weather;
    this.#gone = gone;
  }

  start({ fromClient, fromServer, serverEnded }: Filter): void {
    const [up, down] = [this.#road(), this.#road()];
    this.#client.on("data", (bytes) => up(() => fromClient(Buffer.from(bytes))));
    this.#server.on("data", (bytes) => down(() => fromServer(Buffer.from(bytes))));
    this.#client.on("end", () => up(() => this.#server.end()));
    this.#server.on("end", () => down(serverEnded));
    for (const socket of [this.#client, this.#server]) {
      socket.setNoDelay(true);
      // What follows an error is the end of the connection.
      socket.on("error", () => undefined);
      socket.on("close", (hadError) => this.#closed(hadError));
    }
    if (this.#weather.isStalled) this.hold();
  }

  readonly toServer = (bytes: Uint8Array): void => void this.#server.write(bytes);
  readonly toClient = (bytes: Uint8Array): void => void this.#client.write(bytes);

  readonly endClient = (): void => void this.#client.end();

  readonly reset = (): void => {
    for (const socket of [this.#client, this.#server]) if (!socket.destroyed) socket.resetAndDestroy();
    this.#gone();
  };

  hold(): void {
    this.#client.pause();
    this.#server.pause();
  }

  release(): void {
    if (this.#isBroken) return this.reset();
    this.#client.resume();
    this.#server.resume();
  }

  #closed(hadError: boolean): void {
    if (this.#client.destroyed && this.#server.destroyed) return this.#gone();
    if (this.#weather.isStalled) this.#isBroken = true;
    else if (hadError || this.#client.destroyed) this.reset();
  }

  /** One direction: in order, and as slow as the network is when a packet sets out. */
  #road(): (packet: () => void) => void {
    let last = Promise.resolve();
    let waiting = 0;
    return (packet) => {
      const { delayMs } = this.#weather;
      if (waiting === 0 && delayMs === 0) return packet();
      waiting += 1;
      const due = performance.now() + delayMs;
      last = last
        .then(() => Bun.sleep(Math.max(0, due - performance.now())))
        .then(packet)
        .finally(() => (waiting -= 1));
    };
  }
}
