import { chainVersion } from "../../domain/model/audit-chain.ts";
import type { AuditStore } from "../../domain/ports/audit-store.ts";
import type { Touch } from "./touch.ts";

/** Entries are written with what else the transaction touched, so they are not read by it. */
export function auditWrites(touch: Touch): Pick<AuditStore, "append"> {
  return {
    append: async ({ actor, forAccountId, detail, ...entry }) => {
      touch.record({
        ...entry,
        actorName: actor.name,
        actorAccountId: actor.accountId,
        actorVia: actor.via,
        version: chainVersion,
        forAccountId: forAccountId ?? 0,
        detail: JSON.stringify(detail),
      });
    },
  };
}
