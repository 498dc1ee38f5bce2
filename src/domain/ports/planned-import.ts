import type { TextureHash } from "../../kernel/ids.ts";
import type { PlannedAccount, PlannedCape } from "../model/import-plan.ts";
import type { IncomingTexture } from "./pictures.ts";

/**
 * A finished plan, which may be larger than memory: what is applied of it, in an order that is the same each
 * time. Its textures were checked and encoded when it was made.
 */
export interface PlannedImport {
  readonly counts: { readonly accounts: number; readonly capes: number; readonly textures: number };
  /** Bitmaps that come, with wings of capes, some at a time. */
  textures(most: number): Iterable<readonly TextureHash[]>;
  texture(hash: TextureHash): IncomingTexture;
  capes(most: number): Iterable<readonly PlannedCape[]>;
  /** Those that are written; accounts of which nothing changes are left out. */
  accounts(most: number): Iterable<readonly PlannedAccount[]>;
}
