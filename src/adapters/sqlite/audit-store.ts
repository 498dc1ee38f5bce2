import { desc } from "drizzle-orm";
import type { AuditStore } from "../../domain/audit/audit.ts";
import { hashOfEntry } from "../../domain/audit/chain.ts";
import type { Db } from "./open.ts";
import { auditEntries } from "./schema/audit.ts";

export function auditStore(db: Db): AuditStore {
  const newest = db
    .select({ id: auditEntries.id, hash: auditEntries.hash })
    .from(auditEntries)
    .orderBy(desc(auditEntries.id))
    .limit(1)
    .prepare();

  return {
    append: async ({ forAccountId, detail, ...entry }) => {
      // Rows are only ever added, so the next number is one more than the newest's.
      const before = newest.get() ?? { id: 0, hash: "" };
      const row = {
        ...entry,
        id: before.id + 1,
        forAccountId: forAccountId ?? 0,
        detail: JSON.stringify(detail),
        previousHash: before.hash,
      };
      db.insert(auditEntries)
        .values({ ...row, hash: hashOfEntry(row) })
        .run();
    },
  };
}
