import { ClientQueue } from "../kernel/client-queue.ts";
import { limits } from "../kernel/limits.ts";
import type { Answer, ClientPort } from "./followed-requests.ts";

/**
 * Milliseconds for which answers are given before it is looked whether the event loop has gone on, so that
 * looking costs most requests nothing; and how long they are given in a turn for a while after a connection
 * was cut.
 */
const shortTurnMs = 1;
/** A client whose connection was cut mostly comes back with the rest of its requests. */
const cautiousMs = 1000;

/** `startedAt` is of `performance.now()`: to ask for it once more would be noticeable. */
type Handle = (request: Request, startedAt?: number) => Answer;

type Deps = {
  readonly answer: Handle;
  /** Null where connections cannot be told apart. */
  readonly connectionOf: (request: Request) => ClientPort | null;
  /** The client that waits for the answer. */
  readonly clientOf: (request: Request, connection: ClientPort | null) => string;
};

type Waiting = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
};

/**
 * Answers as `answer` does, but for some 5 ms in one turn of the event loop only. Later requests are answered
 * in the next turn, those of different clients alternately, and not at all where the client has gone. Bun
 * answers new connections as it accepts them, and all requests that one connection has sent, before it runs a
 * timer or reads from another connection.
 *
 * Bun closes a connection on which a request follows one without an answer. So at most one request of each
 * connection waits, and a client that pipelines would lose its answers. The connection whose answers have
 * used up the time gets one more at once, which says that it is the last (RFC 9112 9.6).
 */
export function paced({ answer, connectionOf, clientOf }: Deps): Handle {
  const waiting = new ClientQueue<Waiting>();
  /** Answers are given until then. */
  let until = 0;
  /** Whether the next turn will be noticed. */
  let isWatched = false;
  /** The connection of the first request after that time. */
  let late: ClientPort | null = null;
  let cautiousUntil = 0;

  const watch = (): void => {
    isWatched = true;
    until = performance.now();
    until += until < cautiousUntil ? shortTurnMs : limits.turnMilliseconds;
    setImmediate(beginTurn);
  };
  const beginTurn = (): void => {
    isWatched = false;
    late = null;
    if (waiting.size > 0) watch();
    else until = performance.now() + shortTurnMs;
  };
  const answerLast: Handle = (request) => {
    cautiousUntil = performance.now() + cautiousMs;
    return asLast(answer(request));
  };
  const answerLate: Handle = (request) => {
    const connection = connectionOf(request);
    if (connection !== null && late === null) {
      late = connection;
      return answer(request);
    }
    if (isSame(connection, late) || waiting.size >= limits.requestsWaitingMax) return answerLast(request);
    setImmediate(answerWaiting);
    return new Promise((resolve) => waiting.add(clientOf(request, connection), { request, resolve }));
  };
  /** Runs once per waiting request, so the microtasks of an answer are done before the next one begins. */
  const answerWaiting = (): void => {
    if (performance.now() < until) giveNext();
    else setImmediate(answerWaiting);
  };
  const giveNext = (): void => {
    const next = waiting.next(() => true);
    if (next === null) return;
    const [client, { request, resolve }] = next;
    waiting.take(client);
    // No client gets this answer. Bun keeps what belongs to the request until there is one.
    const isGone = request.signal.aborted;
    resolve(isGone ? new Response(null, { status: 503 }) : Promise.try(answer, request));
  };

  return (request) => {
    const now = performance.now();
    if (now < until) return answer(request, now);
    if (isWatched) return answerLate(request);
    watch();
    return answer(request);
  };
}

function isSame(one: ClientPort | null, other: ClientPort | null): boolean {
  return one !== null && one.port === other?.port && one.address === other.address;
}

function asLast(answer: Answer): Answer {
  if (answer instanceof Promise) return answer.then(asLast);
  answer.headers.set("connection", "close");
  return answer;
}
