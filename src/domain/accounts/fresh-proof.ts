import { refusals } from "../model/refusals.ts";
import type { SessionId } from "../../kernel/ids.ts";
import { compared, type PasswordAttempt } from "../limits/password-attempt.ts";
import type { Member } from "../model/account.ts";
import { passwordTexts } from "../model/password.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/** A member who changes their own account, and the session that they use. */
export type Self = Member & { readonly sessionId: SessionId };

/**
 * What proves along with a change that the member still is at the session: the current password, and the
 * attempt that it counts as.
 */
export type FreshProof = { readonly password: string; readonly attempt: PasswordAttempt };

/** The member as they are now, within the transaction of the change. */
export type ProvenSelf = (tx: Tx) => Promise<Member>;

/**
 * Ensures that a change to an account comes from its member. Fails with invalid for a wrong password and for
 * an account that has none, with limited after too many tries. Hashing takes long, so this comes before the
 * transaction, which gets the member from the result; that fails with unauthenticated when the password has
 * changed meanwhile.
 */
export async function requireFreshProof(
  { hasher }: { readonly hasher: PasswordHasher },
  { account: { id, passwordHash } }: Self,
  { attempt, ...proof }: FreshProof,
): Promise<ProvenSelf> {
  if (passwordHash === null) {
    throw refusals.noPassword();
  }
  await attempt.take();
  const { normal, typed } = passwordTexts(proof.password);
  const isRight = await compared(
    attempt,
    async () => normal !== "" && hasher.verify(normal, passwordHash, typed),
  );
  if (!isRight) {
    attempt.failed(id);
    throw refusals.wrongPassword();
  }
  await attempt.succeeded();

  return async ({ accounts }) => {
    const now = await accounts.findMember({ by: "id", value: id });
    if (now !== null && hasher.isSame(now.account.passwordHash, passwordHash)) return now;
    throw refusals.passwordChanged();
  };
}
