/** How members end their own accounts, with time to change their minds. */
import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { minuteText } from "../../kernel/instant.ts";
import { requireFreshProof, type FreshProof, type Self } from "../accounts/fresh-proof.ts";
import type { Pages } from "../accounts/pages.ts";
import { usernameOf } from "../model/account.ts";
import { system } from "../model/actor.ts";
import { refusals } from "../model/refusals.ts";
import type { Rules } from "../model/rules.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor } from "../ports/unit-of-work.ts";
import { dropFiles } from "../textures/files.ts";
import { keepAdministrator } from "./levels.ts";
import { removeMember, type DeletionDeps } from "./remove-member.ts";

/**
 * Asks for the deletion of the member's own account, which takes effect after `deleteSeconds`, and ends all
 * its sessions, those of games too. A mail says until when it can be taken back. Where no time is left for
 * that, the account is gone at once. Asking again does not put the deletion off. Writes audit. Fails as
 * `requireFreshProof` does, and with conflict as `keepAdministrator` does. Resolves to when the account goes
 * (Unix seconds).
 */
export async function askToLeave(
  deps: DeletionDeps & {
    readonly hasher: PasswordHasher;
    readonly pages: () => Pages;
    readonly rules: Pick<Rules, "names" | "accounts">;
  },
  actor: Actor,
  self: Self,
  proof: FreshProof,
): Promise<number> {
  const { deleteSeconds } = deps.rules.accounts;
  const proven = await requireFreshProof(deps, self, proof);
  const { at, freed } = await deps.transact(actor, async (tx) => {
    const member = await proven(tx);
    const { id, deleteAt: before } = member.account;
    if (deleteSeconds === 0) return { at: tx.now, freed: await removeMember(deps, tx, member, system) };
    await keepAdministrator(tx, member, null);
    const deleteAt = Math.min(before ?? Infinity, tx.now + deleteSeconds);
    await tx.accounts.updateAccount(id, { deleteAt });
    await tx.sessions.deleteSessionsOf(id);
    await tx.codes.deleteCodesOf(id);
    if (deleteAt !== before) {
      if (member.player !== null) tx.audit("user.leave", id, { new: { expires_at: deleteAt } });
      const [username, time] = [usernameOf(member), minuteText(deleteAt)];
      await tx.mail(member.account, { template: "leaving", username, time, link: deps.pages().home });
    }
    return { at: deleteAt, freed: [] };
  });
  await dropFiles(deps, freed);
  return at;
}

/** Takes the member's deletion of their own account back. Writes audit unless there is none to take back. */
export async function takeLeaveBack(
  { transact }: Pick<DeletionDeps, "transact">,
  actor: Actor,
  { account }: Self,
): Promise<void> {
  await transact(actor, async (tx) => {
    const now = await tx.accounts.findMember({ by: "id", value: account.id });
    if (now === null || now.account.deleteAt === null) return;
    await tx.accounts.updateAccount(account.id, { deleteAt: null });
    if (now.player !== null) tx.audit("user.stay", account.id, { old: { expires_at: now.account.deleteAt } });
  });
}

/** Accounts that one round removes, some milliseconds of the event loop each. */
const removedAtOnceMax = 50;

/**
 * Removes accounts whose owner's deletion of them is due, some at a time, as `system`. The last administrator
 * stays: that deletion is taken back. Returns how many were removed and how many stay.
 */
export async function removeLeaving(
  deps: DeletionDeps & { readonly reads: Pick<Reads, "accounts"> },
): Promise<{ readonly removed: number; readonly kept: number }> {
  const due = await deps.reads.accounts.listLeaving(deps.clock.nowSeconds(), removedAtOnceMax);
  const found = { removed: 0, kept: 0 };
  for (const id of due) {
    const outcome = await removeDue(deps, id);
    if (outcome !== null) found[outcome] += 1;
  }
  return found;
}

/** Null: it is gone, or its owner has taken the deletion back meanwhile. */
async function removeDue(deps: DeletionDeps, value: AccountId): Promise<"removed" | "kept" | null> {
  const result = await deps
    .transact(system, async (tx) => {
      const member = await tx.accounts.findMember({ by: "id", value });
      if (member === null || (member.account.deleteAt ?? Infinity) > tx.now) return null;
      return await removeMember(deps, tx, member);
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== refusals.lastAdministrator.code) throw error;
      // Otherwise each round would try it again, and refuse it.
      await deps.transact(system, async (tx) => {
        const member = await tx.accounts.findMember({ by: "id", value });
        if (member === null || member.account.deleteAt === null) return;
        await tx.accounts.updateAccount(value, { deleteAt: null });
        tx.audit("user.stay", value, { old: { expires_at: member.account.deleteAt } });
      });
      return "kept" as const;
    });
  if (result === "kept" || result === null) return result;
  await dropFiles(deps, result);
  return "removed";
}
