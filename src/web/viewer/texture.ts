/** A texture to show: a picture that was read already, or the address of a file of this server. */
export type Texture = ImageBitmap | string;

/** How pictures are decoded, so that every pixel stays as its file has it, colour under alpha 0 included. */
const asItIs = { premultiplyAlpha: "none", colorSpaceConversion: "none" } as const;

/** Loads a texture. Fails with an Error when there is no such picture or the server cannot be reached. */
export async function loadTexture(texture: Texture, signal: AbortSignal): Promise<ImageBitmap> {
  if (typeof texture !== "string") return texture;
  const response = await fetch(texture, { signal });
  if (!response.ok) throw new Error(`${texture}: ${response.status}`);
  return createImageBitmap(await response.blob(), asItIs);
}
