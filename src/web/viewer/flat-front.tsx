import { useLayoutEffect, useRef } from "preact/hooks";
import { drawFlat, flatBody } from "../../render/flat.ts";
import type { Model } from "../../render/parts.ts";
import { prepareSkin } from "../../render/skin-sheet.ts";

type FlatFrontProps = {
  /** The accessible name. */
  readonly label: string;
  readonly skin: ImageBitmap;
  readonly model: Model;
};

/**
 * The front of a skin without depth: what a browser without WebGL 2 shows of a file that the server does not
 * have.
 */
export function FlatFront({ label, skin, model }: FlatFrontProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current !== null) paintFront(canvas.current, skin, model);
  }, [skin, model]);
  return <canvas ref={canvas} class="figure-flat" role="img" aria-label={label} />;
}

function paintFront(canvas: HTMLCanvasElement, skin: ImageBitmap, model: Model): void {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return;
  Object.assign(canvas, { width: skin.width, height: skin.height });
  context.drawImage(skin, 0, 0);
  const { width, height, data } = context.getImageData(0, 0, skin.width, skin.height);
  const sheet = prepareSkin({ bitmap: { width, height, data: new Uint8Array(data.buffer) }, model });
  const front = drawFlat(sheet, flatBody);
  Object.assign(canvas, { width: front.width, height: front.height });
  context.putImageData(new ImageData(new Uint8ClampedArray(front.data), front.width), 0, 0);
}
