import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import type { Archives, Chunks, IncomingEntry, OutgoingEntry } from "../../domain/ports/backup-ports.ts";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { blockBytes, readHeader, writeHeader } from "./tar-header.ts";

/** The compressor's input size: a call for every small texture would cost more than to compress it. */
const blockOfChunksBytes = 1024 * 1024;

/**
 * Tar archives in one zstd frame with a checksum. Takes some megabytes of memory, whatever the archive's
 * size.
 */
export const tarZstd: Archives = {
  write: async (path, entries) => {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
    try {
      await pipeline(Readable.from(gathered(tarOf(entries))), compress, file);
      await syncFile(path);
    } catch (error) {
      throw aboutDisk(error);
    }
  },
  read: readArchive,
};

async function* tarOf(entries: AsyncIterable<OutgoingEntry>): Chunks {
  for await (const { name, bytes, content } of entries) {
    yield writeHeader({ name, bytes });
    if (content instanceof Uint8Array) yield content;
    else yield* content;
    yield new Uint8Array(paddingOf(bytes));
  }
  yield new Uint8Array(2 * blockBytes);
}

/** Joins chunks into large ones. */
async function* gathered(chunks: Chunks): Chunks {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes < blockOfChunksBytes) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  yield Buffer.concat(pieces);
}

/** How many zeros may follow the end: no record is larger. */
const recordBytesMax = 64 * 1024;

async function* readArchive(path: string): AsyncGenerator<IncomingEntry> {
  const reader = new ByteReader(decompressed(path));
  try {
    for (;;) {
      const header = readHeader(await readBlock(reader));
      if (header === null) break;
      const content = reader.pieces(header.bytes);
      yield { ...header, content };
      for await (const _unread of content);
      await skipZeros(reader, paddingOf(header.bytes));
    }
    await skipRest(reader);
  } finally {
    await reader.close();
  }
}

/** The web's decompressor, unlike Node's, fails for an incomplete frame and for one with trailing bytes. */
async function* decompressed(path: string): Chunks {
  const file = Bun.file(path).stream();
  try {
    yield* file.pipeThrough(new DecompressionStream("zstd"));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new PlainError("invalid", `it is damaged or not a backup (${error.message})`, { cause: error });
  }
}

/** An archive ends with a second block of zeros and the rest of the last record, 10 KiB by default. */
async function skipRest(reader: ByteReader): Promise<void> {
  await skipZeros(reader, blockBytes);
  for (let rest = 0; rest <= recordBytesMax; rest += blockBytes) {
    const block = await reader.read(blockBytes);
    if (block.length === 0) return;
    if (block.some((byte) => byte !== 0)) break;
  }
  throw new PlainError("invalid", "something follows its end");
}

async function readBlock(reader: ByteReader): Promise<Uint8Array> {
  const block = await reader.read(blockBytes);
  if (block.length < blockBytes) throw new PlainError("invalid", "it is incomplete");
  return block;
}

async function skipZeros(reader: ByteReader, bytes: number): Promise<void> {
  for await (const piece of reader.pieces(bytes)) {
    if (piece.some((byte) => byte !== 0))
      throw new PlainError("invalid", "it is damaged between two entries");
  }
}

/** Contents are padded with zeros to full blocks. */
function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

function aboutDisk(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new PlainError("no_space", "no space is left on the disk", { cause: error });
}

/** Reads pieces of requested sizes from a stream of bytes. Holds at most one chunk in memory. */
class ByteReader {
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

  /**
   * Yields the next bytes as they come. Fails with invalid when the stream ends early, unless `end` is
   * `short`.
   */
  async *pieces(bytes: number, end: "complete" | "short" = "complete"): AsyncGenerator<Uint8Array> {
    let missing = bytes;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#fill())) {
        if (end === "short") return;
        throw new PlainError("invalid", "it is incomplete");
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
