import { limits } from "../../kernel/limits.ts";
import { mailKey } from "../model/mail-address.ts";
import { nameKey } from "../model/username.ts";
import type { Credentials } from "../ports/account-store.ts";
import type { Reads } from "../ports/stores.ts";

/** The credentials that a mail address or username names; null for another text. */
export function findCredentials(reads: Reads, login: string): Promise<Credentials | null> {
  if (login.length === 0 || login.length > limits.identifierLengthMax) return Promise.resolve(null);
  return reads.accounts.findCredentials(credentialsKey(login));
}

/**
 * The key of a login. Two texts with one key are one login. Text beyond the length of any login is ignored.
 */
export function credentialsKey(login: string): { readonly by: "mail" | "name"; readonly value: string } {
  const text = login.slice(0, limits.identifierLengthMax + 1);
  return text.includes("@") ? { by: "mail", value: mailKey(text) } : { by: "name", value: nameKey(text) };
}
