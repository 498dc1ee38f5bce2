/** What encoder and decoder share of the PNG standard (W3C PNG, third edition). */

/** The eight bytes that every PNG begins with. */
export const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Bytes of a chunk beside its data: length, type, CRC. */
export const chunkOverhead = 12;

/** A chunk to write: length and CRC are worked out from it. */
export type Chunk = { readonly type: string; readonly data: Uint8Array };

/** Puts signature and chunks together to a file, with every length and CRC. */
export function joinChunks(chunks: readonly Chunk[]): Uint8Array {
  const dataBytes = chunks.reduce((sum, chunk) => sum + chunk.data.length, 0);
  const file = new Uint8Array(signature.length + chunks.length * chunkOverhead + dataBytes);
  const view = new DataView(file.buffer);
  file.set(signature);
  let at = signature.length;
  for (const { type, data } of chunks) {
    view.setUint32(at, data.length);
    for (let i = 0; i < 4; i++) file[at + 4 + i] = type.charCodeAt(i);
    file.set(data, at + 8);
    const end = at + 8 + data.length;
    view.setUint32(end, Bun.hash.crc32(file.subarray(at + 4, end)));
    at = end + 4;
  }
  return file;
}

/** IHDR of a picture that is not interlaced. */
export function headerChunk(width: number, height: number, depth: number, colourType: number): Chunk {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data[8] = depth;
  data[9] = colourType;
  return { type: "IHDR", data };
}
