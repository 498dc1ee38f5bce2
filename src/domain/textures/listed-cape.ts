import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { limits } from "../../kernel/limits.ts";
import type { CapeGrant, TextureLists } from "../ports/texture-store.ts";
import type { Cape } from "../model/texture.ts";

/** A cape with some of its grants, the first `limits.ownersShownMax` of them, and how many there are. */
export type ListedCape = {
  readonly cape: Cape;
  readonly grants: readonly CapeGrant[];
  readonly count: number;
};

/** Capes whose grants are read without a pause, some 10 ms. */
const readAtOnce = 10;

/** The capes with their grants. A thousand capes of a thousand grants each are many rows: other work comes in between. */
export async function withGrants(
  textures: TextureLists,
  capes: readonly Cape[],
): Promise<readonly ListedCape[]> {
  const listed: ListedCape[] = [];
  for (const cape of capes) {
    if (listed.length % readAtOnce === 0) await yieldToEventLoop();
    const grants = await textures.listGrants(cape.id, limits.ownersShownMax);
    listed.push({ cape, grants, count: await textures.countOwners(cape.id) });
  }
  return listed;
}
