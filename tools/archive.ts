/*
 * Writes `.tar.gz` (POSIX ustar) so that equal files give equal bytes: in the given order, without an owner, with the given time.
 * The systems' tar programs have different options for that, and Bun's own archives mark no file as executable.
 */

export type ArchiveFile = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
};

const blockBytes = 512;

/** Paths are ASCII and have at most 100 characters, the format's limit. */
export function writeTarGz(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const blocks = files.flatMap((file) => [header(file, time), file.bytes, padding(file.bytes.length)]);
  const end = new Uint8Array(2 * blockBytes);
  const packed = Bun.gzipSync(Buffer.concat([...blocks, end]));
  // The system that packed it (RFC 1952, OS): unknown.
  packed[9] = 255;
  return packed;
}

function header({ path, bytes, executable }: ArchiveFile, time: Date): Uint8Array {
  if (!/^[\x21-\x7e]{1,100}$/.test(path)) throw new Error(`${path} does not fit into the archive's header`);
  const block = Buffer.alloc(blockBytes);
  block.write(path, 0);
  block.write(octal(executable ? 0o755 : 0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(bytes.length, 12), 124);
  block.write(octal(Math.floor(time.getTime() / 1000), 12), 136);
  block.write("0", 156);
  block.write("ustar\x0000", 257);
  // The sum counts its own field as blanks.
  block.fill(" ", 148, 156);
  block.write(octal(sum(block), 7), 148);
  return block;
}

function padding(length: number): Uint8Array {
  return new Uint8Array((blockBytes - (length % blockBytes)) % blockBytes);
}

/** Digits that fill a field up to the zero byte at its end. */
function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, "0")}\0`;
}

function sum(block: Uint8Array): number {
  return block.reduce((total, byte) => total + byte, 0);
}
