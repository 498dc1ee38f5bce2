import { sql } from "drizzle-orm";
import type { AuditSearch } from "../sql/audit-search.ts";
import { auditEntries } from "../sql/schema/record.ts";
import type { Sender } from "../sql/sender.ts";
import { patternOf, searchOf } from "./search.ts";

export function auditSearch(db: Sender): AuditSearch {
  const search = searchOf(db, "audit");
  return {
    find: async (text, page) => (patternOf(text) === null ? null : search.find(text, page)),
    count: search.count,
    holds: (text) => {
      const pattern = patternOf(text);
      if (pattern === null) return null;
      return sql`EXISTS (
        SELECT 1 FROM search_texts
        WHERE kind = 'audit' AND search_texts.id = ${auditEntries.id} AND text LIKE ${pattern})`;
    },
  };
}
