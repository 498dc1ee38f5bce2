import { drawPicture } from "../adapters/texture-threads/tasks.ts";
import type { PictureJob } from "../domain/ports/pictures.ts";
import type { Logger } from "../kernel/log.ts";
import type { Ports } from "./compose.ts";
import type { RunningServer } from "./server.ts";

/**
 * Code that runs for the first time takes ten times as long. Before the first picture is asked for, one head
 * and one body of our own default skin are drawn, and the route of pictures is asked for a player that does
 * not exist. They are small: large ones would cost megabytes. Each piece holds the event loop for some
 * milliseconds, with a pause behind it, and the rest is left out once pictures were drawn, or at the end.
 */
export async function warmUp(
  { defaults, pictureTimes, prepare, log }: Warmed,
  ending: AbortSignal,
): Promise<void> {
  const skin = { png: defaults.classic.png, model: "classic" } as const;
  const draw = (job: Pick<PictureJob, "view" | "type" | "size">) => () => void drawPicture({ ...job, skin });
  const pieces: readonly (() => unknown)[] = [
    draw({ view: "head", type: "player", size: 16 }),
    draw({ view: "body", type: "player", size: 16 }),
    () => prepare("/api/skin/head/00000000-0000-0000-0000-000000000000?type=player"),
    () => prepare("/api/skin/body/00000000-0000-0000-0000-000000000000?type=player"),
  ];
  try {
    for (const piece of pieces) {
      if (ending.aborted || pictureTimes().length > 0) return;
      await reluctantly(piece);
      await Bun.sleep(pauseMs);
    }
  } catch (error) {
    if (!ending.aborted) log.warn("the first picture will take longer: it could not be prepared", { error });
  }
}

type Warmed = Pick<Ports, "defaults" | "pictureTimes"> &
  Pick<RunningServer, "prepare"> & { readonly log: Logger };

/** Nothing here runs often enough to be worth compiling, and the compiler's own code takes 2 MB. */
async function reluctantly(piece: () => unknown): Promise<void> {
  Bun.unsafe.setJITPolicy(64);
  try {
    await piece();
  } finally {
    Bun.unsafe.setJITPolicy(1);
  }
}

/** Requests go in between. */
const pauseMs = 50;
