import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  scrypt,
  type ScryptOptions,
} from "node:crypto";
import type { Sealing } from "../../domain/ports/backup-ports.ts";
import { isSameSecret } from "../../kernel/constant-time.ts";

/**
 * OWASP's first choice for scrypt: 128 MiB and some 0.3 s a guess. Fixed for each backup format, so no file
 * can demand more.
 */
const cost: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const saltBytes = 16;
/** The nonce and tag of AES-GCM (NIST SP 800-38D). */
const nonceBytes = 12;
const tagBytes = 16;
const macBytes = 32;

/**
 * Derives keys from the passphrase with scrypt and a salt for each use. Sealed bytes are salt, nonce and tag
 * of AES-256-GCM, then the ciphertext. An authentication code is salt and HMAC, in Base64.
 */
export const passphraseSealing: Sealing = {
  seal: async (plain, passphrase) => {
    const salt = crypto.getRandomValues(Buffer.alloc(saltBytes));
    const nonce = crypto.getRandomValues(Buffer.alloc(nonceBytes));
    const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, salt), nonce);
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([salt, nonce, cipher.getAuthTag(), encrypted]);
  },
  open: async (sealed, passphrase) => {
    const bytes = Buffer.from(sealed);
    const [nonceAt, tagAt, textAt] = [saltBytes, saltBytes + nonceBytes, saltBytes + nonceBytes + tagBytes];
    if (bytes.length < textAt) return null;
    const key = await keyOf(passphrase, bytes.subarray(0, nonceAt));
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(nonceAt, tagAt));
    decipher.setAuthTag(bytes.subarray(tagAt, textAt));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]);
    } catch {
      return null;
    }
  },
  authenticate: async (text, passphrase) => {
    const salt = crypto.getRandomValues(Buffer.alloc(saltBytes));
    return Buffer.concat([salt, await codeOf(text, passphrase, salt)]).toString("base64");
  },
  isAuthentic: async (text, mac, passphrase) => {
    const bytes = Buffer.from(mac, "base64");
    if (bytes.length !== saltBytes + macBytes) return false;
    const expected = await codeOf(text, passphrase, bytes.subarray(0, saltBytes));
    return isSameSecret(expected, bytes.subarray(saltBytes));
  },
};

/** HMAC-SHA256 with a separate key, derived from the passphrase's key and a label (HKDF, RFC 5869). */
async function codeOf(text: string, passphrase: string, salt: Uint8Array): Promise<Buffer> {
  const key = hkdfSync("sha256", await keyOf(passphrase, salt), "", "cloakroom backup manifest", macBytes);
  return createHmac("sha256", Buffer.from(key)).update(text).digest();
}

function keyOf(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(passphrase.normalize("NFC"), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}
