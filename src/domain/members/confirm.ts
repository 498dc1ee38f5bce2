import type { CodeSending } from "../accounts/issue-code.ts";
import { confirmForName, useConfirmation } from "../accounts/register.ts";
import { findRegistrationPassword, type TypedPassword } from "../accounts/registration-password.ts";
import { anonymous } from "../model/actor.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import { openSession, type Client, type SignedIn } from "../sessions/open-session.ts";
import { isSuspended } from "../sessions/suspended.ts";
import type { Clock } from "../../kernel/clock.ts";

type Deps = {
  readonly transact: Transact;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly codes: Pick<CodeSending, "hash">;
};

/**
 * Confirms a registration by its code (`useConfirmation`). `password` is that of the registration; left out,
 * an address that several registered with different passwords has none afterwards. Returns whether the
 * account has a password. Fails with invalid for a wrong code, and as `findRegistrationPassword` does.
 */
export async function confirmMail(
  deps: Deps,
  { code, password, attemptAt }: Omit<TypedPassword, "password"> & { readonly password?: string | undefined },
): Promise<{ readonly hasPassword: boolean }> {
  const chosen =
    password === undefined
      ? null
      : await findRegistrationPassword(deps, { code, password, attemptAt }, deps.clock.nowSeconds());
  return deps.transact(anonymous, async (tx) => {
    const { account } = await useConfirmation(tx, deps.codes, { code, chosen });
    return { hasPassword: account.passwordHash !== null };
  });
}

/**
 * Confirms a registration by its code alone, and opens a session in which the person chooses name and
 * password (`confirmForName`). No password that was given before counts, so the account belongs to the owner
 * of the mailbox, also where a stranger registered the address. Null for an account whose owner signs in,
 * and for a suspended one, which is confirmed and gets no session. Fails with invalid for a wrong code.
 */
export async function confirmAndSignIn(
  { transact, codes }: Pick<Deps, "transact" | "codes">,
  { code, client }: { readonly code: string; readonly client: Client },
): Promise<SignedIn | null> {
  return transact(anonymous, async (tx) => {
    const member = await confirmForName(tx, codes, code);
    if (member === null || (await isSuspended(tx, member.account.id))) return null;
    return openSession(tx, { member, methods: ["mail"], provedAt: tx.now }, client);
  });
}
