import { compilingLate } from "../kernel/compiling.ts";
import type { Logger } from "../kernel/log.ts";
import { nodeParts } from "../kernel/node-parts.ts";
import type { Ports } from "./compose.ts";
import type { RunningServer } from "./server.ts";

/**
 * Code that runs for the first time takes ten times as long. Before the first picture is asked for, the
 * routes of pictures are asked for a player that does not exist (6 ms of the first picture, for 1.3 MB at
 * rest), and zlib is loaded (3 ms, for 0.1 MB). Compiling the core would save 3 ms more for 2.9 MB, drawing a
 * body 10 ms for 7.4. The rest is left out once pictures were drawn, or at the end.
 */
export async function warmUp({ pictureTimes, prepare, log }: Warmed, ending: AbortSignal): Promise<void> {
  const pieces: readonly (() => unknown)[] = [
    () => prepare("/api/skin/head/00000000-0000-0000-0000-000000000000?type=player"),
    () => prepare("/api/skin/body/00000000-0000-0000-0000-000000000000?type=player"),
    () => nodeParts.zlib,
  ];
  try {
    for (const piece of pieces) {
      if (ending.aborted || pictureTimes().length > 0) return;
      await compilingLate(piece);
      await Bun.sleep(pauseMs);
    }
  } catch (error) {
    if (!ending.aborted) log.warn("the first picture will take longer: it could not be prepared", { error });
  }
}

type Warmed = Pick<Ports, "pictureTimes"> & Pick<RunningServer, "prepare"> & { readonly log: Logger };

/** Requests go in between. */
const pauseMs = 50;
