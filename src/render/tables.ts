import { type Canvas, createCanvas } from "./bitmap.ts";
import { loadCore, reserve } from "./core.ts";
import { heightOf, numbersOf, type SceneKey } from "./scene.ts";

/**
 * What each pixel of a scene shows, for any texture: with a table a skin of 64x64 is drawn in a sixth of the
 * time or less. It is recorded by the core (see `render/core/record.ts`).
 */
export type Table = {
  /** What the numbers of texels stand for. */
  readonly lights: Uint32Array;
  /** Runs and the parts of their lists, for some rows each. */
  readonly bands: readonly Uint32Array[];
  readonly bytes: number;
};

/** Tables of the scenes that are asked for most, the least recently used first. */
const tables = new Map<string, Table>();
/** Room for the sizes of a site: a head of 100 pixels takes 0.08 MB, a body of 512 0.75 MB. */
const bytesMax = 16 * 1024 * 1024;
let bytes = 0;

/** Scenes that were asked for once, the longest ago first. */
const asked = new Set<string>();
const askedMax = 100;

/** The scene whose table is due, as far as it is recorded. One at a time: others are asked for again. */
let due: {
  readonly name: string;
  readonly key: SceneKey;
  readonly bands: Uint32Array[];
  lights: Uint32Array;
} | null = null;

/** Where texels are finer, most pixels are mixed, and a table gains nothing. */
const scaleMax = 2;
/**
 * Rows that are recorded in one go: up to 1 ms of a body of 512 pixels. A multiple of the side of a block.
 */
const bandRows = 32;
const bandPartsMax = 1 << 18;
const numbersMax = 1 << 15;

/** The table of a scene, if there is one. It is due once the scene is asked for a second time. */
export function tableFor(key: SceneKey): Table | null {
  if (key.skinScale > scaleMax || key.capeScale > scaleMax) return null;
  const name = nameOf(key);
  const known = tables.get(name);
  if (known) {
    tables.delete(name);
    tables.set(name, known);
    return known;
  }
  if (asked.delete(name)) due ??= { name, key, bands: [], lights: new Uint32Array() };
  asked.add(name);
  for (const oldest of asked) if (asked.size > askedMax) asked.delete(oldest);
  return null;
}

/** Whether pictures of a scene are drawn by a table now. */
export function hasTable(key: SceneKey): boolean {
  return tables.has(nameOf(key));
}

/** Whether `recordDueTables` has something to do. */
export function isTableDue(): boolean {
  return due !== null;
}

/** Records what is due, for some milliseconds: the rest is left for another time. */
export function recordDueTables(milliseconds = Number.POSITIVE_INFINITY): void {
  const endsAt = performance.now() + milliseconds;
  while (due && performance.now() < endsAt) {
    const { name, key, bands } = due;
    const isRecorded = recordBand(due);
    if (isRecorded && bands.length * bandRows < heightOf(key)) continue;
    if (isRecorded) keep(name, { ...due, bytes: sizeOf(due) });
    due = null;
  }
}

function recordBand(into: NonNullable<typeof due>): boolean {
  const { key, bands } = into;
  const top = bands.length * bandRows;
  const pixelBytes = key.width * bandRows * 4;
  const figure = numbersOf(key);
  const core = loadCore();
  const [figureAt = 0, numbersAt = 0, lightsAt = 0, workAt = 0, runsAt = 0, partsAt = 0] = reserve(core, [
    figure.byteLength,
    numbersMax * 4,
    numbersMax * 4,
    pixelBytes,
    pixelBytes + 4,
    bandPartsMax * 4,
  ]);
  const { buffer } = core.memory;
  new Float64Array(buffer, figureAt, figure.length).set(figure);
  const areas = [numbersAt, lightsAt, workAt, runsAt, partsAt] as const;
  const parts = core.record(figureAt, top, top + bandRows, ...areas, bandPartsMax);
  if (parts < 0) return false;
  const words = (at: number, count: number) => new Uint32Array(buffer, at, count);
  const runs = 1 + (words(runsAt, 1)[0] ?? 0);
  const band = new Uint32Array(runs + parts);
  band.set(words(runsAt, runs));
  band.set(words(partsAt, parts), runs);
  bands.push(band);
  if (top === 0) into.lights = words(lightsAt, words(lightsAt, 1)[0] ?? 0).slice();
  return true;
}

function sizeOf({ lights, bands }: Pick<Table, "lights" | "bands">): number {
  return bands.reduce((sum, band) => sum + band.byteLength, lights.byteLength);
}

function keep(name: string, table: Table): void {
  asked.delete(name);
  bytes += table.bytes;
  tables.set(name, table);
  for (const [oldest, { bytes: freed }] of tables) {
    if (bytes <= bytesMax) break;
    tables.delete(oldest);
    bytes -= freed;
  }
}

/** Draws a scene by its table, with as many texels as it needs. */
export function drawTable({ lights, bands }: Table, key: SceneKey, texels: Uint32Array): Canvas {
  const canvas = createCanvas(key.width, heightOf(key));
  const core = loadCore();
  const bandBytes = bands.reduce((most, band) => Math.max(most, band.byteLength), 0);
  const [texelsAt = 0, lightsAt = 0, litAt = 0, bandAt = 0, pixelsAt = 0] = reserve(core, [
    texels.byteLength,
    lights.byteLength,
    lights.byteLength,
    bandBytes,
    key.width * bandRows * 4 + 12,
  ]);
  const { buffer } = core.memory;
  new Uint32Array(buffer, texelsAt, texels.length).set(texels);
  new Uint32Array(buffer, lightsAt, lights.length).set(lights);
  core.light(lightsAt, texelsAt, litAt);
  const { words } = canvas;
  const bandPixels = key.width * bandRows;
  for (const [i, band] of bands.entries()) {
    new Uint32Array(buffer, bandAt, band.length).set(band);
    core.show(bandAt, pixelsAt);
    const start = i * bandPixels;
    words.set(new Uint32Array(buffer, pixelsAt, Math.min(bandPixels, words.length - start)), start);
  }
  return canvas;
}

/** Forgets all tables and what was asked for, as at the start of the program. */
export function forgetTables(): void {
  tables.clear();
  asked.clear();
  bytes = 0;
  due = null;
}

function nameOf(key: SceneKey): string {
  return [key.view.name, key.width, heightOf(key), key.model, key.skinScale, key.capeScale].join();
}
