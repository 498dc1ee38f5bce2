/** Slow hashes for passwords, off the main thread. Both operations fail with limited when too many calls wait. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False for a wrong password and for a hash of no known kind. */
  verify(password: string, hash: string): Promise<boolean>;
  /** True when the hash was made with other parameters than today's. */
  needsRehash(hash: string): boolean;
}
