/** What happens to the canvas that a figure is drawn on. */
export type SurfaceEvents = {
  /** It has another size, and is empty now. */
  readonly resized: () => void;
  /** It can be seen again. */
  readonly shown: () => void;
  /** Its context was lost, and is there again, empty. */
  readonly lost: () => void;
  readonly restored: () => void;
};

/** A watched canvas. */
export type Surface = { readonly isVisible: () => boolean; readonly stopWatching: () => void };

/** Pixels of the canvas for one of the page: more than two cost much and show little. */
const densityMax = 2;
/** No screen needs more, and graphics processors take at least this. */
const pixelsMax = 2048;

/** Keeps a canvas as fine as the screen, and watches whether it can be seen. */
export function watchSurface(canvas: HTMLCanvasElement, events: SurfaceEvents): Surface {
  let isInView = false;
  const isVisible = () => isInView && !document.hidden;
  const changed = () => {
    if (isVisible()) events.shown();
  };
  const sizes = new ResizeObserver(() => {
    if (fitPixels(canvas)) events.resized();
  });
  const views = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? false;
    changed();
  });
  const lost = (event: Event) => {
    // Otherwise the browser never restores it.
    event.preventDefault();
    events.lost();
  };
  fitPixels(canvas);
  sizes.observe(canvas);
  views.observe(canvas);
  document.addEventListener("visibilitychange", changed);
  canvas.addEventListener("webglcontextlost", lost);
  canvas.addEventListener("webglcontextrestored", events.restored);
  return {
    isVisible,
    stopWatching: () => {
      sizes.disconnect();
      views.disconnect();
      document.removeEventListener("visibilitychange", changed);
      canvas.removeEventListener("webglcontextlost", lost);
      canvas.removeEventListener("webglcontextrestored", events.restored);
    },
  };
}

function fitPixels(canvas: HTMLCanvasElement): boolean {
  const density = Math.min(devicePixelRatio, densityMax);
  const pixels = (length: number) => Math.min(pixelsMax, Math.max(1, Math.round(length * density)));
  const [width, height] = [pixels(canvas.clientWidth), pixels(canvas.clientHeight)];
  if (canvas.width === width && canvas.height === height) return false;
  Object.assign(canvas, { width, height });
  return true;
}
