/*
 * Clients that pipeline, a process of their own: each connection sends many requests in one piece, and then
 * hangs up or waits for the answers. Each is followed by another one at once. It takes one job at a time over
 * IPC and leaves nothing open.
 */
export type PipelineJob = {
  readonly port: number;
  /** The head of one request; each connection begins with the next one. */
  readonly requests: readonly string[];
  /** Requests that a connection sends. */
  readonly pipelined: number;
  /** At one time. */
  readonly connections: number;
  readonly manner: "leave" | "stay";
  readonly milliseconds: number;
};

/** Connections that were made, and answers that came. */
export type PipelineResult = { readonly connections: number; readonly answers: number };

/**
 * Long enough for the requests to be read. A machine that is not this one learns as late that its client has
 * gone.
 */
const leaveMilliseconds = 20;

process.on("message", async (job: PipelineJob) => process.send?.(await run(job)));

async function run(job: PipelineJob): Promise<PipelineResult> {
  const end = performance.now() + job.milliseconds;
  const pieces = job.requests.map((request) => Buffer.from(request.repeat(job.pipelined)));
  let [connections, answers] = [0, 0];
  const goOn = async (): Promise<void> => {
    while (performance.now() < end) {
      const piece = pieces[connections % pieces.length];
      if (piece === undefined) throw new Error("There is nothing to send");
      connections += 1;
      const count = await connect(job, piece, end - performance.now());
      answers += count;
    }
  };
  await Promise.all(Array.from({ length: job.connections }, goOn));
  return { connections, answers };
}

/** The number of answers by the time that the connection has ended. */
async function connect(
  { port, pipelined, manner }: PipelineJob,
  piece: Uint8Array,
  milliseconds: number,
): Promise<number> {
  const closed = Promise.withResolvers<number>();
  let rest = piece;
  let answers = 0;
  const send = (socket: Bun.Socket): void => {
    rest = rest.subarray(Math.max(0, socket.write(rest)));
  };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: send,
      drain: send,
      data: (open, chunk) => {
        answers += chunk.toString("latin1").match(/HTTP\/1\.1 \d/g)?.length ?? 0;
        if (answers >= pipelined) open.terminate();
      },
      close: () => closed.resolve(answers),
      error: () => closed.resolve(answers),
    },
  }).catch(() => null);
  if (socket === null) return 0;
  const late = setTimeout(() => socket.terminate(), manner === "leave" ? leaveMilliseconds : milliseconds);
  const count = await closed.promise;
  clearTimeout(late);
  return count;
}
