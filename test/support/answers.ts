export type Envelope<Data> = {
  readonly error: boolean;
  readonly msg: string;
  readonly url: string | null;
  readonly data: Data;
};

/** What a launcher reads. */
export type Descriptor = {
  readonly SKIN?: TextureAddress & { readonly metadata?: { readonly model: string } };
  readonly CAPE?: TextureAddress;
};
export type TextureAddress = { readonly url: string; readonly digest: string };

/** The answer's body. That it has this shape is the caller's claim, which its expectations prove. */
export async function readJson<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}
