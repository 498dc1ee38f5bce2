/**
 * A client cannot draw a picture whose colours collide, and the files are the same wherever they are written.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createCanvas } from "../../src/render/bitmap.ts";
import { slotOf } from "../../src/render/colour-slots.ts";
import { encodePng } from "../../src/render/png-encode.ts";

/** The first words, opaque, that a table with this hash puts into one slot. */
function colliding(hash: (word: number) => number, count: number): readonly number[] {
  const found: number[] = [];
  for (let colour = 0; found.length < count; colour++) {
    const word = (0xff000000 | colour) >>> 0;
    if (hash(word) === 0) found.push(word);
  }
  return found;
}

/** Fibonacci hashing, which every client knows. */
const known = colliding((word) => Math.imul(word, 0x9e3779b1) >>> 22, 256);

test.each([
  ["collide under a multiplier that clients know", known],
  ["follow one another", Array.from({ length: 256 }, (_, index) => 0xff000000 + index)],
  ["lie 1024 apart", Array.from({ length: 256 }, (_, index) => 0xff000000 + 1024 * index)],
])("colours that %s are spread over many slots", (_, words) => {
  // 226 of 1024 on average.
  expect(new Set(words.map(slotOf)).size).toBeGreaterThan(64);
});

/**
 * Slots of the known colours, and the file of a picture that has them, as this process and others make them.
 */
function made() {
  const canvas = createCanvas(64, 64);
  const words = Array.from({ length: 4096 }, (_, at) => known[(at * 7) % 256] ?? 0);
  new Uint32Array(canvas.data.buffer).set(words);
  return { slots: known.map(slotOf).join(","), file: Buffer.from(encodePng(canvas)).toString("hex") };
}

async function madeElsewhere(): Promise<ReturnType<typeof made>> {
  const [slots, png, bitmap] = ["colour-slots", "png-encode", "bitmap"].map((name) =>
    JSON.stringify(join(import.meta.dir, `../../src/render/${name}.ts`)),
  );
  const code = `
    import { slotOf } from ${slots};
    import { encodePng } from ${png};
    import { createCanvas } from ${bitmap};
    const known = ${JSON.stringify(known)};
    ${made.toString()}
    console.log(JSON.stringify(made()));`;
  return Bun.$`${process.execPath} -e ${code}`.json();
}

test("each process spreads them in its own way, and writes the same file", async () => {
  const all = [made(), ...(await Promise.all([madeElsewhere(), madeElsewhere()]))];
  expect(new Set(all.map(({ slots }) => slots)).size).toBe(3);
  expect(new Set(all.map(({ file }) => file)).size).toBe(1);
});
