/** How far the deliveries to an address have come. */
export type WebhookProgress = {
  /** The hash of the address; see `domain/events/webhook-address.ts`. */
  readonly address: string;
  /** The id of the last event that was delivered or given up. */
  readonly position: number;
  /** Failed tries since the last delivery. */
  readonly attempts: number;
  /** Unix seconds of the next try; 0: at once. */
  readonly nextTryAt: number;
  /** Unix seconds of the last delivery; 0: none yet. */
  readonly deliveredAt: number;
  /** Why the last try failed; empty when it did not. */
  readonly lastError: string;
};

/** What is read of deliveries to addresses. */
export interface WebhookReads {
  /** Found by hash; null for an address that got nothing yet and waits for nothing. */
  findWebhook(address: string): Promise<WebhookProgress | null>;
}

/** What is written of deliveries to addresses. */
export interface WebhookStore extends WebhookReads {
  /**
   * Keeps exactly these addresses: a new one starts at the position, one that is missing here is forgotten.
   */
  keepWebhooks(addresses: readonly string[], position: number): Promise<void>;
  /** Records how far an address has come. */
  recordWebhook(progress: WebhookProgress): Promise<void>;
  /** Makes the next try of an address due at once. */
  bringWebhookForward(address: string): Promise<void>;
}
