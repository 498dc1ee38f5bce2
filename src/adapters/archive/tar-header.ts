/** Headers of tar entries (POSIX.1-1988 ustar, sizes over 8 GiB as GNU tar writes them): plain files only. */
import { PlainError } from "../../kernel/errors.ts";

export const blockBytes = 512;

/** The first byte of each field and the one behind it. */
const field = { name: [0, 100], mode: [100, 108], owner: [108, 116], group: [116, 124] } as const;
const size = { from: 124, to: 136 } as const;
const checksum = { from: 148, to: 156 } as const;
const octalSizeMax = 0o77777777777;

/** An entry's header. */
export type TarHeader = { readonly name: string; readonly bytes: number };

/**
 * Makes the header of a file without an owner. Names have at most 100 ASCII characters. `seconds`: when the
 * file was last changed, in Unix time.
 */
export function writeHeader({ name, bytes }: TarHeader, { mode = 0o600, seconds = 0 } = {}): Uint8Array {
  const block = Buffer.alloc(blockBytes);
  const put = (text: string, at: number) => void block.write(text, at, "latin1");
  put(name, field.name[0]);
  put(`${mode.toString(8).padStart(7, "0")}\0`, field.mode[0]);
  put("0000000\0", field.owner[0]);
  put("0000000\0", field.group[0]);
  if (bytes <= octalSizeMax) put(`${bytes.toString(8).padStart(11, "0")}\0`, size.from);
  else {
    block.writeUInt8(0x80, size.from);
    block.writeBigUInt64BE(BigInt(bytes), size.to - 8);
  }
  put(`${seconds.toString(8).padStart(11, "0")}\0`, size.to);
  put("0", 156);
  put("ustar\x0000", 257);
  put(`${sumOf(block).toString(8).padStart(6, "0")}\0 `, checksum.from);
  return block;
}

/**
 * Parses a header; null for the block of zeros that ends an archive. Fails with invalid for a damaged header
 * and for anything but a plain file.
 */
export function readHeader(bytes: Uint8Array): TarHeader | null {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, blockBytes);
  if (block.every((byte) => byte === 0)) return null;
  const isTar = block.toString("latin1", 257, 262) === "ustar";
  if (!isTar || octal(block, checksum.from, checksum.to) !== sumOf(block))
    return refuse("an entry's header is damaged");
  const [name = ""] = block.toString("latin1", ...field.name).split("\0");
  const [prefix = ""] = block.toString("latin1", 345, 500).split("\0");
  const type = block.toString("latin1", 156, 157);
  if (type !== "0" && type !== "\0") return refuse(`its entry ${JSON.stringify(name)} is not a plain file`);
  return { name: prefix === "" ? name : `${prefix}/${name}`, bytes: readSize(block) };
}

function readSize(block: Buffer): number {
  if (block[size.from] !== 0x80) return octal(block, size.from, size.to);
  const bytes = block.readBigUInt64BE(size.to - 8);
  return bytes <= Number.MAX_SAFE_INTEGER ? Number(bytes) : refuse("an entry's size is malformed");
}

function octal(block: Buffer, from: number, to: number): number {
  const [digits = ""] = block.toString("latin1", from, to).replace(/^ +/, "").split(/[\0 ]/, 1);
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : refuse("an entry's header is damaged");
}

/** The sum of all bytes, with the checksum's own field counted as blanks. */
function sumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= checksum.from && at < checksum.to ? 0x20 : byte), 0);
}

function refuse(reason: string): never {
  throw new PlainError("invalid", reason);
}
