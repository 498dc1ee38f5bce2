/**
 * How plugins write passwords, in the forms of `PasswordForms`. A text that names its kind itself is left as
 * it is.
 */
import type { SourcePassword } from "../../domain/ports/import-source.ts";

/** `$2y$…`, `$argon2id$…`, `$P$…`, `$SHA$…`, `$MD5vb$…`, `pbkdf2_sha256$…`, `pbkdf2$…`. */
const named = /^(?:\$(?:2[abxy]?|argon2(?:id?|d)|P|H|SHA|MD5vb|scrypt)\$|pbkdf2(?:_sha256)?\$)/i;

/** Whether a text names its kind itself. */
export function namesItsKind(text: string): boolean {
  return named.test(text);
}

/** A password of a row; null for an empty one. */
export function passwordOf(
  text: string | null,
  kind: string | null = null,
  salt: string | null = null,
): SourcePassword | null {
  return text === null || text === "" ? null : { text, kind, salt };
}

/** Digits of SHA-256 and SHA-512, the hash of a hash and a salt. */
const saltedKinds: Readonly<Record<number, string>> = { 64: "salted2-sha256", 128: "salted2-sha512" };

function salted(hash: string, salt: string): SourcePassword | null {
  const kind = saltedKinds[hash.length];
  return kind === undefined ? null : { text: hash, kind, salt };
}

/**
 * LibreLogin keeps a hash in parts: `10$…` and a salt of 22 characters for bcrypt, `19,2,16384$…` and a salt
 * in Base64 for Argon2, and digits of a number without its leading zeros for SHA. Another algorithm is left
 * as it is, with its name.
 */
export function libreLoginPassword(
  text: string | null,
  salt: string | null,
  algorithm: string | null,
): SourcePassword | null {
  const plain = passwordOf(text, algorithm, salt);
  if (plain === null || plain.salt === null) return plain;
  const digits = libreLoginDigits[algorithm ?? ""];
  if (digits !== undefined)
    return salted(plain.text.toLowerCase().padStart(digits, "0"), plain.salt) ?? plain;
  return libreLoginText(plain.text, plain.salt, algorithm) ?? plain;
}

const libreLoginDigits: Readonly<Record<string, number>> = { "SHA-256": 64, "SHA-512": 128 };

function libreLoginText(text: string, salt: string, algorithm: string | null): SourcePassword | null {
  const [head = "", hash = "", ...rest] = text.split("$");
  if (rest.length > 0) return null;
  if (algorithm === "BCrypt-2A" && /^\d{1,2}$/.test(head)) {
    return passwordOf(`$2a$${head.padStart(2, "0")}$${salt}${hash}`);
  }
  const parts = /^(\d+),(\d+),(\d+)$/.exec(head);
  if (algorithm !== "Argon-2ID" || parts === null) return null;
  const [, version, passes, memory] = parts;
  return passwordOf(`$argon2id$v=${version}$m=${memory},t=${passes},p=1$${unpadded(salt)}$${unpadded(hash)}`);
}

/** PHC texts have no padding. */
function unpadded(base64: string): string {
  return base64.replace(/=+$/, "");
}

/**
 * nLogin writes `$SHA512$`, the hash, then the salt; its older versions have `@` between the two. What it
 * took over from AuthMe ends with `$AUTHME`.
 */
export function nLoginPassword(text: string | null): SourcePassword | null {
  const plain = passwordOf(text);
  if (plain === null) return null;
  const parts = /^\$SHA(?:256|512)\$([0-9a-f]+)[$@](.+)$/i.exec(plain.text);
  if (parts !== null) return salted((parts[1] ?? "").toLowerCase(), parts[2] ?? "") ?? plain;
  return passwordOf(plain.text.replace(/\$AUTHME$/i, ""));
}

/**
 * LimboAuth writes bcrypt. What it took over from others is `SHA256$`, `SHA$` or `$SHA$`, the salt, then a
 * hash whose length shows its kind.
 */
export function limboAuthPassword(text: string | null): SourcePassword | null {
  const plain = passwordOf(text);
  if (plain === null) return null;
  const parts = /^\$?SHA(?:256|512)?\$([^$]+)\$([0-9a-f]+)$/i.exec(plain.text);
  return parts === null ? plain : (salted((parts[2] ?? "").toLowerCase(), parts[1] ?? "") ?? plain);
}
