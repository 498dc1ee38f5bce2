import { chainVersion } from "../../domain/model/audit-chain.ts";
import type { AuditReads, AuditStore } from "../../domain/ports/audit-store.ts";
import { auditReads as sharedReads } from "../sql/audit-reads.ts";
import { auditSearch } from "./audit-search.ts";
import { countRows } from "./counts.ts";
import type { Sender } from "../sql/sender.ts";
import type { Touch } from "./touch.ts";

export function auditReads(db: Sender): AuditReads {
  return sharedReads(db, auditSearch(db), (name) => countRows(db, name));
}

/** Entries are written with what else the transaction touched, so they are not read by it. */
export function auditStore(db: Sender, touch: Touch): AuditStore {
  return {
    ...auditReads(db),
    append: async ({ actor, forAccountId, detail, ...entry }) => {
      touch.record({
        ...entry,
        issuer: actor.name,
        actorAccountId: actor.accountId,
        actorVia: actor.via,
        version: chainVersion,
        forAccountId: forAccountId ?? 0,
        detail: JSON.stringify(detail),
      });
    },
  };
}
