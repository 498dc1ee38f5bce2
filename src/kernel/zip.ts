/**
 * Zip archives (APPNOTE.TXT 6.3.10), written entry by entry while their reader takes them: nothing but names
 * and sums is kept. Parts that are packed already are stored, texts are deflated.
 */
import { nodeParts } from "./node-parts.ts";

/** A file of an archive. Bytes are stored as they are; a text may be of any length. */
export type ZipEntry = {
  /** ASCII, with slashes between folders. */
  readonly name: string;
  readonly content: Uint8Array | AsyncIterable<string>;
};

type Sizes = { readonly crc: number; readonly packed: number; readonly bytes: number };

type Written = Sizes & { readonly name: Buffer; readonly isDeflated: boolean; readonly offset: number };

const stored = 0;
const deflated = 8;
/** Sizes and sum follow the content: they are not known before. */
const sizesFollow = 0x0008;
/** As for archives without Zip64. */
const entriesMax = 0xffff;
const bytesMax = 0xffffffff;

/**
 * Yields the archive in pieces. `at` (Unix seconds) is when its files were made. Fails for more than 65,535
 * files and beyond 4 GiB.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, at: number): AsyncGenerator<Uint8Array> {
  const time = dosTime(at);
  const written: Written[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const entry = { name: Buffer.from(name, "latin1"), isDeflated: !(content instanceof Uint8Array), offset };
    let sizes: Sizes = { crc: 0, packed: 0, bytes: 0 };
    if (content instanceof Uint8Array) {
      sizes = { crc: Bun.hash.crc32(content), packed: content.length, bytes: content.length };
      yield Buffer.concat([header(entry, sizes, time), content]);
    } else {
      yield header(entry, sizes, time);
      sizes = yield* deflate(content);
      yield descriptor(sizes);
    }
    offset += headerBytes + entry.name.length + sizes.packed + (entry.isDeflated ? descriptorBytes : 0);
    written.push({ ...entry, ...sizes });
    if (written.length > entriesMax || offset > bytesMax) throw new Error("The archive is too large for Zip");
  }
  yield directory(written, offset, time);
}

/** Yields the packed text, and returns what it became. */
async function* deflate(text: AsyncIterable<string>): AsyncGenerator<Uint8Array, Sizes> {
  const packer = nodeParts.zlib.createDeflateRaw();
  const pieces: Buffer[] = [];
  packer.on("data", (piece: Buffer) => pieces.push(piece));
  // The callbacks below have the same error.
  packer.on("error", () => undefined);
  const [sizes, take] = [{ crc: 0, packed: 0, bytes: 0 }, () => Buffer.concat(pieces.splice(0))];
  try {
    for await (const part of text) {
      const bytes = Buffer.from(part, "utf8");
      sizes.crc = nodeParts.zlib.crc32(bytes, sizes.crc);
      sizes.bytes += bytes.length;
      await new Promise<void>((resolve, reject) => {
        packer.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      const packed = take();
      sizes.packed += packed.length;
      if (packed.length > 0) yield packed;
    }
    await new Promise<void>((resolve, reject) => {
      packer.once("error", reject).once("end", resolve).end();
    });
    const packed = take();
    sizes.packed += packed.length;
    yield packed;
    return sizes;
  } finally {
    packer.destroy();
  }
}

const headerBytes = 30;
const descriptorBytes = 16;

type Named = Pick<Written, "name" | "isDeflated">;

/** What the header of a file and its line in the directory share, from the version that reads it on. */
function shared({ name, isDeflated }: Named, { crc, packed, bytes }: Sizes, time: number): Buffer {
  const block = Buffer.alloc(26);
  block.writeUInt16LE(20, 0);
  block.writeUInt16LE(isDeflated ? sizesFollow : 0, 2);
  block.writeUInt16LE(isDeflated ? deflated : stored, 4);
  block.writeUInt32LE(time, 6);
  block.writeUInt32LE(crc, 10);
  block.writeUInt32LE(packed, 14);
  block.writeUInt32LE(bytes, 18);
  block.writeUInt16LE(name.length, 22);
  return block;
}

function header(entry: Named, sizes: Sizes, time: number): Buffer {
  return Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), shared(entry, sizes, time), entry.name]);
}

function descriptor({ crc, packed, bytes }: Sizes): Buffer {
  const block = Buffer.alloc(descriptorBytes);
  block.write("PK\x07\x08", "latin1");
  block.writeUInt32LE(crc, 4);
  block.writeUInt32LE(packed, 8);
  block.writeUInt32LE(bytes, 12);
  return block;
}

/** The list of all files, and where it is. */
function directory(written: readonly Written[], offset: number, time: number): Buffer {
  const lines = written.map((entry) => {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(entry.offset, 10);
    const version = Buffer.from([20, 0]);
    return Buffer.concat([
      Buffer.from("PK\x01\x02", "latin1"),
      version,
      shared(entry, entry, time),
      rest,
      entry.name,
    ]);
  });
  const list = Buffer.concat(lines);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(written.length, 8);
  end.writeUInt16LE(written.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([list, end]);
}

/**
 * Date and time as MS-DOS has them, in UTC: two seconds are its smallest step, and 1980 is its first year.
 */
function dosTime(at: number): number {
  const time = new Date(at * 1000);
  const date =
    (Math.max(0, time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock =
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | Math.floor(time.getUTCSeconds() / 2);
  return date * 0x10000 + clock;
}
