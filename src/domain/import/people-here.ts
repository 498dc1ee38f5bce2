import type { PlannedAccount, WrittenFields } from "../model/import-plan.ts";
import type { AccountHere } from "../ports/import-store.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/**
 * Within the transaction that writes them: what is written of accounts that are here. What people changed
 * since the plan was made stays, and staff is suspended by staff alone. A level above that of here is given,
 * and audited.
 */
export async function keepChangesHere(
  tx: Tx,
  source: string,
  planned: readonly PlannedAccount[],
): Promise<readonly PlannedAccount[]> {
  const ids = planned.flatMap(({ id, account, suspension }) =>
    id === null || (account === null && suspension === null) ? [] : id,
  );
  if (ids.length === 0) return planned;
  const here = new Map((await tx.imports.accountsHere(ids)).map((one) => [one.id, one]));
  for (const one of planned) await raiseLevel(tx, source, one, here);
  return planned.map((one) => {
    const now = one.id === null ? undefined : here.get(one.id);
    return now === undefined ? one : mergedWith(now, one);
  });
}

type Here = ReadonlyMap<AccountHere["id"], AccountHere>;

async function raiseLevel(
  { accounts, audit }: Tx,
  source: string,
  { id, account, base }: PlannedAccount,
  here: Here,
): Promise<void> {
  const now = id === null ? undefined : here.get(id);
  if (id === null || account === null || now === undefined) return;
  if (account.level <= now.level || (base !== undefined && base.level !== now.level)) return;
  await accounts.updateAccount(id, { permanentLevel: account.level });
  const reason = `came over from ${source}`;
  audit("role.set", id, { old: { perms: now.level }, new: { perms: account.level }, reason });
}

const fields = ["mail", "mailVerified", "passwordHash", "language", "playersMax"] as const;

function mergedWith(
  now: AccountHere,
  { account, base, suspension, ...planned }: PlannedAccount,
): PlannedAccount {
  const staff = now.level > 1;
  return {
    ...planned,
    base,
    suspension: staff ? null : suspension,
    account: account && {
      ...account,
      ...changedSince(now, base),
      lastSeenAt: Math.max(now.lastSeenAt ?? 0, account.lastSeenAt ?? 0) || null,
    },
  };
}

/** What is otherwise than when the plan was made. An address goes with whether it is confirmed. */
function changedSince(now: AccountHere, base: WrittenFields | undefined): Partial<WrittenFields> {
  if (base === undefined) return {};
  const changed = fields.filter((field) => now[field] !== base[field]);
  const kept = changed.some((field) => field === "mail") ? [...changed, "mailVerified" as const] : changed;
  return Object.fromEntries(kept.map((field) => [field, now[field]]));
}
