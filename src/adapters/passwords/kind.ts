/** A kind of stored hash, and what all of them share. */
/** One kind. */
export type HashKind = {
  /** As people and tables call it. */
  readonly name: string;
  /** What each hash of it begins with, up to the second dollar. */
  readonly head: string;
  /** Null when this is not how a hash of the kind is written, or when it would take too long. */
  read(hash: string): ReadHash | null;
  /** What verifying a hash of this effort takes on a usual core, in milliseconds. */
  milliseconds(effort: string): number;
  /** A hash of this effort that no known password fits. */
  dummy(effort: string): string;
  /**
   * Of a kind that is broken in hours: the end of the hash, computed from what stands before it (`field`).
   * Such hashes are wrapped.
   */
  readonly digest?: {
    of(password: string, field: string): Promise<string>;
    /** What the field begins with and decides how long it takes; empty for most. */
    effortIn(field: string): string;
    /** A field of random bytes that begins so. */
    dummyField(effort: string): string;
  };
};

export type ReadHash = {
  readonly effort: string;
  fits(password: string): Promise<boolean>;
};

/** Random bytes in Base64 without padding. */
export function randomBase64(bytes: number): string {
  return randomBytes(bytes).toBase64({ omitPadding: true });
}

export function randomHex(digits: number): string {
  return randomBytes(digits / 2).toHex();
}

const cryptLetters = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Letters of the alphabet that bcrypt and phpass share. */
export function randomCryptText(length: number): string {
  return Array.from(randomBytes(length), (byte) => cryptLetters[byte & 63]).join("");
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
