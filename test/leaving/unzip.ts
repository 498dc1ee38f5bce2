import { crc32, inflateRawSync } from "node:zlib";

/** The files of a Zip archive by its directory, read as a program of strangers does. */
export function unzip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) throw new Error("it has no directory");
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.toString("latin1", at, at + 4) !== "PK\x01\x02") throw new Error("its directory is damaged");
    const method = archive.readUInt16LE(at + 10);
    const packed = archive.readUInt32LE(at + 20);
    const length = archive.readUInt16LE(at + 28);
    const offset = archive.readUInt32LE(at + 42);
    const name = archive.toString("latin1", at + 46, at + 46 + length);
    const begin = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
    const content = archive.subarray(begin, begin + packed);
    const file = method === 0 ? content : inflateRawSync(content);
    if (crc32(file) !== archive.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`);
    if (files.has(name) || /^[/\\]|\.\.|[\\:]/.test(name)) throw new Error(`${name} leads elsewhere`);
    files.set(name, file);
    at += 46 + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
