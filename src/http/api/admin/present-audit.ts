import type { RecordedEntry } from "../../../domain/audit/audit.ts";

/** An entry in the contract's words (Audit entry). */
export function presentEntry({ id, issuer, action, forAccountId, at, detail }: RecordedEntry) {
  return { id, iss: issuer, action, for: forAccountId ?? 0, time: at, detail };
}
