/** What a game shows of a profile: it fetches the textures that the property names. */
import { sha256 } from "../support/textures.ts";

type Texture = { readonly url: string; readonly metadata?: { readonly model: "slim" } };

export type Shown = Readonly<
  Record<string, { readonly texture: Texture; readonly pixelsOf: string } | undefined>
>;

/** The textures of a profile with the digests of their files, as they were uploaded. */
export async function fetchTextures(properties: unknown): Promise<Shown> {
  const value: unknown = Reflect.get(Object(properties), "textures");
  const { textures } = JSON.parse(Buffer.from(String(value), "base64").toString());
  const shown: Record<string, Shown[string]> = {};
  for (const [kind, texture] of Object.entries<Texture>(textures)) {
    const file = await fetch(texture.url);
    if (file.status !== 200) throw new Error(`${texture.url}: ${file.status}`);
    shown[kind] = { texture, pixelsOf: sha256(await file.bytes()) };
  }
  return shown;
}
