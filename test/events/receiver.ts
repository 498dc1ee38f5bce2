/* A receiver of webhooks on this machine. */

export type Received = { readonly headers: Headers; readonly body: string; readonly id: number };

export type Receiver = AsyncDisposable & {
  readonly url: string;
  readonly received: readonly Received[];
  /** How it answers from now on; a number is a status. */
  answer: number | ((request: Request) => Response | Promise<Response>);
  /** Resolves when it has got so many. */
  readonly until: (count: number) => Promise<readonly Received[]>;
};

export function openReceiver(): Receiver {
  const received: Received[] = [];
  let more = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const body = await request.text();
      const { answer } = receiver;
      const response =
        typeof answer === "number" ? new Response(null, { status: answer }) : await answer(request);
      received.push({ headers: request.headers, body, id: Number(JSON.parse(body).id) });
      more.resolve();
      more = Promise.withResolvers();
      return response;
    },
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}/events`,
    received,
    answer: 204,
    until: async (count) => {
      while (received.length < count) await more.promise;
      return received;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return receiver;
}
