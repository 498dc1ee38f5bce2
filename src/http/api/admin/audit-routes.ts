import { Elysia } from "elysia";
import { ok } from "../../envelope.ts";
import { describe } from "../../openapi/describe.ts";
import { pageAnswer, pageQuery, readPage, readRows } from "../../paging.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import { presentEntry } from "./present-audit.ts";
import { auditEnvelope } from "./schema-audit.ts";

export type AuditDeps = GuardDeps;

/** What was changed, by whom (contract, Admin). */
export function auditRoutes(deps: AuditDeps) {
  const { listEntries, countEntries } = deps.reads.audit;
  return new Elysia().use(staffGuard(deps, "inspect")).get(
    "/audit",
    async ({ query, set }) => {
      const list = { rows: listEntries, count: countEntries };
      const { rows, headers } = await readRows(list, readPage(query), "/api/admin/audit");
      Object.assign(set.headers, headers);
      return ok("Audit", rows.map(presentEntry));
    },
    {
      query: pageQuery,
      response: { 200: auditEnvelope },
      detail: describe({
        operationId: "listAuditEntries",
        summary: "What was changed by whom, the newest first",
        description: "`q` is looked for in `iss` and `action`, and a number is taken for a user's id.",
        who: "moderators",
        msg: "Audit",
        answers: pageAnswer,
      }),
    },
  );
}
