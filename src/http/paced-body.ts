import { limits } from "../kernel/limits.ts";
import { nodeParts } from "../kernel/node-parts.ts";
import { storedCodings, takesCoding } from "./negotiation.ts";
import type { Requests } from "./requests.ts";

/** Long bodies that are made while their client takes them, compressed for a client that takes that. */

/**
 * A client that takes nothing for so long is gone. The kernel keeps some 4 MB for a client and asks for more
 * when a third of that is free: a client that reads 3 kB a second is still served.
 */
const stallMs = 10 * 60_000;

/**
 * What the runtime still holds of a complete body waits for room in the kernel. This is the longest time that
 * it can count.
 */
const lastPieceSeconds = 240;

type Source = AsyncGenerator<Uint8Array | string>;

type Paced = {
  readonly request: Request;
  /** Called when the body has ended, however that was. */
  readonly leave: () => void;
  /** What the log calls the body. */
  readonly name: string;
};

const packers = {
  zstd: () => nodeParts.zlib.createZstdCompress(),
  gzip: () => nodeParts.zlib.createGzip(),
} as const;

/** The best coding that the client takes, as a header's value and as what packs a body; null for none. */
export function bodyCoding(request: Request) {
  const name = storedCodings.find((one) => takesCoding(request, one)) ?? null;
  return name === null ? null : { name, pack: (source: Source) => packed(source, packers[name]()) };
}

/** One stream of the coding, piece by piece: many browsers read the first of several in a row alone. */
async function* packed(source: Source, packer: ReturnType<(typeof packers)["gzip" | "zstd"]>): Source {
  const pieces: Uint8Array[] = [];
  packer.on("data", (piece: Uint8Array) => pieces.push(piece));
  // The callbacks below have the same error.
  packer.on("error", () => undefined);
  try {
    for await (const piece of source) {
      await new Promise<void>((resolve, reject) => {
        packer.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      if (pieces.length > 0) yield Buffer.concat(pieces.splice(0));
    }
    await new Promise<void>((resolve, reject) => {
      packer.once("error", reject).once("end", resolve).end();
    });
    yield Buffer.concat(pieces.splice(0));
  } finally {
    packer.destroy();
  }
}

/**
 * The body that asks its source when its client has taken what it got. Between two pieces a slow client's
 * connection shows no traffic for minutes, so its time is ours meanwhile: a client that takes nothing for ten
 * minutes is ended, which the log says.
 */
export function pacedBody(
  { log, idleAfter }: Pick<Requests, "log" | "idleAfter">,
  source: Source,
  { request, leave, name }: Paced,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stalled: Timer | undefined;
  idleAfter(request, 0);
  const end = (idleSeconds: number): void => {
    clearTimeout(stalled);
    idleAfter(request, idleSeconds);
    leave();
    void source.return(undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stalled);
        try {
          const { done, value } = await source.next();
          if (done === true) {
            end(lastPieceSeconds);
            return controller.close();
          }
          controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
          stalled = setTimeout(() => {
            log.warn(`${name} was ended: its client took nothing for ten minutes`);
            end(limits.idleSeconds);
            controller.error(new Error("The client took nothing for too long"));
          }, stallMs);
        } catch (error) {
          log.warn(`${name} was ended`, { error });
          end(limits.idleSeconds);
          controller.error(error);
        }
      },
      cancel: () => end(limits.idleSeconds),
    },
    { highWaterMark: 0 },
  );
}
