import { peopleOf } from "../../../domain/audit/people.ts";
import type { ListPage } from "../../../domain/model/list-page.ts";
import type { RecordedEntry } from "../../../domain/ports/audit-store.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http } from "../../http.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { pageAnswer, readRows } from "../../paging.ts";
import {
  auditEnvelope,
  auditQuery,
  chainEnvelope,
  keptFilter,
  presentChain,
  presentEntry,
  readAuditFilter,
} from "../../resources/audit-entry.ts";
import { route } from "../../routing/route.ts";

/** The audit and its chain (docs/contract/admin.md#audit). */
export function auditRoutes({ reads, audit }: Services, { guards }: Http) {
  return [
    route("GET", "/audit", {
      guard: guards.staff("inspect"),
      query: auditQuery,
      envelope: auditEnvelope,
      operationId: "listAuditEntries",
      summary: "Changes and their authors, the newest first",
      description:
        "`q` is searched in `iss` and `action`; a number is taken as a user's id. All filters that are given must hold.",
      msg: "Audit",
      answers: pageAnswer,
      refuses: [...refusalsOf.page, ...refusalsOf.search],
      handle: async (context) => {
        const kept = keptFilter(context.query);
        const filter = Object.keys(kept).length === 0 ? undefined : readAuditFilter(kept);
        const list = {
          rows: (page: ListPage) => reads.audit.listEntries(page, filter),
          count: (search: string | null, most: number) => reads.audit.countEntries(search, most, filter),
        };
        const entries = await readRows(list, context, kept);
        const people = await peopleOf(reads.audit, entries.map(namedIn));
        return entries.map((entry) => presentEntry(entry, people));
      },
    }),
    route("GET", "/audit/chain", {
      guard: guards.staff("inspect"),
      envelope: chainEnvelope,
      operationId: "verifyAuditChain",
      summary: "Whether the audit's chain of hashes is intact",
      description:
        "Note the newest hash elsewhere from time to time: a person who can write to the database can replace the whole chain. For five minutes only entries that were added meanwhile are verified again.",
      msg: "Audit chain",
      handle: async () => presentChain(await audit.checkChain()),
    }),
  ];
}

function namedIn({ actor, forAccountId }: RecordedEntry) {
  return { actorAccountId: actor.accountId, forAccountId };
}
