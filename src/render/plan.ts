import type { Shares, Sink } from "./mix.ts";
import { buildScene, type Scene, type SceneKey } from "./scene.ts";
import { createList, createStackTable, push, stackNumber, trimmed } from "./stack-table.ts";
import type { Stack } from "./trace.ts";
import { walkScene } from "./walk.ts";

/**
 * How to draw a view in one size for any skin: which texels each pixel shows. Drawing then only gathers and
 * blends. Most pixels show one stack of texels; they are kept as runs along the rows. Pixels on the borders
 * of texels or of the figure mix a few stacks. Pixels that show nothing are in neither list.
 */
export type Plan = {
  readonly width: number;
  readonly height: number;
  /** The different stacks: surfaces front to back, from `stackStarts[n]` to `stackStarts[n + 1]`. */
  readonly stackStarts: Uint32Array;
  readonly texels: Int32Array;
  readonly shades: Uint8Array;
  /** Runs of pixels of one stack: first pixel, number of pixels, number of the stack, one after another. */
  readonly runs: Uint32Array;
  /** Mixed pixels: which, and where their shares begin in `shares`; `mixStarts` has one entry more. */
  readonly mixPixels: Uint32Array;
  readonly mixStarts: Uint32Array;
  /** Number of a stack times 64, plus how many samples of the pixel show it less one. */
  readonly shares: Uint32Array;
  readonly bytes: number;
};

/**
 * Makes the plan of a view: up to some 30 times the work of drawing its picture once where textures are fine,
 * mostly twice.
 */
export function buildPlan(key: SceneKey): Plan {
  const scene = buildScene(key);
  const draft = new Draft(scene);
  walkScene(scene, draft, null);
  return draft.finish();
}

class Draft implements Sink {
  readonly #scene: Scene;
  readonly #table = createStackTable();
  readonly #runs = createList(new Uint32Array(4096));
  readonly #mixPixels = createList(new Uint32Array(4096));
  readonly #mixStarts = createList(new Uint32Array(4096));
  readonly #shares = createList(new Uint32Array(8192));

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  look(stack: Stack): number {
    return stackNumber(this.#table, stack);
  }

  /** Every stack has a number of its own. */
  isVague(): boolean {
    return false;
  }

  /** Adds a run, or makes the one before it longer. */
  run(pixel: number, length: number, stack: number): void {
    if (stack === 0) return;
    const runs = this.#runs;
    const last = runs.length - 3;
    if (last >= 0 && runs.items[last + 2] === stack) {
      const lastLength = runs.items[last + 1] ?? 0;
      if ((runs.items[last] ?? 0) + lastLength === pixel) {
        runs.items[last + 1] = lastLength + length;
        return;
      }
    }
    push(runs, pixel);
    push(runs, length);
    push(runs, stack);
  }

  /** Adds a pixel, with one share for each different stack. */
  mix(pixel: number, { count, looks, samples }: Shares): void {
    const shares = this.#shares;
    const start = shares.length;
    for (let i = 0; i < count; i++) {
      const stack = looks[i] ?? 0;
      let at = start;
      while (at < shares.length && (shares.items[at] ?? 0) >>> 6 !== stack) at++;
      if (at === shares.length) push(shares, stack * 64 + (samples[i] ?? 0) - 1);
      else shares.items[at] = (shares.items[at] ?? 0) + (samples[i] ?? 0);
    }
    if (shares.length === start + 1) {
      shares.length = start;
      this.run(pixel, 1, looks[0] ?? 0);
      return;
    }
    push(this.#mixPixels, pixel);
    push(this.#mixStarts, start);
  }

  /** A plan serves all textures, translucent ones included. */
  mixOpaque(): boolean {
    return false;
  }

  finish(): Plan {
    const { width, height } = this.#scene;
    push(this.#mixStarts, this.#shares.length);
    const arrays = {
      stackStarts: trimmed(this.#table.starts),
      texels: trimmed(this.#table.texels),
      shades: trimmed(this.#table.shades),
      runs: trimmed(this.#runs),
      mixPixels: trimmed(this.#mixPixels),
      mixStarts: trimmed(this.#mixStarts),
      shares: trimmed(this.#shares),
    };
    const bytes = Object.values(arrays).reduce((sum, array) => sum + array.byteLength, 0);
    return { width, height, ...arrays, bytes };
  }
}
