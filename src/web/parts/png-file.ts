import type { Measure } from "../../render/cape-forms.ts";

/**
 * Signature, length and type of the first chunk, then width and height (W3C PNG, third edition, 5.2 and
 * 11.2.1).
 */
const headBytes = 24;
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The measure that a PNG file states; null for any other file. */
export async function measureOfPng(file: File): Promise<Measure | null> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  if (head.length < headBytes || !signature.every((byte, at) => head[at] === byte)) return null;
  const view = new DataView(head.buffer);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
