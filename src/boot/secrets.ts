import { readKeyText, signingKeyKind } from "../adapters/rsa/key-text.ts";
import type { SubscriptionNames } from "../domain/accounts/subscription.ts";
import type { KeyKind, KeyStore } from "../domain/ports/key-store.ts";
import type { PublicKey } from "../domain/ports/signer.ts";
import { isWebhookSecret, newWebhookSecret } from "../domain/events/webhook-signature.ts";
import type { KeyedHash } from "../domain/social/login-states.ts";
import { isSameSecret } from "../kernel/constant-time.ts";
import { parseUuid, type Uuid } from "../kernel/ids.ts";

/** A value that only `reveal` returns: printed, logged or serialised it is `[secret]`. */
export type Secret = { readonly reveal: () => string; readonly toString: () => string };

/** The secrets that the process works with. */
export type Secrets = {
  /** Signs and checks session tokens. */
  readonly jwt: Secret;
  /** The token of the service named `default`; null: there is none. */
  readonly serviceToken: Secret | null;
};

/** `newFile`: where this start made a JWT secret; null when one was there or is a setting. */
type OpenedSecrets = Secrets & { readonly newFile: string | null };

/** The shortest JWT secret: HS256 wants a key of at least its hash's 32 bytes (RFC 7518 3.2). */
export const jwtSecretLengthMin = 32;

/** The shortest service token of the settings, so that it cannot be guessed. */
export const serviceTokenLengthMin = 32;

/** Wraps a text in a closure, where no inspection of the object reaches it. */
export function secretOf(text: string): Secret {
  return Object.freeze({
    reveal: () => text,
    toString: hidden,
    toJSON: hidden,
    [Symbol.for("nodejs.util.inspect.custom")]: hidden,
  });
}

const jwtKey: KeyKind = {
  name: "jwt-secret",
  make: () => newJwtSecret().reveal(),
  // What a crash leaves of a file, zeros among it, is no text, and known to everybody.
  isUsable: (text) => text.length >= jwtSecretLengthMin && !/[\p{Cc}\uFFFD]/u.test(text),
  loss: "everybody has to sign in again",
};

/**
 * The secrets of this installation. Those from the settings are used as they are. Without a JWT secret among
 * them the key `jwt-secret` is used, which the first start makes.
 */
export async function openSecrets(options: {
  readonly keys: KeyStore;
  readonly jwtSecret: Secret | null;
  readonly serviceToken: Secret | null;
}): Promise<OpenedSecrets> {
  const { keys, jwtSecret, serviceToken } = options;
  if (jwtSecret !== null) return { jwt: jwtSecret, newFile: null, serviceToken };
  const { text, madeAt } = await keys.findOrMake(jwtKey);
  return { jwt: secretOf(text), newFile: madeAt, serviceToken };
}

/** Replaces the key `jwt-secret`. The next start reads the new one. */
export async function replaceKeptSecret(keys: KeyStore, next: Secret): Promise<void> {
  await keys.replace(jwtKey, async () => next.reveal());
}

/** Makes a JWT secret. */
export function newJwtSecret(): Secret {
  return secretOf(Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString("base64url"));
}

/** Lets a database recognise the secret without revealing it. */
export function fingerprintOf(jwtSecret: Secret): string {
  return keyedHash(jwtSecret, "cloakroom fingerprint of the secret")("");
}

/**
 * The public half of the key that signs for the installation; null: there is none yet. Fails with internal
 * for a damaged one.
 */
export async function readPublicKey(keys: KeyStore): Promise<PublicKey | null> {
  const text = await keys.find(signingKeyKind());
  return text === null ? null : readKeyText(text).publicKey;
}

const webhookKey: KeyKind = {
  name: "webhook-secret",
  make: newWebhookSecret,
  isUsable: isWebhookSecret,
  loss: "receivers of webhooks need the new one",
};

/**
 * Signs webhooks: the setting, or else the key `webhook-secret`, which the first one who asks for it makes.
 */
export async function openWebhookSecret(keys: KeyStore, setting: Secret | null): Promise<Secret> {
  return setting ?? secretOf((await keys.findOrMake(webhookKey)).text);
}

/** The kinds of key that a server with these settings reads: all but those that a setting replaces. */
export function keysReadBy(settings: {
  readonly jwtSecret: Secret | null;
  readonly webhookSecret: Secret | null;
}): readonly KeyKind[] {
  const { jwtSecret, webhookSecret } = settings;
  return [
    ...(jwtSecret === null ? [jwtKey] : []),
    signingKeyKind(),
    ...(webhookSecret === null ? [webhookKey] : []),
  ];
}

/** The JWT secret that an installation keeps; null without one. Makes none. */
export async function findJwtSecret(keys: KeyStore): Promise<Secret | null> {
  const text = await keys.find(jwtKey);
  return text === null ? null : secretOf(text);
}

/** Keeps a JWT secret in an installation that has none. */
export async function keepJwtSecret(keys: KeyStore, secret: Secret): Promise<void> {
  await keys.findOrMake({ ...jwtKey, make: () => secret.reveal() });
}

/** The keys that go along when an installation moves, all but the JWT secret. */
export const carriedKeys: readonly KeyKind[] = [signingKeyKind(), webhookKey];

/** Hashes one-time codes. A new JWT secret makes all codes invalid that were mailed before. */
export function codeHasher(jwtSecret: Secret): KeyedHash {
  return keyedHash(jwtSecret, "cloakroom one-time codes");
}

/** HMAC-SHA256. Each use has a key of its own, derived from the JWT secret. */
export function keyedHash(jwtSecret: Secret, use: string): KeyedHash {
  const key = new Bun.CryptoHasher("sha256", jwtSecret.reveal()).update(use).digest();
  return (text) => new Bun.CryptoHasher("sha256", key).update(text).digest("base64url");
}

const uuidBytes = 16;
/** Half of an HMAC-SHA256, the minimum of RFC 2104 5: 128 bits cannot be guessed. */
const proofBytes = 16;

/**
 * Names in links that end mails to everybody: the account's UUID and a proof, under a key that only they use.
 */
export function subscriptionNames(jwtSecret: Secret): SubscriptionNames {
  const proofOf = keyedHash(jwtSecret, "cloakroom mail subscriptions");
  const bytesOf = (account: Uuid): Buffer => {
    const proof = Buffer.from(proofOf(account), "base64url");
    return Buffer.concat([Buffer.from(account.replaceAll("-", ""), "hex"), proof.subarray(0, proofBytes)]);
  };

  return {
    nameOf: (account) => bytesOf(account).toString("base64url"),
    read: (name) => {
      if (!/^[\w-]{43}$/.test(name)) return null;
      const given = Buffer.from(name, "base64url");
      const account = parseUuid(given.subarray(0, uuidBytes).toString("hex"));
      return account !== null && isSameSecret(bytesOf(account), given) ? account : null;
    },
  };
}

/** The page that ends mails to everybody for an account; the path is that of `http/mail/routes.ts`. */
export function unsubscribeLinks(publicUrl: string, names: SubscriptionNames): (account: Uuid) => string {
  return (account) => `${publicUrl}/mail/unsubscribe/${names.nameOf(account)}`;
}

function hidden(): string {
  return "[secret]";
}
