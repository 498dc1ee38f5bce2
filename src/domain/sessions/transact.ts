import type { Clock } from "../../kernel/clock.ts";
import type { ActorRecord } from "../model/actor.ts";
import type { AuditEntry } from "../ports/audit-store.ts";
import type { Atomically, Stores } from "../ports/stores.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";

/**
 * Makes the transactions of use cases. Each run looks up the actor's right, does the work and then writes the audit entries
 * that the work collected: entries form a chain, whose head is thus held for a moment only.
 */
export function createTransact({
  atomically,
  clock,
}: {
  readonly atomically: Atomically;
  readonly clock: Clock;
}): Transact {
  return (actor, work) => {
    let begun: number | null = null;
    return atomically(async (stores) => {
      const now = (begun ??= clock.nowSeconds());
      const rights = { sessions: stores.sessions, serviceTokens: stores.serviceTokens, now };
      const found = (await actor.check(rights)) ?? actor;
      const entries: AuditEntry[] = [];
      const result = await work(openTx(stores, found, now, entries));
      for (const entry of entries) await stores.audit.append(entry);
      return result;
    });
  };
}

function openTx(
  stores: Stores,
  { name, accountId, via }: ActorRecord,
  now: number,
  entries: AuditEntry[],
): Tx {
  const actor = { name, accountId, via };
  return {
    ...stores,
    now,
    actor,
    audit: (action, about, detail, by) => {
      const recorded = by === undefined ? actor : { name: by.name, accountId: by.accountId, via: by.via };
      entries.push({ actor: recorded, action, forAccountId: about, at: now, detail });
    },
    mail: async ({ mail: to, language }, mail) =>
      to === null ? null : stores.outbox.insertMail({ to, language, at: now, mail }),
  };
}
