/*
 * The server to compare with, a process of its own: the least that Bun can do, a fetch handler that returns one answer.
 * It gets its answer over IPC and sends back its port.
 */
export type BaselineAnswer = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bodyBase64: string;
};

process.on("message", ({ status, headers: pairs, bodyBase64 }: BaselineAnswer) => {
  // Made once, because that is the fastest: headers given as an object cost a sixth of all answers.
  const headers = new Headers(pairs.map(([name, value]): [string, string] => [name, value]));
  const body = status === 304 ? null : Uint8Array.fromBase64(bodyBase64);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    fetch: () => new Response(body, { status, headers }),
  });
  process.send?.(server.port);
});
