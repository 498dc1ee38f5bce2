import { type Bitmap, type Canvas, createCanvas } from "./bitmap.ts";

/**
 * Makes a texture smaller: each pixel of the result is the average of the area that it covers, weighed by
 * alpha, so that the colour of what is invisible does not bleed into what is seen. Where all covered pixels
 * are equal, the result is that pixel, colour under alpha 0 included. Height and width shrink by the same
 * ratio. A `width` above the texture's own is a RangeError.
 */
export function reduce(source: Bitmap, width: number): Canvas {
  if (!Number.isInteger(width) || width < 1 || width > source.width) {
    throw new RangeError(`A texture of ${source.width} pixels cannot be reduced to ${width}`);
  }
  const reduced = createCanvas(width, Math.max(1, Math.round((source.height * width) / source.width)));
  const columns = spansOf(source.width, reduced.width);
  const rows = spansOf(source.height, reduced.height);
  let at = 0;
  for (const row of rows) {
    for (const column of columns) reduced.words[at++] = averageOf(source, row, column);
  }
  return reduced;
}

/**
 * What one pixel of the result covers along one side: the first pixel, and how much of it and of each one
 * after it.
 */
type Span = { readonly from: number; readonly shares: readonly number[] };

function spansOf(length: number, count: number): readonly Span[] {
  return Array.from({ length: count }, (_, at) => {
    // Integers, so that a whole ratio has no rounding at its borders.
    const [start, end] = [at * length, (at + 1) * length];
    const from = Math.floor(start / count);
    const covered = Math.ceil(end / count) - from;
    const shares = Array.from(
      { length: covered },
      (_unused, i) => (Math.min(end, (from + i + 1) * count) - Math.max(start, (from + i) * count)) / count,
    );
    return { from, shares };
  });
}

function averageOf({ data, width }: Bitmap, row: Span, column: Span): number {
  let area = 0;
  let opacity = 0;
  // Sums of visible pixels, and of all pixels for an area without visible ones.
  let [seenRed, seenGreen, seenBlue, red, green, blue] = [0, 0, 0, 0, 0, 0];
  const { length: rows } = row.shares;
  const { length: columns } = column.shares;
  for (let y = 0; y < rows; y++) {
    const high = row.shares[y] ?? 0;
    let at = ((row.from + y) * width + column.from) * 4;
    for (let x = 0; x < columns; x++, at += 4) {
      const share = high * (column.shares[x] ?? 0);
      const seen = share * (data[at + 3] ?? 0);
      area += share;
      opacity += seen;
      seenRed += (data[at] ?? 0) * seen;
      seenGreen += (data[at + 1] ?? 0) * seen;
      seenBlue += (data[at + 2] ?? 0) * seen;
      red += (data[at] ?? 0) * share;
      green += (data[at + 1] ?? 0) * share;
      blue += (data[at + 2] ?? 0) * share;
    }
  }
  return opacity > 0
    ? wordOf(opacity / area, seenRed / opacity, seenGreen / opacity, seenBlue / opacity)
    : wordOf(0, red / area, green / area, blue / area);
}

function wordOf(alpha: number, red: number, green: number, blue: number): number {
  return (
    ((Math.round(alpha) << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0
  );
}
