import { AppError } from "../../kernel/errors.ts";

/** Reads pieces of requested sizes from a stream of bytes. Holds at most one chunk in memory. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Resolves to exactly so many bytes; fewer only at the stream's end. */
  async read(bytes: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.pieces(bytes, "short")) pieces.push(piece);
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  /** Yields the next bytes as they come. Fails with invalid when the stream ends early, unless `end` is `short`. */
  async *pieces(bytes: number, end: "complete" | "short" = "complete"): AsyncGenerator<Uint8Array> {
    let missing = bytes;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#fill())) {
        if (end === "short") return;
        throw new AppError("invalid", "it is incomplete");
      }
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#rest = next.value;
    }
    return true;
  }
}
