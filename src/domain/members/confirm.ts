import type { CodeSending } from "../accounts/issue-code.ts";
import { useConfirmation } from "../accounts/register.ts";
import { anonymous } from "../model/actor.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import { openSession, type Client, type SignedIn } from "../sessions/open-session.ts";

/**
 * Confirms a registration as `confirmMail` does, and opens a session, in which the person chooses a name: the code has shown that the
 * address is theirs, which is all that the account consists of. Null for an account of another address than `mail`, which the person
 * has registered: somebody else's code opens no session for them. Null also for one that owned its address already, as one with a
 * level above 1. Then the owner signs in with the password. Fails with invalid as `confirmMail` does, and for a text that is no
 * address.
 */
export function confirmAndSignIn(
  { transact, codes }: { readonly transact: Transact; readonly codes: Pick<CodeSending, "hash"> },
  { code, mail, client }: { readonly code: string; readonly mail: string; readonly client: Client },
): Promise<SignedIn | null> {
  const registered = mailKey(parseMail(mail));
  return transact(anonymous, async (tx) => {
    const member = await useConfirmation(tx, codes, code);
    if (member === null || mailKey(member.account.mail ?? "") !== registered) return null;
    return openSession(tx, { member, methods: ["mail"], provedAt: tx.now }, client);
  });
}
