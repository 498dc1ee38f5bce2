import type { TextureImporter, TextureSize } from "../../domain/ports/pictures.ts";
import {
  checkFile,
  extractWings,
  importCape,
  importSkin,
  type TextureRules,
} from "../../domain/textures/import.ts";
import { FairQueue, type Turn } from "../../kernel/fair-queue.ts";
import { behalf } from "../../kernel/on-behalf.ts";
import { Waiters } from "../../kernel/waiters.ts";
import { lanes, type ThreadPool } from "./thread-pool.ts";

/** Up to this size a texture takes about a millisecond, less than sending it to a thread and back. */
const smallPixelsMax = 128 * 128;

/** A small texture waits for the image decoder between its steps, so a few at once lose no time. */
const smallLimits = {
  atOnceMax: 4,
  waitingMax: 256,
  waitMillisecondsMax: 3000,
  refusal: lanes.imports.refusal,
};

/**
 * Imports textures without holding up the event loop: small ones on it, large ones in a thread. `now` is
 * milliseconds since some moment.
 */
export function createTextureImporter(
  pool: ThreadPool,
  rules: TextureRules,
  now = () => performance.now(),
): TextureImporter {
  const small = new FairQueue({ ...smallLimits, now });

  return {
    skin: async (file, declared, client) => {
      const turn = turnOf(checkFile(file, rules), client);
      return turn.isSmall
        ? small.run(turn, () => importSkin(file, declared, rules))
        : pool.run(turn, "importSkin", () => [file, declared, rules]);
    },
    cape: async (file, client) => {
      const turn = turnOf(checkFile(file, rules), client);
      return turn.isSmall
        ? small.run(turn, () => importCape(file, rules))
        : pool.run(turn, "importCape", () => [file, rules]);
    },
    wings: async ({ png, ...size }, client) => {
      const turn = turnOf(size, client);
      return turn.isSmall
        ? small.run(turn, async () => extractWings(png))
        : pool.run(turn, "extractWings", () => [png]);
    },
  };
}

function turnOf({ width, height }: TextureSize, client: string): Turn & { readonly isSmall: boolean } {
  const pixels = width * height;
  return {
    // One network may hold many accounts.
    waiters: new Waiters({ client, within: networksBehind(), gone: null }),
    // Measured from 64x64 to 1024x1024, of which the last takes 150 ms.
    expectedMilliseconds: 1 + pixels * 14e-5,
    isSmall: pixels <= smallPixelsMax,
  };
}

/** The networks of the client for whom the work under way is done. */
function networksBehind(): readonly string[] {
  const waiter = behalf();
  return waiter === null ? [] : [waiter.client, ...(waiter.within ?? [])];
}
