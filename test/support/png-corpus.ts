/** Broken PNGs without end, the same in every run. */
import { deflateSync } from "node:zlib";
import {
  concat,
  filteredRows,
  joinChunks,
  makeChunks,
  uint32,
  type Chunk,
  type PngShape,
} from "../render/png-fixtures.ts";
import { bombPng, legalShape, soundShape } from "./hostile-pngs.ts";

type Random = (below: number) => number;
type Base = { readonly chunks: readonly Chunk[]; readonly file: Uint8Array; readonly rows: Uint8Array };
type Mutation = (base: Base, random: Random) => Uint8Array;

const shapes: readonly PngShape[] = [
  soundShape,
  { ...soundShape, height: 32 },
  { ...soundShape, width: 128, height: 128, filter: 4 },
  legalShape(0, 1, true),
  legalShape(0, 16, false),
  legalShape(2, 8, true),
  legalShape(3, 2, true),
  legalShape(3, 8, false),
  legalShape(4, 8, true),
  legalShape(6, 16, true),
];
const bases: readonly Base[] = shapes.map((shape) => {
  const chunks = makeChunks(shape);
  return { chunks, file: joinChunks(chunks), rows: filteredRows(shape) };
});

/** Those after which every CRC is right again reach what lies behind that check. */
const mutations: readonly Mutation[] = [
  flipBits,
  overwriteBytes,
  cutOff,
  lieAboutLength,
  splice,
  swapChunks,
  repeatChunk,
  dropChunk,
  insertChunk,
  splitData,
  changeHeader,
  changeSize,
  changePayload,
  changePayload,
  changeStream,
  changeRows,
  changeRows,
];

/** One in so many files is a bomb: they take the longest. */
const bombEvery = 250;

export function* corpus(count: number, seed: number): Generator<Uint8Array> {
  const random = randomFrom(seed);
  for (let i = 0; i < count; i++) {
    if (i % bombEvery === bombEvery - 1) yield bombPng(1 + random(400));
    else yield pick(mutations, random)(pick(bases, random), random);
  }
}

/** Marsaglia's xorshift with 32 bits: small, quick and the same everywhere. */
function randomFrom(seed: number): Random {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)]!;
}

function changedBytes(bytes: Uint8Array, random: Random, times: number): Uint8Array {
  const changed = bytes.slice();
  if (changed.length === 0) return changed;
  for (let i = 0; i < times; i++) changed[random(changed.length)] = random(256);
  return changed;
}

function flipBits({ file }: Base, random: Random): Uint8Array {
  const changed = file.slice();
  for (let i = random(8); i >= 0; i--) changed[random(changed.length)]! ^= 1 << random(8);
  return changed;
}

function overwriteBytes({ file }: Base, random: Random): Uint8Array {
  return changedBytes(file, random, 1 + random(64));
}

function cutOff({ file }: Base, random: Random): Uint8Array {
  return file.subarray(0, random(file.length));
}

function lieAboutLength({ file, chunks }: Base, random: Random): Uint8Array {
  const lengths = chunks.map(({ data }) => data.length + 12);
  const at = lengths.slice(0, random(chunks.length)).reduce((sum, length) => sum + length, 8);
  const lie = pick([0, 1, 12, 13, 14, 255, 0x7fff_ffff, 0x8000_0000, 0xffff_fff4, 0xffff_ffff], random);
  const changed = file.slice();
  changed.set(uint32(lie), at);
  return changed;
}

function splice({ file }: Base, random: Random): Uint8Array {
  const other = pick(bases, random).file;
  return concat(file.subarray(0, random(file.length)), other.subarray(random(other.length)));
}

function swapChunks({ chunks }: Base, random: Random): Uint8Array {
  const swapped = [...chunks];
  const [one, two] = [random(chunks.length), random(chunks.length)];
  [swapped[one], swapped[two]] = [swapped[two]!, swapped[one]!];
  return joinChunks(swapped);
}

function repeatChunk({ chunks }: Base, random: Random): Uint8Array {
  return joinChunks(chunks.toSpliced(random(chunks.length + 1), 0, pick(chunks, random)));
}

function dropChunk({ chunks }: Base, random: Random): Uint8Array {
  return joinChunks(chunks.toSpliced(random(chunks.length), 1));
}

function insertChunk({ chunks }: Base, random: Random): Uint8Array {
  const types = [
    "tEXt",
    "iCCP",
    "gAMA",
    "sBIT",
    "tRNS",
    "PLTE",
    "acTL",
    "fdAT",
    "bKGD",
    "eXIf",
    "abCd",
    "ABCD",
    "IHDR",
    "IEND",
  ];
  const data = changedBytes(new Uint8Array(random(40)), random, 40);
  return joinChunks(chunks.toSpliced(random(chunks.length + 1), 0, { type: pick(types, random), data }));
}

function splitData({ chunks }: Base, random: Random): Uint8Array {
  return joinChunks(
    chunks.flatMap((chunk) => {
      if (chunk.type !== "IDAT") return [chunk];
      const cut = random(chunk.data.length);
      const parts = [chunk.data.subarray(0, cut), new Uint8Array(0), chunk.data.subarray(cut)];
      // A part that is left out now and then is a hole in the stream.
      return parts.filter(() => random(8) > 0).map((data) => ({ type: "IDAT", data }));
    }),
  );
}

function changeHeader({ chunks }: Base, random: Random): Uint8Array {
  const [header, ...rest] = chunks;
  return joinChunks([{ ...header!, data: changedBytes(header!.data, random, 1 + random(3)) }, ...rest]);
}

function changeSize({ chunks }: Base, random: Random): Uint8Array {
  const [header, ...rest] = chunks;
  const sizes = [0, 1, 32, 63, 64, 65, 128, 512, 1024, 1025, 20_000, 0x7fff_ffff, 0xffff_ffff];
  const size = uint32(pick(sizes, random), pick(sizes, random));
  return joinChunks([{ ...header!, data: concat(size, header!.data.subarray(8)) }, ...rest]);
}

function changePayload({ chunks }: Base, random: Random): Uint8Array {
  const victim = random(chunks.length);
  return joinChunks(
    chunks.map((chunk, i) =>
      i === victim ? { ...chunk, data: changedBytes(chunk.data, random, 1 + random(4)) } : chunk,
    ),
  );
}

function changeStream(base: Base, random: Random): Uint8Array {
  const { data } = base.chunks.find(({ type }) => type === "IDAT")!;
  const ways = [
    () => data.subarray(0, random(data.length)),
    () => concat(data, changedBytes(new Uint8Array(1 + random(9)), random, 9)),
    () => data.with(0, random(256)),
    () => data.with(1, random(256)),
    () => data.with(data.length - 1 - random(4), random(256)),
    () => concat(data.subarray(0, 2), data),
  ];
  return withData(base, pick(ways, random)());
}

/**
 * A sound stream of rows that are not: unknown filters, palette indices out of range, too many or too few
 * bytes.
 */
function changeRows(base: Base, random: Random): Uint8Array {
  const changed = changedBytes(base.rows, random, random(6));
  const ways = [
    () => changed,
    () => changed,
    () => changed.subarray(0, random(changed.length)),
    () => concat(changed, changed.subarray(0, 1 + random(300))),
  ];
  return withData(base, deflateSync(pick(ways, random)(), { level: 1 }));
}

function withData({ chunks }: Base, data: Uint8Array): Uint8Array {
  return joinChunks(
    chunks.map((chunk) => (chunk.type === "IDAT" ? { ...chunk, data: new Uint8Array(data) } : chunk)),
  );
}
