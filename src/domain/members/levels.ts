import type { AccountId } from "../../kernel/ids.ts";
import { system } from "../model/actor.ts";
import { changedFacts } from "../model/audit-facts.ts";
import { mayAct } from "../model/policy.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refusals } from "../model/refusals.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import {
  levelInForce,
  temporaryLevelInForce,
  type Account,
  type Level,
  type Member,
} from "../model/account.ts";
import { findMember } from "../accounts/identifier.ts";

type Deps = { readonly transact: Transact };

/**
 * Gives an account a level: permanently, which ends a temporary level, or until `expiresAt` (Unix seconds, in
 * the future), after which the permanent level holds again. Administrators and services may. Writes audit.
 * Fails with not_found for an unknown account and with conflict as `keepAdministrator` does. A level that is
 * held already, with the same end, changes and writes nothing.
 */
export async function setLevel(
  deps: Deps,
  actor: Actor,
  input: { readonly account: AccountId; readonly level: Level; readonly expiresAt: number | null },
): Promise<Member> {
  const { level, expiresAt } = input;
  return deps.transact(actor, async (tx) => {
    const before = await findMember(tx.accounts, input.account);
    await endTemporaryLevel(tx, before.account);
    const levels =
      expiresAt === null
        ? { permanentLevel: level, temporaryLevel: null }
        : { temporaryLevel: { level, expiresAt } };
    const account = { ...before.account, ...levels };
    const after = { ...before, account };
    const detail = { old: levelFacts(before.account, tx.now), new: levelFacts(account, tx.now) };
    if (changedFacts(detail.old, detail.new) === null) return after;
    await keepAdministrator(tx, before, after);
    await tx.accounts.updateAccount(account.id, levels);
    tx.audit("role.set", account.id, detail);
    return after;
  });
}

/** Temporary levels that are ended in one transaction, some 20 ms of the write lock; the next run goes on. */
const endedAtOnceMax = 500;

/**
 * Takes away the temporary levels whose time has come, and returns how many. Nothing relies on it, because
 * every use checks the time; but this is when the audit is written, as `system`.
 */
export async function expireTemporaryLevels(
  deps: Deps & { readonly reads: Reads; readonly clock: Clock },
): Promise<number> {
  const now = deps.clock.nowSeconds();
  // Mostly nothing has ended, which a read shows without the write lock.
  if ((await deps.reads.accounts.listEndedLevels(now, 1)).length === 0) return 0;
  return deps.transact(system, async (tx) => {
    const members = await tx.accounts.listEndedLevels(tx.now, endedAtOnceMax);
    for (const { account } of members) await endTemporaryLevel(tx, account);
    return members.length;
  });
}

/** Takes a temporary level away whose time has come; any other stays. */
async function endTemporaryLevel({ accounts, audit, now }: Tx, account: Account): Promise<void> {
  const { id, temporaryLevel: ended } = account;
  if (ended === null || ended.expiresAt > now) return;
  const after = { ...account, temporaryLevel: null };
  await accounts.updateAccount(id, { temporaryLevel: null });
  const detail = { old: levelFacts(account, ended.expiresAt - 1), new: levelFacts(after, now) };
  audit("role.expire", id, detail, system);
}

/** What the audit says of an account's level, in the contract's words. */
function levelFacts(account: Account, now: number) {
  return {
    perms: levelInForce(account, now),
    perms_permanent: account.permanentLevel,
    perms_expires_at: temporaryLevelInForce(account, now)?.expiresAt ?? null,
  };
}

/**
 * Keeps at least one administrator, whatever ends when: within the transaction of a change it fails with
 * conflict when the change shortens a member's time as administrator and no other member is a permanent one.
 * `after` is null when the account is deleted or suspended. A suspended administrator is not counted.
 */
export async function keepAdministrator(
  { accounts, now }: Tx,
  before: Member,
  after: Member | null,
): Promise<void> {
  const until = after === null ? 0 : administratorUntil(after, now);
  if (until >= administratorUntil(before, now)) return;
  if (await accounts.hasLastingAdministrator({ than: before.account.id, now })) return;
  throw refusals.lastAdministrator();
}

/**
 * Until when a member is an administrator, in Unix seconds: 0 if not an administrator now, `Infinity` if
 * permanently one. An account without a player is no administrator, because it may not use what they use.
 */
function administratorUntil({ account, player }: Member, now: number): number {
  if (player === null || !mayAct(levelInForce(account, now), "administer")) return 0;
  if (mayAct(account.permanentLevel, "administer")) return Infinity;
  return temporaryLevelInForce(account, now)?.expiresAt ?? 0;
}
