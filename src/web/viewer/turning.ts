import type { Viewer } from "./viewer.ts";

/** Degrees for a pixel that a hand moves, and for an arrow key. */
const degreesPerPixel = 0.6;
const degreesPerKey = 15;

const keys: Readonly<Record<string, readonly [yaw: number, pitch: number]>> = {
  ArrowLeft: [degreesPerKey, 0],
  ArrowRight: [-degreesPerKey, 0],
  ArrowUp: [0, -degreesPerKey],
  ArrowDown: [0, degreesPerKey],
};

/** Lets the figure be turned by dragging it and by arrow keys. Returns what ends that. */
export function letTurn(canvas: HTMLCanvasElement, viewer: Viewer): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal };
  let last: PointerEvent | null = null;
  // A finger that moves up or down still scrolls the page.
  canvas.style.touchAction = "pan-y";
  canvas.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      last = event;
    },
    options,
  );
  canvas.addEventListener(
    "pointermove",
    (event) => {
      if (last === null || event.pointerId !== last.pointerId) return;
      const [x, y] = [event.clientX - last.clientX, event.clientY - last.clientY];
      viewer.turn(-x * degreesPerPixel, event.pointerType === "touch" ? 0 : y * degreesPerPixel, "at once");
      last = event;
    },
    options,
  );
  for (const end of ["pointerup", "pointercancel"] as const) {
    canvas.addEventListener(end, () => (last = null), options);
  }
  canvas.addEventListener(
    "keydown",
    (event) => {
      const way = event.altKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key];
      if (way === undefined) return;
      event.preventDefault();
      viewer.turn(...way, "smoothly");
    },
    options,
  );
  return () => listening.abort();
}
