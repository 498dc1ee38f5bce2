/** What a game shows of a profile: it fetches the textures that the property names. */
type Texture = { readonly url: string; readonly metadata?: { readonly model: "slim" } };

export type Shown = Readonly<Record<string, Texture | undefined>>;

/** The textures of a profile, each of which can be fetched. */
export async function fetchTextures(properties: unknown): Promise<Shown> {
  const value: unknown = Reflect.get(Object(properties), "textures");
  const { textures } = JSON.parse(Buffer.from(String(value), "base64").toString());
  for (const { url } of Object.values<Texture>(textures)) {
    const { status, headers } = await fetch(url);
    if (status !== 200 || headers.get("content-type") !== "image/png") throw new Error(`${url}: ${status}`);
  }
  return textures;
}
