import { limits } from "../../kernel/limits.ts";
import { parseRowNumber, parseUuid, type AccountId } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import type { Member } from "../model/account.ts";
import { mailKey } from "../model/mail-address.ts";
import type { AccountReads, MemberKey } from "../ports/account-store.ts";
import { mayBeUsername, nameKey } from "../model/username.ts";

/** The rule for identifiers, for people: see `readIdentifier`. */

/** What may be a mail address, as far as identifiers need to know. */
export const mailLikePattern = /^[!-~]*@[!-~]*$/;

/**
 * What an identifier means (docs/contract/admin.md#users): digits a user id, else a uuid, a mail address or a
 * username. Null for any other text.
 */
export function readIdentifier(text: string): MemberKey | null {
  if (text.length === 0 || text.length > limits.identifierLengthMax) return null;
  const id = parseRowNumber(text);
  if (id !== null) return { by: "id", value: id as AccountId }; // the boundary where a checked number becomes an id
  const uuid = parseUuid(text);
  if (uuid !== null) return { by: "uuid", value: uuid };
  if (mailLikePattern.test(text)) return { by: "mail", value: mailKey(text) };
  return mayBeUsername(text) ? { by: "name", value: nameKey(text) } : null;
}

/**
 * The member with this id, or that an identifier names. Fails with invalid for a text of another form, and
 * with not_found.
 */
export async function findMember(accounts: AccountReads, identifier: string | AccountId): Promise<Member> {
  const text = String(identifier);
  const key = readIdentifier(text);
  if (key === null) throw refusals.badIdentifier();
  const member = await accounts.findMember(key);
  if (member === null) throw refusals.unknownUser(text.slice(0, 64));
  return member;
}
