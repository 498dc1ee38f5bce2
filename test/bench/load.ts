/*
 * The load generator, a process of its own: it takes one job at a time over IPC and answers each with what it
 * measured. Keep-alive HTTP/1.1 over plain sockets, one request in flight on each connection, no work per
 * request but counting.
 */
export type LoadJob = {
  readonly port: number;
  /**
   * A whole request, sent over and over: its answers must be of one length. Or several, sent one after the
   * other.
   */
  readonly request: string | readonly string[];
  /** Of every answer; several: each answer has one of them. */
  readonly status: number | readonly number[];
  readonly connections: number;
  readonly milliseconds: number;
  /** `full`: the next request follows each answer at once. `steady`: one request every millisecond. */
  readonly pace: "full" | "steady";
};

/** Latencies are in microseconds. */
export type LoadResult = {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
};

type Connection = { sentAt: number; received: number; answerLength: number };
type Socket = Bun.Socket<Connection>;

process.on("message", async (job: LoadJob) => process.send?.(await run(job)));

async function run(job: LoadJob): Promise<LoadResult> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const load = startLoad(job, (reason) =>
    reject(new Error(`${[job.request].flat()[0]?.split("\r")[0]}: ${reason}`)),
  );
  const sockets = await Promise.all(
    Array.from({ length: job.connections }, () =>
      Bun.connect<Connection>({ hostname: "127.0.0.1", port: job.port, socket: load.handlers }),
    ),
  );
  const start = performance.now();
  load.begin(sockets);
  await Promise.race([Bun.sleep(job.milliseconds), failed]);
  const seconds = (performance.now() - start) / 1000;
  const answers = load.latencies.count();
  const perSecond = answers / seconds;
  load.end(sockets);
  const result = { answers, perSecond, ...load.latencies.summary() };
  for (const socket of sockets) socket.terminate();
  return result;
}

function startLoad(job: LoadJob, fail: (reason: string) => void) {
  const requests = [job.request].flat().map((text) => Buffer.from(text));
  const isOne = requests.length === 1;
  let turn = 0;
  const statuses = [job.status].flat().map((status) => Buffer.from(String(status)));
  const isExpected = (chunk: Buffer) => statuses.some((status) => hasStatus(chunk, status));
  const latencies = createLatencies();
  const idle: Socket[] = [];
  // Requests of the steady pace that found no idle connection, by when they should have been sent.
  const late: number[] = [];
  let answerLength = 0;
  let ended = false;
  let ticker: Timer | undefined;

  const send = (socket: Socket, at: number): void => {
    const request = requests[turn];
    if (request === undefined) throw new Error("There is nothing to send");
    turn = (turn + 1) % requests.length;
    socket.data.sentAt = at;
    if (socket.write(request) !== request.length) fail("the request did not fit into the socket's buffer");
  };
  const tick = (): void => {
    const socket = idle.pop();
    const now = performance.now();
    if (socket === undefined) late.push(now);
    else send(socket, now);
  };
  const goOn = (socket: Socket, now: number): void => {
    if (job.pace === "full") return send(socket, now);
    socket.data.sentAt = 0;
    const since = late.shift();
    if (since === undefined) idle.push(socket);
    else send(socket, since);
  };

  return {
    latencies,
    handlers: {
      open(socket: Socket) {
        socket.data = { sentAt: 0, received: 0, answerLength: 0 };
      },
      data(socket: Socket, chunk: Buffer) {
        if (ended) return;
        const connection = socket.data;
        if (connection.received === 0 && !isExpected(chunk)) return fail(firstLine(chunk));
        if (answerLength === 0 || !isOne) {
          if (connection.received === 0) connection.answerLength = lengthOfAnswer(chunk);
          answerLength = connection.answerLength;
        }
        connection.received += chunk.length;
        if (connection.received < answerLength) return;
        if (connection.received > answerLength)
          return fail("an answer is longer than it says, or than the first");
        connection.received = 0;
        const now = performance.now();
        latencies.add(now - connection.sentAt);
        goOn(socket, now);
      },
      error: (_: Socket, error: Error) => fail(error.message),
      end: () => {
        if (!ended) fail("the server closed the connection");
      },
    },
    begin: (sockets: readonly Socket[]): void => {
      if (job.pace === "steady") {
        idle.push(...sockets);
        ticker = setInterval(tick, 1);
      } else for (const socket of sockets) send(socket, performance.now());
    },
    end: (sockets: readonly Socket[]): void => {
      ended = true;
      clearInterval(ticker);
      if (job.pace === "full") return;
      // What is still waited for has waited this long: a server that stands still would else leave no trace.
      const waiting = sockets.map(({ data }) => data.sentAt).filter((sentAt) => sentAt > 0);
      const now = performance.now();
      for (const since of [...waiting, ...late]) latencies.add(now - since);
    },
  };
}

/** `HTTP/1.1 200`: three digits from the tenth byte. */
function hasStatus(chunk: Buffer, status: Buffer): boolean {
  return chunk[9] === status[0] && chunk[10] === status[1] && chunk[11] === status[2];
}

/** Bytes of a whole answer, from its head, which must have come in one piece. */
function lengthOfAnswer(chunk: Buffer): number {
  const head = chunk.toString("latin1", 0, chunk.indexOf("\r\n\r\n") + 4);
  const declared = /^content-length: (?<length>\d+)\r$/im.exec(head)?.groups?.["length"] ?? "0";
  return head.length + (head.startsWith("HTTP/1.1 304") ? 0 : Number(declared));
}

function firstLine(chunk: Buffer): string {
  return chunk.toString("latin1").split("\r\n")[0] ?? "";
}

/** Counts latencies by the microsecond up to a second; longer ones count as a second. */
function createLatencies() {
  const counts = new Uint32Array(1_000_001);
  let count = 0;

  const quantile = (share: number): number => {
    let left = count * share;
    for (let i = 0; i < counts.length; i++) {
      left -= counts[i] ?? 0;
      if (left <= 0) return i;
    }
    return counts.length;
  };

  return {
    add: (milliseconds: number): void => {
      const bucket = Math.min(1_000_000, Math.round(milliseconds * 1000));
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      count++;
    },
    count: () => count,
    summary: () => ({ p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99) }),
  };
}
