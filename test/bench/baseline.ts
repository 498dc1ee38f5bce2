/*
 * The server to compare with, a process of its own: the least that Bun can do, a fetch handler that returns
 * one answer. It gets its answer over IPC and sends back its port.
 */
export type BaselineAnswer = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bodyBase64: string;
  /** What a POST is answered, once its body is read as JSON; left out: the same. */
  readonly toPost?: Omit<BaselineAnswer, "toPost">;
};

process.on("message", ({ toPost, ...answer }: BaselineAnswer) => {
  const respond = responder(answer);
  const respondToPost = toPost === undefined ? respond : responder(toPost);
  const fetch =
    toPost === undefined
      ? respond
      : async (request: Request) => {
          if (request.method !== "POST") return respond();
          await request.json();
          return respondToPost();
        };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    fetch,
  });
  process.send?.(server.port);
});

function responder({ status, headers: pairs, bodyBase64 }: BaselineAnswer): () => Response {
  // Made once, because that is the fastest: headers given as an object cost a sixth of all answers.
  const headers = new Headers(pairs.map(([name, value]): [string, string] => [name, value]));
  const body = status === 304 || status === 204 ? null : Uint8Array.fromBase64(bodyBase64);
  return () => new Response(body, { status, headers });
}
