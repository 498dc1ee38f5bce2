/*
 * The attacker, a process of its own: many connections that each send a request, and either wait for its
 * answer or hang up at once. It takes one job at a time over IPC, answers when the job is over, and leaves
 * nothing open.
 */
export type AttackJob = {
  readonly port: number;
  /** One for each connection, a whole one. A connection that goes on sends its own again. */
  readonly requests: readonly Uint8Array[];
  /**
   * `once`: one request. `on`: another one after each answer. `leave`: hangs up after `leaveMilliseconds`.
   */
  readonly manner: "once" | "on" | "leave";
  /** After so long all connections are closed, whatever they wait for. */
  readonly milliseconds: number;
};

/** How often each status was answered, and how long its answers took in the middle. */
export type AttackResult = Readonly<Record<string, { readonly times: number; readonly medianMs: number }>>;

/** Long enough to be read, much too short for an answer. */
const leaveMilliseconds = 20;

process.on("message", async (job: AttackJob) => process.send?.(await attack(job)));

async function attack({ port, requests, manner, milliseconds }: AttackJob): Promise<AttackResult> {
  const answered = new Map<string, number[]>();
  const over = new AbortController();
  const sockets = requests.map((request) =>
    connect(port, request, (status, took) => {
      answered.set(status, [...(answered.get(status) ?? []), took]);
      return manner === "on" && !over.signal.aborted;
    }),
  );
  await Bun.sleep(manner === "leave" ? leaveMilliseconds : milliseconds);
  over.abort();
  for (const socket of sockets) (await socket)?.terminate();
  if (manner === "leave") await Bun.sleep(milliseconds - leaveMilliseconds);
  return Object.fromEntries(
    Array.from(answered, ([status, times]) => [status, { times: times.length, medianMs: middle(times) }]),
  );
}

/**
 * Sends the request, and again as long as `onAnswer` says so. Null when the server takes no more connections.
 */
async function connect(
  port: number,
  request: Uint8Array,
  onAnswer: (status: string, milliseconds: number) => boolean,
) {
  let rest: Uint8Array = request;
  let startedAt = 0;
  let answer = Buffer.alloc(0);
  const write = (socket: Bun.Socket): void => {
    rest = rest.subarray(Math.max(0, socket.write(rest)));
  };
  const send = (socket: Bun.Socket): void => {
    startedAt = performance.now();
    rest = request;
    write(socket);
  };
  return await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: send,
      drain: write,
      data: (socket, chunk) => {
        answer = Buffer.concat([answer, chunk]);
        if (!isComplete(answer)) return;
        const status = answer.toString("latin1", 9, 12);
        answer = Buffer.alloc(0);
        // A refusal may come before all was sent; the server reads the rest, which comes before the next
        // request.
        if (onAnswer(status, performance.now() - startedAt) && rest.length === 0) send(socket);
      },
      error: () => {},
    },
  }).catch(() => null);
}

function isComplete(answer: Buffer): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = answer.toString("latin1", 0, end);
  return (
    answer.length >=
    end + 4 + Number(/^content-length: (?<length>\d+)/im.exec(head)?.groups?.["length"] ?? "0")
  );
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
