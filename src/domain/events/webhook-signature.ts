import type { WebhookMessage } from "../ports/webhook-sender.ts";

/** How every secret of the specification begins. */
export const webhookSecretStart = "whsec_";

/**
 * Whether a text is a secret of the Standard Webhooks specification: `whsec_` and the Base64 of 24 bytes or
 * more.
 */
export function isWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text);
}

/** A new secret: 256 random bits in the form of the Standard Webhooks specification. */
export function newWebhookSecret(): string {
  return `${webhookSecretStart}${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`;
}

/**
 * Signs a message (Standard Webhooks specification, symmetric signatures): HMAC-SHA256 of
 * `id.timestamp.body`.
 */
export function signWebhook(
  secret: string,
  { id, timestamp, body }: Omit<WebhookMessage, "signature">,
): string {
  const key = Buffer.from(secret.slice(webhookSecretStart.length), "base64");
  const mac = new Bun.CryptoHasher("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return `v1,${mac}`;
}
