import type { TextureHash } from "../../kernel/ids.ts";
import type { LiveTextureRows } from "../ports/texture-files.ts";
import type { TextureReads } from "../ports/texture-store.ts";

/** Rows that one statement reads. */
const pageRows = 1000;

/** The rows of textures of any engine, for checks. */
export function liveRows(textures: TextureReads): LiveTextureRows {
  return {
    textures: async function* () {
      for (let last: TextureHash | null = null; ;) {
        const rows = await textures.listTextures(last, pageRows);
        yield* rows;
        if (rows.length < pageRows) return;
        last = rows.at(-1)?.hash ?? null;
      }
    },
    findTexture: (hash) => textures.findTexture(hash),
    countUses: async (hash) => {
      const { skins, capes } = await textures.countUses(hash);
      return skins + capes;
    },
  };
}
