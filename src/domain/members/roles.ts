import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { system, type Actor } from "../model/actor.ts";
import { mayAct } from "../model/policy.ts";
import type { Reads, Stores, Transact } from "../ports/stores.ts";
import { levelInForce, roleInForce, type Account, type Level, type Member } from "../model/account.ts";
import { findMember } from "../accounts/identifier.ts";
import type { AccountReads } from "../ports/account-store.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/**
 * Gives an account a level: for good, which ends a temporary role, or until `expiresAt` (Unix seconds, in the future), after
 * which the permanent level holds again. Administrators and services may. Writes audit. Fails with not_found for an unknown
 * account and with conflict as `keepAdministrator` does.
 */
export async function setRole(
  deps: Deps,
  actor: Actor,
  input: { readonly account: AccountId; readonly level: Level; readonly expiresAt: number | null },
): Promise<Member> {
  const { level, expiresAt } = input;
  return deps.transact(async (stores) => {
    const now = deps.clock.nowSeconds();
    const before = await findMember(stores.accounts, String(input.account));
    await endRole(stores, before.account, now);
    const levels =
      expiresAt === null ? { permanentLevel: level, role: null } : { role: { level, expiresAt } };
    const account = { ...before.account, ...levels };
    const after = { ...before, account };
    await keepAdministrator(stores.accounts, { before, after, now });
    await stores.accounts.setLevels(account.id, account);
    const detail = { old: levelFacts(before.account, now), new: levelFacts(account, now) };
    await stores.audit.append({ actor, action: "role.set", forAccountId: account.id, at: now, detail });
    return after;
  });
}

/** Roles that are ended in one transaction, some 20 ms of the write lock; the next run goes on. */
const endedAtOnceMax = 500;

/**
 * Takes away the roles whose time has come, and tells how many. Nothing relies on it, for every use checks the time; but it
 * is when the audit is told. Writes audit, as `system`.
 */
export async function expireRoles(deps: Deps & { readonly reads: Reads }): Promise<number> {
  const now = deps.clock.nowSeconds();
  // Mostly nothing has ended, which a read tells without the write lock.
  if ((await deps.reads.accounts.listEndedRoles(now, 1)).length === 0) return 0;
  return deps.transact(async (stores) => {
    const members = await stores.accounts.listEndedRoles(now, endedAtOnceMax);
    for (const { account } of members) await endRole(stores, account, now);
    return members.length;
  });
}

/** Takes a role away whose time has come; any other stays. */
async function endRole(stores: Stores, account: Account, now: number): Promise<void> {
  const { id, role } = account;
  if (role === null || role.expiresAt > now) return;
  const after = { ...account, role: null };
  await stores.accounts.setLevels(id, after);
  const detail = { old: levelFacts(account, role.expiresAt - 1), new: levelFacts(after, now) };
  const entry = { actor: system, action: "role.expire", forAccountId: id, at: now, detail };
  await stores.audit.append(entry);
}

/** What the audit tells of somebody's level, in the contract's words. */
function levelFacts(account: Account, now: number) {
  return {
    perms: levelInForce(account, now),
    perms_permanent: account.permanentLevel,
    perms_expires_at: roleInForce(account, now)?.expiresAt ?? null,
  };
}

/**
 * Sees to it that there is always an administrator, whatever ends when: within the transaction of a change it fails with
 * conflict when the change makes somebody's time as administrator shorter and nobody else is one for good. `after` is null
 * when the account is deleted.
 */
export async function keepAdministrator(
  accounts: AccountReads,
  change: { readonly before: Member; readonly after: Member | null; readonly now: number },
): Promise<void> {
  const { before, after, now } = change;
  const until = after === null ? 0 : administratorUntil(after, now);
  if (until >= administratorUntil(before, now)) return;
  if (await accounts.hasLastingAdministrator({ than: before.account.id, now })) return;
  const remedy = "make somebody else one for good first";
  throw new AppError("conflict", `The last administrator can be neither demoted nor deleted: ${remedy}`);
}

/**
 * Until when somebody is an administrator, in Unix seconds: 0 for who is none at this time, infinity for who is one for
 * good. An account whose registration is unfinished is none, for it may not use what they use.
 */
function administratorUntil({ account, player }: Member, now: number): number {
  if (player === null || !mayAct(levelInForce(account, now), "administer")) return 0;
  if (mayAct(account.permanentLevel, "administer")) return Infinity;
  return roleInForce(account, now)?.expiresAt ?? 0;
}
