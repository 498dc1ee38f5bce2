/** What the place of the textures says about itself, in a small file or object beside them. */
export type PlaceLabel = {
  /** Null in a place of a release that gave none. */
  readonly id: string | null;
  /** The community whose textures are there. Null where nothing was stored yet, and in a folder of a release that did not say so. */
  readonly community: string | null;
};

/** The file or object beside the textures that says which database's they are. No release takes it for a texture. */
export const placeLabelName = "cloakroom-place.json";

/** What it holds. */
export function placeLabelText(id: string, community: string): string {
  return `${JSON.stringify({ id, community })}\n`;
}

/** What the label says, or a release's marker that names the community alone. Empty texts, which are no one's, for what is neither. */
export function parsePlaceLabel(bytes: Uint8Array): { readonly [Name in keyof PlaceLabel]: string } {
  const label = parseObject(new TextDecoder().decode(bytes));
  const textOf = (name: keyof PlaceLabel) => {
    const value = name in label ? label[name] : "";
    return typeof value === "string" ? value : "";
  };
  return { id: textOf("id"), community: textOf("community") };
}

function parseObject(text: string): Partial<Record<keyof PlaceLabel, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
