import type { CodeSending } from "../accounts/issue-code.ts";
import { useConfirmation } from "../accounts/register.ts";
import { anonymous } from "../model/actor.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import { openSession, type Client, type SignedIn } from "../sessions/open-session.ts";

/**
 * Confirms a registration as `confirmMail` does, and opens a session, in which the person chooses a name: the code has shown that the
 * address is theirs, which is all that the account consists of. Null for an account that owned its address already, as one with a
 * level above 1: the person signs in with its password.
 */
export function confirmAndSignIn(
  { transact, codes }: { readonly transact: Transact; readonly codes: Pick<CodeSending, "hash"> },
  { code, client }: { readonly code: string; readonly client: Client },
): Promise<SignedIn | null> {
  return transact(anonymous, async (tx) => {
    const member = await useConfirmation(tx, codes, code);
    if (member === null) return null;
    return openSession(tx, { member, methods: ["mail"], provedAt: tx.now }, client);
  });
}
