import type { AuditStore } from "../../domain/audit/audit.ts";
import type { Db } from "./open.ts";
import { auditEntries } from "./schema/audit.ts";

export function auditStore(db: Db): AuditStore {
  return {
    append: async ({ forAccountId, ...entry }) => {
      db.insert(auditEntries)
        .values({ ...entry, forAccountId: forAccountId ?? 0 })
        .run();
    },
  };
}
