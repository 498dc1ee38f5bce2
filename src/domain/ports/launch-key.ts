/** The player that a launch server speaks for: by uuid, by name, or by both. */
export type SpokenFor = { readonly uuid: string | null; readonly name: string | null };

/** The public key of the operator's launch server, whose signed tokens name the player that it speaks for. */
export interface LaunchKey {
  /** The player of a token; null for a token that is forged, expired, or not one of that server. */
  read(token: string): Promise<SpokenFor | null>;
}
