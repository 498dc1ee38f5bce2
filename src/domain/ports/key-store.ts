/** A key of this installation: a secret, or a private key as PEM. */
export type KeyKind = {
  /** Its name, of lower-case letters and dashes. No two kinds share one. */
  readonly name: string;
  /** Makes the text of a new key. */
  readonly make: () => string | Promise<string>;
  /** Whether a stored text can serve as the key. */
  readonly isUsable: (text: string) => boolean;
  /** What an operator loses who deletes the key; stands in the message about a damaged one. */
  readonly loss: string;
};

/**
 * Keys by name. They last, stand in backups, and only this program's user can read them. Operations fail with
 * internal, naming the place and the cure, for a key that cannot be used, read or made.
 */
export interface KeyStore {
  /** The text of a key; null when there is none. */
  find(kind: KeyKind): Promise<string | null>;
  /**
   * The text of a key, which is made if there is none. `madeAt` names its place if this call made it, else it
   * is null. Of several callers at once, in whatever processes, one makes the key and all get the same.
   */
  findOrMake(kind: KeyKind): Promise<{ readonly text: string; readonly madeAt: string | null }>;
  /**
   * Replaces a key atomically by the result of `remake` of its text (null without a key), and resolves to the
   * new text. Fails with conflict while another process replaces it.
   */
  replace(kind: KeyKind, remake: (text: string | null) => Promise<string>): Promise<string>;
  /**
   * A text that is another one after the key was replaced or edited; null for a missing key. Costs
   * microseconds.
   */
  stamp(kind: KeyKind): string | null;
}
