/** One delivery of an event, with the headers of the Standard Webhooks specification. */
export type WebhookMessage = {
  /** The same in every try. */
  readonly id: string;
  /** When this attempt was made, in Unix seconds. */
  readonly timestamp: number;
  readonly signature: string;
  /** JSON. */
  readonly body: string;
};

/**
 * Sends a message to an address that the operator has set. Resolves to null once the receiver has taken it,
 * else to the reason why not, which holds nothing of the address and nothing of the answer but its status.
 * Does not throw.
 */
export type SendWebhook = (
  url: string,
  message: WebhookMessage,
  interrupt: AbortSignal,
) => Promise<string | null>;
