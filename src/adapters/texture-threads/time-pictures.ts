import type { PictureRenderer } from "../../domain/ports/pictures.ts";
import { createHistogram, type Histogram, type HistogramReading } from "../../kernel/histogram.ts";

/** How long the pictures of one kind took. */
export type PictureTimes = {
  readonly view: string;
  readonly type: string;
  readonly seconds: HistogramReading;
};

/** From a flat head to a body of the finest skin that waits for its thread. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** The same renderer, timed from the order to the picture: the wait for a thread is part of it. */
export function timePictures(render: PictureRenderer): {
  readonly render: PictureRenderer;
  readonly times: () => readonly PictureTimes[];
} {
  const kinds = new Map<string, { view: string; type: string; seconds: Histogram }>();
  const histogramOf = ({ view, type }: { view: string; type: string }): Histogram => {
    const known = kinds.get(`${view} ${type}`);
    if (known !== undefined) return known.seconds;
    const seconds = createHistogram(bounds);
    kinds.set(`${view} ${type}`, { view, type, seconds });
    return seconds;
  };

  return {
    render: async (order, waiters) => {
      const startedAt = performance.now();
      const picture = await render(order, waiters);
      histogramOf(order).observe((performance.now() - startedAt) / 1000);
      return picture;
    },
    times: () => [...kinds.values()].map((kind) => ({ ...kind, seconds: kind.seconds.read() })),
  };
}
