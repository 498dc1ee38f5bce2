import type { AccountId } from "../../kernel/ids.ts";
import { registrationOf, type Member } from "../model/account.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import { findMember } from "./identifier.ts";

/**
 * Stores how far an account's registration is (`registrationOf`), after a change of its address, password or player in the same
 * transaction. Returns the member as they are now.
 */
export async function settleRegistration({ accounts }: Tx, id: AccountId): Promise<Member> {
  const member = await findMember(accounts, String(id));
  const registration = registrationOf(member);
  if (registration !== member.account.registration) await accounts.updateAccount(id, { registration });
  return { ...member, account: { ...member.account, registration } };
}
