import { commonPasswordLines } from "./common-password-list.ts" with { type: "macro" };

/** Made when the first password is chosen: it takes 0.3 MB. */
let commonPasswords: ReadonlySet<string> | null = null;

/**
 * True for one of the 10,000 commonest passwords, whatever its case. Takes a password in NFC. They are those
 * that `@zxcvbn-ts/language-common` (MIT) ranks first, from published leaks.
 */
export function isCommonPassword(normalised: string): boolean {
  commonPasswords ??= new Set(commonPasswordLines().split("\n"));
  return commonPasswords.has(normalised.toLowerCase());
}
