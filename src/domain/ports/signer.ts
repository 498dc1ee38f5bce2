import type { Waiters } from "../../kernel/waiters.ts";

/** A public RSA key as DER (SubjectPublicKeyInfo, RFC 5280 4.1). */
export type PublicKey = Uint8Array;

/** This installation's key. Games verify our answers with it. */
export type SigningKey = {
  /** Another key has another id: the SHA-256 of its public key, in hex. */
  readonly id: string;
  readonly publicKey: PublicKey;
  /** Former keys, announced until a time (Unix seconds) because their signatures are still in use. */
  readonly previous: readonly { readonly publicKey: PublicKey; readonly announcedUntil: number }[];
  /**
   * Resolves to the signature in Base64: RSASSA-PKCS1-v1_5 with SHA-1 (RFC 8017 8.2). It is made off the
   * event loop, in an order that is fair to the clients that wait. Fails as a `FairQueue` does.
   */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>, waiters: Waiters) => Promise<string>;
};

/** A pair of RSA keys with 2048 bits. */
export type KeyPair = {
  readonly publicKey: PublicKey;
  /** PKCS #8 (RFC 5208) as DER. */
  readonly privateKey: Uint8Array;
};

/** Signs in the name of this installation. */
export interface Signer {
  /**
   * The key in force, which is made if there is none. A key that takes its place on disk is in force 20 ms
   * later at most; one that cannot be used, or that is missing while the program runs, changes nothing. Fails
   * with internal when there is no usable key.
   */
  key(): Promise<SigningKey>;
  /**
   * Makes the first key, before a request has to wait for it, and resolves to its place; to null where there
   * is one already.
   */
  prepare(): Promise<string | null>;
  /**
   * Replaces the key at a time (Unix seconds), or makes the first one. It is in force here at once. Fails
   * with conflict while another process does the same.
   */
  rotate(now: number): Promise<void>;
  /** Whether the key with this id is still in force. */
  isInForce(id: string): boolean;
  /** Makes a pair off the event loop, in the same order as signatures. Fails as a `FairQueue` does. */
  makeKeyPair(waiters: Waiters): Promise<KeyPair>;
}
