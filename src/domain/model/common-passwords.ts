import { commonPasswordLines } from "./common-password-list.ts" with { type: "macro" };

const commonPasswords: ReadonlySet<string> = new Set(commonPasswordLines().split("\n"));

/**
 * True for one of the 10,000 commonest passwords, whatever its case. Takes a password in NFC. They are those
 * that `@zxcvbn-ts/language-common` (MIT) ranks first, from published leaks.
 */
export function isCommonPassword(normalised: string): boolean {
  return commonPasswords.has(normalised.toLowerCase());
}
