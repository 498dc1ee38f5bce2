import { formatIpAddress, parseIpAddress } from "../kernel/ip-address.ts";

/** What a request handler returns. */
export type Answer = Response | Promise<Response>;

/**
 * Requests that are under way. Those that are answered at once are not seen: they never are while anything
 * else runs.
 */
export type FollowedRequests = {
  /**
   * Knows the request to be under way until it is answered, and a stream until it ends. Returns the answer as
   * it is.
   */
  readonly follow: (request: Request, answer: Answer) => Answer;
  /** Returns what is on the connection of each client at this moment. */
  readonly onConnections: (server: Server) => (client: ClientPort) => "request" | "stream" | null;
};

export type ClientPort = { readonly address: string; readonly port: number };
type Server = Pick<Bun.Server<undefined>, "requestIP">;

export function followRequests(): FollowedRequests {
  const underway = new Set<Request>();
  /** A stream's answer is ready long before it ends. They are few: `limits.eventStreamsMax`. */
  const streams = new Set<Request>();
  let server: Server | null = null;
  const keepStream = (request: Request): void => {
    for (const one of streams) if (server?.requestIP(one) === null) streams.delete(one);
    streams.add(request);
  };
  const end = (request: Request, response: Response | null): void => {
    underway.delete(request);
    if (response?.headers.get("content-type")?.startsWith("text/event-stream") === true) keepStream(request);
  };

  return {
    follow: (request, answer) => {
      if (!(answer instanceof Promise)) return answer;
      underway.add(request);
      answer.then(
        (response) => end(request, response),
        () => end(request, null),
      );
      return answer;
    },
    onConnections: (asked) => {
      server = asked;
      const requested = clientsOf(underway, asked);
      const streamed = clientsOf(streams, asked);
      return (client) => {
        const key = keyOf(client);
        if (streamed.has(key)) return "stream";
        return requested.has(key) ? "request" : null;
      };
    },
  };
}

/** The clients of requests that have not ended. */
function clientsOf(requests: Iterable<Request>, server: Server): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const request of requests) {
    const peer = server.requestIP(request);
    const address = parseIpAddress(peer?.address ?? "");
    if (peer !== null && address !== null)
      keys.add(keyOf({ address: formatIpAddress(address), port: peer.port }));
  }
  return keys;
}

function keyOf({ address, port }: ClientPort): string {
  return `${address} ${port}`;
}
