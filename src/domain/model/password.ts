import { refusals } from "./refusals.ts";
import { limits } from "../../kernel/limits.ts";
import { isCommonPassword } from "./common-passwords.ts";

/**
 * Brings a new password into the form that is hashed: Unicode NFC, so that another keyboard gives the same.
 * Fails with invalid outside 8 to 128 characters and for a common one (docs/contract/auth.md#passwords);
 * `field` names the request's field in the message.
 */
export function parseNewPassword(text: string, field = "password"): string {
  // The raw length is looked at first: normalising a megabyte of combining marks is work for an attacker.
  const rawLengthMax = limits.passwordLengthMax * 8;
  const normal = text.length <= rawLengthMax ? text.normalize("NFC") : "";
  const length = Array.from(normal).length;
  if (length < limits.passwordLengthMin || length > limits.passwordLengthMax) {
    throw refusals.passwordLength(limits.passwordLengthMin, limits.passwordLengthMax, { field });
  }
  if (isCommonPassword(normal)) {
    throw refusals.passwordCommon({ field });
  }
  return normal;
}

/** A password that somebody signs in with, in the form that was hashed; null when it cannot be anybody's. */
export function normalisePassword(text: string): string | null {
  if (text.length === 0 || text.length > limits.passwordLengthMax * 8) return null;
  return text.normalize("NFC");
}

/** A password in the form that we hash, and as it was typed, which is what other systems hashed. */
export type PasswordTexts = { readonly normal: string; readonly typed: string };

/** Both forms of a password that somebody signs in with; empty texts when it cannot be anybody's. */
export function passwordTexts(text: string): PasswordTexts {
  const normal = normalisePassword(text);
  return normal === null ? { normal: "", typed: "" } : { normal, typed: text };
}
