import type { Waiters } from "../../kernel/waiters.ts";
import type { PictureKind } from "../../render/render.ts";
import type { SkinModel, TextureFacts } from "../model/texture.ts";

/** A texture that has been checked and encoded again, without metadata, but is not stored yet. */
export type IncomingTexture = { readonly texture: TextureFacts; readonly png: Uint8Array };
/** A skin's texture with the arms that it is worn with. */
export type IncomingSkin = IncomingTexture & { readonly model: SkinModel };
/** A cape's texture, and its wings as one of their own; null for a cape without them. */
export type IncomingCape = IncomingTexture & { readonly wings: IncomingTexture | null };

/** One picture to make from stored files. `size` is in pixels, 8 to 1024. */
export type PictureJob = PictureKind & {
  readonly skin?: { readonly png: Uint8Array; readonly model: SkinModel };
  readonly cape?: Uint8Array;
  readonly texture?: Uint8Array;
};

/**
 * An order for a picture, with all that decides how long it takes. `read` loads its textures when its turn
 * has come.
 */
export type PictureOrder = PictureKind & {
  readonly skin?: TextureSize & { readonly model: SkinModel };
  readonly cape?: TextureSize;
  readonly texture?: TextureSize;
  readonly read: () => Promise<PictureJob>;
};

/** A file that we wrote, and its size in pixels. */
export type StoredFile = TextureSize & { readonly png: Uint8Array };

/** Sizes are in pixels. */
export type TextureSize = { readonly width: number; readonly height: number };

/**
 * Makes the PNG of a picture. It holds the event loop for about 10 ms at most, and for a fifth of the time
 * altogether. Fails with limited when too much waits already, and with an AbortError when all waiters are
 * gone before its turn.
 */
export type PictureRenderer = (order: PictureOrder, waiters: Waiters) => Promise<Uint8Array>;

/**
 * The one way in for textures, by HTTP and by command line: checked, decoded and encoded again within the
 * operator's rules, without holding the event loop for more than about 10 ms. Clients share the time evenly.
 * `skin` and `cape` fail as `importSkin` and `importCape` do, and with limited when too much waits already.
 */
export interface TextureImporter {
  /** A declared model wins; null: found from the pixels. The time counts against the share of `client`. */
  skin(file: Uint8Array, declared: SkinModel | null, client: string): Promise<IncomingSkin>;
  cape(file: Uint8Array, client: string): Promise<IncomingCape>;
  /**
   * The wings of a stored cape; null where it has none. Fails with limited alone; a file that is no cape is a
   * fault.
   */
  wings(cape: StoredFile, client: string): Promise<IncomingTexture | null>;
}
