/* Archives made by hand, written from the tar format's text and not from our code. */
import { sha256 } from "../support/textures.ts";

export type Entry = {
  readonly name: string;
  readonly content: Uint8Array;
  /** `0` is a plain file. */
  readonly type?: string;
  /** What the header says instead of the content's size. */
  readonly claimedBytes?: number;
};

export async function readEntries(path: string): Promise<readonly Entry[]> {
  const tar = await Bun.zstdDecompress(await Bun.file(path).bytes());
  const entries: Entry[] = [];
  for (let at = 0; tar[at] !== 0;) {
    const name = tar.toString("latin1", at, at + 100).replace(/\0.*$/s, "");
    const bytes = Number.parseInt(tar.toString("latin1", at + 124, at + 135), 8);
    entries.push({ name, content: tar.subarray(at + 512, at + 512 + bytes) });
    at += 512 + Math.ceil(bytes / 512) * 512;
  }
  return entries;
}

export async function writeEntries(
  path: string,
  entries: readonly Entry[],
  end = Buffer.alloc(1024),
): Promise<void> {
  const tar = Buffer.concat([...entries.flatMap(blocksOf), end]);
  await Bun.write(path, Bun.zstdCompressSync(tar));
}

function blocksOf({ name, content, type = "0", claimedBytes = content.length }: Entry): Uint8Array[] {
  const header = Buffer.alloc(512);
  header.write(name, 0, "latin1");
  header.write("0000600\0", 100);
  if (claimedBytes <= 0o77777777777 || Number.isNaN(claimedBytes))
    header.write(`${claimedBytes.toString(8).padStart(11, "0")} `, 124);
  else {
    // As GNU tar writes it: in base 256, with the highest bit set.
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(claimedBytes), 128);
  }
  header.write(`        ${type}`, 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}

/** The same entries with a manifest that fits them, so that only what was changed on purpose is wrong. */
export function withFittingManifest(
  entries: readonly Entry[],
  change: (manifest: Record<string, unknown>) => void = () => undefined,
): readonly Entry[] {
  const contents = entries.filter(({ name }) => name !== "manifest.json" && name !== "cloakroom-backup");
  const manifest = JSON.parse(Buffer.from(entryOf(entries, "manifest.json").content).toString());
  const textures = contents.filter(({ name }) => name.startsWith("textures/"));
  const database = contents.find(({ name }) => name === "cloakroom.db");
  const files = contents.filter((entry) => entry !== database && !textures.includes(entry));
  manifest.textures.count = textures.length;
  manifest.textures.bytes = textures.reduce((sum, { content }) => sum + content.length, 0);
  manifest.textures.sha256 = sha256(Buffer.from(textures.map(textureLine).join("")));
  manifest.files = Object.fromEntries(files.map((file) => [file.name, sumOf(file)]));
  if (database !== undefined) manifest.database = sumOf(database);
  change(manifest);
  const content = Buffer.from(JSON.stringify(manifest));
  return entries.map((entry) => (entry.name === "manifest.json" ? { ...entry, content } : entry));
}

export function entryOf(entries: readonly Entry[], name: string): Entry {
  const found = entries.find((entry) => entry.name.startsWith(name));
  if (found === undefined) throw new Error(`the archive has no ${name}`);
  return found;
}

function textureLine({ name, content }: Entry): string {
  return `${name.slice(-"0".repeat(64).length - 4, -4)} ${sha256(content)}\n`;
}

function sumOf({ content }: Entry) {
  return { bytes: content.length, sha256: sha256(content) };
}
