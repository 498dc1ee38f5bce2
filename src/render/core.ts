import { plainCore, simdCore } from "./core-binary.ts";

/**
 * The inner loops of the renderer, compiled from `core/` to WebAssembly: they run fast from their first call
 * on, and work on several numbers at a time. What they read and write lies in their memory from `heapStart`
 * on. Each caller lays it out for itself (see `reserve`), so nothing there outlives a task.
 */
export type Core = {
  readonly memory: WebAssembly.Memory;
  heapStart(): number;
  shapeRows(columns: number, channels: number): void;
  undoPaeth(coded: number, plain: number, rows: number): void;
  filterPaeth(plain: number, coded: number, rows: number): void;
  /** See `render/core/tree.ts`. */
  draw(figure: number, texels: number, pixels: number): void;
  /** See `render/core/record.ts`. */
  record(
    figure: number,
    ...rowsAreasAndLimit: readonly [
      from: number,
      end: number,
      numbers: number,
      lights: number,
      work: number,
      runs: number,
      parts: number,
      partsMax: number,
    ]
  ): number;
  /** See `render/core/table.ts`. */
  light(lights: number, texels: number, lit: number): void;
  show(runs: number, pixels: number): void;
};

/** An instance whose memory has grown beyond this is given up after its task, since memory never shrinks. */
const keptBytesMax = 8 * 1024 * 1024;
const pageBytes = 64 * 1024;

let module: WebAssembly.Module | null = null;
let core: Core | null = null;

/** The core of this thread. It is made when it is first needed. */
export function loadCore(): Core {
  module ??= compile();
  // The boundary: `render/core/exports.ts` exports just these.
  core ??= new WebAssembly.Instance(module).exports as unknown as Core;
  return core;
}

/** Where the processor lacks AVX, the engine refuses SIMD. */
function compile(): WebAssembly.Module {
  try {
    return new WebAssembly.Module(Uint8Array.fromBase64(simdCore));
  } catch {
    return new WebAssembly.Module(Uint8Array.fromBase64(plainCore));
  }
}

/**
 * Lays out areas of so many bytes one behind the other; returns where each begins, a multiple of 16. Views of
 * the memory that were made before no longer hold.
 */
export function reserve({ memory, heapStart }: Core, sizes: readonly number[]): readonly number[] {
  let end = heapStart();
  const starts = sizes.map((size) => {
    const start = end;
    end = (end + size + 15) & ~15;
    return start;
  });
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
  return starts;
}

/** Gives an instance up that has grown large. Called when what a task laid out is no longer needed. */
export function releaseCore(): void {
  if (core && core.memory.buffer.byteLength > keptBytesMax) core = null;
}
