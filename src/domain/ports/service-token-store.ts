import type { CreatedToken } from "../model/service-token.ts";

/** What is read of service tokens. */
export interface ServiceTokenReads {
  /**
   * Every token by ascending id, `limits.serviceTokensMax` at most. Changes by another process show at once.
   */
  listTokens(): Promise<readonly CreatedToken[]>;
}

/** What is written of service tokens. */
export interface ServiceTokenStore extends ServiceTokenReads {
  /** A second token of the same name fails with conflict. */
  insertToken(token: Omit<CreatedToken, "id" | "lastUsedAt">): Promise<CreatedToken>;
  /** Notes when tokens were used, by their numbers. Revoked tokens are skipped. */
  setLastUsed(uses: ReadonlyMap<number, number>): Promise<void>;
  /** Removes the token; null when there was none of this name. */
  deleteToken(name: string): Promise<CreatedToken | null>;
}
