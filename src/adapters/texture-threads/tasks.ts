/* What a worker thread can do: functions that take and return only what can be sent between threads. */
import type { PictureJob, PictureOrder, TextureSize } from "../../domain/ports/pictures.ts";
import { extractWings, importCape, importSkin } from "../../domain/textures/import.ts";
import type { Failing } from "../../kernel/errors.ts";
import { decodeStoredPng, decodeStoredRows } from "../../render/png-decode.ts";
import { estimateMilliseconds, renderPng, type PictureRequest } from "../../render/render.ts";
import { headRows } from "../../render/skin-sheet.ts";
import { recordWhenIdle } from "./idle-tables.ts";

export const tasks = { drawPicture, importSkin, importCape, extractWings };

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = Parameters<(typeof tasks)[Name]>;
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>;

/** One call, on its way to a thread. */
export type TaskCall<Name extends TaskName = TaskName> = {
  readonly name: Name;
  readonly input: TaskInput<Name>;
};

/**
 * The caller's mistake, as data because an `AppError` loses its class between threads, or a fault of ours.
 */
export type TaskFailure = { readonly refusal: Failing } | { readonly fault: string };

/** The thread's answer. */
export type TaskReply = { readonly result: unknown } | TaskFailure;

/** Draws the picture on the calling thread: the main thread and workers run the same code. */
export function drawPicture(job: PictureJob): Uint8Array {
  const png = renderPng(decodeJob(job));
  recordWhenIdle();
  return png;
}

/** Estimates how long `drawPicture` takes on this thread: to draw the picture and to read its textures. */
export function expectedMilliseconds({ skin, cape, texture, ...kind }: PictureOrder): number {
  const drawing = estimateMilliseconds({
    ...kind,
    ...(skin && { model: skin.model, skinWidth: skin.width }),
    ...(cape && { capeWidth: cape.width }),
    ...(texture && { textureWidth: texture.width }),
  });
  const skinArea = skin ? skin.width * rowsOf(kind.view)(skin) : 0;
  // Measured from 64x64 to 1024x1024: reading a stored texture and preparing it costs 2 to 14 ns a pixel.
  return drawing + (skinArea + areaOf(cape) + areaOf(texture)) * 11e-6;
}

function areaOf(size: TextureSize | undefined): number {
  return size ? size.width * size.height : 0;
}

/** How many rows of a skin's file a picture needs. */
function rowsOf(view: PictureJob["view"]): (size: TextureSize) => number {
  return view === "head" ? headRows : ({ height }) => height;
}

function decodeJob(job: PictureJob): PictureRequest {
  const { skin: worn, cape: capePng, texture: png, ...kind } = job;
  const { view, type, size } = kind;
  if (view === "reduced") return { view, type, size, texture: need(png && decodeStoredPng(png), job) };
  const decodeCape = () => need(capePng && decodeStoredPng(capePng), job);
  if (view === "cape" && type === "skin") return { view, type, size, cape: decodeCape() };
  const skin = need(worn && { ...decodeStoredRows(worn.png, rowsOf(view)), model: worn.model }, job);
  if (view === "cape" || view === "elytra") return { view, type: "player", size, skin, cape: decodeCape() };
  if (view === "bust" || view === "combo") return { ...kind, view, type: "skin", skin };
  return { ...kind, view, skin };
}

function need<T>(part: T | undefined, { view, type }: PictureJob): T {
  if (part !== undefined) return part;
  throw new Error(`The picture ${view}/${type} lacks a texture`);
}
