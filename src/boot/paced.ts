import { limits } from "../kernel/limits.ts";

/**
 * Milliseconds for which answers are given before it is looked whether the event loop has gone on, so that looking costs most requests
 * nothing; and how long answers are given in the turn after one in which a connection had to be ended.
 */
const shortTurnMs = 1;

type Answer = (request: Request) => Response | Promise<Response>;

type Deps = {
  readonly answer: Answer;
  /** The connection of a request; null where connections cannot be told apart. */
  readonly connectionOf: (request: Request) => string | null;
  /** The client that waits for the answer. */
  readonly clientOf: (request: Request) => string;
};

type Waiting = {
  readonly request: Request;
  readonly resolve: (answer: Response | Promise<Response>) => void;
};

/**
 * Answers as `answer` does, but for some 5 ms in one turn of the event loop only. Later requests are answered in the next turn, those
 * of different clients alternately, and not at all where the client has gone. Bun answers new connections as it accepts them, and all
 * requests that one connection has sent, before it runs a timer or reads from another connection.
 *
 * Bun closes a connection on which a request follows one without an answer. So at most one request of each connection waits, and
 * a client that pipelines would lose its answers. The connection whose answers have used up the time gets one more at once, which
 * says that it is the last (RFC 9112 9.6).
 */
export function paced({ answer, connectionOf, clientOf }: Deps): Answer {
  const waiting = createWaiting();
  /** Answers are given until then. */
  let until = 0;
  /** Whether the next turn will be noticed. */
  let isWatched = false;
  /** The connection of the first request after that time. */
  let lateConnection: string | null = null;
  let hasEndedConnection = false;

  const beginTurn = (): void => {
    const isBusy = hasEndedConnection || waiting.count() > 0;
    until = performance.now() + (isBusy && !hasEndedConnection ? limits.turnMilliseconds : shortTurnMs);
    isWatched = false;
    lateConnection = null;
    hasEndedConnection = false;
    if (isBusy) watch();
  };
  const watch = (): void => {
    isWatched = true;
    setImmediate(beginTurn);
  };
  const answerLast: Answer = (request) => {
    hasEndedConnection = true;
    return asLast(answer(request));
  };
  const answerLate: Answer = (request) => {
    const connection = connectionOf(request);
    if (connection !== null && lateConnection === null) {
      lateConnection = connection;
      return answer(request);
    }
    const isPipelined = connection !== null && connection === lateConnection;
    if (isPipelined || waiting.count() >= limits.requestsWaitingMax) return answerLast(request);
    return wait(request);
  };
  const wait: Answer = (request) => {
    setImmediate(answerWaiting);
    return new Promise((resolve) => waiting.add(clientOf(request), { request, resolve }));
  };
  /** Runs once for each request that waits: what an answer leaves to microtasks is done before the next one begins. */
  const answerWaiting = (): void => {
    if (performance.now() < until) giveNext();
    else setImmediate(answerWaiting);
  };

  const giveNext = (): void => {
    const next = waiting.take();
    if (next === null) return;
    const { request, resolve } = next;
    // No client gets this answer. Bun keeps what belongs to the request until there is one.
    const isGone = request.signal.aborted;
    resolve(isGone ? new Response(null, { status: 503 }) : Promise.try(answer, request));
  };

  return (request) => {
    const now = performance.now();
    if (now < until) return answer(request);
    if (isWatched) return answerLate(request);
    watch();
    until = now + limits.turnMilliseconds;
    return answer(request);
  };
}

function asLast(answer: Response | Promise<Response>): Response | Promise<Response> {
  if (answer instanceof Promise) return answer.then(asLast);
  answer.headers.set("connection", "close");
  return answer;
}

/** Requests that wait. Clients get turns one after the other, however many requests each has here. */
function createWaiting() {
  const byClient = new Map<string, Waiting[]>();
  let count = 0;
  return {
    count: () => count,
    add: (client: string, one: Waiting): void => {
      count += 1;
      const others = byClient.get(client);
      if (others === undefined) byClient.set(client, [one]);
      else others.push(one);
    },
    take: (): Waiting | null => {
      const [[client, requests] = ["", []]] = byClient;
      const next = requests.shift() ?? null;
      byClient.delete(client);
      if (requests.length > 0) byClient.set(client, requests);
      if (next !== null) count -= 1;
      return next;
    },
  };
}
