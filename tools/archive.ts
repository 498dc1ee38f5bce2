/*
 * Writes `.tar.gz` (POSIX ustar) so that equal files give equal bytes: in the given order, without an owner,
 * with the given time. The systems' tar programs have different options for that, and Bun's own archives mark
 * no file as executable.
 */
import { blockBytes, writeHeader } from "../src/adapters/archive/tar-header.ts";

export type ArchiveFile = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
};

/** Paths are ASCII and have at most 100 characters, the format's limit. */
export function writeTarGz(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const seconds = Math.floor(time.getTime() / 1000);
  const blocks = files.flatMap(({ path, bytes, executable }) => {
    if (!/^[\x21-\x7e]{1,100}$/.test(path)) throw new Error(`${path} does not fit into the archive's header`);
    const header = { name: path, bytes: bytes.length };
    return [
      writeHeader(header, { mode: executable ? 0o755 : 0o644, seconds }),
      bytes,
      new Uint8Array((blockBytes - (bytes.length % blockBytes)) % blockBytes),
    ];
  });
  const packed = Bun.gzipSync(Buffer.concat([...blocks, new Uint8Array(2 * blockBytes)]));
  // The system that packed it (RFC 1952, OS): unknown.
  packed[9] = 255;
  return packed;
}
