import { timingSafeEqual } from "node:crypto";
import { link, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import type { SubscriptionNames } from "../domain/accounts/subscription.ts";
import type { KeyedHash } from "../domain/social/login-states.ts";
import { makeFolder, syncFolder, writeNew } from "../kernel/durable-files.ts";
import { AppError, codeOf } from "../kernel/errors.ts";
import { parseUuid, type Uuid } from "../kernel/ids.ts";
import { limits } from "../kernel/limits.ts";
import { readPlainText } from "../kernel/plain-files.ts";

/** A value that only `reveal` shows: printed, logged or serialised it is `[secret]`. */
export type Secret = { readonly reveal: () => string; readonly toString: () => string };

/** The secrets that the process works with. */
export type Secrets = {
  /** Signs and checks session tokens. */
  readonly jwt: Secret;
  /** The token of the service named `default`; null: there is no such service. */
  readonly serviceToken: Secret | null;
};

/** `newFile` is the file of a JWT secret that was just made; null: it existed, or is a setting. */
type OpenedSecrets = Secrets & { readonly newFile: string | null };

/** The shortest JWT secret: HS256 wants a key of at least its hash's 32 bytes (RFC 7518 3.2). */
export const jwtSecretLengthMin = 32;

/** The shortest service token in the settings. */
export const serviceTokenLengthMin = 32;

/** Wraps a text. It stays in a closure, which no inspection of the object reaches. */
export function secretOf(text: string): Secret {
  return Object.freeze({
    reveal: () => text,
    toString: hidden,
    toJSON: hidden,
    [inspect.custom]: hidden,
  });
}

/**
 * The secrets of this installation. Those from the settings are used as they are; without a JWT secret
 * `<dataDir>/secrets/jwt-secret` is read, and made at the first start (folders 0700, file 0600).
 */
export async function openSecrets(options: {
  readonly dataDir: string;
  readonly jwtSecret: Secret | null;
  readonly serviceToken: Secret | null;
}): Promise<OpenedSecrets> {
  const { dataDir, jwtSecret, serviceToken } = options;
  if (jwtSecret !== null) return { jwt: jwtSecret, newFile: null, serviceToken };
  const path = join(dataDir, "secrets", "jwt-secret");
  const { secret, isNew } = await readOrMake(path);
  return { jwt: secretOf(secret), newFile: isNew ? path : null, serviceToken };
}

/** Fails as `openSecrets` does if the secret in the folder cannot be used. Makes no secret. */
export async function checkKeptSecret(dataDir: string): Promise<void> {
  await read(join(dataDir, "secrets", "jwt-secret"));
}

/** Hashes one-time codes. A new JWT secret, after a leak for example, makes all pending codes invalid. */
export function codeHasher(jwtSecret: Secret): KeyedHash {
  return keyedHash(jwtSecret, "cloakroom one-time codes");
}

/** HMAC-SHA256 under a key of its own for each use, derived from the JWT secret. */
export function keyedHash(jwtSecret: Secret, use: string): KeyedHash {
  const key = new Bun.CryptoHasher("sha256", jwtSecret.reveal()).update(use).digest();
  return (text) => new Bun.CryptoHasher("sha256", key).update(text).digest("base64url");
}

const uuidBytes = 16;
/** Half of an HMAC-SHA256, the minimum of RFC 2104 5: 128 bits cannot be guessed. */
const proofBytes = 16;

/** Names in links that end mails to everybody: the account's UUID and a proof, under a key that only they use. */
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
      return account !== null && timingSafeEqual(bytesOf(account), given) ? account : null;
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

async function readOrMake(path: string): Promise<{ readonly secret: string; readonly isNew: boolean }> {
  try {
    const kept = await read(path);
    if (kept !== null) return { secret: kept, isNew: false };
    await makeFolder(dirname(path));
    await make(dirname(path), path);
    return { secret: (await read(path)) ?? "", isNew: true };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("internal", `the secret in ${path} cannot be read or made: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

async function read(path: string): Promise<string | null> {
  const text = await readPlainText(path, limits.operatorFileBytesMax).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return null;
    throw cause;
  });
  if (text === null) return null;
  const secret = text.trim();
  if (secret.length >= jwtSecretLengthMin) return secret;
  throw new AppError(
    "internal",
    `${path} is damaged: delete it and a new one is made at the next start (everybody has to sign in again)`,
  );
}

/**
 * Writes the secret to a draft and links the draft to its name. Unlike a rename, a link never replaces a file: of two processes
 * that start at once, the slower one finds the name taken and reads the other's secret.
 */
async function make(folder: string, path: string): Promise<void> {
  const draft = join(folder, `.draft-${crypto.randomUUID()}`);
  await writeNew(draft, `${Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString("base64url")}\n`);
  try {
    await link(draft, path);
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
  } finally {
    await unlink(draft);
  }
  await syncFolder(folder);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
