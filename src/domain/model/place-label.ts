/** What the place of the textures says about itself, in a small file or object beside them. */
export type PlaceLabel = {
  /** Null in a place of a release that gave none, and where the label cannot be read. */
  readonly id: string | null;
  /**
   * The community whose textures are there. Null where nothing was stored yet, and in a folder of a release
   * that did not say so.
   */
  readonly community: string | null;
  /** Null: it can be read, or there is none. */
  readonly flaw: LabelFlaw | null;
};

/**
 * Why there is a label that cannot be read: another program wrote it, or this process may not open it, for
 * the reason.
 */
export type LabelFlaw = { readonly kind: "broken" } | { readonly kind: "closed"; readonly reason: string };

/**
 * The file or object beside the textures that says which database's they are. No release takes it for a
 * texture.
 */
export const placeLabelName = "cloakroom-place.json";

/** What it holds. */
export function placeLabelText(id: string, community: string): string {
  return `${JSON.stringify({ id, community })}\n`;
}

/**
 * What a label says. A broken one for anything else, such as the page of a gateway that stands before a
 * bucket.
 */
export function parsePlaceLabel(bytes: Uint8Array): PlaceLabel {
  const { id, community } = parseObject(bytes);
  const isWhole = isText(id) && isText(community);
  return isWhole ? { id, community, flaw: null } : flawedLabel({ kind: "broken" });
}

/** A label that says nothing, for this reason. */
export function flawedLabel(flaw: LabelFlaw | null): PlaceLabel {
  return { id: null, community: null, flaw };
}

/** The community that a marker names; null if it names no community. */
export function parseMarker(bytes: Uint8Array): string | null {
  const { community } = parseObject(bytes);
  return isText(community) ? community : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function parseObject(bytes: Uint8Array): { readonly id?: unknown; readonly community?: unknown } {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
