/**
 * Digests of passwords, with or without a salt, as other systems keep them: `$<kind>$<digest>` and
 * `$<kind>$<salt>$<digest>`. Computing one takes microseconds, so it is done where it is asked for.
 */
import { isSameSecret } from "../../kernel/constant-time.ts";
import { randomHex, type HashKind } from "./kind.ts";

type Algorithm = "md5" | "sha1" | "sha256" | "sha512";

const digits = { md5: 32, sha1: 40, sha256: 64, sha512: 128 } as const;

function h(algorithm: Algorithm, text: string | Uint8Array): string {
  return new Bun.CryptoHasher(algorithm).update(text).digest("hex");
}

/** What each kind computes of a password and a salt. */
type Rule = (algorithm: Algorithm, password: string, salt: string) => string;

const digest: Rule = (algorithm, password) => h(algorithm, password);
const hashedThenSalted: Rule = (algorithm, password, salt) => h(algorithm, h(algorithm, password) + salt);
const salted: Rule = (algorithm, password, salt) => h(algorithm, password + salt);

const rules: readonly (readonly [
  name: string,
  algorithm: Algorithm,
  salt: "salted" | "unsalted",
  rule: Rule,
])[] = [
  ["md5", "md5", "unsalted", digest],
  ["sha1", "sha1", "unsalted", digest],
  ["sha256", "sha256", "unsalted", digest],
  ["sha512", "sha512", "unsalted", digest],
  ["salted2-md5", "md5", "salted", hashedThenSalted],
  ["salted2-sha256", "sha256", "salted", hashedThenSalted],
  ["salted2-sha512", "sha512", "salted", hashedThenSalted],
  ["salted-sha256", "sha256", "salted", salted],
  ["salted-sha512", "sha512", "salted", salted],
  ["mybb", "md5", "salted", (md5, password, salt) => h(md5, h(md5, salt) + h(md5, password))],
  ["wbb3", "sha1", "salted", (sha1, password, salt) => h(sha1, salt + h(sha1, salt + h(sha1, password)))],
  // The salt is the name at the forum.
  ["smf", "sha1", "salted", (sha1, password, name) => h(sha1, name.toLowerCase() + password)],
  ["joomla", "md5", "salted", salted],
  ["authme-sha256", "sha256", "salted", hashedThenSalted],
  ["md5vb", "md5", "salted", hashedThenSalted],
  [
    "double-sha256",
    "sha256",
    "unsalted",
    (sha256, password) => h(sha256, new Bun.CryptoHasher(sha256).update(password).digest()),
  ],
  ["double-sha256-hex", "sha256", "unsalted", (sha256, password) => h(sha256, h(sha256, password))],
];

/** Between dollars a salt is percent-encoded, because it may be any text, halves of letters included. */
export function encodeSalt(salt: string): string {
  return encodeURIComponent(salt.toWellFormed());
}

export const digestKinds: readonly HashKind[] = rules.map(([name, algorithm, salt, rule]) => {
  const head = `$${name}$`;
  const isSalted = salt === "salted";
  const form = new RegExp(
    `^\\$${name}\\$(?<field>${isSalted ? "[^$]{1,1024}\\$" : ""})(?<result>[0-9a-f]{${digits[algorithm]}})$`,
  );
  const of = async (password: string, field: string) =>
    rule(algorithm, password, decodeURIComponent(field.slice(0, -1)));
  const dummyField = () => (isSalted ? `${randomHex(16)}$` : "");
  return {
    name,
    head,
    read: (hash) => {
      const { field, result } = form.exec(hash)?.groups ?? {};
      if (field === undefined || result === undefined || !isEncoded(field)) return null;
      return { effort: head, fits: async (password) => isSameSecret(await of(password, field), result) };
    },
    milliseconds: () => 0.02,
    dummy: () => `${head}${dummyField()}${randomHex(digits[algorithm])}`,
    digest: { of, effortIn: () => "", dummyField },
  };
});

/** Whether a salt is written as `encodeSalt` does. */
export function isEncoded(field: string): boolean {
  try {
    decodeURIComponent(field);
    return true;
  } catch {
    return false;
  }
}

/**
 * How many hexadecimal digits a result of the kind has, and whether it needs a salt; null: it is no digest.
 */
export function digestShape(kind: string): { readonly digits: number; readonly isSalted: boolean } | null {
  const found = rules.find(([name]) => name === kind);
  if (found === undefined) return null;
  return { digits: digits[found[1]], isSalted: found[2] === "salted" };
}
