import { usernameOf, type Alias, type Member } from "../model/account.ts";
import { refusals } from "../model/refusals.ts";
import { nameKey } from "../model/username.ts";
import type { AliasReads } from "../ports/alias-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { findMember } from "./identifier.ts";

/* Names that an import kept for signing in. They name no player, and are not taken by other accounts. */

/** The member's aliases, the oldest first. */
export function listAliases(
  { reads }: { readonly reads: { readonly aliases: AliasReads } },
  { account }: Pick<Member, "account">,
): Promise<readonly Alias[]> {
  return reads.aliases.listAliases(account.id);
}

/**
 * Deletes one of the member's aliases, in any case: from then on it signs in no more, and everybody may take
 * the name. Fails with not_found for a name that is no alias of theirs, and with conflict for the last one of
 * an account that could not sign in without it.
 */
export async function removeAlias(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  { account }: Pick<Member, "account">,
  name: string,
): Promise<void> {
  await transact(actor, async (tx) => {
    if (!(await tx.aliases.deleteAlias(account.id, nameKey(name)))) throw refusals.unknownAlias();
    if (!(await canSignIn(tx, await findMember(tx.accounts, account.id)))) throw refusals.onlyLogin();
  });
}

/** Whether the account can be signed in to in any other way than by an alias that has just gone. */
async function canSignIn({ aliases, identities }: Tx, member: Member): Promise<boolean> {
  const { id, mail } = member.account;
  if (mail !== null || usernameOf(member) !== "") return true;
  if ((await identities.findIdentityOf(id)) !== null) return true;
  return (await aliases.listAliases(id)).length > 0;
}
