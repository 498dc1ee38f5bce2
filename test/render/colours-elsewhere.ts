/* Writes a picture of the given colours in a process of its own, for `colour-slots.test.ts`. */
import { createCanvas } from "../../src/render/bitmap.ts";
import { slotOf } from "../../src/render/colour-slots.ts";
import { encodePng } from "../../src/render/png-encode.ts";

const words = (process.argv[2] ?? "").split(",").map(Number);
const canvas = createCanvas(64, 64);
new Uint32Array(canvas.data.buffer).set(
  Array.from({ length: 4096 }, (_, at) => words[(at * 7) % words.length] ?? 0),
);
console.log(
  JSON.stringify({
    slots: words.map(slotOf).join(","),
    file: Buffer.from(encodePng(canvas)).toString("hex"),
  }),
);
