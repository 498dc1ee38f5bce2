import type { PictureJob } from "../../domain/ports.ts";
import { decodeStoredPng } from "../../render/png-decode.ts";
import { renderPng, type PictureRequest } from "../../render/render.ts";

/** Makes the picture on the thread that calls it: the same code on the main thread and in a worker. */
export function drawPicture(job: PictureJob): Uint8Array {
  return renderPng(decodeJob(job));
}

function decodeJob(job: PictureJob): PictureRequest {
  const { view, type, size } = job;
  const skin = job.skin && { bitmap: decodeStoredPng(job.skin.png), model: job.skin.model };
  if (view !== "cape") return { view, type, size, skin: need(skin, job) };
  const cape = need(job.cape && decodeStoredPng(job.cape), job);
  return type === "skin" ? { view, type, size, cape } : { view, type, size, cape, skin: need(skin, job) };
}

function need<T>(part: T | undefined, { view, type }: PictureJob): T {
  if (part !== undefined) return part;
  throw new Error(`The picture ${view}/${type} lacks a texture`);
}
