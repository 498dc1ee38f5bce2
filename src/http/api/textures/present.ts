import type { Appearance } from "../../../domain/ports/texture-store.ts";
import type { Texture } from "../../../domain/model/texture.ts";

/** What a launcher reads (docs/contract/delivery.md#descriptors). What a player does not have is left out; no value is null. */
export function presentDescriptor(appearance: Appearance | null, publicUrl: string) {
  const file = ({ hash, digest }: Texture) => ({ url: `${publicUrl}/textures/${hash}`, digest });
  const { skin = null, cape = null } = appearance ?? {};
  const metadata = skin?.model === "slim" ? { metadata: { model: "slim" } } : {};
  return {
    ...(skin === null ? {} : { SKIN: { ...file(skin.texture), ...metadata } }),
    ...(cape === null ? {} : { CAPE: file(cape.texture) }),
  };
}
