import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";

/**
 * A new password in the form that is hashed: Unicode NFC, so that one typed on another keyboard still fits. Fails with
 * invalid outside 8 to 128 characters; `field` names the request's field in the message.
 */
export function parseNewPassword(text: string, field = "password"): string {
  // The raw length is looked at first: normalising a megabyte of combining marks is work for an attacker.
  const rawLengthMax = limits.passwordLengthMax * 8;
  const normal = text.length <= rawLengthMax ? text.normalize("NFC") : "";
  const length = Array.from(normal).length;
  if (length < limits.passwordLengthMin || length > limits.passwordLengthMax) {
    const range = `${limits.passwordLengthMin} to ${limits.passwordLengthMax}`;
    throw new AppError("invalid", `${field}: must have ${range} characters`);
  }
  return normal;
}

/** A password that somebody signs in with, in the form that was hashed; null when it cannot be anybody's. */
export function normalisePassword(text: string): string | null {
  if (text.length === 0 || text.length > limits.passwordLengthMax * 8) return null;
  return text.normalize("NFC");
}
