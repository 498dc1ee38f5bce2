import type { AuditReads, AuditStore } from "../../domain/ports/audit-store.ts";
import { auditReads as sharedReads } from "../sql/audit-reads.ts";
import { auditWrites } from "../sql/audit-writes.ts";
import type { Sender } from "../sql/sender.ts";
import type { Touch } from "../sql/touch.ts";
import { auditSearch } from "./audit-search.ts";
import { countRows } from "./counts.ts";

export function auditReads(db: Sender): AuditReads {
  return sharedReads(db, auditSearch(db), (name) => countRows(db, name));
}

export function auditStore(db: Sender, touch: Touch): AuditStore {
  return { ...auditReads(db), ...auditWrites(touch) };
}
