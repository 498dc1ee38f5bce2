import type { PlaceLabel } from "../model/place-label.ts";

/** A place of textures, by its label. All of it fails with unavailable while a bucket does not answer. */
export interface LabelledPlace {
  /** For people. */
  readonly where: string;
  readonly kind: "folder" | "bucket";
  /** Changes nothing. */
  readLabel(): Promise<PlaceLabel>;
  /**
   * Leaves a label where there is none. Of several that do it at once the first one's stays: resolves to the
   * id that is there then.
   */
  leaveLabel(id: string, community: string): Promise<string | null>;
  /** Leaves a label, whichever is there. */
  replaceLabel(id: string, community: string): Promise<void>;
}

/** The id of the place as the database keeps it. */
export interface PlaceMark {
  /** Null before any node of the database used textures. */
  read(): string | null | Promise<string | null>;
  /**
   * Replaces this id (null: no id) by the new one, unless another process was faster. Resolves to the id that
   * is kept.
   */
  put(id: string, instead: string | null): string | null | Promise<string | null>;
}
