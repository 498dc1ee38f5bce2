import { Elysia } from "elysia";
import { ok } from "../../envelope.ts";
import { describe } from "../../openapi/describe.ts";
import { pageAnswer, pageQuery, readRows } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
import { auditEnvelope, presentEntry } from "../../resources/audit-entry.ts";
import { staffGuard } from "../../guards.ts";
import { capeRoutes } from "./capes.ts";
import { mailRoutes } from "./mail.ts";
import { staffPlayerRoutes } from "./players.ts";
import { skinRoutes } from "./skins.ts";
import { tokenRoutes } from "./tokens.ts";
import { userRoutes } from "./users.ts";

const said = { audit: "Audit" } as const;

/** `/api/admin` (docs/contract/admin.md). `domain/model/policy.ts` says who may do what. */
export function adminRoutes(parts: Parts) {
  return new Elysia({ prefix: "/api/admin", tags: ["Admin"] })
    .headers({ "cache-control": "no-store" })
    .use(userRoutes(parts))
    .use(staffPlayerRoutes(parts))
    .use(skinRoutes(parts))
    .use(capeRoutes(parts))
    .use(auditRoute(parts))
    .use(mailRoutes(parts))
    .use(tokenRoutes(parts));
}

function auditRoute(parts: Parts) {
  const { listEntries, countEntries } = parts.reads.audit;
  const list = { rows: listEntries, count: countEntries };
  return new Elysia()
    .use(staffGuard(parts, "inspect"))
    .get("/audit", async (context) => ok(said.audit, (await readRows(list, context)).map(presentEntry)), {
      query: pageQuery,
      response: { 200: auditEnvelope },
      detail: describe({
        operationId: "listAuditEntries",
        summary: "Changes and their authors, the newest first",
        description: "`q` is searched in `iss` and `action`; a number is taken as a user's id.",
        who: "moderators",
        msg: said.audit,
        answers: pageAnswer,
      }),
    });
}
