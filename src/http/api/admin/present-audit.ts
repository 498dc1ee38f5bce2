import type { RecordedEntry } from "../../../domain/ports/audit-store.ts";

/** An entry in the contract's words (Audit entry). */
export function presentEntry({ id, actor, action, forAccountId, at, detail }: RecordedEntry) {
  const { name: iss, accountId: actor_id, via: actor_via } = actor;
  return { id, iss, actor_id, actor_via, action, for: forAccountId ?? 0, time: at, detail };
}
