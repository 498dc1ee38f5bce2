/* Threads that begin what they are given, and go on when the test lets them. */

export const gateName = "cloakroom-test-gate";

/** `began`: a picture as in `head 512`, or a texture. */
export type GateMessage = { readonly began: string } | { readonly letGo: "picture" | "texture" };

export type ThreadGate = Disposable & {
  /** What the service's threads are to be: one for pictures, one for textures. */
  readonly threads: { readonly threads: 1; readonly entry: URL };
  /** What has begun so far and was not taken yet: the next one, as soon as there is one. */
  readonly next: () => Promise<string>;
  /** Lets the picture or texture that has begun be made. */
  readonly letGo: (what: "picture" | "texture") => void;
};

export function openGate(): ThreadGate {
  const channel = new BroadcastChannel(gateName);
  const begun: string[] = [];
  let wake = Promise.withResolvers<void>();
  channel.addEventListener("message", (event) => {
    const { data } = event as MessageEvent<GateMessage>; // Bun's types give channels plain events
    if (!("began" in data)) return;
    begun.push(data.began);
    wake.resolve();
  });
  const post = (message: GateMessage) => channel.postMessage(message);

  return {
    threads: { threads: 1, entry: new URL("./gated-worker.ts", import.meta.url) },
    next: async () => {
      for (;;) {
        const what = begun.shift();
        if (what !== undefined) return what;
        wake = Promise.withResolvers();
        await wake.promise;
      }
    },
    letGo: (what) => post({ letGo: what }),
    [Symbol.dispose]: () => channel.close(),
  };
}
