import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";

/**
 * The purposes of codes. A code of another purpose is invalid. That of a claim is handed out by operators,
 * and lets a person take over their own account.
 */
export const codePurposes = ["confirm", "reset", "mail", "claim"] as const;
/** One of them. */
export type CodePurpose = (typeof codePurposes)[number];

/** How long a code is valid, in seconds. */
export function codeSecondsOf(purpose: CodePurpose): number {
  return purpose === "claim" ? limits.claimSeconds : limits.codeSeconds;
}

/** A code that waits to be used. The code itself is known only to the person who got it. */
export type PendingCode = {
  readonly accountId: AccountId;
  readonly purpose: CodePurpose;
  /** What `CodeHasher` makes of the code. */
  readonly hash: string;
  /** The address that it was sent to, which using it proves; empty for a claim. */
  readonly mail: string;
  /** Unix seconds. */
  readonly expiresAt: number;
};

/** A keyed hash: with a stolen database alone the 2^50 codes cannot be tried. */
export type CodeHasher = (code: string) => string;

/**
 * Crockford's base32: without I, L, O and U, which are easily misread
 * (https://www.crockford.com/base32.html).
 */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 10;
/** More characters than any way to write a code; longer texts are refused unread. */
export const codeTextLengthMax = 64;
/** A code as people type it, as `readCode` takes it. */
export const codeTextPattern = new RegExp(
  `^(?:[\\s-]*[${alphabet}OIL${alphabet.toLowerCase()}oil]){${length}}[\\s-]*$`,
);
const codePattern = new RegExp(`^[${alphabet}]{${length}}$`);

/** A new code: 10 random characters, 50 bits. */
export function newCode(): string {
  // 256 is a multiple of 32, so every character is equally likely.
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => alphabet[byte % 32]).join("");
}

/** How people read a code: five characters, a dash, five more. */
export function showCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/**
 * Reads a code as people type it: any case, with or without dashes and blanks, O for 0, I and L for 1. Null:
 * no code.
 */
export function readCode(text: string): string | null {
  if (text.length > codeTextLengthMax) return null;
  const code = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return codePattern.test(code) ? code : null;
}
